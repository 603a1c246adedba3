// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the inspection of processes and the sending of signals.
#include "pathdump/workflow/process.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"

namespace pathprof {

namespace fs = std::filesystem;

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0)
    close(number_);
}

namespace {

// Wrappers for the system calls pidfd_open (Linux 5.3) and pidfd_send_signal (Linux 5.1). On older systems, the
// wrappers return -1 and set errno to ENOSYS.
int open_process([[maybe_unused]] pid_t pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

int send_to([[maybe_unused]] int process, [[maybe_unused]] siginfo_t *info) {
#ifdef SYS_pidfd_send_signal
  return static_cast<int>(syscall(SYS_pidfd_send_signal, process, info->si_signo, info, 0));
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Returns the file name of the program. Strips the suffix " (deleted)", which the kernel appends if the executable was
// replaced.
std::string program_in(const std::string &folder) {
  static const std::string kDeleted = " (deleted)";
  std::error_code error;
  std::string program = fs::read_symlink(folder + "/exe", error).string();
  if (program.size() > kDeleted.size() &&
      program.compare(program.size() - kDeleted.size(), std::string::npos, kDeleted) == 0)
    program.erase(program.size() - kDeleted.size());
  return fs::path(program).filename().string();
}

// Returns the kernel's name for the process, which is at most 15 characters long.
std::string short_name_in(const std::string &folder) {
  std::string name;
  std::getline(std::ifstream(folder + "/comm"), name);
  return name;
}

std::string field_of(const std::string &file, const std::string &field) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (line.compare(0, field.size() + 1, field + ":") == 0) {
      size_t first = line.find_first_not_of(" \t", field.size() + 1);
      return first == std::string::npos ? "" : line.substr(first);
    }
  return {};
}

// Returns true if a hexadecimal signal mask contains the signal.
bool has_bit(const std::string &mask, int signal) {
  uint64_t bits = 0;
  std::from_chars(mask.data(), mask.data() + mask.size(), bits, 16);
  return bits >> (signal - 1) & 1;
}

bool is_number(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

Process::Process(pid_t pid) : pid_(pid), handle_(open_process(pid)) {
  if (kill(pid, 0) != 0 && errno == ESRCH)
    throw Failure(kWrongUse, fmt::format("record: process {} does not exist", pid));
  bool may_signal = kill(pid, 0) == 0;
  name_ = program_in(file(""));
  if (name_.empty())
    name_ = short_name_in(file(""));
  if (!may_signal)
    throw Failure(
        kBadData,
        fmt::format(
            "record: {}: no permission to signal the process; run pathdump as the owner of the process or as root",
            title()));
}

std::string Process::title() const {
  return fmt::format("process {} ({})", pid_, name_);
}

std::string Process::file(const std::string &name) const {
  return fmt::format("/proc/{}/{}", pid_, name);
}

std::string Process::status(const std::string &field) const {
  return field_of(file("status"), field);
}

bool Process::is_alive() const {
  if (handle_.is_open()) {
    pollfd end = {handle_.number(), POLLIN, 0};
    return poll(&end, 1, 0) == 0;
  }
  return kill(pid_, 0) == 0 && status("State").substr(0, 1) != "Z";
}

bool Process::handles(int signal) const {
  return has_bit(status("SigCgt"), signal);
}

bool Process::admits(int signal) const {
  std::error_code error;
  for (const auto &thread : fs::directory_iterator(file("task"), error)) {
    std::string blocked = field_of(thread.path().string() + "/status", "SigBlk");
    if (!blocked.empty() && !has_bit(blocked, signal))
      return true;
  }
  return false;
}

bool Process::send(int signal, uint32_t value) const {
  siginfo_t info;
  std::memset(&info, 0, sizeof info);
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_int = static_cast<int>(value);
  if (handle_.is_open() && send_to(handle_.number(), &info) == 0)
    return true;
  if (handle_.is_open() && errno != ENOSYS)
    return false;
  return sigqueue(pid_, signal, info.si_value) == 0;
}

std::vector<pid_t> processes_of(const std::string &name) {
  static constexpr size_t kShort = 15;
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator("/proc", error)) {
    std::string number = entry.path().filename().string(), folder = entry.path().string();
    if (!is_number(number) || number == std::to_string(getpid()))
      continue;
    bool is_it = program_in(folder) == name || short_name_in(folder) == name.substr(0, kShort);
    if (is_it && field_of(folder + "/status", "State").substr(0, 1) != "Z")
      found.push_back(static_cast<pid_t>(std::stol(number)));
  }
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace pathprof
