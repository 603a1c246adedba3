// SPDX-License-Identifier: GPL-3.0-or-later
// Random programs of procedures that call each other, for tests.
#ifndef PATHPROF_TESTSUITE_RANDOM_PROGRAM_H
#define PATHPROF_TESTSUITE_RANDOM_PROGRAM_H

#include "core/numbering/cut.h"
#include "core/interprocedural/supergraph.h"
#include "testsuite/unit/random_graph.h"

namespace pathprof::testing {

// Calls of all kinds, direct and indirect, some of which may throw.
inline Procedure random_procedure(Random &random, int num_procedures) {
  RandomGraphOptions options;
  options.max_blocks = 7;
  options.max_extra_edges = 6;
  options.abnormal_percent = below(random, 4) == 0 ? 20 : 0;
  Procedure procedure;
  procedure.graph = random_graph(random, options);
  for (int block = 2; block < procedure.graph.num_blocks(); block++) {
    int calls = below(random, 3) ? 0 : 1 + below(random, 2);
    bool ends_block = calls && below(random, 2);
    for (int i = 0; i < calls; i++) {
      int callee = below(random, num_procedures + 1) - 1;
      CallKind kind =
          callee < 0 || below(random, 3) == 0 ? static_cast<CallKind>(1 + below(random, 2)) : CallKind::Traversed;
      procedure.calls.push_back({block, callee, kind, ends_block && i + 1 == calls});
    }
    bool has_ordinary = false;
    for (int e : procedure.graph.succs(block)) {
      Edge &edge = procedure.graph.edge(e);
      if (ends_block && has_ordinary && !(edge.flags & kAbnormal) && edge.dst != kExitBlock)
        edge.flags |= kEh;
      has_ordinary |= !(edge.flags & (kAbnormal | kEh));
    }
  }
  mark_cuts(procedure.graph);
  procedure.begins_paths = below(random, 4) == 0;
  return procedure;
}

// No traversed call is recursive, and all begin paths that have to.
inline Supergraph random_program(Random &random, Mode mode) {
  Supergraph program{mode, {}};
  int procedures = 1 + below(random, 4);
  for (int i = 0; i < procedures; i++)
    program.procedures.push_back(random_procedure(random, procedures));
  callees_first(program, below(random, 2) ? CallKind::SteppedOver : CallKind::Ended);
  program.procedures.front().begins_paths = true;
  for (Procedure &procedure : program.procedures)
    for (const CallSite &call : procedure.calls)
      if (call.kind != CallKind::Traversed && call.callee >= 0)
        program.procedures[static_cast<size_t>(call.callee)].begins_paths = true;
  return program;
}

// Puts procedures on top of a program that each call the one before twice, the first one procedure 0: the number of
// paths grows with 2^height.
inline void add_tower(Supergraph &program, int height) {
  for (int i = 0; i < height; i++) {
    int callee = i == 0 ? 0 : static_cast<int>(program.procedures.size()) - 1;
    FlowGraph graph(7);
    const int edges[][2] = {{0, 2}, {2, 3}, {2, 4}, {3, 4}, {4, 5}, {4, 6}, {5, 6}, {6, 1}};
    for (const auto &[src, dst] : edges)
      graph.add_edge(src, dst);
    program.procedures.push_back(
        {std::move(graph), {{4, callee, CallKind::Traversed, false}, {6, callee, CallKind::Traversed, false}}, false});
  }
  program.procedures.back().begins_paths = true;
}

} // namespace pathprof::testing

#endif
