// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the functions of a unit for interprocedural paths.
#include "plugin/interprocedural/planned_unit.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/interprocedural/call_cuts.h"
#include "core/interprocedural/call_frequency.h"
#include "core/interprocedural/completions.h"

#include "plugin/cfg/exits.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/scope.h"
#include "plugin/gcc/names.h"

#include "tree-inline.h"

namespace pathprof {

namespace {

// Minimum share of call executions that must remain on paths. If there are too many paths for a counter array, calls
// are excluded from paths until an array suffices. The calls are excluded only if the remaining calls account for at
// least this share of the executions of all calls on paths. doc/performance.md describes the effect.
constexpr double kKeptForArray = 0.75;

// Returns true if the function can be cloned with additional parameters.
bool is_clonable(cgraph_node *node) {
  tree decl = node->decl;
  return !lookup_attribute("noclone", DECL_ATTRIBUTES(decl)) && !MAIN_NAME_P(DECL_NAME(decl)) &&
         tree_versionable_function_p(decl);
}

// Returns true if the arguments and the result of the call match the function's definition, regardless of the call's
// function type.
bool passes_what_is_taken(gcall *call, tree decl) {
  unsigned given = gimple_call_num_args(call), taken = 0;
  for (tree parameter = DECL_ARGUMENTS(decl); parameter; parameter = DECL_CHAIN(parameter), taken++) {
    if (taken >= given)
      return false;
    tree argument = gimple_call_arg(call, taken);
    if (!useless_type_conversion_p(TREE_TYPE(parameter), TREE_TYPE(argument)) &&
        !fold_convertible_p(DECL_ARG_TYPE(parameter), argument))
      return false;
  }
  tree result = gimple_call_lhs(call);
  bool takes_result = !result || useless_type_conversion_p(TREE_TYPE(result), TREE_TYPE(TREE_TYPE(decl)));
  return takes_result && (given == taken || stdarg_p(TREE_TYPE(decl)));
}

bool can_pass_more(gcall *call) {
  return !gimple_call_noreturn_p(call) && !(gimple_call_flags(call) & ECF_RETURNS_TWICE) &&
         !gimple_call_va_arg_pack_p(call) && !gimple_call_must_tail_p(call);
}

// Returns true if the call can be turned into a truncation point. A noreturn call ends its path anyway, unless it can
// throw.
bool can_split(gcall *call) {
  return !(gimple_call_flags(call) & ECF_RETURNS_TWICE) && !gimple_call_must_tail_p(call) &&
         !(gimple_call_noreturn_p(call) && EDGE_COUNT(gimple_bb(call)->succs) == 0);
}

// Returns the callee of a direct call after resolving aliases, or null if the target is known only at link time or run
// time.
cgraph_node *callee_of(gcall *call) {
  tree decl = gimple_call_fndecl(call);
  cgraph_node *named = decl ? cgraph_node::get(decl) : nullptr;
  if (!named || named->thunk)
    return nullptr;
  availability available;
  cgraph_node *callee = named->ultimate_alias_target(&available);
  return callee && available > AVAIL_INTERPOSABLE ? callee : nullptr;
}

// Returns true if the function might be called from code that the plugin does not see.
bool has_unseen_users(cgraph_node *node, const std::map<cgraph_node *, int> &procedure_of) {
  tree decl = node->decl;
  ipa_ref *reference;
  if (node->externally_visible || node->address_taken || node->has_aliases_p() || node->used_from_other_partition ||
      node->used_from_object_file_p() || DECL_STATIC_CONSTRUCTOR(decl) || DECL_STATIC_DESTRUCTOR(decl) ||
      lookup_attribute("used", DECL_ATTRIBUTES(decl)) || node->iterate_referring(0, reference))
    return true;
  for (cgraph_edge *edge = node->callers; edge; edge = edge->next_caller)
    if (!procedure_of.count(edge->caller))
      return true;
  return false;
}

// Returns true if the function is local to its unit in the source. Returns false for functions that link-time
// optimisation made local, which GCC marks as having unique names.
bool has_file_scope(cgraph_node *node) {
  return !TREE_PUBLIC(node->decl) && !node->unique_name;
}

class UnitPlanner {
public:
  UnitPlanner(std::vector<PlannedFunction> &functions, const Arguments &arguments)
      : functions_(functions), arguments_(arguments), unit_(std::make_unique<PlannedUnit>()) {}

  std::unique_ptr<PlannedUnit> run() {
    find_procedures();
    if (unit_->procedures.empty())
      return nullptr;
    read_calls();
    choose_calls();
    set_entries();
    number();
    return std::move(unit_);
  }

private:
  // Returns the CallKind for calls that paths do not go through. With termination=exact, paths end at these calls
  // (Melski and Reps, section 9.2.1, second method).
  CallKind cut_kind() const {
    return arguments_.splits_at_calls || is_exact_ ? CallKind::Ended : CallKind::SteppedOver;
  }
  std::vector<Procedure> &procedures() { return unit_->supergraph.procedures; }
  FunctionNotes &notes_of(size_t procedure) { return unit_->procedures[procedure].function->notes; }
  cgraph_node *node_of(size_t procedure) const { return unit_->procedures[procedure].function->node; }

  void find_procedures() {
    const PlannedFunction *first = nullptr;
    for (size_t i = 0; i < functions_.size(); i++) {
      PlannedFunction &function = functions_[i];
      if (!is_interprocedural(function.notes.model.mode) || !function.notes.left_out.empty())
        continue;
      if (!first)
        first = &function;
      if (function.notes.model.mode != first->notes.model.mode) {
        error_at(
            DECL_SOURCE_LOCATION(function.node->decl),
            "pathprof: functions of one unit cannot be profiled with both %<mode=%s%> and %<mode=%s%>; use one mode",
            to_string(first->notes.model.mode), to_string(function.notes.model.mode));
        continue;
      }
      is_exact_ |= (function.notes.flags & kExactTermination) != 0;
      procedure_of_[function.node] = static_cast<int>(unit_->procedures.size());
      index_of_.push_back(static_cast<uint32_t>(i));
      unit_->procedures.push_back({&function, {}, ProcedurePlan{FlowGraph(), {}, {}, {}}, false});
      procedures().push_back({function.notes.graph, {}, false});
    }
    if (first)
      unit_->supergraph.mode = first->notes.model.mode;
  }

  void read_calls() {
    for (size_t procedure = 0; procedure < procedures().size(); procedure++) {
      FunctionScope scope(node_of(procedure));
      basic_block bb;
      for (int index = 0; index < procedures()[procedure].graph.num_blocks(); index++)
        if ((bb = BASIC_BLOCK_FOR_FN(cfun, index)))
          for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
              read_call(procedure, call);
    }
  }

  // Records the call if it is a direct call to a procedure, an indirect call, or an external call at which paths must
  // end.
  void read_call(size_t procedure, gcall *call) {
    if (gimple_call_internal_p(call))
      return;
    PlannedFunction &function = *unit_->procedures[procedure].function;
    auto callee = procedure_of_.find(callee_of(call));
    bool is_indirect = !gimple_call_fndecl(call), is_external = !is_indirect && callee == procedure_of_.end();
    if (is_external && !(is_exact_ && may_not_return(call) && can_split(call)))
      return;
    CallNotes notes;
    notes.block = static_cast<uint32_t>(gimple_bb(call)->index);
    notes.ends_block = stmt_ends_bb_p(call);
    notes.line = static_cast<uint32_t>(std::max(LOCATION_LINE(gimple_location(call)), 0));
    auto lines = function.lines_up_to.find(call);
    notes.num_lines = lines == function.lines_up_to.end() ? 0 : lines->second;
    if (is_indirect) {
      notes.cut = CallCut::Indirect;
    } else if (is_external) {
      notes.cut = CallCut::Unsuitable;
    } else {
      notes.callee = index_of_[static_cast<size_t>(callee->second)];
      if (!can_pass_more(call) || !is_clonable(callee->first) || !passes_what_is_taken(call, callee->first->decl))
        notes.cut = CallCut::Unsuitable;
      else if (!is_wanted(procedure, callee->second))
        notes.cut = CallCut::Strategy;
    }
    notes.kind = notes.cut == CallCut::None ? CallKind::Traversed
                 : can_split(call)          ? cut_kind()
                                            : CallKind::SteppedOver;
    function.notes.calls.push_back(notes);
    procedures()[procedure].calls.push_back({static_cast<int>(notes.block),
                                             is_indirect || is_external ? kUnknownProcedure : callee->second,
                                             notes.kind, notes.ends_block});
    unit_->procedures[procedure].calls.push_back(call);
  }

  // Returns true if the strategy that `hybrid` selects includes calls from `caller` to `callee`.
  bool is_wanted(size_t caller, int callee) const {
    cgraph_node *node = node_of(static_cast<size_t>(callee));
    switch (arguments_.hybrid) {
    case Hybrid::Auto:
      return true;
    case Hybrid::Static:
      return has_file_scope(node);
    case Hybrid::File:
      return unit_->procedures[caller].function->notes.file ==
             unit_->procedures[static_cast<size_t>(callee)].function->notes.file;
    case Hybrid::Leaf:
      return !node->callees && !node->indirect_calls;
    case Hybrid::All:
      return false;
    }
    return false;
  }

  // Selects the calls that paths go through. Excludes recursive calls first, then other calls until the path IDs fit in
  // the available bits.
  void choose_calls() {
    callees_first(unit_->supergraph, cut_kind());
    note_kinds(CallCut::Recursive);
    set_entries();
    unsigned bits = arguments_.has_wide_numbers ? 2 * kDigitBits : kDigitBits;
    bool is_narrow = !arguments_.has_wide_numbers && cut_to_array();
    if (!is_narrow &&
        !cut_calls_to_limit(unit_->supergraph, call_frequencies(unit_->supergraph), mpz_class(1) << bits, cut_kind()))
      error("pathprof: the functions of this unit have more paths than %u-bit path IDs can represent; exclude some "
            "functions",
            bits);
    note_kinds(CallCut::Limit);
  }

  // Excludes calls until a counter array can hold the counts of all paths. Returns false and changes nothing if
  // `hybrid` is not `auto` or if paths would go through too few of the executed calls.
  bool cut_to_array() {
    std::vector<std::vector<double>> frequency = call_frequencies(unit_->supergraph);
    mpz_class limit(static_cast<unsigned long>(arguments_.function.program_array_max));
    Supergraph cut = unit_->supergraph;
    if (arguments_.hybrid != Hybrid::Auto || !cut_calls_to_limit(cut, frequency, limit, cut_kind()))
      return false;
    double before = 0, after = 0;
    for (size_t procedure = 0; procedure < procedures().size(); procedure++)
      for (size_t call = 0; call < procedures()[procedure].calls.size(); call++) {
        before += procedures()[procedure].calls[call].kind == CallKind::Traversed ? frequency[procedure][call] : 0;
        after += cut.procedures[procedure].calls[call].kind == CallKind::Traversed ? frequency[procedure][call] : 0;
      }
    if (after < kKeptForArray * before)
      return false;
    unit_->supergraph = std::move(cut);
    return true;
  }

  // For each call that paths no longer go through, records `reason` in the notes.
  void note_kinds(CallCut reason) {
    for (size_t procedure = 0; procedure < procedures().size(); procedure++)
      for (size_t call = 0; call < procedures()[procedure].calls.size(); call++) {
        CallNotes &notes = notes_of(procedure).calls[call];
        if (notes.kind == CallKind::Traversed && procedures()[procedure].calls[call].kind != CallKind::Traversed)
          notes.cut = reason;
        notes.kind = procedures()[procedure].calls[call].kind;
      }
  }

  void set_entries() {
    std::vector<char> is_called_whole(procedures().size(), 0);
    for (const Procedure &procedure : procedures())
      for (const CallSite &call : procedure.calls)
        if (call.kind == CallKind::Traversed)
          is_called_whole[static_cast<size_t>(call.callee)] = 1;
    for (size_t i = 0; i < procedures().size(); i++) {
      unit_->procedures[i].has_clone = is_called_whole[i];
      procedures()[i].begins_paths = !is_called_whole[i] || has_unseen_users(node_of(i), procedure_of_);
    }
    for (const Procedure &procedure : procedures())
      for (const CallSite &call : procedure.calls)
        if (call.kind != CallKind::Traversed && call.callee != kUnknownProcedure)
          procedures()[static_cast<size_t>(call.callee)].begins_paths = true;
    for (size_t i = 0; i < procedures().size(); i++)
      notes_of(i).flags =
          (notes_of(i).flags & ~unsigned{kBeginsPaths}) | (procedures()[i].begins_paths ? kBeginsPaths : 0u);
  }

  void number() {
    unit_->numbering = std::make_unique<SupergraphNumbering>(unit_->supergraph);
    unit_->notes.mode = unit_->supergraph.mode;
    unit_->notes.num_paths = unit_->numbering->num_paths();
    choose_storage();
    std::vector<std::optional<WideNumber>> completions = known_completions(*unit_->numbering);
    for (size_t i = 0; i < procedures().size(); i++) {
      unit_->procedures[i].completions = completions[i];
      unit_->procedures[i].plan = plan_procedure(procedures()[i], unit_->numbering->of(static_cast<int>(i)));
    }
  }

  void choose_storage() {
    ProgramNotes &notes = unit_->notes;
    uint64_t num_paths = notes.is_wide() ? UINT64_MAX : notes.num_paths.get_ui();
    uint64_t array_max = arguments_.function.program_array_max;
    notes.storage =
        pathprof_choose_storage(num_paths, std::min<uint64_t>(array_max, PATHPROF_STATIC_PROGRAM_ARRAY_MAX));
    unit_->is_mapped = notes.storage == PATHPROF_STORAGE_TABLE && num_paths <= array_max;
  }

  std::vector<PlannedFunction> &functions_;
  const Arguments &arguments_;
  std::unique_ptr<PlannedUnit> unit_;
  bool is_exact_ = false; // true if any function has termination=exact; then all have it
  std::map<cgraph_node *, int> procedure_of_;
  std::vector<uint32_t> index_of_; // index of each procedure's function
};

} // namespace

std::unique_ptr<PlannedUnit> plan_unit(std::vector<PlannedFunction> &functions, const Arguments &arguments) {
  return UnitPlanner(functions, arguments).run();
}

} // namespace pathprof
