// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump report --sequences`, which lists hot sequences of paths.
#ifndef PATHPROF_PATHDUMP_COMMANDS_SEQUENCES_H
#define PATHPROF_PATHDUMP_COMMANDS_SEQUENCES_H

#include <cstdint>
#include <string>

#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

struct SequenceOptions {
  uint64_t limit = 20;
  double threshold = 0; // minimum share in per cent
  bool lines = false;
  bool json = false;
};

// Prints the hottest sequences of paths as a table or as JSON.  Throws Failure if the profile contains no sequences.
void print_sequences(const Profile &profile, const std::string &file, const Names &names,
                     const SequenceOptions &options, Output &out);

} // namespace pathprof

#endif
