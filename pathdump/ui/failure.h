// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the exit statuses of the commands and the exceptions that end a command early.
#ifndef PATHPROF_PATHDUMP_UI_FAILURE_H
#define PATHPROF_PATHDUMP_UI_FAILURE_H

#include <stdexcept>
#include <string>

namespace pathprof {

// Exit status of a command.
enum ExitStatus : int { kGood = 0, kMissed = 1, kWrongUse = 2, kBadData = 3 };

// Exception that ends a command. `main` prints the message on one line and exits with the status.
class Failure : public std::runtime_error {
public:
  Failure(ExitStatus status, const std::string &message) : std::runtime_error(message), status_(status) {}
  ExitStatus status() const { return status_; }

private:
  ExitStatus status_;
};

// Exception that ends a command whose output is a pipe that the reader has closed, as `head` does. `main` prints no
// message and terminates the process with SIGPIPE.
struct ClosedPipe {};

} // namespace pathprof

#endif
