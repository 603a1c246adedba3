// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of pathdump/describe/conditions.h and decisions.h: conditions in source text, and that no two paths of a
// function are said alike.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/models/model.h"
#include "core/numbering/cut.h"
#include "pathdump/describe/conditions.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/ui/names.h"
#include "testsuite/unit/random_graph.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

void assert_equal(const std::string &found, const std::string &wanted) {
  ck_assert_str_eq(found.c_str(), wanted.c_str());
}

START_TEST(conditions_are_found) {
  struct {
    const char *text, *at, *condition; // the place is at '^'
    bool is_only;
  } const cases[] = {
      {"  if (x > 3 && y < 4) z();", "  ^", "x > 3 && y < 4", false},
      {"  if (x > 3 && y < 4) z();", "     ^", "x > 3 && y < 4", false},
      {"  if (x > 3 && y < 4) z();", "            ^", "x > 3 && y < 4", false},
      {"  if (x > 3 or y < 4) z();", "  ^", "x > 3 or y < 4", false},
      {"  if (x > 3) z();", "     ^", "x > 3", true},
      {"  if (f (a,\n         b)\n      == c)", "  ^", "f (a, b) == c", true},
      {"  if (f (a), b) z();", "  ^", "f (a), b", false},
      {"  while (count--) {", "              ^", "count--", true},
      {"  for (int i = 0; i < n; i++)", "                    ^", "i < n", true},
      {"  for (int i = 0; i < n; i++)", "  ^", "i < n", true},
      {"  for (char c : text)", "  ^", "char c : text", true},
      {"  if (int n = f(); n > 2)", "  ^", "n > 2", true},
      {"  switch (next (c)) {", "  ^", "next (c)", true},
      {"  return x ? y : 4;", "           ^", "x", true},
      {"  return x ? y : 4;", "               ^", "x", true},
      {"  int r = a > 3 && b ? 7 : 8;", "                         ^", "a > 3 && b", false},
      {"  a = p->q != 0 ? 1 : 2;", "           ^", "p->q != 0", true},
      {"  if (a /* b && c */ > 1)", "  ^", "a > 1", true},
      {"  z = std::max (a, b) > c;", "                      ^", "std::max (a, b) > c", true},
      {"  if (!(a == 3 || a == 5)) z();", "      ^", "!(a == 3 || a == 5)", false},
      {"  s += f (i) + g (i == 4 ? 0 : 1);", "             ^", "f (i) + g (i == 4 ? 0 : 1)", false},
      {"  s += f (i == 4 ? i + 2 : 1);", "                     ^", "i + 2", false},
      {"  while (a + b) z();", "           ^", "a + b", true},
      {"  so we don't\n  --*/\n  for (; i > 0;) z();", "                       ^", "i > 0", true},
      {"  // don't\n  if (x) z();", "             ^", "x", true},
      {"  } else { f (); } g (x);", "                   ^", "g (x)", true},
      {"  z = T{1} == x;", "           ^", "T{1} == x", true},
      {"x", "x ^", "", false},
  };
  for (const auto &one : cases) {
    assert_equal(condition_at(one.text, std::string(one.at).find('^')), one.condition);
    ck_assert_msg(is_only_condition(one.text, std::string(one.at).find('^')) == one.is_only, "%s", one.text);
  }
}
END_TEST

START_TEST(uses_of_macros_are_found) {
  assert_equal(use_at("  if (GT (a, (b)) > 1)", 6), "GT (a, (b))");
  assert_equal(use_at("  if (DONE) z ();", 6), "DONE");
  assert_equal(use_at("  F (a, // one\n     \")\");", 2), "F (a, \")\")");
  assert_equal(use_at("  F (a", 2), "F (a");
  assert_equal(use_at("  ", 2), "");
  assert_equal(use_at("  F (a)", 40), "");
}
END_TEST

START_TEST(labels_are_found) {
  using Labels = std::vector<std::string>;
  ck_assert(labels_at("  case 'a': case ':': return;", 2) == (Labels{"'a'", "':'"}));
  ck_assert(labels_at("  case 'a': case ':': return;", 12) == (Labels{"':'"}));
  ck_assert(labels_at("  case ns::RED : f(); case BLUE:", 2) == (Labels{"ns::RED"}));
  ck_assert(labels_at("case 1: // one\n default: /* and */\n case 2 ... 3:\n", 0) == (Labels{"1", "2 ... 3"}));
  ck_assert(labels_at("  default:", 2).empty());
  ck_assert(labels_at("  LABEL (x):", 2).empty());
  ck_assert(labels_at("  case 3", 2).empty());
  ck_assert(labels_at("case 3:", 20).empty());
}
END_TEST

START_TEST(calls_are_seen) {
  assert_equal(called_by("f (x)"), "f");
  assert_equal(called_by("!f(x, g(y))"), "f");
  assert_equal(called_by("!(f(')'))"), "f");
  assert_equal(called_by("f(x) && g(y)"), "");
  assert_equal(called_by("f(x) > 1"), "");
  assert_equal(called_by("x"), "");
  assert_equal(called_by("!"), "");
  assert_equal(called_by(""), "");
}
END_TEST

START_TEST(senses_are_read) {
  constexpr Sense kSame = Sense::Same, kOpposite = Sense::Opposite, kUnknown = Sense::Unknown;
  struct {
    const char *condition;
    Relation relation;
    bool with_constant;
    Sense sense;
  } const cases[] = {
      {"x > 3", Relation::Greater, true, kSame},
      {"x > 3", Relation::LessEqual, true, kOpposite},
      {"y < 4", Relation::LessEqual, true, kSame},
      {"y < 4", Relation::Greater, true, kOpposite},
      {"3 > x", Relation::LessEqual, true, kSame},
      {"x > LIMIT", Relation::Greater, true, kSame},
      {"lo <= hi", Relation::GreaterEqual, true, kUnknown},
      {"lo <= hi", Relation::LessEqual, false, kSame},
      {"a < b", Relation::Greater, false, kSame},
      {"a < b", Relation::GreaterEqual, false, kOpposite},
      {"a < b", Relation::Holds, false, kUnknown},
      {"a < b", Relation::None, false, kUnknown},
      {"a < b", Relation::Equal, false, kUnknown},
      {"x", Relation::NotEqual, true, kSame},
      {"x", Relation::Equal, true, kOpposite},
      {"x", Relation::Equal, false, kUnknown},
      {"x", Relation::Less, true, kUnknown},
      {"!x", Relation::Equal, true, kSame},
      {"!x", Relation::NotEqual, true, kOpposite},
      {"!!x", Relation::NotEqual, true, kSame},
      {"!(a == b)", Relation::NotEqual, false, kSame},
      {"a == b", Relation::NotEqual, false, kOpposite},
      {"p->q == 0", Relation::Equal, true, kSame},
      {"a == b", Relation::NotEqual, true, kOpposite},
      {"a == b", Relation::Less, false, kUnknown},
      {"a == b", Relation::Holds, true, kUnknown},
      {"s.empty ()", Relation::Fails, true, kOpposite},
      {"!s.empty ()", Relation::Fails, true, kSame},
      {"n > 0", Relation::NotEqual, true, kUnknown},
      {"a && b", Relation::Equal, true, kUnknown},
      {"!(a || b)", Relation::NotEqual, true, kUnknown},
      {"!(x <= 1)", Relation::Greater, true, kSame},
      {"!(x <= 1)", Relation::LessEqual, true, kOpposite},
      {"!f", Relation::Fails, true, kSame},
      {"!f", Relation::Holds, true, kOpposite},
      {"f (x)", Relation::Holds, false, kUnknown},
      {"x", Relation::None, false, kUnknown},
      {"", Relation::Holds, true, kUnknown},
  };
  for (const auto &one : cases) {
    BranchNotes branch;
    branch.relation = one.relation;
    branch.with_constant = one.with_constant;
    ck_assert_msg(sense_in(one.condition, branch) == one.sense, "%s", one.condition);
  }
}
END_TEST

// Few lines, so that many places are the same; some edges are what exceptions take.
Function random_function(Random &random, UnitSources &sources) {
  Function function;
  FunctionNotes &notes = function.notes;
  notes.graph = random_graph(random);
  for (int e = 0; e < notes.graph.num_edges(); e++) {
    static const unsigned kinds[] = {0, 0, kTrue, kFalse, kEh};
    if (notes.graph.edge(e).src != kEntryBlock && !(notes.graph.edge(e).flags & kAbnormal))
      notes.graph.edge(e).flags |= kinds[below(random, 5)];
  }
  mark_cuts(notes.graph);
  notes.blocks.resize(static_cast<size_t>(notes.graph.num_blocks()));
  for (size_t block = 2; block < notes.blocks.size(); block++) {
    for (int i = below(random, 3); i > 0; i--)
      notes.blocks[block].lines.push_back(
          {static_cast<uint32_t>(below(random, 2)), 1u + static_cast<uint32_t>(below(random, 3)), 0});
    BranchNotes branch;
    branch.block = static_cast<uint32_t>(block);
    branch.column = 1u + static_cast<uint32_t>(below(random, 2));
    if (!notes.blocks[block].lines.empty() && below(random, 2))
      branch.at = notes.blocks[block].lines.back();
    if (branch.at.line && notes.graph.succs(static_cast<int>(block)).size() > 1)
      notes.branches.push_back(branch);
  }
  function.sources = &sources;
  function.files = &sources.files;
  function.file = sources.files.front();
  return function;
}

void use_model(Random &random, FunctionNotes &notes) {
  PathLimits limits{300, 300, false};
  auto iterations = [&](const Loop &) { return 1 + static_cast<uint32_t>(below(random, 3)); };
  switch (below(random, 3)) {
  case 0:
    notes.model.mode = Mode::Acyclic;
    break;
  case 1:
    notes.model.mode = Mode::KIter;
    notes.model.k = 1 + static_cast<uint32_t>(below(random, 3));
    break;
  default:
    notes.model.mode = Mode::IntraContext;
  }
  model_of(notes.model).limit(notes.graph, notes.model, limits, {iterations, iterations});
}

START_TEST(no_two_paths_are_said_alike) {
  CommonOptions options;
  Names names(options);
  Random random(20);
  uint64_t num_paths = 0;
  for (int i = 0; i < 2000; i++) {
    UnitSources sources;
    sources.files = {"a.c", "a.h"};
    Function function = random_function(random, sources);
    use_model(random, function.notes);
    Decoded decoded(function.notes);
    PathFormatter formatter(names, nullptr);
    std::map<std::string, uint64_t> said;
    for (uint64_t id = 0; id < decoded.numbering.num_paths() && id < 1000; id++) {
      std::string text = formatter.text(function, *decoded.regenerate(id));
      auto [other, is_new] = said.try_emplace(text, id);
      ck_assert_msg(is_new, "graph %d, mode %s: paths %ju and %ju are both '%s'", i,
                    to_string(function.notes.model.mode), static_cast<uintmax_t>(other->second),
                    static_cast<uintmax_t>(id), text.c_str());
      num_paths++;
    }
  }
  ck_assert_uint_gt(num_paths, 10000);
}
END_TEST

START_TEST(rows_alike_are_told_apart) {
  auto row = [](const char *text, std::vector<std::string> last_resorts) {
    return PathLabel{"f", "entry", "exit", {text_element(text)}, std::move(last_resorts)};
  };
  std::vector<PathLabel> rows = {row("8:T", {"path 1", "of a.c"}), row("8:T", {"path 1", "of b.c"}),
                                 row("8:T", {"path 2", "of a.c"}), row("8:F", {"path 3", "of a.c"})};
  CommonOptions options;
  Names names(options);
  complete(rows, PathFormatter(names, nullptr));
  assert_equal(rows[0].path, "8:T; (path 1); (of a.c)");
  assert_equal(rows[1].path, "8:T; (path 1); (of b.c)");
  assert_equal(rows[2].path, "8:T; (path 2)");
  assert_equal(rows[3].path, "8:F");
}
END_TEST

} // namespace

int main() {
  return run_suite("decisions", {{"conditions", {conditions_are_found}},
                                 {"uses of macros", {uses_of_macros_are_found}},
                                 {"labels", {labels_are_found}},
                                 {"calls", {calls_are_seen}},
                                 {"senses", {senses_are_read}},
                                 {"random graphs", {no_two_paths_are_said_alike}},
                                 {"rows", {rows_alike_are_told_apart}}});
}
