// SPDX-License-Identifier: GPL-3.0-or-later
// Formats operations and plans as text.
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

static std::string text(const op::Set &op) {
  return "r = " + std::to_string(op.value);
}
static std::string text(const op::Add &op) {
  return "r += " + std::to_string(op.delta);
}
static std::string text(const op::CountAt &op) {
  return "count[r + " + std::to_string(op.offset) + "]++";
}
static std::string text(const op::UncountAt &op) {
  return "count[r + " + std::to_string(op.offset) + "]--";
}
static std::string text(const op::CountConst &op) {
  return "count[" + std::to_string(op.path) + "]++";
}
static std::string text(const op::Repeat &op) {
  return "count[" + std::to_string(op.path) + "] += " + std::to_string(op.times);
}
static std::string text(const op::Clear &op) {
  return "register_counter[" + std::to_string(op.path) + "] = 0";
}
static std::string text(const op::Increment &op) {
  return "register_counter[" + std::to_string(op.path) + "]++";
}
static std::string text(const op::Decrement &op) {
  return "register_counter[" + std::to_string(op.path) + "]--";
}
static std::string text(const op::Flush &op) {
  return "count[" + std::to_string(op.path) + "] += register_counter[" + std::to_string(op.path) + "]";
}
static std::string text(const op::Enter &op) {
  return "enter window " + std::to_string(op.window);
}
static std::string text(const op::SaveHead &) {
  return "head = r";
}
static std::string text(const op::SetBody &op) {
  return "body = " + std::to_string(op.value);
}
static std::string text(const op::AddBody &op) {
  return "body += " + std::to_string(op.delta);
}
static std::string text(const op::BackEdge &op) {
  return "complete iteration of window " + std::to_string(op.window);
}
static std::string text(const op::CountAtExit &op) {
  return "count at exit of window " + std::to_string(op.window);
}
static std::string text(const op::Accumulate &op) {
  return "windows += weights " + std::to_string(op.weights);
}
static std::string text(const op::Leave &op) {
  return "r = longest window + weights " + std::to_string(op.weights);
}
static std::string text(const op::Save &op) {
  return "saved[" + std::to_string(op.head) + "] = r";
}
static std::string text(const op::Restore &op) {
  return "r = saved[" + std::to_string(op.head) + "]";
}

static std::string chosen(int64_t if_true, int64_t if_false) {
  return "(cond ? " + std::to_string(if_true) + " : " + std::to_string(if_false) + ")";
}

static std::string text(const Either<op::Set> &op) {
  return "r = " + chosen(op.if_true.value, op.if_false.value);
}
static std::string text(const Either<op::Add> &op) {
  return "r += " + chosen(op.if_true.delta, op.if_false.delta);
}
static std::string text(const Either<op::CountAt> &op) {
  return "count[r + " + chosen(op.if_true.offset, op.if_false.offset) + "]++";
}
static std::string text(const Either<op::CountConst> &op) {
  return "count" + chosen(op.if_true.path, op.if_false.path) + "++";
}
static std::string text(const Either<op::Increment> &op) {
  return "register_counter" + chosen(op.if_true.path, op.if_false.path) + "++";
}
static std::string text(const Either<op::SetBody> &op) {
  return "body = " + chosen(op.if_true.value, op.if_false.value);
}
static std::string text(const Either<op::AddBody> &op) {
  return "body += " + chosen(op.if_true.delta, op.if_false.delta);
}

// Returns the operations or select operations as text, separated by semicolons.
template <typename Sequence>
static std::string joined(const Sequence &operations) {
  std::string joined;
  for (const auto &operation : operations)
    joined += (joined.empty() ? "" : "; ") + std::visit([](const auto &one) { return text(one); }, operation);
  return joined;
}

std::string to_string(const Ops &ops) {
  return joined(ops);
}

std::string to_string(const SelectOps &selects) {
  return joined(selects);
}

std::vector<std::string> lines_of(const RegisterCounterPlan &planned) {
  const Peeled &peeled = planned.peeled;
  const Plan &plan = planned.plan;
  std::vector<std::string> lines;
  for (const Peeled::Copy &copy : peeled.copies)
    lines.push_back("loop at " + std::to_string(copy.blocks.front()) + ": first iteration peeled");
  for (size_t loop = 0; loop < peeled.loops.size(); loop++)
    lines.push_back("loop at " + std::to_string(peeled.loops[loop].head()) + ": " +
                    std::to_string(planned.register_counters[loop].size()) +
                    (planned.register_counters[loop].size() == 1 ? " register counter" : " register counters"));
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
                    to_string(plan.on_edge[static_cast<size_t>(e)]));
  }
  for (size_t block = 0; block < plan.at_start.size(); block++) {
    if (!plan.at_start[block].empty())
      lines.push_back("at start of " + std::to_string(block) + "  " + to_string(plan.at_start[block]));
    if (!plan.before_end[block].empty())
      lines.push_back("before end of " + std::to_string(block) + "  " + to_string(plan.before_end[block]));
    if (!plan.selects[block].empty())
      lines.push_back("before branch of " + std::to_string(block) + "  " + to_string(plan.selects[block]));
  }
  return lines;
}

} // namespace pathprof
