// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/plan/print.h: each operation's text, and the lines of a small plan.
#include <string>
#include <vector>

#include "core/numbering/cut.h"
#include "core/numbering/numbering.h"
#include "core/plan/print.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

static void check_text(const std::string &text, const char *expected) {
  ck_assert_str_eq(text.c_str(), expected);
}

START_TEST(operations_have_text) {
  const struct {
    Op op;
    const char *text;
  } operations[] = {
      {op::Set{0}, "r = 0"},
      {op::Add{0}, "r += 0"},
      {op::CountAt{0}, "count[r + 0]++"},
      {op::CountConst{0}, "count[0]++"},
      {op::Clear{0}, "register_counter[0] = 0"},
      {op::Increment{0}, "register_counter[0]++"},
      {op::Decrement{0}, "register_counter[0]--"},
      {op::Flush{0}, "count[0] += register_counter[0]"},
      {op::Repeat{4, 12}, "count[4] += 12"},
      {op::UncountAt{0}, "count[r + 0]--"},
      {op::Enter{0}, "enter window 0"},
      {op::SaveHead{}, "head = r"},
      {op::SetBody{0}, "body = 0"},
      {op::AddBody{0}, "body += 0"},
      {op::BackEdge{0}, "complete iteration of window 0"},
      {op::CountAtExit{0}, "count at exit of window 0"},
      {op::Accumulate{0}, "windows += weights 0"},
      {op::Leave{0}, "r = longest window + weights 0"},
      {op::Save{0}, "saved[0] = r"},
      {op::Restore{0}, "r = saved[0]"},
  };
  for (const auto &operation : operations)
    check_text(to_string(Ops{operation.op}), operation.text);
  check_text(to_string(Ops{}), "");
  check_text(to_string(Ops{op::Add{-3}, op::CountAt{7}}), "r += -3; count[r + 7]++");
}
END_TEST

START_TEST(selects_have_text) {
  check_text(to_string(SelectOps{Either<op::Set>{{1}, {0}}, Either<op::CountAt>{{2}, {3}}}),
             "r = (cond ? 1 : 0); count[r + (cond ? 2 : 3)]++");
  check_text(to_string(SelectOps{Either<op::Add>{{1}, {0}}}), "r += (cond ? 1 : 0)");
  check_text(to_string(SelectOps{Either<op::Increment>{{1}, {0}}}), "register_counter(cond ? 1 : 0)++");
  check_text(to_string(SelectOps{Either<op::SetBody>{{1}, {0}}}), "body = (cond ? 1 : 0)");
  check_text(to_string(SelectOps{Either<op::AddBody>{{1}, {0}}}), "body += (cond ? 1 : 0)");
  check_text(to_string(SelectOps{Either<op::CountConst>{{1}, {0}}}), "count(cond ? 1 : 0)++");
}
END_TEST

START_TEST(flags_have_names) {
  check_text(edge_flags_text(0), "");
  check_text(edge_flags_text(kTrue | kBack), "true,back");
  check_text(edge_flags_text(kEdgeFlagMask), "true,false,fallthru,eh,abnormal,back,cut");
}
END_TEST

// A if-conversion candidate: each edge has a line, in order.
START_TEST(plans_have_a_line_an_edge) {
  FlowGraph graph = flow_graph(6, {{0, 2, kFallthru, 10},
                                   {2, 3, kTrue, 7},
                                   {2, 4, kFalse, 3},
                                   {3, 5, kFallthru, 7},
                                   {4, 5, kFallthru, 3},
                                   {5, 1, kFallthru, 10}});
  PathGraph paths(graph);
  RegisterCounterPlan plan = plan_with_register_counters(paths, PathNumbering(paths).vals(), {}, 0);
  std::vector<std::string> lines = lines_of(plan);
  const char *const begins[] = {"edge 0 -> 2 [fallthru]  ", "edge 2 -> 3 [true]  ",     "edge 2 -> 4 [false]  ",
                                "edge 3 -> 5 [fallthru]  ", "edge 4 -> 5 [fallthru]  ", "edge 5 -> 1 [fallthru]  "};
  ck_assert_uint_ge(lines.size(), std::size(begins));
  bool counts = false;
  for (size_t i = 0; i < std::size(begins); i++) {
    check_text(lines[i].substr(0, std::string(begins[i]).size()), begins[i]);
    counts |= lines[i].find("count[") != std::string::npos;
  }
  ck_assert(counts);
}
END_TEST

int main() {
  return run_suite("print",
                   {{"text", {operations_have_text, selects_have_text, flags_have_names, plans_have_a_line_an_edge}}});
}
