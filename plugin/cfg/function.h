// SPDX-License-Identifier: GPL-3.0-or-later
// From GCC's CFG to a core graph, and from there to a plan.
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

// A function in the pass: planned first, emitted when the whole unit is known.
struct PlannedFunction {
  cgraph_node *node = nullptr;
  FunctionNotes notes;
  std::vector<int64_t> vals;                   // of the path graph's edges, for the dump
  std::unique_ptr<RegisterCounterPlan> plan;   // none where the function is left out
  std::unique_ptr<PreferentialCounters> slots; // mode=preferential, where interesting paths have some
  std::vector<edge_def *> edges;               // GCC's, for each edge of the planned graph
  std::vector<basic_block_def *> blocks;
  ListedElsewhere listed_elsewhere;
  Update update = Update::Single;
  bool on_demand = false;                  // it is to have a plain body beside the instrumented one
  std::unique_ptr<VersionedBodies> bodies; // where there is
  bool notifies = false;                   // the runtime is told of residual paths that run for the first time
  std::vector<PossibleEnd> calls;          // at which paths may be cut short; none under basic termination
  std::unordered_map<gimple *, uint32_t> lines_up_to; // of an interprocedural model: see ReadLines
  Place counters;                                     // the first one
  Place table;                                        // or the table head,
  Place cache;                                        // and its inline cache, if code looks into one
  Place cycles;                                       // likewise, under metric=tsc
  Place second_table;            // table head for paths that were cut short or have no slot, and for values
  bool counts_values = false;    // values=1
  std::string path;              // of the function's source file
  std::vector<ValueSite> values; // where they are computed, copies of statements too
};

// Whether the function may be changed and the arguments want it profiled, or rebuilt.
bool is_wanted(cgraph_node *node, const Arguments &arguments);

// The arguments that hold for the function.
FunctionArguments arguments_of(cgraph_node *node, const Arguments &arguments);

// Brings the CFG of `cfun`, the body of `node`, into the form that paths are numbered over, and reads it: head and
// graph of the notes, with cuts that do not depend on limits, and `edges`.  The form depends on the mode: kiter gives
// some edges a block, intracontext copies blocks of irreducible loops.  To read it again in another mode is possible.
PlannedFunction read_function(cgraph_node *node, const FunctionArguments &arguments, Stage stage, FileTable &files);

// Reads the graph of `cfun` (the body of `node`), cuts it and plans its instrumentation.  A function that
// cannot be profiled gets no plan and a reason in notes.left_out; one of an interprocedural model gets its plan with
// the others (plugin/interprocedural/program.h).
PlannedFunction plan_function(cgraph_node *node, const Arguments &arguments, FileTable &files);

} // namespace pathprof

#endif
