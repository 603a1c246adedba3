// SPDX-License-Identifier: GPL-3.0-or-later
// Declares a directory for the files that a command needs while it runs.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H
#define PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H

#include <csignal>
#include <string>

namespace pathprof {

// A directory for the files of a subcommand. If the user has specified a directory, it is created if necessary and
// kept. Otherwise, the directory is temporary, and the destructor removes it.
// While a temporary directory exists, SIGPIPE does not terminate the process, so that the directory is also removed if
// the reader of the output closes the pipe.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string &kept = {});
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  // Returns the path of a file in the directory.
  std::string file(const std::string &name) const { return name_ + "/" + name; }

private:
  std::string name_;
  bool is_kept_;
  struct sigaction kept_action_ = {}; // action for SIGPIPE before the temporary directory was created
};

} // namespace pathprof

#endif
