// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a function's control-flow graph from GCC and plans its instrumentation.
#ifndef PATHPROF_PLUGIN_CFG_FUNCTION_H
#define PATHPROF_PLUGIN_CFG_FUNCTION_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"
#include "core/numbering/preferential.h"
#include "core/plan/register_counters.h"
#include "plugin/options/arguments.h"
#include "plugin/cfg/lines.h"
#include "plugin/cfg/body_versioning.h"
#include "plugin/gcc/value_sites.h"
#include "plugin/gcc/place.h"
#include "profile/model/notes.h"

struct cgraph_node;
struct basic_block_def;
class edge_def;

namespace pathprof {

// A function with its notes and its plan. The plugin plans all functions of a unit before it instruments any of them.
struct PlannedFunction {
  cgraph_node *node = nullptr;
  FunctionNotes notes;
  std::vector<int64_t> vals; // Values that the numbering assigns to the path graph's edges, for the dump
  std::unique_ptr<RegisterCounterPlan> plan;   // Null if the function is left out
  std::unique_ptr<PreferentialCounters> slots; // Counter slots of interesting paths (mode=preferential), or null
  std::vector<edge_def *> edges;               // GCC's edge for each edge of the planned graph
  std::vector<basic_block_def *> blocks;
  ListedElsewhere listed_elsewhere;
  Update update = Update::Single;
  bool is_freestanding = false; // True with target=freestanding
  bool on_demand = false;       // True if the function also gets an uninstrumented body
  std::unique_ptr<VersionedBodies>
      bodies;                     // The instrumented and uninstrumented bodies, or null if there is only one body
  bool notifies = false;          // True if the runtime is notified when a residual path is executed for the first time
  std::vector<PossibleEnd> calls; // Statements at which paths can be truncated; empty with termination=basic
  std::unordered_map<gimple *, uint32_t> lines_up_to; // Copy of ReadLines::up_to, with an interprocedural model
  Place counters;                                     // First counter of the function's array
  Place table;                                        // Head of the function's hash table, if it has no array
  Place cache;                                        // Inline cache of the hash table, if the emitted code uses one
  Place cycles;                  // First cycle counter or head of the table of cycles, with metric=tsc
  Place second_table;            // Head of the table for truncated paths, for paths without a slot and for values
  bool counts_values = false;    // True with values=1
  std::string path;              // Path of the function's source file
  std::vector<ValueSite> values; // Statements that compute values, including their copies
};

// Returns true if the function may be changed and the plugin arguments select it for profiling or for a rebuild.
bool is_wanted(cgraph_node *node, const Arguments &arguments);

// Returns the arguments that apply to the function, including those of a scheme file.
FunctionArguments arguments_of(cgraph_node *node, const Arguments &arguments);

// Prepares the CFG of `cfun`, the body of `node`, for path numbering, and reads it into a new PlannedFunction. The
// result contains the graph, GCC's edges, and the fields of the notes that do not depend on the graph. All truncation
// points are marked in the graph except those of overflow=cut. With mode=kiter, some edges are split. With
// mode=intracontext, blocks of irreducible loops are copied. A function can be read again with a different mode.
PlannedFunction read_function(cgraph_node *node, const FunctionArguments &arguments, Stage stage, FileTable &files);

// Reads the graph of `cfun`, the body of `node`, marks its truncation points and plans its instrumentation. If the
// function cannot be profiled, the plan is null and notes.left_out contains the reason. With an interprocedural model,
// plugin/interprocedural/planned_unit.h plans all functions together.
PlannedFunction plan_function(cgraph_node *node, const Arguments &arguments, FileTable &files);

} // namespace pathprof

#endif
