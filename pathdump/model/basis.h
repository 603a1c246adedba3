// SPDX-License-Identifier: GPL-3.0-or-later
// What the figures of a profile are of: which paths it counts, and what they are ranked by.  All commands that rank
// paths or functions of one profile ask here, so that they agree.
#ifndef PATHPROF_PATHDUMP_MODEL_BASIS_H
#define PATHPROF_PATHDUMP_MODEL_BASIS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pathdump/model/costs.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// By cycles where they were measured, else by executions × statements.  Measuring has its price, which is taken from
// the cycles; but it is known only about: where it is more than half of what the clock showed, its error may be
// larger than what tells paths apart, and statements rank.
struct Basis {
  bool has_cycles = false;
  bool by_cycles = false;
  bool is_wanted = false;    // what it ranks by was asked for
  std::string order;         // "count" or "name" where rows are in another order than that of their weights
  uint64_t cycles = 0;       // of all paths
  uint64_t measurements = 0; // one each time that a path was executed
  uint64_t measuring = 0;    // what these cost
  bool knows_cost = false;
  const Costs *costs = nullptr; // measured by another tool; ranks where it is there

  // In per cent of what the clock showed.
  double share_of_measuring() const;
  // Too much to rank by the cycles.
  bool is_dear() const { return measuring > cycles; }
  std::string name() const { return costs ? costs->event() : by_cycles ? "cycles" : "statements"; }
  Ranking ranking() const { return {by_cycles, costs}; }
};

// `key`: "statements", "cycles", or anything else for what fits the profile.
Basis basis_of(const Profile &profile, const std::string &key = "");

// Sentences without full stops, one a line: what the rows are ranked by, what shares are of, what measuring cost.
// `all` is what the whole profile has of that; nothing where rows have no shares.
std::vector<std::string> basis_text(const Basis &basis, std::optional<Weight> all);
void print_basis(const Basis &basis, std::optional<Weight> all, Output &out);
// "ranked_by", and where cycles were measured "cycles" and "measuring_cycles".
void add_basis(Json &json, const Basis &basis);

// "acyclic paths (mode=acyclic) in 3 functions": what is counted as a path in the selected functions, by mode; empty
// where there are none.
std::string counted_text(const Profile &profile, const Names &names);
// The same of one function, without their number.
std::string counted_text(const FunctionNotes &notes);
// The line that says so; of two profiles one for both where they count the same.
void print_counted(const Profile &profile, const Names &names, Output &out);
void print_counted(const Profile &a, const Profile &b, const Names &names, Output &out);
// An object for each mode and k: "mode", "k", "functions".
Json counted_json(const Profile &profile, const Names &names);

// "acyclic", or where the mode has a k "kiter,k=2".
std::string mode_text(const FunctionNotes &notes);

// Cycles of all of the function's paths.
uint64_t cycles_of(const Function &function);

} // namespace pathprof

#endif
