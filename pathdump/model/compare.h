// SPDX-License-Identifier: GPL-3.0-or-later
// Two profiles path by path.
//
// Functions are paired by what makes two functions one in a profile; what is left over then, in profiles of
// different builds, by name and file where graph and model are the same: lines may have moved.  Functions of
// which only one side knows the name ran only there, or are only there.  The rest has changed: equal numbers
// would not mean equal paths, and they are compared by lines (pathdump/model/line_changes.h).  Programs are paired by
// their source file, and by their functions and calls.
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
  uint64_t count[2]; // in A and in B
  Weight weight[2];  // executed statements
  uint64_t statements;
  size_t function[2]; // indices in the profiles, of functions or programs; of the side that has none, kNoFunction
  bool is_of_program;
  WideNumber id;
  size_t order; // of the pair

  // The side whose number of the path `id` is: B, where it has the function.
  int side() const { return function[1] != kNoFunction; }
  bool grows() const { return weight[1] > weight[0]; }
  Weight size() const { return grows() ? weight[1] - weight[0] : weight[0] - weight[1]; }
  // The larger change in executed statements comes first, then that in executions.
  bool operator<(const PathChange &other) const;
};

struct ChangedFunction {
  size_t function[2] = {kNoFunction, kNoFunction}; // likewise
  bool is_program = false;
  std::string why; // what differs
  Weight weight[2] = {};
  bool is_compared = false; // by lines
  std::vector<LineChange> lines = {};
};

struct Side {
  const Profile *profile;
  std::string file;
  uint64_t functions = 0; // executed
  uint64_t paths = 0;     // executed
  uint64_t executions = 0;
  Weight weight = 0; // executed statements of all functions
};

// What two sides have in common of a function or program, or of all.
struct Overlap {
  size_t function[2] = {kNoFunction, kNoFunction};
  bool is_program = false;
  uint64_t paths[2] = {}; // executed
  uint64_t common = 0;    // by both
  uint64_t executions[2] = {};
  uint64_t common_executions[2] = {}; // of paths that both executed
  Weight weight[2] = {};              // executed statements
  Weight common_weight[2] = {};
  double shared = 0; // per cent: of each path the smaller one of its shares of the sides' statements

  void add(const Overlap &other);
};

struct Comparison {
  Side sides[2];
  std::vector<PathChange> changes; // largest first
  std::vector<ChangedFunction> changed;
  std::vector<Overlap> overlaps; // of each pair that ran
  uint64_t num_of_kind[kNumChangeKinds] = {};
  uint64_t num_equal = 0;

  // Of all statements that a side executed, in per cent.
  double share(Weight weight, int side) const;
};

// The `limit` largest changes (0: all), of the functions that `names` selects; those of less than `threshold`
// per cent of the statements that the longer of the two executed, and those that are not `wanted` where that is given,
// are left out and not counted.
using ChangeFilter = std::function<bool(const PathChange &)>;
Comparison compare(const Side &a, const Side &b, const Names &names, uint64_t limit, double threshold,
                   const ChangeFilter &wanted = {});

} // namespace pathprof

#endif
