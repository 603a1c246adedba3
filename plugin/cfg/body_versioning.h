// SPDX-License-Identifier: GPL-3.0-or-later
// Gives a function an instrumented and several uninstrumented bodies (switch=1). In the diagram below, "on?" is a
// switch check.
//
//                      ENTRY
//                        |
//                       on? ------------yes------+
//                        | no                    |
//         head of the uninstrumented loop        |
//                   :     |                      v
//                 latch   +---------> head of the loop <--------+
//                   |     |                      :              |
//                  on?    |                    latch            |
//                   | yes |                      |              |
//                   +-----+                     on? ----yes-----+
//                                               | no            |
//                                   head of the resumed loop    |
//                                               :               |
//                                             latch             |
//                                               |               |
//                                              on? ----yes------+
//
// Control moves between bodies only where one path ends and the next path starts: at the function's entry and at back
// edges that no path contains. Control never returns to the uninstrumented body in which the function starts. A second
// entry would make loops in that body irreducible, and GCC would not optimise them. When the switch is turned off in a
// loop, execution continues in a second uninstrumented body, the resumed body. The resumed body contains only the
// blocks that are reachable from loops with switch points.
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

// A back edge of the planned graph on which control can move to another body of the function. After the transformation,
// the profiling switch is checked on this edge.
struct SwitchPoint {
  int edge;          // Index of the back edge in the planned graph
  edge_def *goes_on; // Edge from the switch check to the loop header, inside the instrumented body
  std::vector<edge_def *>
      from_plain; // Edges from the switch checks in uninstrumented bodies to the loop header in the instrumented body
};

struct VersionedBodies {
  edge_def *entry = nullptr; // Edge into the instrumented body
  std::vector<SwitchPoint> switch_points;
  std::unordered_set<basic_block_def *> plain; // All blocks outside the instrumented body
};

// Returns the reason why `cfun` cannot have an uninstrumented body, or an empty string.
std::string why_not_versioned();

// Returns true if `cfun` can have an uninstrumented body and contains a potentially long-running loop. The back edges
// of such a loop can become switch points.
bool has_loops_to_version();

// Copies the blocks of `cfun`, whose plan must exist, and inserts checks of the profiling switch, which is the variable
// `is_on`. `edges` maps edges of the planned graph to GCC's edges, and is updated to contain the edges of the
// instrumented body. SSA form is up to date afterwards.
VersionedBodies version_body(const FunctionNotes &notes, const Plan &plan, std::vector<edge_def *> &edges,
                             tree_node *is_on);

// Marks the instrumented body as never executed, so that GCC treats it as cold. Must be called after all code has been
// added to the body.
void mark_instrumented_body_cold(const VersionedBodies &bodies);

} // namespace pathprof

#endif
