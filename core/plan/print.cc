// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/print.h"

#include <cstdint>
#include <iterator>

namespace pathprof {

std::string edge_flags_text(unsigned flags) {
  static const char *const names[] = {"true", "false", "fallthru", "eh", "abnormal", "back", "cut"};
  std::string text;
  for (unsigned bit = 0; bit < std::size(names); bit++)
    if (flags & (1u << bit))
      text += (text.empty() ? "" : ",") + std::string(names[bit]);
  return text;
}

// The operations that choices have, too.  `element` is the value as the index of an array.
static std::string text_of(OpKind kind, const std::string &value, const std::string &element) {
  switch (kind) {
  case OpKind::Set:
    return "r = " + value;
  case OpKind::Add:
    return "r += " + value;
  case OpKind::CountAt:
    return "count[r + " + value + "]++";
  case OpKind::Increment:
    return "register_counter" + element + "++";
  case OpKind::SetBody:
    return "body = " + value;
  case OpKind::AddBody:
    return "body += " + value;
  default: // OpKind::CountConst
    return "count" + element + "++";
  }
}

static std::string to_string(const Op &op, const Plan &plan) {
  std::string value = std::to_string(op.value);
  switch (op.kind) {
  case OpKind::Set:
  case OpKind::Add:
  case OpKind::CountAt:
  case OpKind::CountConst:
  case OpKind::Increment:
  case OpKind::SetBody:
  case OpKind::AddBody:
    return text_of(op.kind, value, "[" + value + "]");
  case OpKind::Clear:
    return "register_counter[" + value + "] = 0";
  case OpKind::Decrement:
    return "register_counter[" + value + "]--";
  case OpKind::Flush:
    return "count[" + value + "] += register_counter[" + value + "]";
  case OpKind::Repeat: {
    const RepeatedPath &repeated = plan.repeats[static_cast<size_t>(op.value)];
    return "count[" + std::to_string(repeated.path) + "] += " + std::to_string(repeated.times);
  }
  case OpKind::UncountAt:
    return "count[r + " + value + "]--";
  case OpKind::Enter:
    return "enter window " + value;
  case OpKind::SaveHead:
    return "head = r";
  case OpKind::BackEdge:
    return "around window " + value;
  case OpKind::CountAtExit:
    return "count at exit, window " + value;
  case OpKind::Accumulate:
    return "windows += weights " + value;
  case OpKind::Leave:
    return "r = longest window + weights " + value;
  case OpKind::Pass:
  case OpKind::Return:
    return "number = base + r + " + value;
  case OpKind::Resume:
    return "base = number";
  case OpKind::Restart:
    return "base = what paths begin with here";
  case OpKind::Save:
    return "saved[" + value + "] = r";
  case OpKind::Restore:
    return "r = saved[" + value + "]";
  }
  return "";
}

static std::string to_string(const Choice &choice) {
  std::string value = "(cond ? " + std::to_string(choice.if_true) + " : " + std::to_string(choice.if_false) + ")";
  return text_of(choice.kind, value, value);
}

std::string to_string(const Ops &ops, const Plan &plan) {
  std::string text;
  for (const Op &op : ops)
    text += (text.empty() ? "" : "; ") + to_string(op, plan);
  return text;
}

std::string to_string(const Choices &choices) {
  std::string text;
  for (const Choice &choice : choices)
    text += (text.empty() ? "" : "; ") + to_string(choice);
  return text;
}

std::vector<std::string> lines_of(const RegisterCounterPlan &planned) {
  const Peeled &peeled = planned.peeled;
  const Plan &plan = planned.plan;
  std::vector<std::string> lines;
  for (const Peeled::Copy &copy : peeled.copies)
    lines.push_back("loop at " + std::to_string(copy.blocks.front()) + ": first iteration peeled");
  for (size_t loop = 0; loop < peeled.loops.size(); loop++)
    lines.push_back("loop at " + std::to_string(peeled.loops[loop].head()) + ": " +
                    std::to_string(planned.register_counters[loop].size()) + " register counters");
  for (int head : planned.counted_loops)
    lines.push_back("loop at " + std::to_string(head) + ": counted at its exit");
  auto name = [&](int block) {
    int original = peeled.block_of[static_cast<size_t>(block)];
    std::string copy_of = original == block ? "" : " (copy of " + std::to_string(original) + ")";
    return std::to_string(block) + copy_of;
  };
  for (int e = 0; e < peeled.graph.num_edges(); e++) {
    const Edge &edge = peeled.graph.edge(e);
    lines.push_back("edge " + name(edge.src) + " -> " + name(edge.dst) + " [" + edge_flags_text(edge.flags) + "]  " +
                    to_string(plan.on_edge[static_cast<size_t>(e)], plan));
  }
  for (size_t block = 0; block < plan.at_start.size(); block++) {
    if (!plan.at_start[block].empty())
      lines.push_back("at start of " + std::to_string(block) + "  " + to_string(plan.at_start[block], plan));
    if (!plan.before_end[block].empty())
      lines.push_back("before end of " + std::to_string(block) + "  " + to_string(plan.before_end[block], plan));
    if (!plan.choices[block].empty())
      lines.push_back("before branch of " + std::to_string(block) + "  " + to_string(plan.choices[block]));
  }
  return lines;
}

} // namespace pathprof
