// SPDX-License-Identifier: GPL-3.0-or-later
// The options --sort and --cost, which select how rows are ranked and ordered.
#ifndef PATHPROF_PATHDUMP_COST_COST_OPTION_H
#define PATHPROF_PATHDUMP_COST_COST_OPTION_H

#include <memory>
#include <string>

#include "pathdump/model/basis.h"
#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace pathprof {

class Subcommand;

// Values of --sort and --cost. A value is empty if the option was not given.
struct RankOptions {
  std::string sort; // sort key
  std::string cost; // callgrind:FILE, perf:FILE, tsc or kDefaultCost
};

// Value of --cost if the command line contains the option without a value.
inline const char *const kDefaultCost = "auto";
// Returns true if the word after --cost is a value that --cost accepts in any command. Otherwise, --cost has no value.
bool is_cost_value(const std::string &word);

// Declares the option --cost.
void add_cost_option(Subcommand &command, std::string &cost);
// Declares the options --sort and --cost.
void add_rank_options(Subcommand &command, RankOptions &options);

// Reads the costs selected by `cost`, the value of --cost, and attributes them to the paths of the profile. Returns
// null if `cost` is empty or "tsc". Throws Failure if the cost file is missing, is invalid or does not match the
// profile. `command` is the name of the subcommand.
std::unique_ptr<Costs> open_costs(const std::string &command, const std::string &cost, const Profile &profile,
                                  const std::string &file);

// Returns the quantity by which paths are ranked. `costs` is the result of open_costs(). Throws Failure in three cases:
// the options contradict each other, they need data that the profile does not contain, or --cost is "tsc" and the
// cycles are unreliable.
Basis basis_of(const std::string &command, const RankOptions &options, const Profile &profile, const std::string &file,
               const Costs *costs);

// Returns a sentence for the end of a ranking by statements, which states how to rank by cost. Returns an empty string
// for other rankings. `file` is the name of the profile. The sentence does not end with a full stop.
std::string cost_hint(const std::string &command, const Basis &basis, const std::string &file);
// Prints an empty line and the sentence, if there is one.
void print_cost_hint(const std::string &command, const Basis &basis, const std::string &file, Output &out);

} // namespace pathprof

#endif
