// SPDX-License-Identifier: GPL-3.0-or-later
// --sort and --cost: what ranks, and in which order rows stand.
#ifndef PATHPROF_PATHDUMP_COST_COST_OPTION_H
#define PATHPROF_PATHDUMP_COST_COST_OPTION_H

#include <memory>
#include <string>

#include "pathdump/model/basis.h"
#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace CLI {
class App;
}

namespace pathprof {

// What a command that shows paths and functions is asked to rank by; both may be empty.
struct RankOptions {
  std::string sort; // a key
  std::string cost; // callgrind:FILE, perf:FILE or tsc
};

// Declares --cost WHAT.
void add_cost_option(CLI::App &command, std::string &cost);
// Declares --sort KEY and --cost WHAT.
void add_rank_options(CLI::App &command, RankOptions &options);

// What `cost` asks for, joined to the profile; null where it is empty or "tsc".  Throws Failure.
std::unique_ptr<Costs> open_costs(const std::string &cost, const Profile &profile, const std::string &file);

// What ranks; `costs` is what open_costs gave.  Throws Failure where the options contradict each other, or the profile
// does not have what they ask for; "tsc" is refused where cycles cannot be trusted.
Basis basis_of(const std::string &command, const RankOptions &options, const Profile &profile, const std::string &file,
               const Costs *costs);

} // namespace pathprof

#endif
