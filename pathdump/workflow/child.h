// SPDX-License-Identifier: GPL-3.0-or-later
// Running other programs.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_CHILD_H
#define PATHPROF_PATHDUMP_WORKFLOW_CHILD_H

#include <map>
#include <string>
#include <vector>

namespace pathprof {

struct Child {
  std::vector<std::string> words;                 // the program and its arguments
  std::map<std::string, std::string> environment; // what is added to ours
  std::string input;                              // a file; empty: our own
  std::string output;                             // a file for its output and messages; empty: our own
};

// How it ended.
struct Ended {
  int status;     // as wait(2) gives it
  double seconds; // of the processor, with those of its own children

  bool is_good() const { return status == 0; }
  std::string text() const; // "exit status 3", "signal 11 (Segmentation fault)"
};

// Waits until it has ended.  Signals that ask for an end go to the child.  Throws Failure where it cannot be started;
// the message begins with `command`, whose work it is.
Ended run_child(const std::string &command, const Child &child);

// A command line for the shell.
std::vector<std::string> shell_words(const std::string &line);

// What to exit with when the child's end is to be ours; does not return where a signal ended it.
int pass_on(const Ended &ended);
// Ends us, too, where the user ended the child from the keyboard.
void stop_if_interrupted(const Ended &ended);

// The file that we are running from, and the folder that it is in.
std::string own_program();
std::string own_folder();

} // namespace pathprof

#endif
