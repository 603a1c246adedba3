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
  std::string cost; // callgrind:FILE, perf:FILE or tsc
};

// Declares the option --cost.
void add_cost_option(Subcommand &command, std::string &cost);
// Declares the options --sort and --cost.
void add_rank_options(Subcommand &command, RankOptions &options);

// Reads the costs selected by `cost`, the value of --cost, and attributes them to the paths of the profile. Returns
// null if `cost` is empty or "tsc". Throws Failure if the cost file is invalid or does not match the profile.
std::unique_ptr<Costs> open_costs(const std::string &cost, const Profile &profile, const std::string &file);

// Returns the quantity by which paths are ranked. `costs` is the result of open_costs(). Throws Failure in three cases:
// the options contradict each other, they need data that the profile does not contain, or --cost is "tsc" and the
// cycles are unreliable.
Basis basis_of(const std::string &command, const RankOptions &options, const Profile &profile, const std::string &file,
               const Costs *costs);

} // namespace pathprof

#endif
