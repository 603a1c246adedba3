// SPDX-License-Identifier: GPL-3.0-or-later
// Creates and removes directories.
#include "pathdump/workflow/folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"

namespace pathprof {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::string &kept) : is_kept_(!kept.empty()) {
  if (is_kept_) {
    name_ = fs::absolute(kept).string();
    std::error_code error;
    fs::create_directories(name_, error);
    if (!error && !fs::is_empty(name_, error))
      throw Failure(kWrongUse, fmt::format("{} is not empty; use a new directory", kept));
    if (error)
      throw Failure(kWrongUse, fmt::format("{}: {}", kept, error.message()));
    return;
  }
  name_ = fs::temp_directory_path() / "pathprof-XXXXXX";
  if (!mkdtemp(name_.data()))
    throw Failure(kBadData, fmt::format("cannot create a directory in {}: {}", fs::temp_directory_path().string(),
                                        std::strerror(errno)));
  // Unlike SIG_IGN, a handler is not inherited by the programs that the command runs.
  sigaction(SIGPIPE, nullptr, &kept_action_);
  struct sigaction action = kept_action_;
  if (action.sa_handler == SIG_DFL)
    action.sa_handler = [](int) {};
  sigaction(SIGPIPE, &action, nullptr);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (is_kept_)
    return;
  sigaction(SIGPIPE, &kept_action_, nullptr);
  fs::remove_all(name_, ignored);
}

} // namespace pathprof
