// SPDX-License-Identifier: GPL-3.0-or-later
// Starts child processes, waits for them, and passes on their exit status.
#include "pathdump/workflow/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"

namespace pathprof {

namespace {

volatile sig_atomic_t running_child = 0;

void forward(int signal) {
  if (running_child > 0)
    kill(static_cast<pid_t>(running_child), signal);
}

// Handles signals while a child runs. Signals that are sent from the keyboard are ignored, because the child also
// receives them from the terminal. Other termination signals are forwarded to the child.
class SignalsOfChild {
public:
  SignalsOfChild() {
    for (size_t i = 0; i < kSignals.size(); i++) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_IGN)
        continue;
      struct sigaction action = {};
      action.sa_handler = kSignals[i] == SIGINT || kSignals[i] == SIGQUIT ? SIG_IGN : forward;
      sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~SignalsOfChild() { restore(); }
  SignalsOfChild(const SignalsOfChild &) = delete;
  SignalsOfChild &operator=(const SignalsOfChild &) = delete;

  void restore() const {
    for (size_t i = 0; i < kSignals.size(); i++)
      sigaction(kSignals[i], &before_[i], nullptr);
  }

private:
  static constexpr std::array<int, 4> kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

bool redirect(const std::string &file, int flags, int descriptor) {
  if (file.empty())
    return true;
  int opened = open(file.c_str(), flags | O_CLOEXEC, 0666);
  return opened >= 0 && dup2(opened, descriptor) >= 0;
}

// Executes the program in the child process. If exec fails, writes the error to the pipe. A successful exec closes the
// pipe.
[[noreturn]] void become(const Child &child, const SignalsOfChild &signals, int pipe) {
  signals.restore();
  for (const auto &[name, value] : child.environment)
    setenv(name.c_str(), value.c_str(), 1);
  std::vector<char *> words;
  for (const std::string &word : child.words)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  if (redirect(child.input, O_RDONLY, STDIN_FILENO) &&
      redirect(child.output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) &&
      (child.output.empty() || !child.errors.empty() || dup2(STDOUT_FILENO, STDERR_FILENO) >= 0) &&
      redirect(child.errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO) &&
      (child.folder.empty() || chdir(child.folder.c_str()) == 0))
    execvp(words[0], words.data());
  int error = errno;
  ssize_t written = write(pipe, &error, sizeof error);
  _exit(written == sizeof error ? 127 : 126);
}

double seconds_of(const timeval &time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

} // namespace

std::string Ended::text() const {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

Ended run_child(const std::string &command, const Child &child) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Failure(kBadData, fmt::format("{}: cannot create a pipe: {}", command, std::strerror(errno)));
  SignalsOfChild signals;
  pid_t pid = fork();
  if (pid == 0)
    become(child, signals, ends[1]);
  int fork_error = errno;
  running_child = pid;
  close(ends[1]);
  int error = 0;
  ssize_t got = pid < 0 ? 0 : TEMP_FAILURE_RETRY(read(ends[0], &error, sizeof error));
  close(ends[0]);
  if (pid < 0)
    throw Failure(kBadData, fmt::format("{}: cannot create a process: {}", command, std::strerror(fork_error)));
  int status = 0;
  struct rusage usage = {};
  TEMP_FAILURE_RETRY(wait4(pid, &status, 0, &usage));
  running_child = 0;
  if (got == sizeof error) {
    const std::string &what =
        child.input.empty() || access(child.input.c_str(), R_OK) == 0 ? child.words[0] : child.input;
    cannot_start(command, what, error);
  }
  return {status, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)};
}

void cannot_start(const std::string &command, const std::string &what, int error) {
  bool is_here = error == ENOENT && what.find('/') == std::string::npos && access(what.c_str(), X_OK) == 0;
  throw Failure(kWrongUse, fmt::format("{}: {}: {}{}", command, what, std::strerror(error),
                                       is_here ? fmt::format("; did you mean ./{}?", what) : ""));
}

std::vector<std::string> shell_words(const std::string &line) {
  return {"sh", "-c", line};
}

int pass_on(const Ended &ended) {
  if (!WIFSIGNALED(ended.status))
    return WEXITSTATUS(ended.status);
  int number = WTERMSIG(ended.status);
  struct rlimit no_core = {};
  setrlimit(RLIMIT_CORE, &no_core); // the child has already dumped core if core dumps are enabled
  signal(number, SIG_DFL);
  raise(number);
  return 128 + number; // not reached unless the signal is blocked
}

void stop_if_interrupted(const Ended &ended) {
  if (WIFSIGNALED(ended.status) && (WTERMSIG(ended.status) == SIGINT || WTERMSIG(ended.status) == SIGQUIT))
    pass_on(ended);
}

std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

std::string own_folder() {
  return std::filesystem::path(own_program()).parent_path().string();
}

} // namespace pathprof
