// SPDX-License-Identifier: GPL-3.0-or-later
// How commands end.
#ifndef PATHPROF_PATHDUMP_UI_FAILURE_H
#define PATHPROF_PATHDUMP_UI_FAILURE_H

#include <stdexcept>
#include <string>

namespace pathprof {

// What a command exits with.
enum ExitStatus : int { kGood = 0, kMissed = 1, kWrongUse = 2, kBadData = 3 };

// Ends a command: main prints the message as one line and exits with the status.
class Failure : public std::runtime_error {
public:
  Failure(ExitStatus status, const std::string &message) : std::runtime_error(message), status_(status) {}
  ExitStatus status() const { return status_; }

private:
  ExitStatus status_;
};

} // namespace pathprof

#endif
