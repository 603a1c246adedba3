// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the CFG of a function, adds truncation points and plans the instrumentation.
#include "plugin/cfg/direct_calls.h"
#include "plugin/cfg/function.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/prime_paths.h"
#include "core/graph/frequency.h"
#include "core/models/intracontext.h"
#include "core/models/model.h"
#include "core/numbering/cut.h"
#include "core/plan/placement.h"
#include "core/numbering/prefix.h"
#include "plugin/options/combinations.h"
#include "plugin/cfg/body_checksum.h"
#include "plugin/cfg/branches.h"
#include "plugin/cfg/candidates.h"
#include "plugin/cfg/computed_goto.h"
#include "plugin/cfg/exits.h"
#include "plugin/gcc/gimplified.h"
#include "plugin/cfg/if_conversion.h"
#include "plugin/options/interesting.h"
#include "plugin/cfg/iterations.h"
#include "plugin/options/weights.h"

#include "profile/model/visible.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/generated_code.h"
#include "plugin/gcc/library_calls.h"
#include "plugin/gcc/names.h"
#include "plugin/cfg/normalise.h"
#include "plugin/cfg/tail_calls.h"
#include "plugin/cfg/peel.h"
#include "plugin/cfg/split.h"
#include "plugin/gcc/statements.h"
#include "plugin/cfg/unroll.h"
#include "plugin/gcc/instrumented_clone.h"

namespace pathprof {

static constexpr size_t kMaxRegisterCounters = 4;

static unsigned core_flags(edge e) {
  static const std::pair<int, unsigned> table[] = {
      {EDGE_TRUE_VALUE, kTrue}, {EDGE_FALSE_VALUE, kFalse}, {EDGE_FALLTHRU, kFallthru},
      {EDGE_EH, kEh},           {EDGE_ABNORMAL, kAbnormal},
  };
  unsigned flags = 0;
  for (auto [gcc_flag, flag] : table)
    if (e->flags & gcc_flag)
      flags |= flag;
  return fork_at_end(e->src) ? flags | kCut : flags;
}

// Returns the block's outgoing edges in a stable order: true edges first, followed by the other edges in GCC's order.
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

// Fills the function's graph and its table of GCC's edges. Returns false if GCC has no frequencies for this function.
// In the graph, the successor of a tail call is EXIT. The blocks after the call in GCC's CFG only return, and are not
// executed.
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

// Returns true if the function or its type has the attribute. Some attributes are attached to the function on some
// targets and to its type on others.
static bool has_attribute(tree decl, const char *name) {
  return lookup_attribute(name, DECL_ATTRIBUTES(decl)) || lookup_attribute(name, TYPE_ATTRIBUTES(TREE_TYPE(decl)));
}

// Returns the reason why the function cannot be instrumented, or an empty string. The function's graph is not examined.
// A freestanding program never calls the runtime.
static std::string unsupported_reason(tree decl, bool is_freestanding) {
  if (has_attribute(decl, "naked"))
    return "a naked function has no stack frame for the path register";
  if (is_freestanding)
    return {};
  if (has_attribute(decl, "interrupt") || has_attribute(decl, "no_caller_saved_registers"))
    return "a function that must save every register cannot call the runtime";
  return {};
}

// Splits each back edge whose source block has another outgoing edge at which paths end, so that the last block of a
// path shows whether the path ends at the back edge. Returns true if an edge was split.
static bool give_back_edges_a_block(const PlannedFunction &function) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<edge> back_edges;
  for (int e = 0; e < graph.num_edges(); e++) {
    const std::vector<int> &succs = graph.succs(graph.edge(e).src);
    bool is_only_cut =
        std::none_of(succs.begin(), succs.end(), [&](int other) { return other != e && graph.edge(other).is_cut(); });
    edge in_gcc = function.edges[static_cast<size_t>(e)];
    if ((graph.edge(e).flags & kBack) && !is_only_cut && !(in_gcc->flags & EDGE_COMPLEX))
      back_edges.push_back(in_gcc);
  }
  for (edge e : back_edges)
    split_edge(e);
  return !back_edges.empty();
}

static void leave_out(PlannedFunction &function, const std::string &reason) {
  function.notes.left_out = reason;
  function.notes.storage = PATHPROF_STORAGE_NONE;
  function.notes.num_paths = 0;
  function.notes.num_slots = 0;
  function.notes.interesting.clear();
  function.notes.values.clear();
}

// Returns true if the function's paths can be counted in registers. Counting in registers requires a counter array. It
// is not possible with metric=tsc, which measures cycles at the end of each path. In a freestanding program, the main
// loop usually never ends, so counts in registers would never be written to memory.
static bool may_count_in_registers(const PlannedFunction &function) {
  const FunctionNotes &notes = function.notes;
  return model_of(notes.model).has(Feature::RegisterCounts) && notes.storage == PATHPROF_STORAGE_ARRAY &&
         !(notes.flags & kCycles) && !function.on_demand && !function.is_freestanding && gimple_in_ssa_p(cfun) &&
         optimize;
}

static RegisterCounterPlan plan_of(const PlannedFunction &function, const PathGraph &paths, PlacementOptions options) {
  const FunctionNotes &notes = function.notes;
  LoopsInRegisters found;
  if (may_count_in_registers(function)) {
    found = loops_in_registers(notes.graph);
    if (notes.model.spans_iterations() && optimize >= 2)
      unroll_short_iterations(notes.graph, notes.model);
  }
  return model_of(notes.model)
      .plan({paths, notes.model, function.vals, std::move(found.loops), kMaxRegisterCounters, std::move(options),
             std::move(found.trip_counts)});
}

// Returns, for each block, a nonzero value if the block contains a call that might not return.
static std::vector<char> blocks_with_calls() {
  std::vector<char> blocks(static_cast<size_t>(last_basic_block_for_fn(cfun)), 0);
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      blocks[static_cast<size_t>(bb->index)] |= may_not_return(gsi_stmt(gsi));
  return blocks;
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
  else if (function.is_freestanding)
    // A path that is truncated at a call must not be counted, because the code after the call was not executed.
    options.calls = blocks_with_calls();
  function.plan = std::make_unique<RegisterCounterPlan>(plan_of(function, paths, options));
  PeeledCfg cfg = peel_cfg(function.plan->peeled, function.edges);
  function.edges = std::move(cfg.edges);
  function.blocks = std::move(cfg.blocks);
  if (notes.measures_cycles() || function.on_demand)
    return; // The code that starts and ends paths must not be moved.
  const FlowGraph &graph = function.plan->peeled.graph;
  choose_before_branches(graph, cheap_if_conversions(graph, function.blocks, function.edges), function.plan->plan);
}

// Assigns array slots to interesting paths if the counters of all paths do not fit in an array, but the counters of at
// least some interesting paths do.
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

// Returns true if the instrumented function calls the runtime at function entry or at the end of a path.
static bool calls_runtime(const PlannedFunction &function) {
  const FunctionNotes &notes = function.notes;
  return is_interprocedural(notes.model.mode) || notes.storage == PATHPROF_STORAGE_TABLE ||
         (function.update == Update::Thread && !has_thread_segment()) || (notes.flags & kExactTermination) != 0 ||
         model_of(notes.model).has(Feature::InterestingPaths) || notes.measures_cycles() || function.counts_values;
}

// If the function calls the runtime and may be part of a transaction, returns a reason not to instrument it. Otherwise
// returns an empty string.
static std::string transaction_reason(const PlannedFunction &function) {
  if (function.notes.stage == Stage::Late || !calls_runtime(function) || !may_run_in_transaction(function.node))
    return {};
  return "a transaction (-fgnu-tm) cannot call the runtime; use stage=late, or mode=acyclic with a counter array";
}

// Numbers the paths, chooses their storage and plans the instrumentation. Returns an empty string, or the reason why
// the function cannot be instrumented.
static std::string plan_paths(PlannedFunction &function, const FunctionArguments &arguments, const Arguments &of_unit,
                              const InterestingPaths::Known &known, const FileTable &files) {
  FunctionNotes &notes = function.notes;
  PathGraph paths = path_graph_of(notes.graph, notes.model);
  PathNumbering numbering(paths);
  if (!PrefixNumbering(numbering.num_paths(), notes.calls_by_block()).fits())
    return fmt::format("{} paths that can be truncated at calls require path IDs of more than 62 bits; use a smaller "
                       "paths-max",
                       numbering.num_paths());
  notes.num_paths = numbering.num_paths();
  notes.storage = PATHPROF_STORAGE_TABLE;
  if (!notes.has_forest())
    notes.storage = pathprof_choose_storage(notes.num_paths, arguments.array_max);
  if (model_of(notes.model).has(Feature::InterestingPaths)) {
    notes.interesting = of_unit.interesting->choose(notes, files, numbering, paths, known);
    give_slots(function, paths, numbering, arguments);
  }
  if (std::string reason = transaction_reason(function); !reason.empty())
    return reason;
  function.vals = function.slots ? function.slots->vals() : numbering.vals();
  make_plan(function, paths);
  return {};
}

// Returns the update policy of `cfun`. With ThreadSanitizer, update=single is replaced with update=atomic, because the
// sanitizer would report data races on non-atomic counters. At link time, the options of the link-time compiler do not
// show whether the output is a shared library.
static Update update_of(const FunctionArguments &arguments) {
  bool has_threads = (has_thread_segment() || in_lto_p) && !arguments.is_freestanding;
  Update update = arguments.update.value_or(has_threads ? Update::Thread : Update::Single);
  return update == Update::Single && sanitize_flags_p(SANITIZE_THREAD, cfun->decl) ? Update::Atomic : update;
}

static void note_loops_without_context(const FunctionNotes &notes, location_t location) {
  std::vector<LoopIterations> possible = context_loops(notes.graph);
  auto is_in = [](const std::vector<LoopIterations> &loops, int head) {
    return std::any_of(loops.begin(), loops.end(), [&](const LoopIterations &loop) { return loop.head == head; });
  };
  for (int head = 0; head < notes.graph.num_blocks(); head++)
    if (notes.graph.has_pred_with(head, kBack) && !is_in(notes.model.loops, head))
      inform(location, "pathprof: %qs: paths do not include the context of the loop at block %d: %s",
             visible(notes.name).c_str(), head,
             is_in(possible, head) ? "the function would have too many paths"
                                   : "control enters the loop at several blocks or only through truncation points, or "
                                     "the loop has abnormal edges");
}

// Adds truncation points until the function has at most `paths-max` paths. Returns the reason if this is impossible. In
// a freestanding program, the default limit is small; if truncation points cannot keep a function within it, the limit
// is doubled until they can.
static std::string limit_paths(FunctionNotes &notes, const FunctionArguments &arguments, const Iterations &iterations) {
  static constexpr uint64_t kMost = uint64_t{1} << 20;
  const Model &model = model_of(notes.model);
  PathLimits limits = {arguments.paths_max, arguments.array_max, arguments.skip_on_overflow,
                       edges_spared_for_decisions(notes.graph, notes.conditions)};
  std::string overflow = model.limit(notes.graph, notes.model, limits, iterations.wanted());
  while (!overflow.empty() && arguments.is_freestanding && !limits.skip_on_overflow && limits.paths_max < kMost) {
    limits.paths_max *= 2;
    limits.array_max = std::max(limits.array_max, limits.paths_max);
    overflow = model.limit(notes.graph, notes.model, limits, iterations.wanted());
  }
  return overflow;
}

static void note_if_verbose(const PlannedFunction &function, const FunctionArguments &arguments) {
  if (!arguments.verbose)
    return;
  const FunctionNotes &notes = function.notes;
  location_t location = DECL_SOURCE_LOCATION(function.node->decl);
  if (!notes.left_out.empty())
    inform(location, "pathprof: %qs is left out: %s", visible(notes.name).c_str(), notes.left_out.c_str());
  else if (notes.num_paths_uncut != mpz_class(static_cast<unsigned long>(notes.num_paths)) && notes.num_cuts() == 0)
    inform(location, "pathprof: %qs would have %s paths; paths through loops were shortened, remaining paths: %llu",
           visible(notes.name).c_str(), notes.num_paths_uncut.get_str().c_str(),
           static_cast<unsigned long long>(notes.num_paths));
  else if (notes.num_paths_uncut != mpz_class(static_cast<unsigned long>(notes.num_paths)))
    inform(location, "pathprof: %qs has %s paths; truncation points: %d, remaining paths: %llu",
           visible(notes.name).c_str(), notes.num_paths_uncut.get_str().c_str(), notes.num_cuts(),
           static_cast<unsigned long long>(notes.num_paths));
  if (notes.left_out.empty() && model_of(notes.model).has(Feature::LoopContexts))
    note_loops_without_context(notes, location);
}

// Fills in the fields of the notes that do not depend on the function's graph.
static void note_head(FunctionNotes &notes, tree decl, const FunctionArguments &arguments, Stage stage,
                      FileTable &files) {
  expanded_location where = expand_location(DECL_SOURCE_LOCATION(decl));
  notes.name = name_of(decl);
  notes.file = files.index_of(where.file);
  notes.line = static_cast<uint32_t>(std::max(where.line, 0));
  notes.flags = TREE_PUBLIC(decl) ? kExternallyVisible : 0u;
  if (DECL_WEAK(decl) || DECL_COMDAT(decl) || DECL_ONE_ONLY(decl))
    notes.flags |= kWeak;
  if (arguments.exact_termination)
    notes.flags |= kExactTermination;
  if (arguments.measures_cycles)
    notes.flags |= kCycles;
  if (arguments.on_demand)
    notes.flags |= kSwitched;
  if (update_of(arguments) == Update::Single)
    notes.flags |= kUpdateSingle;
  if (arguments.is_freestanding)
    notes.flags |= kFreestanding;
  if (arguments.counters == Counters::Bits32)
    notes.flags |= kCounters32;
  if (arguments.counters == Counters::Bit)
    notes.flags |= kCoverageOnly;
  if (is_artificial(decl))
    notes.flags |= kArtificial;
  if (opt_for_fn(decl, optimize))
    notes.flags |= kOptimised;
  notes.stage = stage;
  notes.model.mode = arguments.mode;
  if (model_of(arguments.mode).has(Feature::Numberings))
    notes.model.numbering = arguments.numbering;
  if (model_of(arguments.mode).has(Feature::K) && arguments.k != kAutomaticK)
    notes.model.k = static_cast<uint32_t>(arguments.k);
}

// Reads the graph and its frequencies, and marks the truncation points that all models have in common.
static void read_cut_graph(PlannedFunction &function) {
  bool has_frequencies = read_graph(function);
  mark_cuts(function.notes.graph);
  if (model_of(function.notes.model).form() == CfgForm::BackEdgesHaveBlocks && give_back_edges_a_block(function)) {
    function.edges.clear();
    has_frequencies = read_graph(function);
    mark_cuts(function.notes.graph);
  }
  if (!has_frequencies)
    estimate_frequencies(function.notes.graph);
}

bool is_wanted(cgraph_node *node, const Arguments &arguments) {
  tree decl = source_function_of(node->decl);
  return may_be_changed(node, arguments.stage) &&
         arguments.wants(name_of(decl), lang_hooks.decl_printable_name(decl, 1),
                         LOCATION_FILE(DECL_SOURCE_LOCATION(decl)));
}

FunctionArguments arguments_of(cgraph_node *node, const Arguments &arguments) {
  tree decl = source_function_of(node->decl);
  return arguments.of(name_of(decl), lang_hooks.decl_printable_name(decl, 1),
                      LOCATION_FILE(DECL_SOURCE_LOCATION(decl)));
}

// Returns true if a path that contains a possible tail call is counted before the call. Code after the call would
// prevent GCC from turning the call into a jump. Returns false if termination=exact was given explicitly, or if it is
// the default and GCC does not optimise tail calls. Returns false if a freestanding program is instrumented for
// coverage, because the code after a call that does not return was not executed.
static bool counts_before_tail_calls(const FunctionArguments &arguments, Stage stage) {
  if (arguments.is_freestanding && stage == Stage::Source)
    return false;
  bool may_jump = arguments.keeps_tail_calls &&
                  (!arguments.exact_termination || opt_for_fn(cfun->decl, flag_optimize_sibling_calls));
  return may_jump && !is_interprocedural(arguments.mode);
}

PlannedFunction read_function(cgraph_node *node, const FunctionArguments &arguments, Stage stage, FileTable &files) {
  if (model_of(arguments.mode).form() == CfgForm::Reducible)
    make_loops_reducible();
  PlannedFunction function;
  function.node = node;
  function.listed_elsewhere = normalise_cfg(stage);
  note_head(function.notes, source_function_of(node->decl), arguments, stage, files);
  if (stage == Stage::Late)
    forget_tail_calls();
  else
    mark_tail_calls(counts_before_tail_calls(arguments, stage));
  read_cut_graph(function);
  return function;
}

// Plans the function. `values` contains the statements whose values are recorded. These statements must have been
// collected before the CFG was changed.
static PlannedFunction plan_with(cgraph_node *node, const FunctionArguments &arguments, const Arguments &all_arguments,
                                 FileTable &files, const std::vector<ValueSite> &values) {
  PlannedFunction function = read_function(node, arguments, all_arguments.stage, files);
  function.notifies = arguments.notifies;
  function.is_freestanding = arguments.is_freestanding;
  function.update = update_of(arguments);
  function.on_demand = arguments.on_demand && !uninstrumented_original_of(node->decl);
  FunctionNotes &notes = function.notes;
  if (all_arguments.weights)
    weigh_edges(notes, files.path(notes.file), *all_arguments.weights, arguments.verbose);
  ReadLines lines = read_lines(notes, files, function.listed_elsewhere);
  notes.direct_calls = read_direct_calls();
  function.counts_values = arguments.counts_values;
  function.path = files.path(notes.file);
  for (const ValueSite &value : values)
    notes.values.push_back({value.kind, outermost_line(value.statement)});
  function.calls = std::move(lines.ends);
  read_branches(notes, function.edges, files);
  notes.body = body_checksum();
  if (notes.stage == Stage::Source)
    read_conditions(notes, function.edges);
  if (is_interprocedural(notes.model.mode))
    function.lines_up_to = std::move(lines.up_to);
  std::string reason = unsupported_reason(node->decl, arguments.is_freestanding);
  if (reason.empty() && function.on_demand)
    reason = why_not_versioned();
  const Model &model = model_of(notes.model);
  Iterations iterations(notes, arguments, all_arguments.weights != nullptr);
  notes.num_paths_uncut = model.num_paths_uncut(notes.graph, notes.model, iterations.wanted());
  InterestingPaths::Known known;
  if (model.has(Feature::InterestingPaths))
    known = all_arguments.interesting->find(notes, files.path(notes.file), arguments.verbose);
  std::string overflow;
  if (!known.has_cuts)
    overflow = limit_paths(notes, arguments, iterations);
  if (arguments.k == kAutomaticK)
    notes.model.k = paths_for_prime_paths(notes.graph);
  if (model.has(Feature::LoopIterations))
    iterations.check_lines();
  if (reason.empty())
    reason = overflow;
  if (reason.empty() && is_interprocedural(notes.model.mode))
    reason = transaction_reason(function);
  if (reason.empty() && is_interprocedural(notes.model.mode))
    notes.num_paths = count_paths(notes.graph).get_ui();
  else if (reason.empty())
    reason = plan_paths(function, arguments, all_arguments, known, files);
  if (!reason.empty())
    leave_out(function, reason);
  if (!notes.counts_prefixes())
    function.calls.clear();
  note_if_verbose(function, arguments);
  if (arguments.verbose && notes.left_out.empty() && model.has(Feature::LoopIterations))
    iterations.explain();
  return function;
}

// Reports an error if the counters of a freestanding program are atomic, but the target would call a library function
// for an atomic addition.
static void check_inline_atomics(const FunctionArguments &arguments, location_t location) {
  if (arguments.is_freestanding && arguments.update == Update::Atomic && !compat_has_inline_swap(DImode))
    error_at(location, "pathprof: %<update=atomic%>: the target has no 64-bit atomic addition; use update=single");
}

PlannedFunction plan_function(cgraph_node *node, const Arguments &all_arguments, FileTable &files) {
  FunctionArguments arguments = arguments_of(node, all_arguments);
  check_combination(arguments, all_arguments.stage, DECL_SOURCE_LOCATION(node->decl));
  check_inline_atomics(arguments, DECL_SOURCE_LOCATION(node->decl));
  if (!arguments.counts_values)
    return plan_with(node, arguments, all_arguments, files, {});
  std::vector<ValueSite> values = mark_values();
  PlannedFunction function = plan_with(node, arguments, all_arguments, files, values);
  function.values = take_marked_values(); // Statements that compute values may have been copied.
  if (!function.plan)
    function.values.clear();
  return function;
}

} // namespace pathprof
