// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two profiles path by path.
//
// Functions are paired by their identity in a profile. The remaining functions of different builds are paired by name
// and file if graph and model are equal, because lines may have moved. A function without a counterpart exists, or was
// executed, on only one side. All other functions have changed: equal path IDs would not mean equal paths, so these
// functions are compared by lines (pathdump/model/line_changes.h). Interprocedural units are paired by source file,
// functions and calls.
#ifndef PATHPROF_PATHDUMP_MODEL_COMPARE_H
#define PATHPROF_PATHDUMP_MODEL_COMPARE_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/model/line_changes.h"
#include "pathdump/model/matching.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

enum class ChangeKind { New, Gone, Hotter, Colder };
constexpr size_t kNumChangeKinds = 4;
const char *to_string(ChangeKind kind);

struct PathChange {
  ChangeKind kind;
  uint64_t count[2]; // execution counts in A and in B
  Weight weight[2];  // executed statements or, if costs were measured, cost
  Weight scaled[2];  // weights after scaling to the same number of runs
  uint64_t statements;
  size_t function[2]; // indices of functions or interprocedural units in the profiles, or kNoFunction
  bool is_of_program;
  WideNumber id;
  size_t order; // index of the pair of functions

  // Returns the side whose numbering defines `id`: B if B contains the function, and otherwise A.
  int side() const { return function[1] != kNoFunction; }
  bool grows() const { return scaled[1] > scaled[0]; }
  Weight size() const { return grows() ? scaled[1] - scaled[0] : scaled[0] - scaled[1]; }
  // Sorts by decreasing change in executed statements (per run if the numbers of runs differ), then by decreasing
  // change in executions.
  bool operator<(const PathChange &other) const;
  // Returns the path with its count and weight in B.
  HotPath hot_path() const;
};

struct ChangedFunction {
  size_t function[2] = {kNoFunction, kNoFunction}; // indices of the functions in the profiles
  bool is_program = false;
  std::string why; // description of the difference
  Weight weight[2] = {};
  bool is_compared = false; // true if the lines were compared
  std::vector<LineChange> lines = {};
};

struct Side {
  const Profile *profile;
  std::string file;
  uint64_t functions = 0; // executed functions
  uint64_t paths = 0;     // executed paths
  uint64_t executions = 0;
  Weight weight = 0;            // executed statements or, if costs were measured, cost of all functions
  const Costs *costs = nullptr; // measured costs, or null. Either both sides have costs, or none has
};

// The overlap of the two compared profiles in one function, in one interprocedural unit, or in all functions and units.
struct Overlap {
  size_t function[2] = {kNoFunction, kNoFunction};
  bool is_program = false;
  uint64_t paths[2] = {}; // executed paths of each side
  uint64_t common = 0;    // paths that both sides executed
  uint64_t executions[2] = {};
  uint64_t common_executions[2] = {}; // executions of paths that both sides executed
  Weight weight[2] = {};              // executed statements
  Weight common_weight[2] = {};
  double shared = 0; // sum over common paths of the smaller share of executed statements, in percent

  void add(const Overlap &other);
};

struct Comparison {
  Side sides[2];
  RunScale scale;                  // scale of all comparisons of counts
  std::vector<PathChange> changes; // sorted by decreasing size
  std::vector<ChangedFunction> changed;
  std::vector<Overlap> overlaps;              // one overlap per executed pair
  uint64_t num_of_kind[kNumChangeKinds] = {}; // numbers of all changes, including those below the threshold
  uint64_t num_below_threshold = 0;
  uint64_t num_equal = 0;

  // Returns the weight of all paths on this side after scaling.
  Weight scaled_weight(int side) const { return scale.scaled(sides[side].weight, side); }
  // Returns `weight` as a percentage of the weight of the profile on this side.
  double share(Weight weight, int side) const;
};

// The smallest change that is returned.
struct ChangeThreshold {
  double per_cent = 0;              // of the statements executed on the side that executed more, per run if scaled
  bool spares_new_and_gone = false; // true if all new and gone paths are returned
};

// Returns the `limit` largest changes (0: all) in the functions that `names` selects. Counts changes below the
// threshold, but does not return them. Ignores changes for which `wanted` (if given) returns false.
using ChangeFilter = std::function<bool(const PathChange &)>;
Comparison compare(const Side &a, const Side &b, const Names &names, uint64_t limit, const ChangeThreshold &threshold,
                   const ChangeFilter &wanted = {});

} // namespace pathprof

#endif
