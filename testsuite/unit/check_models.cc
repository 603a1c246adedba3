// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/models/model.h: what holds of every model, on random graphs and on large ones.
#include <string>
#include <vector>

#include "core/models/models.h"
#include "core/numbering/cut.h"
#include "core/numbering/numbering.h"
#include "testsuite/unit/graphs.h"
#include "testsuite/unit/random_graph.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

const WantedIterations kThree = {[](const Loop &) { return 3u; }, {}};

mpz_class count_of(const FlowGraph &graph, const PathModel &model) {
  return count_paths(path_graph_of(graph, model));
}

FlowGraph looping_diamonds(int n) {
  return diamonds(n, {{2 + 3 * n, 2, kTrue}, {2 + 3 * n, kExitBlock, kFalse}});
}

START_TEST(each_mode_has_its_model) {
  ck_assert_uint_eq(all_models().size(), kNumModes);
  for (int mode = 0; mode < kNumModes; mode++) {
    const Model &model = model_of(static_cast<Mode>(mode));
    ck_assert_int_eq(static_cast<int>(model.mode()), mode);
    ck_assert_str_eq(model.name(), to_string(model.mode()));
    ck_assert(!model.paths_text(2).empty());
    ck_assert(model.has(Feature::ThroughCalls) == is_interprocedural(model.mode()));
    // Numbers that are those of another model are of paths that it has, too.
    ck_assert(model_of(model.numbered_as()).numbered_as() == model.numbered_as());
  }
}
END_TEST

// Whatever the limit, there are at most so many paths, or the function is left out; what fits is left alone.
void check_limits(Random &random) {
  FlowGraph graph = random_graph(random);
  mark_cuts(graph);
  auto most = static_cast<uint64_t>(1 + below(random, 30));
  for (const Model *model : all_models()) {
    FlowGraph limited = graph;
    PathModel paths{model->mode(), Numbering::Register, 3, {}};
    mpz_class uncut = model->num_paths_uncut(graph, paths, kThree);
    std::string reason = model->limit(limited, paths, {most, most / 2, false}, kThree);
    if (uncut <= most) {
      ck_assert_str_eq(reason.c_str(), "");
      ck_assert(count_of(limited, paths) == uncut);
    }
    if (reason.empty() && model->has(Feature::PathLimit))
      ck_assert(count_of(limited, paths) <= most);
    ck_assert(model->has_room(limited, paths));
  }
}

START_TEST(limits_are_kept) {
  Random random(25);
  for (int i = 0; i < 300; i++)
    check_limits(random);
}
END_TEST

START_TEST(functions_are_cut_until_an_array_holds_them) {
  for (Mode mode : {Mode::Acyclic, Mode::KIter, Mode::IntraContext, Mode::Preferential}) {
    FlowGraph graph = looping_diamonds(12);
    PathModel model{mode, Numbering::Register, 3, {}};
    ck_assert_str_eq(model_of(mode).limit(graph, model, {2000, 200, false}, kThree).c_str(), "");
    ck_assert(count_paths(graph) <= 200);
  }
}
END_TEST

START_TEST(functions_are_left_out_where_that_is_wanted) {
  FlowGraph graph = looping_diamonds(12), as_it_was = graph;
  PathModel model;
  std::string reason = model_of(model).limit(graph, model, {2000, 200, true}, {});
  ck_assert_str_eq(reason.c_str(), "16384 paths, more than paths-max=2000");
  for (int e = 0; e < graph.num_edges(); e++)
    ck_assert_uint_eq(graph.edge(e).flags, as_it_was.edge(e).flags);
}
END_TEST

// Sequences are kept by the paths that ran.
START_TEST(sequences_need_no_limit) {
  FlowGraph graph = looping_diamonds(40);
  PathModel model{Mode::Kipf, Numbering::Register, 3, {}};
  mpz_class before = count_paths(graph);
  ck_assert_str_eq(model_of(model).limit(graph, model, {10, 10, false}, {}).c_str(), "");
  ck_assert(count_paths(graph) == before);
}
END_TEST

// A loop of so many blocks one behind the other must not overflow the stack.
START_TEST(long_chains_are_planned) {
  constexpr int blocks = 200000;
  FlowGraph graph(2 + blocks);
  graph.add_edge(kEntryBlock, 2);
  for (int block = 2; block < 1 + blocks; block++)
    graph.add_edge(block, block + 1, 0, 1000);
  graph.add_edge(1 + blocks, 2, kTrue, 1000);
  graph.add_edge(1 + blocks, kExitBlock, kFalse);
  mark_cuts(graph);
  PathModel model;
  PathGraph paths = path_graph_of(graph, model);
  PathNumbering numbering(paths);
  ck_assert_uint_eq(numbering.num_paths(), 4);
  PlacementOptions options;
  options.try_policies = false;
  RegisterCounterPlan plan =
      model_of(model).plan({paths, model, numbering.vals(), natural_loops(graph), 4, options, {}});
  ck_assert_uint_eq(plan.register_counters.size(), 1);
  ck_assert_uint_eq(plan.register_counters.front().size(), 1);
}
END_TEST

} // namespace

int main() {
  return run_suite("models",
                   {{"all models",
                     {each_mode_has_its_model, limits_are_kept, functions_are_cut_until_an_array_holds_them,
                      functions_are_left_out_where_that_is_wanted, sequences_need_no_limit, long_chains_are_planned},
                     120}});
}
