// SPDX-License-Identifier: GPL-3.0-or-later
// Determines which paths a profile counts and how rows are ranked. All commands that rank the paths or functions of a
// profile use this file, so that their results agree.
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

// The basis on which the rows of a table are ranked: cycles if the profile contains them, otherwise executions ×
// statements. The cost of measuring is subtracted from the cycles, but this cost is known only approximately. If the
// cost exceeds half of all measured cycles, the error can be larger than the differences between paths, so rows are
// ranked by executions × statements.
struct Basis {
  bool has_cycles = false;
  bool by_cycles = false;
  bool is_wanted = false;    // true if the user selected statements or cycles
  std::string order;         // "count" or "name" if rows are not sorted by weight
  uint64_t cycles = 0;       // cycles of all paths, without the cost of measuring
  uint64_t measurements = 0; // number of measurements, one per execution of a path
  uint64_t measuring = 0;    // cycles that measuring took
  bool knows_cost = false;
  const Costs *costs = nullptr; // costs that another tool measured, or null; they rank the rows if present

  // Returns the cost of measuring as a percentage of all measured cycles.
  double share_of_measuring() const;
  // Returns true if the cost of measuring is so high that rows must not be ranked by cycles.
  bool is_dear() const { return measuring > cycles; }
  std::string name() const { return costs ? costs->event() : by_cycles ? "cycles" : "statements"; }
  Ranking ranking() const { return {by_cycles, costs}; }
};

// Returns the basis for the key "statements" or "cycles". For any other key, returns the basis that suits the profile.
Basis basis_of(const Profile &profile, const std::string &key = "");

// Returns sentences that state how the rows of a table are ranked, what the percentages are relative to, and how many
// cycles measuring took. The sentences do not end with a full stop. `all` is the total weight of the profile, or empty
// if the table contains no percentages.
std::vector<std::string> basis_text(const Basis &basis, std::optional<Weight> all);
void print_basis(const Basis &basis, std::optional<Weight> all, Output &out);
// Adds "ranked_by" and, if cycles were measured, "cycles" and "measuring_cycles".
void add_basis(Json &json, const Basis &basis);

// Returns the kinds of paths that are counted in the selected functions, such as "acyclic paths (mode=acyclic) in 3
// functions". The number of functions is omitted if there is only one kind.
std::string counted_text(const Profile &profile, const Names &names);
// Returns the kind of paths that are counted in a function.
std::string counted_text(const FunctionNotes &notes);
// Print the kinds of paths that are counted. The second overload compares two profiles, and prints a single line if the
// kinds are the same in both.
void print_counted(const Profile &profile, const Names &names, Output &out);
void print_counted(const Profile &a, const Profile &b, const Names &names, Output &out);
// Returns an array with one object per combination of mode and k. Each object has the members "mode", "k" and
// "functions".
Json counted_json(const Profile &profile, const Names &names);

// Returns the mode, followed by k if the mode uses it: "acyclic" or "kiter,k=2".
std::string mode_text(const FunctionNotes &notes);

// Returns the cycles of all paths of a function.
uint64_t cycles_of(const Function &function);

} // namespace pathprof

#endif
