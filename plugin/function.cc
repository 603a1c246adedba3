// SPDX-License-Identifier: GPL-3.0-or-later
// Planning one function.
#include "plugin/function.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/context.h"
#include "core/cut.h"
#include "core/frequency.h"
#include "core/kiter.h"
#include "core/placement.h"
#include "core/prefix.h"
#include "plugin/computed_goto.h"
#include "plugin/diamonds.h"
#include "plugin/interesting.h"
#include "plugin/iterations.h"
#include "plugin/weights.h"

#include "plugin/gcc.h"
#include "plugin/names.h"
#include "plugin/normalise.h"
#include "plugin/peel.h"
#include "plugin/split.h"
#include "plugin/statements.h"
#include "plugin/unroll.h"

namespace pathprof {

static constexpr size_t kMaxTallies = 4;
static constexpr uint64_t kMostPaths = (uint64_t{1} << 62) - 1; // that a number can name
static constexpr uint64_t kMostPathsOfMany = uint64_t{1} << 44; // so that it can name a path of any of many functions

static unsigned core_flags(edge e) {
  static const std::pair<int, unsigned> table[] = {
      {EDGE_TRUE_VALUE, kTrue}, {EDGE_FALSE_VALUE, kFalse}, {EDGE_FALLTHRU, kFallthru},
      {EDGE_EH, kEh},           {EDGE_ABNORMAL, kAbnormal},
  };
  unsigned flags = 0;
  for (auto [gcc_flag, flag] : table)
    if (e->flags & gcc_flag)
      flags |= flag;
  return flags;
}

// The stable order: by block number; in a block the true edge first, then as GCC has them.
static std::vector<edge> ordered_succs(basic_block bb) {
  std::vector<edge> succs;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (!(e->flags & EDGE_FAKE))
      succs.push_back(e);
  std::stable_partition(succs.begin(), succs.end(), [](edge s) { return (s->flags & EDGE_TRUE_VALUE) != 0; });
  return succs;
}

// Fills graph and edge table; false if GCC has no frequencies here.  From a call in tail position control
// leaves the function: the blocks behind it, which only return, are not reached from there.
static bool read_graph(PlannedFunction &function) {
  FlowGraph graph(n_basic_blocks_for_fn(cfun));
  bool has_frequencies = true;
  for (int index = 0; index < n_basic_blocks_for_fn(cfun); index++) {
    for (edge e : ordered_succs(BASIC_BLOCK_FOR_FN(cfun, index))) {
      profile_count count = e->count();
      double frequency = 1;
      if (count.initialized_p())
        frequency = static_cast<double>(count.to_gcov_type());
      else
        has_frequencies = false;
      int dst = tail_call_of(e->src) ? kExitBlock : e->dest->index;
      graph.add_edge(e->src->index, dst, core_flags(e), frequency);
      function.edges.push_back(e);
    }
  }
  function.notes.graph = std::move(graph);
  return has_frequencies;
}

// Some attributes belong to the function on one target and to its type on another.
static bool has_attribute(tree decl, const char *name) {
  return lookup_attribute(name, DECL_ATTRIBUTES(decl)) || lookup_attribute(name, TYPE_ATTRIBUTES(TREE_TYPE(decl)));
}

// Why a function cannot be instrumented whatever its graph, or an empty string.
static std::string unsupported_reason(tree decl) {
  if (has_attribute(decl, "naked"))
    return "a naked function has no frame for the path register";
  if (has_attribute(decl, "interrupt") || has_attribute(decl, "no_caller_saved_registers"))
    return "a function that must save every register cannot call the runtime";
  return {};
}

// Where several cut edges leave a block, those that go around a loop leave from a block of their own: then it is
// seen from where a path ends whether it does.  True if there were any.
static bool give_rounds_a_block(const PlannedFunction &function) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<edge> rounds;
  for (int e = 0; e < graph.num_edges(); e++) {
    const std::vector<int> &succs = graph.succs(graph.edge(e).src);
    bool is_only_cut =
        std::none_of(succs.begin(), succs.end(), [&](int other) { return other != e && graph.edge(other).is_cut(); });
    edge in_gcc = function.edges[static_cast<size_t>(e)];
    if ((graph.edge(e).flags & kBack) && !is_only_cut && !(in_gcc->flags & EDGE_COMPLEX))
      rounds.push_back(in_gcc);
  }
  for (edge e : rounds)
    split_edge(e);
  return !rounds.empty();
}

// Takes context from loops until there are at most `most` paths.
static void limit_contexts(FunctionNotes &notes, uint64_t most) {
  if (notes.model.mode == Mode::IntraContext)
    notes.model.loops = loops_within(notes.graph, context_loops(notes.graph), static_cast<unsigned long>(most));
}

// Cuts the graph to the limit.  Returns why the function is left out, or an empty string.
static std::string cut_paths(FunctionNotes &notes, FunctionArguments arguments) {
  // Sequences are kept by executed paths, however many there are.
  if (notes.model.mode == Mode::Kipf)
    arguments.paths_max = arguments.array_max = kMostPaths;
  // All functions of a program share its numbers.
  if (is_interprocedural(notes.model.mode))
    arguments.paths_max = arguments.array_max = kMostPathsOfMany;
  if (notes.model.mode == Mode::IntraContext)
    notes.model.loops = context_loops(notes.graph);
  // Of paths across iterations k gives way before edges are cut.
  mpz_class num_paths = count_paths(path_graph_of(notes.graph, notes.model));
  if (notes.model.mode != Mode::KIter)
    notes.num_paths_uncut = num_paths;
  mpz_class limit(static_cast<unsigned long>(arguments.paths_max));
  if (num_paths <= limit)
    return {};
  if (arguments.skip_on_overflow)
    return fmt::format("{} paths, more than paths-max={}", num_paths.get_str(), arguments.paths_max);
  // A function that loses paths anyway is cut until an array can hold the rest: a table's count costs
  // many times more, and hot edges are cut last.
  uint64_t for_array = std::min(arguments.paths_max, arguments.array_max);
  if (count_paths(notes.graph) > limit && cut_to_limit(notes.graph, for_array) < 0 &&
      cut_to_limit(notes.graph, arguments.paths_max) < 0)
    return fmt::format("more paths than paths-max={} even when cut everywhere", arguments.paths_max);
  limit_contexts(notes, count_paths(notes.graph) <= for_array ? for_array : arguments.paths_max);
  return {};
}

static void leave_out(PlannedFunction &function, const std::string &reason) {
  function.notes.left_out = reason;
  function.notes.storage = PATHPROF_STORAGE_NONE;
  function.notes.num_paths = 0;
  function.notes.num_slots = 0;
  function.notes.interesting.clear();
}

// A table has no counter to add to.  Under exact termination all counts are in memory all the time.  What is
// measured is measured at the end of each path.
static bool may_tally(const PlannedFunction &function) {
  const FunctionNotes &notes = function.notes;
  return notes.model.mode != Mode::IntraContext && notes.storage == PATHPROF_STORAGE_ARRAY &&
         !(notes.flags & (kExactTermination | kCycles)) && gimple_in_ssa_p(cfun) && optimize;
}

static TalliedPlan plan_of(const PlannedFunction &function, const PathGraph &paths, PlacementOptions options) {
  const FunctionNotes &notes = function.notes;
  LoopsInRegisters found;
  if (may_tally(function))
    found = loops_in_registers(notes.graph);
  if (notes.model.spans_iterations()) {
    if (may_tally(function) && optimize >= 2)
      unroll_short_iterations(notes.graph, notes.model);
    options.settled.assign(static_cast<size_t>(notes.graph.num_blocks()), 0);
    for (const Loop &loop : found.loops)
      options.settled[static_cast<size_t>(loop.head())] = 1;
    KIterPlan plan = plan_iterations(notes.graph, notes.model, options, found.settling);
    return {peel(notes.graph, {}), std::move(plan.plan), std::move(plan.increments), {}, {}};
  }
  return plan_with_tallies(paths, function.vals, found.loops, kMaxTallies, options, found.settling);
}

static void make_plan(PlannedFunction &function, const PathGraph &paths) {
  const FunctionNotes &notes = function.notes;
  PlacementOptions options;
  options.try_policies = optimize && notes.stage != Stage::Source;
  options.hoist_counts = notes.storage == PATHPROF_STORAGE_ARRAY && !function.slots;
  if (!options.hoist_counts)
    options.copied = blocks_at_computed_gotos();
  options.at_ends = notes.measures_cycles();
  if (notes.counts_prefixes())
    for (uint32_t calls : notes.calls_by_block())
      options.calls.push_back(calls > 0);
  function.plan = std::make_unique<TalliedPlan>(plan_of(function, paths, options));
  PeeledCfg cfg = peel_cfg(function.plan->peeled, function.edges);
  function.edges = std::move(cfg.edges);
  function.blocks = std::move(cfg.blocks);
  if (notes.measures_cycles())
    return; // paths begin and end where they do
  const FlowGraph &graph = function.plan->peeled.graph;
  choose_before_branches(graph, cheap_diamonds(graph, function.blocks, function.edges), function.plan->plan);
}

// Interesting paths have slots where an array cannot hold all paths, and if some fit in.
static void give_slots(PlannedFunction &function, const PathGraph &paths, const PathNumbering &numbering,
                       const FunctionArguments &arguments) {
  FunctionNotes &notes = function.notes;
  std::vector<uint64_t> interesting = notes.interesting_ids();
  if (notes.storage == PATHPROF_STORAGE_ARRAY || interesting.empty() || !can_be_compact(paths, numbering, interesting))
    return;
  auto slots = std::make_unique<PreferentialCounters>(paths, numbering, interesting, arguments.array_max);
  if (slots->num_slots() == 0 || (arguments.hashes_large_ids && !slots->has_all()))
    return;
  notes.storage = PATHPROF_STORAGE_ARRAY;
  notes.num_slots = slots->num_slots();
  function.slots = std::move(slots);
}

// Returns why the function is left out, or an empty string.
static std::string plan_paths(PlannedFunction &function, const FunctionArguments &arguments, const Arguments &of_unit,
                              const InterestingPaths::Known &known, const FileTable &files) {
  FunctionNotes &notes = function.notes;
  PathGraph paths = path_graph_of(notes.graph, notes.model);
  PathNumbering numbering(paths);
  if (!PrefixNumbering(numbering.num_paths(), notes.calls_by_block()).fits())
    return fmt::format("{} paths that may be cut short at many calls; use a smaller paths-max", numbering.num_paths());
  notes.num_paths = numbering.num_paths();
  notes.storage = PATHPROF_STORAGE_TABLE;
  if (!notes.has_forest())
    notes.storage = pathprof_choose_storage(notes.num_paths, arguments.array_max);
  if (notes.model.mode == Mode::Preferential) {
    notes.interesting = of_unit.interesting->choose(notes, files, numbering, paths, known);
    give_slots(function, paths, numbering, arguments);
  }
  function.vals = function.slots ? function.slots->vals() : numbering.vals();
  make_plan(function, paths);
  return {};
}

// Thread sanitizer would report plain counters that threads share.
static Update update_of(const FunctionArguments &arguments) {
  bool is_checked = sanitize_flags_p(SANITIZE_THREAD, cfun->decl);
  return arguments.update == Update::Single && is_checked ? Update::Atomic : arguments.update;
}

static void note_loops_without_context(const FunctionNotes &notes, location_t location) {
  std::vector<LoopIterations> possible = context_loops(notes.graph);
  auto is_in = [](const std::vector<LoopIterations> &loops, int head) {
    return std::any_of(loops.begin(), loops.end(), [&](const LoopIterations &loop) { return loop.head == head; });
  };
  for (int head = 0; head < notes.graph.num_blocks(); head++)
    if (notes.graph.has_pred_with(head, kBack) && !is_in(notes.model.loops, head))
      inform(location, "pathprof: %qs: the loop at block %d has no context: %s", notes.name.c_str(), head,
             is_in(possible, head)
                 ? "there would be too many paths"
                 : "control enters it at several blocks or over cut edges only, or it has abnormal edges");
}

static void note_if_verbose(const PlannedFunction &function, const FunctionArguments &arguments) {
  if (!arguments.verbose)
    return;
  const FunctionNotes &notes = function.notes;
  location_t location = DECL_SOURCE_LOCATION(function.node->decl);
  if (!notes.left_out.empty())
    inform(location, "pathprof: %qs is left out: %s", notes.name.c_str(), notes.left_out.c_str());
  else if (notes.num_paths_uncut != mpz_class(static_cast<unsigned long>(notes.num_paths)) && notes.num_cuts() == 0)
    inform(location, "pathprof: %qs would have %s paths; it has %wu, as loops give way", notes.name.c_str(),
           notes.num_paths_uncut.get_str().c_str(), static_cast<unsigned HOST_WIDE_INT>(notes.num_paths));
  else if (notes.num_paths_uncut != mpz_class(static_cast<unsigned long>(notes.num_paths)))
    inform(location, "pathprof: %qs has %s paths; cut at %d edges to %wu", notes.name.c_str(),
           notes.num_paths_uncut.get_str().c_str(), notes.num_cuts(),
           static_cast<unsigned HOST_WIDE_INT>(notes.num_paths));
  if (notes.left_out.empty() && notes.model.mode == Mode::IntraContext)
    note_loops_without_context(notes, location);
}

// What the notes say of a function whatever its graph.
static void note_head(FunctionNotes &notes, tree decl, const FunctionArguments &arguments, Stage stage,
                      FileTable &files) {
  expanded_location where = expand_location(DECL_SOURCE_LOCATION(decl));
  notes.name = name_of(decl);
  notes.file = files.index_of(where.file);
  notes.line = static_cast<uint32_t>(std::max(where.line, 0));
  notes.flags = TREE_PUBLIC(decl) ? kExternallyVisible : 0u;
  if (arguments.exact_termination)
    notes.flags |= kExactTermination;
  if (arguments.measures_cycles)
    notes.flags |= kCycles;
  notes.stage = stage;
  notes.model.mode = arguments.mode;
  if (arguments.mode == Mode::KIter)
    notes.model.numbering = arguments.numbering;
  if (arguments.mode == Mode::KIter || arguments.mode == Mode::Kipf)
    notes.model.k = static_cast<uint32_t>(arguments.k);
}

// Fills graph and edge table, with frequencies and the cuts that every model has.
static void read_cut_graph(PlannedFunction &function) {
  bool has_frequencies = read_graph(function);
  mark_cuts(function.notes.graph);
  if (function.notes.model.mode == Mode::KIter && give_rounds_a_block(function)) {
    function.edges.clear();
    has_frequencies = read_graph(function);
    mark_cuts(function.notes.graph);
  }
  if (!has_frequencies)
    estimate_frequencies(function.notes.graph);
}

FunctionArguments arguments_of(cgraph_node *node, const Arguments &arguments) {
  tree decl = node->decl;
  return arguments.of(name_of(decl), lang_hooks.decl_printable_name(decl, 1),
                      LOCATION_FILE(DECL_SOURCE_LOCATION(decl)));
}

PlannedFunction read_function(cgraph_node *node, const FunctionArguments &arguments, Stage stage, FileTable &files) {
  if (arguments.mode == Mode::IntraContext)
    make_loops_reducible();
  normalise_cfg(stage);
  PlannedFunction function;
  function.node = node;
  note_head(function.notes, node->decl, arguments, stage, files);
  read_cut_graph(function);
  return function;
}

PlannedFunction plan_function(cgraph_node *node, const Arguments &all_arguments, FileTable &files) {
  FunctionArguments arguments = arguments_of(node, all_arguments);
  check_combination(arguments, all_arguments.stage, DECL_SOURCE_LOCATION(node->decl));
  PlannedFunction function = read_function(node, arguments, all_arguments.stage, files);
  function.notifies = arguments.notifies;
  function.update = update_of(arguments);
  FunctionNotes &notes = function.notes;
  if (all_arguments.weights)
    weigh_edges(notes, files.name(notes.file), *all_arguments.weights, arguments.verbose);
  ReadLines lines = read_lines(notes, files);
  function.calls = std::move(lines.ends);
  if (is_interprocedural(notes.model.mode))
    function.lines_up_to = std::move(lines.up_to);
  std::string reason = unsupported_reason(node->decl);
  Iterations iterations(notes, arguments, all_arguments.weights != nullptr);
  if (notes.model.mode == Mode::KIter)
    notes.num_paths_uncut = iterations.num_paths();
  InterestingPaths::Known known;
  if (notes.model.mode == Mode::Preferential) {
    notes.num_paths_uncut = count_paths(notes.graph);
    known = all_arguments.interesting->find(notes, files.name(notes.file), arguments.verbose);
  }
  std::string overflow;
  if (!known.has_cuts)
    overflow = cut_paths(notes, arguments);
  if (notes.model.mode == Mode::KIter)
    notes.model.loops = iterations.choose();
  if (reason.empty())
    reason = overflow;
  if (reason.empty() && is_interprocedural(notes.model.mode))
    notes.num_paths = count_paths(notes.graph).get_ui();
  else if (reason.empty())
    reason = plan_paths(function, arguments, all_arguments, known, files);
  if (!reason.empty())
    leave_out(function, reason);
  if (!notes.counts_prefixes())
    function.calls.clear();
  note_if_verbose(function, arguments);
  if (arguments.verbose && notes.left_out.empty() && notes.model.mode == Mode::KIter)
    iterations.explain();
  return function;
}

} // namespace pathprof
