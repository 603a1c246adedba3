// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps in the manner of GCC's own.
#include "plugin/dump.h"

#include <string>

#include <fmt/format.h>

#include "core/numbering.h"

namespace pathprof {

static std::string flag_names(unsigned flags) {
  static const char *const names[] = {"true", "false", "fallthru", "eh", "abnormal", "back", "cut"};
  std::string text;
  for (unsigned bit = 0; bit < std::size(names); bit++)
    if (flags & (1u << bit))
      text += (text.empty() ? "" : ",") + std::string(names[bit]);
  return text;
}

static std::string describe(const Ops &ops, const Plan &plan) {
  std::string text;
  for (const Op &op : ops) {
    text += text.empty() ? "" : "; ";
    switch (op.kind) {
    case OpKind::Set:
      text += fmt::format("r = {}", op.value);
      break;
    case OpKind::Add:
      text += fmt::format("r += {}", op.value);
      break;
    case OpKind::CountAt:
      text += fmt::format("count[r + {}]++", op.value);
      break;
    case OpKind::CountConst:
      text += fmt::format("count[{}]++", op.value);
      break;
    case OpKind::Clear:
      text += fmt::format("tally[{}] = 0", op.value);
      break;
    case OpKind::Tally:
      text += fmt::format("tally[{}]++", op.value);
      break;
    case OpKind::Untally:
      text += fmt::format("tally[{}]--", op.value);
      break;
    case OpKind::Flush:
      text += fmt::format("count[{0}] += tally[{0}]", op.value);
      break;
    case OpKind::Repeat:
      text += fmt::format("count[{}] += {}", plan.repeats[static_cast<size_t>(op.value)].path,
                          plan.repeats[static_cast<size_t>(op.value)].times);
      break;
    case OpKind::UncountAt:
      text += fmt::format("count[r + {}]--", op.value);
      break;
    case OpKind::Enter:
      text += fmt::format("enter window {}", op.value);
      break;
    case OpKind::KeepHead:
      text += "head = r";
      break;
    case OpKind::SetBody:
      text += fmt::format("body = {}", op.value);
      break;
    case OpKind::AddBody:
      text += fmt::format("body += {}", op.value);
      break;
    case OpKind::Around:
      text += fmt::format("around window {}", op.value);
      break;
    case OpKind::Settle:
      text += fmt::format("settle window {}", op.value);
      break;
    case OpKind::Accumulate:
      text += fmt::format("windows += weights {}", op.value);
      break;
    case OpKind::Leave:
      text += fmt::format("r = longest window + weights {}", op.value);
      break;
    case OpKind::Pass:
    case OpKind::Return:
      text += fmt::format("number = base + r + {}", op.value);
      break;
    case OpKind::Resume:
      text += "base = number";
      break;
    case OpKind::Restart:
      text += "base = what paths begin with here";
      break;
    case OpKind::Save:
      text += fmt::format("saved[{}] = r", op.value);
      break;
    case OpKind::Restore:
      text += fmt::format("r = saved[{}]", op.value);
      break;
    }
  }
  return text;
}

static std::string describe(const Choices &choices) {
  std::string text;
  for (const Choice &choice : choices) {
    text += text.empty() ? "" : "; ";
    std::string value = fmt::format("(cond ? {} : {})", choice.if_true, choice.if_false);
    text += choice.kind == OpKind::Set       ? "r = " + value
            : choice.kind == OpKind::Add     ? "r += " + value
            : choice.kind == OpKind::CountAt ? "count[r + " + value + "]++"
            : choice.kind == OpKind::Tally   ? "tally" + value + "++"
            : choice.kind == OpKind::SetBody ? "body = " + value
            : choice.kind == OpKind::AddBody ? "body += " + value
                                             : "count" + value + "++";
  }
  return text;
}

static void dump_calls(FILE *file, const FunctionNotes &notes) {
  fmt::print(file, ";; mode {}, {}\n", to_string(notes.model.mode),
             notes.flags & kBeginsPaths ? "paths begin here" : "paths come from callers only");
  for (const CallNotes &call : notes.calls)
    fmt::print(file, ";;   call in {} at line {}: {}\n", call.block, call.line, to_string(call.cut));
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
  fmt::print(file, ";; {} paths ({} uncut), {} cuts, storage {}\n", notes.num_paths, notes.num_paths_uncut.get_str(),
             notes.num_cuts(), notes.storage == PATHPROF_STORAGE_ARRAY ? "array" : "hash");
  fmt::print(file, ";; update {}, termination {}\n", to_string(function.update),
             notes.flags & kExactTermination ? "exact" : "basic");
  for (const LoopIterations &loop : notes.model.loops)
    fmt::print(file, ";; loop at {}: {}\n", loop.head,
               notes.model.mode == Mode::IntraContext ? "with context" : fmt::format("k = {}", loop.k));
  PathGraph paths = path_graph_of(notes.graph, notes.model);
  auto node_name = [&](int node) {
    int block = paths.block_of(node);
    return block == node ? fmt::format("{}", block)
           : block < 0   ? fmt::format("[{}]", node)
                         : fmt::format("{}[{}]", block, node);
  };
  for (int e = 0; e < paths.num_edges(); e++) {
    const PathEdge &edge = paths.edge(e);
    const char *kind = edge.kind == PathEdgeKind::Real     ? ""
                       : edge.kind == PathEdgeKind::Start  ? " surrogate start"
                       : edge.kind == PathEdgeKind::Choice ? " choice"
                                                           : " surrogate end";
    fmt::print(file, ";;   val {:>6}  {} -> {}{}{}\n", function.vals[static_cast<size_t>(e)], node_name(edge.src),
               node_name(edge.dst), kind, edge.ends_context ? ", ends the context" : "");
  }
  const Peeled &peeled = function.plan->peeled;
  const Plan &plan = function.plan->plan;
  for (const Peeled::Copy &copy : peeled.copies)
    fmt::print(file, ";;   loop at {}: first iteration peeled\n", copy.blocks.front());
  for (size_t loop = 0; loop < peeled.loops.size(); loop++)
    fmt::print(file, ";;   loop at {}: {} tallies\n", peeled.loops[loop].head(), function.plan->tallies[loop].size());
  for (int head : function.plan->settled)
    fmt::print(file, ";;   loop at {}: settles\n", head);
  auto name = [&](int block) {
    int original = peeled.block_of[static_cast<size_t>(block)];
    return original == block ? fmt::format("{}", block) : fmt::format("{} (copy of {})", block, original);
  };
  for (int e = 0; e < peeled.graph.num_edges(); e++) {
    const Edge &edge = peeled.graph.edge(e);
    fmt::print(file, ";;   edge {} -> {} [{}]  {}\n", name(edge.src), name(edge.dst), flag_names(edge.flags),
               describe(plan.on_edge[static_cast<size_t>(e)], plan));
  }
  for (size_t block = 0; block < plan.at_start.size(); block++) {
    if (!plan.at_start[block].empty())
      fmt::print(file, ";;   at start of {}  {}\n", block, describe(plan.at_start[block], plan));
    if (!plan.before_end[block].empty())
      fmt::print(file, ";;   before end of {}  {}\n", block, describe(plan.before_end[block], plan));
    if (!plan.choices[block].empty())
      fmt::print(file, ";;   before branch of {}  {}\n", block, describe(plan.choices[block]));
  }
  fmt::print(file, "\n");
}

} // namespace pathprof
