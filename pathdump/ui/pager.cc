// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a pager and waits for it to exit.
#include "pathdump/ui/pager.h"
#include "pathdump/ui/program.h"

#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "profile/model/visible.h"

extern char **environ;

namespace pathprof {

// Signals to ignore while the pager runs. pathdump must survive a pager that exits early, and Ctrl-C and Ctrl-\ must
// affect only the pager.
static constexpr int signals[] = {SIGPIPE, SIGINT, SIGQUIT};

static bool is_program(const std::string &word) {
  if (word.find('/') != std::string::npos)
    return access(word.c_str(), X_OK) == 0;
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access(((folder.empty() ? "." : folder) + "/" + word).c_str(), X_OK) == 0)
      return true;
  return false;
}

// Returns true if the command can probably be run. A command with special characters, which only a shell can interpret,
// is assumed to exist.
static bool is_there(const std::string &command) {
  if (command.find_first_of("|&;<>()$`\\\"'*?[#~=%") != std::string::npos)
    return true;
  std::string word;
  std::istringstream(command) >> word;
  return is_program(word);
}

static const char *variable() {
  return std::getenv("PATHPROF_PAGER") ? "PATHPROF_PAGER" : "PAGER";
}

bool Pager::is_asked_for() {
  return std::getenv(variable()) != nullptr;
}

std::unique_ptr<Pager> Pager::start() {
  const char *wanted = std::getenv(variable());
  std::string command = wanted ? wanted : "less";
  if (command.find_first_not_of(' ') == std::string::npos || command == "cat")
    return nullptr;
  std::unique_ptr<Pager> pager(new Pager);
  if (is_there(command) && pager->spawn(command))
    return pager;
  if (wanted)
    std::cerr << fmt::format("{}: {}: cannot run the pager '{}'; printing without a pager\n", program_name, variable(),
                             visible(command));
  return nullptr;
}

bool Pager::spawn(const std::string &command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  // Uses the same settings as git: less exits if the text fits on the screen, keeps colours, and does not clear the
  // screen.
  setenv("LESS", "FRX", 0);
  setenv("LV", "-c", 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  const char *arguments[] = {"sh", "-c", command.c_str(), nullptr};
  int error = posix_spawn(&process_, "/bin/sh", &actions, nullptr, const_cast<char **>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (error != 0 || !(stream_ = fdopen(ends[1], "w"))) {
    close(ends[1]);
    return false;
  }
  std::setvbuf(stream_, nullptr, _IOLBF, BUFSIZ); // keeps the order of lines relative to standard error
  if (isatty(STDERR_FILENO)) {
    kept_stderr_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(ends[1], STDERR_FILENO);
  }
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  for (size_t i = 0; i < std::size(signals); i++)
    sigaction(signals[i], &ignore, &kept_[i]);
  return true;
}

void Pager::finish() {
  if (!stream_)
    return;
  if (kept_stderr_ >= 0) {
    dup2(kept_stderr_, STDERR_FILENO);
    close(kept_stderr_);
  }
  std::fclose(stream_);
  stream_ = nullptr;
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR)
    continue;
  for (size_t i = 0; i < std::size(signals); i++)
    sigaction(signals[i], &kept_[i], nullptr);
}

} // namespace pathprof
