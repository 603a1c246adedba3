// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the graph for interprocedural paths (Melski and Reps, TR 1382, 1998, sections 2.2, 3.2, 6).
//
// A procedure consists of a flow graph with marked truncation points and of the calls in it.  The kind of a call site
// determines what happens to paths at the call.  The paper's call and return-site vertices are the two ends of a *call
// edge* in the procedure's *split graph*, in which each traversed or path-ending call ends a block of its own.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_SUPERGRAPH_H
#define PATHPROF_CORE_INTERPROCEDURAL_SUPERGRAPH_H

#include <cstdint>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/models/path_model.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Effect of a call on paths.  The numeric values are stored in the notes.
enum class CallKind : uint8_t {
  Traversed = 0,   // paths go through the callee
  SteppedOver = 1, // paths step over the call (a summary edge, section 3.2); the callee starts new paths
  Ended = 2,       // paths end at the call, and new paths start after it (section 9.2.1)
};
inline constexpr int kNumCallKinds = 3;
const char *to_string(CallKind kind);

inline constexpr int kUnknownProcedure = -1;

struct CallSite {
  int block = 0;
  int callee = kUnknownProcedure; // index of the procedure, or kUnknownProcedure for an indirect or external call
  CallKind kind = CallKind::SteppedOver;
  // True if the call is the last statement of the block.  In this case, control takes the block's exception and
  // abnormal edges only from the call.
  bool ends_block = false;
};

struct Procedure {
  FlowGraph graph;             // truncation points are marked
  std::vector<CallSite> calls; // ordered by block, and within a block by execution
  bool begins_paths = false;   // true if a path starts at the entry, which control can reach without a traversed call
};

// The procedures of an interprocedural unit.  `mode` is Context or Piecewise.  No traversed call may be recursive,
// directly or indirectly.
struct Supergraph {
  Mode mode = Mode::Context;
  std::vector<Procedure> procedures;
};

// The flow graph of a procedure, split so that each traversed or path-ending call ends a block.
struct SplitGraph {
  explicit SplitGraph(const Procedure &procedure);

  // The blocks of the split graph are the procedure's blocks, followed by the return blocks of traversed and
  // path-ending calls.  Its edges are the procedure's edges in the same order, followed by the call edges.  Path-ending
  // calls are truncation points, and so are exception and abnormal edges that leave a traversed or path-ending call
  // (section 9.2.2).
  FlowGraph graph;
  std::vector<int> block_of; // block of the procedure that contains each block
  std::vector<int> call_on;  // index in Procedure::calls of the call on each edge, or -1
  std::vector<int> edge_of;  // edge of each call, or -1 for a stepped-over call

  bool is_call(int edge) const { return call_on[edge] >= 0; }
  // Returns true if the block ends in a traversed call.
  bool ends_in_whole_call(const Procedure &procedure, int block) const;
};

// Returns the path graph of a procedure, whose nodes are the blocks of the split graph.  No path ends at a traversed
// call.
PathGraph path_graph_of(const Procedure &procedure, const SplitGraph &split);

// Returns the procedures, ordered so that the callees of traversed calls precede their callers.  If a traversed call
// closes a cycle in the depth-first search, changes the kind of the call to `instead`.
std::vector<int> callees_first(Supergraph &supergraph, CallKind instead);
// Returns the procedures, ordered so that the callees of traversed calls precede their callers.  The supergraph must
// not contain recursive traversed calls.
std::vector<int> callees_first(const Supergraph &supergraph);
// Returns true if any call that is traversed in the supergraph is recursive.
bool has_recursive_whole_call(const Supergraph &supergraph);

} // namespace pathprof

#endif
