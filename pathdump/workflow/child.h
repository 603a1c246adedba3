// SPDX-License-Identifier: GPL-3.0-or-later
// Runs child processes.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_CHILD_H
#define PATHPROF_PATHDUMP_WORKFLOW_CHILD_H

#include <map>
#include <string>
#include <vector>

namespace pathprof {

struct Child {
  std::vector<std::string> words;                 // program and its arguments
  std::map<std::string, std::string> environment; // environment variables to add to those of this process
  std::string input;                              // file for standard input; empty: that of this process
  std::string output;      // file for standard output and standard error; empty: those of this process
  std::string folder = {}; // working directory; empty: that of this process
  std::string errors = {}; // file for standard error; empty: that of standard output
};

// Wait status and processor time of a finished child process.
struct Ended {
  int status;     // wait status, as returned by wait(2)
  double seconds; // processor time of the child and its descendants

  bool is_good() const { return status == 0; }
  std::string text() const; // "exit status 3", "signal 11 (Segmentation fault)"
};

// Runs a child process, waits for it to finish, and forwards termination signals to it. Throws Failure if the process
// cannot be started. The message begins with `command`, the name of the subcommand.
Ended run_child(const std::string &command, const Child &child);

// Throws Failure with a message that the program or input file `what` caused the system error `error`. If the program is
// in the working directory but not in PATH, the message says so.
[[noreturn]] void cannot_start(const std::string &command, const std::string &what, int error);

// Returns the argument vector that makes the shell execute a command line.
std::vector<std::string> shell_words(const std::string &line);

// Returns the exit status of the child.  If a signal terminated the child, terminates this process with the same
// signal.
int pass_on(const Ended &ended);
// Terminates this process if the user interrupted the child from the keyboard.
void stop_if_interrupted(const Ended &ended);

// Return the path of this process's executable file, and the directory that contains it.
std::string own_program();
std::string own_folder();

} // namespace pathprof

#endif
