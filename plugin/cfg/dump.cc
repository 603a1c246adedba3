// SPDX-License-Identifier: GPL-3.0-or-later
// Prints dumps in the style of GCC's own dumps.
#include "plugin/cfg/dump.h"

#include <string>

#include <fmt/format.h>

#include "core/numbering/numbering.h"
#include "core/plan/print.h"

namespace pathprof {

static void dump_calls(FILE *file, const FunctionNotes &notes) {
  fmt::print(file, ";; mode {}, {}\n", to_string(notes.model.mode),
             notes.flags & kBeginsPaths ? "paths begin in this function" : "paths begin only in callers");
  for (const CallNotes &call : notes.calls)
    fmt::print(file, ";;   call in block {} at line {}: {}\n", call.block, call.line, to_string(call.cut));
  fmt::print(file, "\n");
}

void dump_plan(FILE *file, const PlannedFunction &function) {
  const FunctionNotes &notes = function.notes;
  fmt::print(file, ";; pathprof {}: {} blocks, {} edges, checksum {:08x}\n", notes.name, notes.graph.num_blocks(),
             notes.graph.num_edges(), notes.checksum());
  if (!notes.left_out.empty()) {
    fmt::print(file, ";; left out: {}\n\n", notes.left_out);
    return;
  }
  if (is_interprocedural(notes.model.mode)) {
    dump_calls(file, notes);
    return;
  }
  fmt::print(file, ";; {} paths ({} without truncation), truncation points: {}, storage {}\n", notes.num_paths,
             notes.num_paths_uncut.get_str(), notes.num_cuts(),
             notes.storage == PATHPROF_STORAGE_ARRAY ? "array" : "hash");
  fmt::print(file, ";; update {}, termination {}\n", to_string(function.update),
             notes.flags & kExactTermination ? "exact" : "basic");
  for (const LoopIterations &loop : notes.model.loops)
    fmt::print(file, ";; loop at block {}: {}\n", loop.head, model_of(notes.model).loop_text(loop));
  PathGraph paths = path_graph_of(notes.graph, notes.model);
  auto node_name = [&](int node) {
    int block = paths.block_of(node);
    return block == node ? fmt::format("{}", block)
           : block < 0   ? fmt::format("[{}]", node)
                         : fmt::format("{}[{}]", block, node);
  };
  for (int e = 0; e < paths.num_edges(); e++) {
    const PathEdge &edge = paths.edge(e);
    const char *kind = edge.kind == PathEdgeKind::Real       ? ""
                       : edge.kind == PathEdgeKind::Start    ? ", surrogate edge that starts a path"
                       : edge.kind == PathEdgeKind::Decision ? ", outcome of a decision"
                                                             : ", surrogate edge that ends a path";
    fmt::print(file, ";;   val {:>6}  {} -> {}{}{}\n", function.vals[static_cast<size_t>(e)], node_name(edge.src),
               node_name(edge.dst), kind, edge.ends_context ? ", ends the loop context" : "");
  }
  for (const std::string &line : lines_of(*function.plan))
    fmt::print(file, ";;   {}\n", line);
  fmt::print(file, "\n");
}

} // namespace pathprof
