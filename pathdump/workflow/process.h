// SPDX-License-Identifier: GPL-3.0-or-later
// Running processes, as /proc has them.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_PROCESS_H
#define PATHPROF_PATHDUMP_WORKFLOW_PROCESS_H

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace pathprof {

// A descriptor that is closed with the object.
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

// A process that stays the one that it is: where the kernel has descriptors of processes (Linux 5.3), no signal reaches
// another one that got its number since.
class Process {
public:
  // Throws Failure where there is none of that number, or where we may not signal it.
  explicit Process(pid_t pid);

  pid_t pid() const { return pid_; }
  const std::string &name() const { return name_; } // of its program, without folders
  std::string title() const;                        // "process 123 (server)"

  bool is_alive() const;
  // A field of /proc/PID/status; empty where there is none.
  std::string status(const std::string &field) const;
  bool handles(int signal) const;
  // Whether a thread lets the signal through.
  bool admits(int signal) const;
  // Sends the signal with a number, as sigqueue does.  False, with errno, where that failed.
  bool send(int signal, uint32_t value) const;

  // A file of /proc/PID, "maps".
  std::string file(const std::string &name) const;

private:
  pid_t pid_;
  Descriptor handle_;
  std::string name_;
};

// All that run the program of that name: of its file, without folders, or as the kernel has it (ps, pgrep).
std::vector<pid_t> processes_of(const std::string &name);

} // namespace pathprof

#endif
