// SPDX-License-Identifier: GPL-3.0-or-later
// Inspects running processes by means of /proc.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_PROCESS_H
#define PATHPROF_PATHDUMP_WORKFLOW_PROCESS_H

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace pathprof {

// A file descriptor that the destructor closes.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor();

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

private:
  int number_;
};

// A running process. On Linux 5.3 and later, a process file descriptor (pidfd) ensures that signals never reach a
// different process that has reused the process ID.
class Process {
public:
  // Throws Failure if the process does not exist or the caller is not permitted to signal it.
  explicit Process(pid_t pid);

  pid_t pid() const { return pid_; }
  const std::string &name() const { return name_; } // name of the program that the process runs, without directories
  std::string title() const;                        // description such as "process 123 (server)"

  bool is_alive() const;
  // Returns the value of a field in /proc/PID/status, or an empty string if there is no such field.
  std::string status(const std::string &field) const;
  bool handles(int signal) const;
  // Returns true if at least one thread of the process does not block the signal.
  bool admits(int signal) const;
  // Sends a signal together with a value, like sigqueue(3). Returns false and sets errno on failure.
  bool send(int signal, uint32_t value) const;

  // Returns the path of a file in /proc/PID, such as "maps".
  std::string file(const std::string &name) const;

private:
  pid_t pid_;
  Descriptor handle_;
  std::string name_;
};

// Returns the IDs of all processes that run the program `name`. The name can be the program's file name without
// directories, or the process name that ps and pgrep print.
std::vector<pid_t> processes_of(const std::string &name);

} // namespace pathprof

#endif
