// SPDX-License-Identifier: GPL-3.0-or-later
// Planning one function.
#include "plugin/function.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/cut.h"
#include "core/frequency.h"
#include "core/placement.h"
#include "core/prefix.h"
#include "plugin/diamonds.h"
#include "plugin/weights.h"

#include "plugin/gcc.h"
#include "plugin/names.h"
#include "plugin/normalise.h"
#include "plugin/peel.h"
#include "plugin/statements.h"

namespace pathprof {

static constexpr size_t kMaxTallies = 4;
static constexpr uint64_t kMostPaths = (uint64_t{1} << 62) - 1; // that a number can name

static unsigned core_flags(edge e) {
  static const std::pair<int, unsigned> table[] = {
      {EDGE_TRUE_VALUE, kTrue}, {EDGE_FALSE_VALUE, kFalse},  {EDGE_FALLTHRU, kFallthru},
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
  std::stable_partition(succs.begin(), succs.end(),
                        [](edge s) { return (s->flags & EDGE_TRUE_VALUE) != 0; });
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
  return lookup_attribute(name, DECL_ATTRIBUTES(decl)) ||
         lookup_attribute(name, TYPE_ATTRIBUTES(TREE_TYPE(decl)));
}

// Why a function cannot be instrumented whatever its graph, or an empty string.
static std::string unsupported_reason(tree decl) {
  if (has_attribute(decl, "naked"))
    return "a naked function has no frame for the path register";
  if (has_attribute(decl, "interrupt") || has_attribute(decl, "no_caller_saved_registers"))
    return "a function that must save every register cannot call the runtime";
  return {};
}

// Cuts the graph to the limit.  Returns why the function is left out, or an empty string.
static std::string cut_paths(FunctionNotes &notes, FunctionArguments arguments) {
  notes.num_paths_uncut = count_paths(notes.graph);
  // Sequences are kept by executed paths, however many there are.
  if (notes.model.mode == Mode::Kipf)
    arguments.paths_max = arguments.array_max = kMostPaths;
  mpz_class limit(static_cast<unsigned long>(arguments.paths_max));
  if (notes.num_paths_uncut <= limit)
    return {};
  if (arguments.skip_on_overflow)
    return fmt::format("{} paths, more than paths-max={}", notes.num_paths_uncut.get_str(),
                       arguments.paths_max);
  // A function that loses paths anyway is cut until an array can hold the rest: a table's count costs
  // many times more, and hot edges are cut last.
  uint64_t for_array = std::min(arguments.paths_max, arguments.array_max);
  if (cut_to_limit(notes.graph, for_array) < 0 &&
      cut_to_limit(notes.graph, arguments.paths_max) < 0)
    return fmt::format("more paths than paths-max={} even when cut everywhere",
                       arguments.paths_max);
  return {};
}

static void leave_out(PlannedFunction &function, const std::string &reason) {
  function.notes.left_out = reason;
  function.notes.storage = PATHPROF_STORAGE_NONE;
  function.notes.num_paths = 0;
}

// A table has no counter to add to.  Under exact termination all counts are in memory all the time.  What is
// measured is measured at the end of each path.
static bool may_tally(const PlannedFunction &function) {
  return function.notes.storage == PATHPROF_STORAGE_ARRAY && !(function.notes.flags & (kExactTermination | kCycles)) &&
         gimple_in_ssa_p(cfun) && optimize;
}

static void make_plan(PlannedFunction &function, const PathGraph &paths) {
  const FunctionNotes &notes = function.notes;
  PlacementOptions options;
  options.try_policies = optimize && notes.stage != Stage::Source;
  options.hoist_counts = notes.storage == PATHPROF_STORAGE_ARRAY;
  options.at_ends = notes.measures_cycles();
  if (notes.counts_prefixes())
    for (uint32_t calls : notes.calls_by_block())
      options.calls.push_back(calls > 0);
  std::vector<Loop> loops;
  if (may_tally(function))
    loops = loops_worth_tallies(notes.graph);
  function.plan = std::make_unique<TalliedPlan>(
      plan_with_tallies(paths, function.vals, std::move(loops), kMaxTallies, options));
  PeeledCfg cfg = peel_cfg(function.plan->peeled, function.edges);
  function.edges = std::move(cfg.edges);
  function.blocks = std::move(cfg.blocks);
  if (notes.measures_cycles())
    return; // paths begin and end where they do
  const FlowGraph &graph = function.plan->peeled.graph;
  choose_before_branches(graph, cheap_diamonds(graph, function.blocks, function.edges), function.plan->plan);
}

// Returns why the function is left out, or an empty string.
static std::string plan_paths(PlannedFunction &function, const FunctionArguments &arguments) {
  FunctionNotes &notes = function.notes;
  PathGraph paths(notes.graph);
  PathNumbering numbering(paths);
  if (!PrefixNumbering(numbering.num_paths(), notes.calls_by_block()).fits())
    return fmt::format("{} paths that may be cut short at many calls; use a smaller paths-max",
                       numbering.num_paths());
  notes.num_paths = numbering.num_paths();
  notes.storage = PATHPROF_STORAGE_TABLE;
  if (!notes.has_forest())
    notes.storage = pathprof_choose_storage(notes.num_paths, arguments.array_max);
  function.vals = numbering.vals();
  make_plan(function, paths);
  return {};
}

// Thread sanitizer would report plain counters that threads share.
static Update update_of(const FunctionArguments &arguments) {
  bool is_checked = sanitize_flags_p(SANITIZE_THREAD, cfun->decl);
  return arguments.update == Update::Single && is_checked ? Update::Atomic : arguments.update;
}

static void note_if_verbose(const PlannedFunction &function, const FunctionArguments &arguments) {
  if (!arguments.verbose)
    return;
  const FunctionNotes &notes = function.notes;
  location_t location = DECL_SOURCE_LOCATION(function.node->decl);
  if (!notes.left_out.empty())
    inform(location, "pathprof: %qs is left out: %s", notes.name.c_str(), notes.left_out.c_str());
  else if (notes.num_paths_uncut != mpz_class(static_cast<unsigned long>(notes.num_paths)))
    inform(location, "pathprof: %qs has %s paths; cut at %d edges to %wu", notes.name.c_str(),
           notes.num_paths_uncut.get_str().c_str(), notes.num_cuts(),
           static_cast<unsigned HOST_WIDE_INT>(notes.num_paths));
}

PlannedFunction plan_function(cgraph_node *node, const Arguments &all_arguments, FileTable &files) {
  FunctionArguments arguments =
      all_arguments.of(name_of(node->decl), lang_hooks.decl_printable_name(node->decl, 1),
                       LOCATION_FILE(DECL_SOURCE_LOCATION(node->decl)));
  normalise_cfg(all_arguments.stage);
  PlannedFunction function;
  function.node = node;
  FunctionNotes &notes = function.notes;
  expanded_location where = expand_location(DECL_SOURCE_LOCATION(node->decl));
  notes.name = name_of(node->decl);
  notes.file = files.index_of(where.file);
  notes.line = static_cast<uint32_t>(std::max(where.line, 0));
  notes.flags = TREE_PUBLIC(node->decl) ? kExternallyVisible : 0u;
  notes.model.mode = arguments.mode;
  if (arguments.mode == Mode::KIter)
    notes.model.numbering = arguments.numbering;
  if (arguments.mode == Mode::KIter || arguments.mode == Mode::Kipf)
    notes.model.k = static_cast<uint32_t>(arguments.k);
  notes.stage = all_arguments.stage;
  if (arguments.exact_termination)
    notes.flags |= kExactTermination;
  if (arguments.measures_cycles)
    notes.flags |= kCycles;
  function.update = update_of(arguments);
  bool has_frequencies = read_graph(function);
  mark_cuts(notes.graph);
  if (!has_frequencies)
    estimate_frequencies(notes.graph);
  if (all_arguments.weights)
    weigh_edges(notes, files.name(notes.file), *all_arguments.weights, arguments.verbose);
  function.calls = read_lines(notes, files);
  std::string reason = unsupported_reason(node->decl);
  std::string overflow = cut_paths(notes, arguments);
  if (reason.empty())
    reason = overflow;
  if (reason.empty())
    reason = plan_paths(function, arguments);
  if (!reason.empty())
    leave_out(function, reason);
  if (!notes.counts_prefixes())
    function.calls.clear();
  note_if_verbose(function, arguments);
  return function;
}

} // namespace pathprof
