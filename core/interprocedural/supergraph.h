// SPDX-License-Identifier: GPL-3.0-or-later
// The program's graph as paths across procedures see it (Melski and Reps, TR 1382, 1998, sections 2.2, 3.2, 6).
//
// A procedure is a flow graph with its cuts marked, and the calls in it.  What happens to a path at a call is a
// property of the call site.  The paper's call and return-site vertices are the two sides of a *call edge* in the
// procedure's *split graph*, in which each call that matters ends a block of its own.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_SUPERGRAPH_H
#define PATHPROF_CORE_INTERPROCEDURAL_SUPERGRAPH_H

#include <cstdint>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/models/path_model.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Values are stored in the notes.
enum class CallKind : uint8_t {
  Traversed = 0,   // paths go through the callee
  SteppedOver = 1, // paths step over the call (a summary edge, section 3.2); the callee begins new ones
  Ended = 2,       // paths end at the call, and others start behind it (section 9.2.1)
};
inline constexpr int kNumCallKinds = 3;
const char *to_string(CallKind kind);

inline constexpr int kUnknownProcedure = -1;

struct CallSite {
  int block = 0;
  int callee = kUnknownProcedure; // a procedure; or indirect, external
  CallKind kind = CallKind::SteppedOver;
  // Nothing of the block follows the call: what leaves the block over exception and abnormal edges leaves the call.
  bool ends_block = false;
};

struct Procedure {
  FlowGraph graph;             // cuts marked
  std::vector<CallSite> calls; // by block, in a block in the order of execution
  bool begins_paths = false;   // a path starts at its entry: control may come from where no path goes through
};

// Mode is Context or Piecewise.  No traversed call is recursive, directly or through others.
struct Supergraph {
  Mode mode = Mode::Context;
  std::vector<Procedure> procedures;
};

// A procedure's graph where each traversed and each ended call ends a block.
struct SplitGraph {
  explicit SplitGraph(const Procedure &procedure);

  // The procedure's blocks and, behind these, for each such call the block that it returns to.  Edges are the
  // procedure's, in order, from the block in which control really leaves, and then those calls'.  Exception and
  // abnormal edges out of such a call are cut (section 9.2.2), and so are the calls that are ended.
  FlowGraph graph;
  std::vector<int> block_of; // the procedure's block of which this is (a part of) one
  std::vector<int> call_on;  // by edge: the call, an index into Procedure::calls, or -1
  std::vector<int> edge_of;  // by call: its edge, or -1 of a stepped-over call

  bool is_call(int edge) const { return call_on[edge] >= 0; }
  // Whether the block ends in a call that paths go through.
  bool ends_in_whole_call(const Procedure &procedure, int block) const;
};

// The acyclic graph of a procedure, by which paths are numbered; its nodes are the split graph's blocks.  No path ends
// at a traversed call.
PathGraph path_graph_of(const Procedure &procedure, const SplitGraph &split);

// Procedures such that each comes after those that it calls in traversed calls.  Of calls that are recursive the one
// that closes the circle in a depth-first search becomes `instead`.
std::vector<int> callees_first(Supergraph &program, CallKind instead);
// The same, of a program without recursive traversed calls.
std::vector<int> callees_first(const Supergraph &program);
// Whether a program has none.
bool has_recursive_whole_call(const Supergraph &program);

} // namespace pathprof

#endif
