// SPDX-License-Identifier: GPL-3.0-or-later
// switch=1: a function that has its body more than once.  One is to be instrumented, the others stay plain.
//
//                      ENTRY
//                        |
//            is it switched on? --yes-------+
//                        | no               |
//              head of the plain loop       |
//                   :     |                 v
//                 latch   +--------> head of the loop <--------+
//                   |     |                 :                  |
//            switched on? +              latch                 |
//                   | yes |                 |                  |
//                   +-----+          switched on? --yes--------+
//                                           | no               |
//                              head of the resumed loop        |
//                                           :                  |
//                                         latch                |
//                                           |                  |
//                                    switched on? --yes--------+
//
// Control goes from one body to another only where a path ends and another one begins: at the entry, and at back edges
// that paths do not go over.  It never comes back to the plain body that a function begins in: the loops there would
// have two entries, and what GCC does for loops it does for those with one.  What is switched off in a loop goes on in
// a second plain body, which has what can be reached from there.
#ifndef PATHPROF_PLUGIN_CFG_BODY_VERSIONING_H
#define PATHPROF_PLUGIN_CFG_BODY_VERSIONING_H

#include <string>
#include <unordered_set>
#include <vector>

struct basic_block_def;
class edge_def;
union tree_node;

namespace pathprof {

struct FunctionNotes;
struct Plan;

// A back edge of the planned graph at which control may change the body.  The edge leads to the test now.
struct SwitchPoint {
  int edge;                           // its index in the planned graph
  edge_def *goes_on;                  // from the test on to the head: the body stays the instrumented one
  std::vector<edge_def *> from_plain; // from the tests in the plain bodies to the head in the instrumented one
};

struct VersionedBodies {
  edge_def *entry = nullptr; // into the instrumented body
  std::vector<SwitchPoint> switch_points;
  std::unordered_set<basic_block_def *> plain; // all blocks that are not the instrumented body's
};

// Why `cfun` cannot have two bodies; empty if it can.
std::string why_not_versioned();

// Whether `cfun` can have two bodies, and has a loop at whose back edges control may change the body, because it may
// run long.
bool has_loops_to_version();

// Copies the blocks of `cfun`, which has been planned, and lets `is_on`, a variable that others change, choose.
// `edges`, by the planned graph's, are those of the body that is to be instrumented.  SSA form is up to date
// afterwards.
VersionedBodies version_body(const FunctionNotes &notes, const Plan &plan, std::vector<edge_def *> &edges,
                             tree_node *is_on);

// Tells GCC that the instrumented body hardly ever runs.  When all its code is in place.
void mark_instrumented_body_cold(const VersionedBodies &bodies);

} // namespace pathprof

#endif
