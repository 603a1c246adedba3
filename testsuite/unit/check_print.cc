// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/plan/print.h: each operation's text, and the lines of a small plan.
#include <string>
#include <vector>

#include "core/numbering/cut.h"
#include "core/numbering/numbering.h"
#include "core/plan/print.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

static void check_text(const std::string &text, const char *expected) {
  ck_assert_str_eq(text.c_str(), expected);
}

START_TEST(operations_have_text) {
  Plan plan{FlowGraph(2)};
  plan.repeats = {{4, 12}};
  const struct {
    OpKind kind;
    const char *text;
  } operations[] = {
      {OpKind::Set, "r = 0"},
      {OpKind::Add, "r += 0"},
      {OpKind::CountAt, "count[r + 0]++"},
      {OpKind::CountConst, "count[0]++"},
      {OpKind::Clear, "register_counter[0] = 0"},
      {OpKind::Increment, "register_counter[0]++"},
      {OpKind::Decrement, "register_counter[0]--"},
      {OpKind::Flush, "count[0] += register_counter[0]"},
      {OpKind::Repeat, "count[4] += 12"},
      {OpKind::UncountAt, "count[r + 0]--"},
      {OpKind::Enter, "enter window 0"},
      {OpKind::SaveHead, "head = r"},
      {OpKind::SetBody, "body = 0"},
      {OpKind::AddBody, "body += 0"},
      {OpKind::BackEdge, "around window 0"},
      {OpKind::CountAtExit, "count at exit, window 0"},
      {OpKind::Accumulate, "windows += weights 0"},
      {OpKind::Leave, "r = longest window + weights 0"},
      {OpKind::Save, "saved[0] = r"},
      {OpKind::Restore, "r = saved[0]"},
      {OpKind::Pass, "number = base + r + 0"},
      {OpKind::Resume, "base = number"},
      {OpKind::Restart, "base = what paths begin with here"},
      {OpKind::Return, "number = base + r + 0"},
  };
  for (const auto &operation : operations)
    check_text(to_string(Ops{{operation.kind, 0}}, plan), operation.text);
  check_text(to_string(Ops{}, plan), "");
  check_text(to_string(Ops{{OpKind::Add, -3}, {OpKind::CountAt, 7}}, plan), "r += -3; count[r + 7]++");
}
END_TEST

START_TEST(choices_have_text) {
  check_text(to_string(Choices{{OpKind::Set, 1, 0}, {OpKind::CountAt, 2, 3}}),
             "r = (cond ? 1 : 0); count[r + (cond ? 2 : 3)]++");
  check_text(to_string(Choices{{OpKind::Add, 1, 0}}), "r += (cond ? 1 : 0)");
  check_text(to_string(Choices{{OpKind::Increment, 1, 0}}), "register_counter(cond ? 1 : 0)++");
  check_text(to_string(Choices{{OpKind::SetBody, 1, 0}}), "body = (cond ? 1 : 0)");
  check_text(to_string(Choices{{OpKind::AddBody, 1, 0}}), "body += (cond ? 1 : 0)");
  check_text(to_string(Choices{{OpKind::CountConst, 1, 0}}), "count(cond ? 1 : 0)++");
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
  FlowGraph graph(6);
  graph.add_edge(0, 2, kFallthru, 10);
  graph.add_edge(2, 3, kTrue, 7);
  graph.add_edge(2, 4, kFalse, 3);
  graph.add_edge(3, 5, kFallthru, 7);
  graph.add_edge(4, 5, kFallthru, 3);
  graph.add_edge(5, 1, kFallthru, 10);
  mark_cuts(graph);
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
  Suite *suite = suite_create("print");
  TCase *text = tcase_create("text");
  tcase_add_test(text, operations_have_text);
  tcase_add_test(text, choices_have_text);
  tcase_add_test(text, flags_have_names);
  tcase_add_test(text, plans_have_a_line_an_edge);
  suite_add_tcase(suite, text);
  return run_suite(suite);
}
