// SPDX-License-Identifier: GPL-3.0-or-later
// Stores the cost that `pathprof record --cost` measured in a file next to the profile: FILE.cost for the profile FILE.
//
// The cost is not a section of the profile, because every run of the program merges its counts into the profile: the
// runtime would have to carry the section, and programs that contain an older runtime would drop it. The file contains
// the measured positions, which are attributed to paths when a command reads them. It therefore stays valid if later
// runs add counts to the profile.
//
// The file is JSON with one measured position per line. It lists the modules (programs and shared objects) of the
// measured run with the keys of their builds. The cost of another build is rejected.
#ifndef PATHPROF_PATHDUMP_COST_STORED_COST_H
#define PATHPROF_PATHDUMP_COST_STORED_COST_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pathdump/model/costs.h"
#include "pathdump/ui/siblings.h"

namespace pathprof {

// The command that measures and stores a cost, as quoted in messages.
inline const char *const kMeasureCommand = "'pathprof record --cost -- PROG'";

// Adds the costs of `other`, multiplied by `weight`, to `sum`. Both have the same tool and event.
void add_measurement(Measurement &sum, const Measurement &other, double weight = 1);

// Returns the name of the file that contains the cost of the profile.
std::string cost_file_of(const std::string &profile);
// Returns true if a cost is stored with the profile. The cost may be that of another build.
bool has_stored_cost(const std::string &profile);

// Returns the cost that is stored with the profile. Throws Failure if there is none, if the file cannot be read, or if
// another build was measured. The message begins with `command`, the name of the subcommand, if there is no cost.
Measurement read_stored_cost(const std::string &command, const std::string &profile);

// Adds the measurement to the cost that is stored with the profile. A stored cost of an older build is kept with the
// profile of that build, FILE.BUILDID. Replaces a stored cost that is unusable, belongs to no profile, or was measured
// with another tool or event. Returns true if a usable cost was replaced, which has
// another unit. Throws Failure if the file cannot be written.
bool add_to_stored_cost(const std::string &profile, Measurement measurement);

// Stores the weighted sum of the costs of `profiles` with the profile `merged`, which `profiles` may contain. If a
// profile has no usable cost, or if the costs were measured with different tools or events, removes the cost that is
// stored with `merged`, and returns the reason if at least one profile has a cost. `costs` are the results of
// stored_costs_of().
using StoredCosts = std::vector<std::optional<Measurement>>;
std::string store_merged_cost(const std::string &merged, const std::vector<std::string> &profiles,
                              const std::vector<uint64_t> &weights, const StoredCosts &costs);
// Returns the cost of each profile, or nothing for profiles without a usable cost.
StoredCosts stored_costs_of(const std::vector<std::string> &profiles);

} // namespace pathprof

#endif
