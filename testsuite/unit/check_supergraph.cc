// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of paths across procedures: published figures, and random programs against the definition.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/numbering/cut.h"
#include "core/interprocedural/interprocedural.h"
#include "core/interprocedural/procedure_plan.h"
#include "testsuite/unit/golden.h"
#include "testsuite/unit/graphs.h"
#include "testsuite/unit/oracle_program.h"
#include "testsuite/unit/random_program.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;
using nlohmann::json;

// ---------------------------------------------------------------------------------------------------
// Runs of a program, seen by the definition and by the plans.

class Run {
public:
  explicit Run(const Supergraph &program) : program_(program), numbering_(program), definition_(program) {
    for (size_t p = 0; p < program.procedures.size(); p++)
      plans_.push_back(plan_procedure(program.procedures[p], numbering_.of(static_cast<int>(p))));
    interpreter_ = std::make_unique<SupergraphInterpreter>(numbering_, plans_, counts_);
  }
  Run(const Run &) = delete;

  const SupergraphNumbering &numbering() const { return numbering_; }
  const ProgramCounts &defined() const { return definition_.counts(); }
  const NumberCounts &counts() const { return counts_; }

  ProgramCounts decoded() const {
    ProgramCounts result;
    for (auto [id, count] : counts_) {
      std::optional<InterproceduralPath> path = numbering_.regenerate(exact(id));
      result[path ? spell(*path) : "no path " + exact(id).get_str()] += count;
    }
    return result;
  }

  // `call`: of the activation that control comes from; -1: none.
  void enter(int procedure, int call) {
    definition_.enter(procedure, call);
    if (call >= 0 && site(call).kind != CallKind::SteppedOver)
      interpreter_->call(call);
    if (call < 0 || site(call).kind != CallKind::Traversed)
      interpreter_->enter(procedure);
    open_.push_back(procedure);
  }

  void leave(int call) {
    definition_.leave();
    interpreter_->leave();
    open_.pop_back();
    if (call >= 0 && site(call).kind == CallKind::Ended)
      interpreter_->go_on_behind(call);
  }

  // A callee that is not profiled.
  void step_over(int call, bool threw) {
    if (site(call).kind != CallKind::Ended)
      return;
    definition_.step_over(call, threw);
    interpreter_->call(call);
    if (!threw)
      interpreter_->go_on_behind(call);
  }

  void traverse(int edge, int in_call = -1) {
    definition_.traverse(edge, in_call);
    interpreter_->traverse(edge, in_call >= 0 && site(in_call).kind != CallKind::SteppedOver);
  }

  void unwind() {
    definition_.unwind();
    interpreter_->unwind();
    open_.pop_back();
  }

  // `block`: the procedure's; control has come to its end.
  void end(int block) {
    definition_.end();
    const SplitGraph &split = numbering_.of(open_.back()).split;
    int last = block;
    for (int part = 0; part < split.graph.num_blocks(); part++)
      if (split.block_of[part] == block)
        last = part;
    interpreter_->end(last);
  }

  const Procedure &procedure() const { return program_.procedures[open_.back()]; }

private:
  const CallSite &site(int call) const { return program_.procedures[open_.back()].calls[call]; }

  const Supergraph &program_;
  SupergraphNumbering numbering_;
  std::vector<ProcedurePlan> plans_;
  NumberCounts counts_;
  std::unique_ptr<SupergraphInterpreter> interpreter_;
  ProgramDefinition definition_;
  std::vector<int> open_;
};

static NumberCounts positive(const NumberCounts &counts) {
  NumberCounts result;
  for (auto [id, count] : counts)
    if (count)
      result[id] = count;
  return result;
}

// ---------------------------------------------------------------------------------------------------
// Melski and Reps 1998, Figures 4 to 9 and 14 to 17.

// double pow (double base, long exp) { while (exp > 0) … } and main, which calls it twice in a loop.
static Supergraph figure_4(Mode mode) {
  Supergraph program{mode, std::vector<Procedure>(2)};
  // Block 3: while (i <= 18); 4: if (i % 2 == 0); 6: if (i % 3 == 0).
  program.procedures[0].graph = flow_graph(10, {{0, 2},
                                                {2, 3},
                                                {3, 4, kTrue},
                                                {3, 9, kFalse},
                                                {4, 5, kTrue},
                                                {4, 6, kFalse},
                                                {5, 6},
                                                {6, 7, kTrue},
                                                {6, 8, kFalse},
                                                {7, 8},
                                                {8, 3},
                                                {9, 1}});
  // Block 3: while (exp > 0).
  program.procedures[1].graph = flow_graph(6, {{0, 2}, {2, 3}, {3, 4, kTrue}, {3, 5, kFalse}, {4, 3}, {5, 1}});
  program.procedures[0].calls = {{5, 1, CallKind::Traversed, false}, {7, 1, CallKind::Traversed, false}};
  program.procedures[0].begins_paths = true;
  return program;
}

static int edge_between(const FlowGraph &graph, int src, int dst) {
  for (int e = 0; e < graph.num_edges(); e++)
    if (graph.edge(e).src == src && graph.edge(e).dst == dst)
      return e;
  return -1;
}

static void follow(Run &run, const std::vector<int> &blocks) {
  for (size_t i = 0; i + 1 < blocks.size(); i++)
    run.traverse(edge_between(run.procedure().graph, blocks[i], blocks[i + 1]));
}

static void run_pow(Run &run, int call) {
  run.enter(1, call);
  follow(run, {0, 2, 3, 4, 3, 4, 3, 5, 1});
  run.leave(call);
}

static void run_figure_4(Run &run) {
  run.enter(0, -1);
  follow(run, {0, 2, 3});
  for (int i = 1; i <= 18; i++) {
    follow(run, {3, 4});
    if (i % 2 == 0) {
      follow(run, {4, 5});
      run_pow(run, 0);
      follow(run, {5, 6});
    } else {
      follow(run, {4, 6});
    }
    if (i % 3 == 0) {
      follow(run, {6, 7});
      run_pow(run, 1);
      follow(run, {7, 8});
    } else {
      follow(run, {6, 8});
    }
    follow(run, {8, 3});
  }
  follow(run, {3, 9, 1});
  run.leave(-1);
}

static void check_figure_4(Mode mode) {
  json data = golden_file("melski-reps-figure-4.json");
  Supergraph program = figure_4(mode);
  Run run(program);
  run_figure_4(run);
  const json &printed = data[to_string(mode)];
  ck_assert_str_eq(run.numbering().num_paths().get_str().c_str(),
                   std::to_string(printed["num_paths"].get<int>()).c_str());
  NumberCounts expected;
  for (auto [id, count] : printed["counts"].items())
    expected[std::stoul(id)] = count.get<uint64_t>();
  ck_assert(positive(run.counts()) == expected);
  ck_assert(run.decoded() == run.defined());
}

START_TEST(figure_4_context) {
  check_figure_4(Mode::Context);
}
END_TEST

START_TEST(figure_4_piecewise) {
  check_figure_4(Mode::Piecewise);
}
END_TEST

START_TEST(figure_7_functions) {
  Supergraph program = figure_4(Mode::Context);
  SupergraphNumbering numbering(program);
  const ProcedureNumbering &main = numbering.of(0), &pow = numbering.of(1);
  auto rho = [](const ProcedureNumbering &of, PathEdgeKind kind, int src, int dst) {
    for (int e = 0; e < of.paths.num_edges(); e++) {
      const PathEdge &edge = of.paths.edge(e);
      if (edge.kind == kind && edge.src == src && edge.dst == dst)
        return of.rho[e];
    }
    return Linear{-1, -1};
  };
  ck_assert(pow.psi[kEntryBlock] == (Linear{2, 2}));
  ck_assert(rho(pow, PathEdgeKind::Start, 0, 3) == (Linear{1, 1}));
  ck_assert(rho(pow, PathEdgeKind::Real, 3, 5) == (Linear{0, 1}));
  ck_assert(rho(main, PathEdgeKind::Start, 0, 3) == (Linear{1, 17}));
  ck_assert(rho(main, PathEdgeKind::Real, 3, 9) == (Linear{0, 17}));
  ck_assert(rho(main, PathEdgeKind::Real, 4, 6) == (Linear{0, 12}));
  ck_assert(main.psi_return[0](1) == 5);
  ck_assert(main.psi_return[1](1) == 1);
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Random programs.

// Runs procedures at random; exceptions fly where control cannot go on, and elsewhere now and then.
class RandomRun {
public:
  RandomRun(Random &random, Run &run) : random_(random), run_(run) {}

  // False where an exception left the procedure.
  bool execute(int procedure, int call, int depth) {
    run_.enter(procedure, call);
    int block = kEntryBlock;
    while (block != kExitBlock) {
      Step step = run_block(block, depth);
      if (!step.goes_on) {
        run_.unwind();
        return false;
      }
      block = step.block;
    }
    run_.leave(call);
    return true;
  }

private:
  struct Step {
    bool goes_on;
    int block;
  };

  Step run_block(int block, int depth) {
    const Procedure &procedure = run_.procedure();
    for (size_t i = 0; i < procedure.calls.size(); i++) {
      const CallSite &site = procedure.calls[i];
      if (site.block != block)
        continue;
      int call = static_cast<int>(i), callee = site.callee;
      bool seen = site.kind == CallKind::Traversed || (callee >= 0 && depth < 6);
      bool threw = seen ? !execute(callee, call, depth + 1) : site.ends_block && below(random_, 8) == 0;
      if (!seen)
        run_.step_over(call, threw);
      if (threw)
        return unwind_in(block, site.ends_block ? call : -1);
    }
    return go_on(block);
  }

  Step unwind_in(int block, int call) {
    const Procedure &procedure = run_.procedure();
    std::vector<int> handlers;
    for (int e : procedure.graph.succs(block))
      if ((procedure.graph.edge(e).flags & kEh) && !(procedure.graph.edge(e).flags & kAbnormal))
        handlers.push_back(e);
    if (call < 0 || handlers.empty() || ++steps_ > 400)
      return {false, 0};
    int e = handlers[static_cast<size_t>(below(random_, static_cast<int>(handlers.size())))];
    run_.traverse(e, call);
    return {true, procedure.graph.edge(e).dst};
  }

  Step go_on(int block) {
    const FlowGraph &graph = run_.procedure().graph;
    std::vector<int> ways;
    for (int e : graph.succs(block))
      if (!(graph.edge(e).flags & (kEh | kAbnormal)))
        ways.push_back(e);
    if (graph.succs(block).empty())
      run_.end(block);
    if (ways.empty() || ++steps_ > 400)
      return {false, 0};
    int e = ways[static_cast<size_t>(below(random_, static_cast<int>(ways.size())))];
    run_.traverse(e);
    return {true, graph.edge(e).dst};
  }

  Random &random_;
  Run &run_;
  int steps_ = 0;
};

static bool are_paths(const NumberCounts &counts, const mpz_class &num_paths) {
  return std::all_of(counts.begin(), counts.end(),
                     [&](const auto &counted) { return exact(counted.first) < num_paths; });
}

// With numbers of two digits, and of one.
static void check_random_programs(Mode mode, int number, bool is_wide) {
  Random random(static_cast<uint64_t>(mode) * 1000 + is_wide);
  int with_contexts = 0, through_calls = 0;
  for (int i = 0; i < number;) {
    Supergraph program = random_program(random, mode);
    if (is_wide)
      add_tower(program, 1 + below(random, 5));
    Run run(program);
    ck_assert(!has_recursive_whole_call(program));
    size_t bits = mpz_sizeinbase(run.numbering().num_paths().get_mpz_t(), 2);
    if (is_wide ? bits <= kDigitBits || bits > 2 * kDigitBits : bits > kDigitBits)
      continue;
    i++;
    for (int entry = 0; entry < 3; entry++)
      RandomRun(random, run).execute(is_wide ? static_cast<int>(program.procedures.size()) - 1 : 0, -1, 0);
    ck_assert(are_paths(run.counts(), run.numbering().num_paths()));
    ck_assert(run.decoded() == run.defined());
    for (const auto &[path, count] : run.defined()) {
      with_contexts += path.find("| r") != std::string::npos;
      through_calls += path.find("| c") != std::string::npos;
    }
  }
  ck_assert_int_gt(through_calls, number / 2);
  ck_assert(mode == Mode::Piecewise || with_contexts > number / 2);
}

START_TEST(random_runs_have_context_paths) {
  check_random_programs(Mode::Context, 3000, false);
}
END_TEST

START_TEST(random_runs_have_piecewise_paths) {
  check_random_programs(Mode::Piecewise, 3000, false);
}
END_TEST

START_TEST(random_runs_have_wide_context_paths) {
  check_random_programs(Mode::Context, 300, true);
}
END_TEST

START_TEST(random_runs_have_wide_piecewise_paths) {
  check_random_programs(Mode::Piecewise, 300, true);
}
END_TEST

// Each number is that of a path, and no two of the same.
static void check_density(Mode mode) {
  Random random(static_cast<uint64_t>(mode) * 2000);
  int checked = 0;
  for (int i = 0; i < 1500; i++) {
    Supergraph program = random_program(random, mode);
    SupergraphNumbering numbering(program);
    if (numbering.num_paths() > 3000)
      continue;
    checked++;
    std::set<std::string> paths;
    for (mpz_class id = 0; id < numbering.num_paths(); id++) {
      std::optional<InterproceduralPath> path = numbering.regenerate(id);
      ck_assert(path.has_value());
      ck_assert(paths.insert(spell(*path)).second);
    }
    ck_assert(!numbering.regenerate(numbering.num_paths()));
    ck_assert(!numbering.regenerate(-1));
  }
  ck_assert_int_gt(checked, 300);
}

START_TEST(context_numbers_are_dense) {
  check_density(Mode::Context);
}
END_TEST

START_TEST(piecewise_numbers_are_dense) {
  check_density(Mode::Piecewise);
}
END_TEST

int main() {
  return run_suite("supergraph", {{"figures", {figure_4_context, figure_4_piecewise, figure_7_functions}},
                                  {"random programs",
                                   {random_runs_have_context_paths, random_runs_have_piecewise_paths,
                                    random_runs_have_wide_context_paths, random_runs_have_wide_piecewise_paths,
                                    context_numbers_are_dense, piecewise_numbers_are_dense},
                                   300}});
}
