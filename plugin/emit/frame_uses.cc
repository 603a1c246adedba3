// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the statements that allocate, release, store to and may read frames.
#include "plugin/gcc/gcc.h"

#include "plugin/emit/frame_uses.h"

#include <map>
#include <set>
#include <string_view>

#include "profile/format/abi.h"

#include "core/graph/disjoint_sets.h"
#include "plugin/cfg/exits.h"
#include "plugin/emit/runtime_calls.h"

namespace pathprof {

namespace {

// Returns true if the statement calls a runtime function that does not read frames.
bool looks_at_no_frame(gimple *statement) {
  static const std::set<std::string_view> symbols = {PATHPROF_COUNT_SYMBOL,
                                                     PATHPROF_COUNT_ATOMIC_SYMBOL,
                                                     PATHPROF_COUNT_MAPPED_SYMBOL,
                                                     PATHPROF_COUNT_PROGRAM_SYMBOL,
                                                     PATHPROF_COUNT_PROGRAM_ATOMIC_SYMBOL,
                                                     PATHPROF_COUNT_MAPPED_ATOMIC_SYMBOL,
                                                     PATHPROF_COUNT_WIDE_SYMBOL,
                                                     PATHPROF_COUNT_WIDE_ATOMIC_SYMBOL,
                                                     PATHPROF_THREAD_SYMBOL,
                                                     PATHPROF_VALUE_SYMBOL,
                                                     PATHPROF_VALUE_ATOMIC_SYMBOL,
                                                     PATHPROF_CALLED_SYMBOL,
                                                     PATHPROF_ENTER_SYMBOL,
                                                     PATHPROF_LEAVE_SYMBOL};
  const char *symbol = runtime_function(statement);
  return symbol && symbols.count(symbol);
}

bool is_empty_asm(gimple *statement) {
  return gimple_code(statement) == GIMPLE_ASM && !*gimple_asm_string(as_a<gasm *>(statement));
}

// Returns true if the callee may call back into this unit, for example to execute the body of a parallel region.
bool may_call_back(gimple *statement) {
  return is_gimple_call(statement) && !gimple_call_internal_p(statement) &&
         !(gimple_call_flags(statement) & (ECF_LEAF | ECF_CONST | ECF_PURE));
}

// Returns true if the statement is a call that never returns. If the block of the call has no successors,
// may_not_return() returns false for the call.
bool never_returns(gimple *statement) {
  return is_gimple_call(statement) && gimple_call_noreturn_p(statement) &&
         !gimple_call_builtin_p(statement, BUILT_IN_UNREACHABLE);
}

// Returns true if a path may be truncated at the statement, or if the statement may leave the function without
// releasing the frame.
bool may_read_frames(gimple *statement) {
  if (gimple_code(statement) == GIMPLE_RESX || may_call_back(statement) || never_returns(statement) ||
      (may_not_return(statement) && !is_empty_asm(statement)))
    return !looks_at_no_frame(statement);
  return false;
}

// Returns the pointer through which the statement stores a value. Returns null if the statement is not a store, or if
// the stored value is the pointer itself.
tree stored_frame(gimple *statement) {
  if (!gimple_assign_single_p(statement) || !gimple_store_p(statement))
    return NULL_TREE;
  tree to = gimple_assign_lhs(statement);
  if (TREE_CODE(to) != MEM_REF || TREE_OPERAND(to, 0) == gimple_assign_rhs1(statement))
    return NULL_TREE;
  return TREE_OPERAND(to, 0);
}

} // namespace

// Maps SSA names to the frames of a function.
class FrameNames {
public:
  explicit FrameNames(const std::vector<gcall *> &enters) : sets_(static_cast<int>(num_ssa_names)) {
    for (gcall *enter : enters)
      add(gimple_call_lhs(enter));
    while (!work_.empty()) {
      tree name = work_.back();
      work_.pop_back();
      follow(name);
    }
    std::set<int> escaped;
    for (unsigned name : escaped_)
      escaped.insert(sets_.find(static_cast<int>(name)));
    for (unsigned name : names_)
      if (int set = sets_.find(static_cast<int>(name)); !escaped.count(set))
        frames_.emplace(set, frames_.size());
  }

  size_t size() const { return frames_.size(); }

  // Returns the frame that the SSA name denotes. Returns nothing if the name does not denote a frame, or if code other
  // than the instrumentation also uses the frame.
  std::optional<size_t> frame_of(tree name) {
    if (!name || TREE_CODE(name) != SSA_NAME || !names_.count(SSA_NAME_VERSION(name)))
      return std::nullopt;
    auto found = frames_.find(sets_.find(static_cast<int>(SSA_NAME_VERSION(name))));
    return found == frames_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  void add(tree name) {
    if (names_.insert(SSA_NAME_VERSION(name)).second)
      work_.push_back(name);
  }

  void join(tree name, tree other) {
    add(other);
    sets_.join(static_cast<int>(SSA_NAME_VERSION(name)), static_cast<int>(SSA_NAME_VERSION(other)));
  }

  void follow(tree name) {
    gimple *definition = SSA_NAME_DEF_STMT(name);
    bool is_known = calls(definition, PATHPROF_ENTER_SYMBOL);
    if (gphi *phi = dyn_cast<gphi *>(definition))
      is_known = join_arguments(phi);
    else if (gimple_assign_ssa_name_copy_p(definition))
      join(name, gimple_assign_rhs1(definition)), is_known = true;
    imm_use_iterator iterator;
    use_operand_p use;
    FOR_EACH_IMM_USE_FAST(use, iterator, name)
      is_known &= follow_use(name, USE_STMT(use));
    if (!is_known)
      escaped_.push_back(SSA_NAME_VERSION(name));
  }

  bool join_arguments(gphi *phi) {
    bool are_names = true;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
      tree value = gimple_phi_arg_def(phi, i);
      if (TREE_CODE(value) != SSA_NAME)
        are_names = false;
      else if (!SSA_NAME_IS_DEFAULT_DEF(value)) // the variable is undefined on this path
        join(gimple_phi_result(phi), value);
    }
    return are_names;
  }

  bool follow_use(tree name, gimple *statement) {
    if (gphi *phi = dyn_cast<gphi *>(statement))
      join(name, gimple_phi_result(phi));
    else if (gimple_assign_ssa_name_copy_p(statement))
      join(name, gimple_assign_lhs(statement));
    else
      return is_gimple_debug(statement) || stored_frame(statement) == name || runtime_function(statement);
    return true;
  }

  std::set<unsigned> names_;
  DisjointSets sets_;
  std::vector<tree> work_;
  std::vector<unsigned> escaped_;
  std::map<int, size_t> frames_; // indexed by set
};

FrameUses::FrameUses(const std::vector<gcall *> &enters) : events_(static_cast<size_t>(last_basic_block_for_fn(cfun))) {
  FrameNames names(enters);
  num_frames_ = names.size();
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (std::optional<FrameEvent> event = event_of(names, gsi_stmt(gsi)))
        events_[static_cast<size_t>(bb->index)].push_back(*event);
}

std::optional<FrameEvent> FrameUses::event_of(FrameNames &names, gimple *statement) const {
  auto of = [&](FrameEffect effect, tree name) {
    std::optional<size_t> frame = names.frame_of(name);
    return frame ? std::optional<FrameEvent>({statement, effect, *frame}) : std::nullopt;
  };
  if (calls(statement, PATHPROF_ENTER_SYMBOL)) {
    std::optional<FrameEvent> allocation = of(FrameEffect::Allocate, gimple_call_lhs(statement));
    return allocation ? *allocation : FrameEvent{statement, FrameEffect::AllocateOther};
  }
  if (calls(statement, PATHPROF_LEAVE_SYMBOL))
    return of(FrameEffect::Release, gimple_call_arg(statement, 0));
  if (tree stored = stored_frame(statement))
    return of(FrameEffect::Store, stored);
  if (may_read_frames(statement))
    return FrameEvent{statement, FrameEffect::Read};
  return std::nullopt;
}

std::vector<gcall *> enters_to_look_at() {
  constexpr size_t kMostParts = 64 << 20;
  if (!optimize || optimize_function_for_size_p(cfun))
    return {};
  std::vector<gcall *> enters = calls_of(PATHPROF_ENTER_SYMBOL, true);
  if (enters.size() > kMostParts / static_cast<size_t>(last_basic_block_for_fn(cfun)))
    enters.clear();
  return enters;
}

void remove_frame_use(gimple *statement) {
  gimple_stmt_iterator gsi = gsi_for_stmt(statement);
  tree result = gimple_get_lhs(statement), memory = gimple_vdef(statement);
  unlink_stmt_vdef(statement);
  if (result && TREE_CODE(result) == SSA_NAME) { // a PHI still uses the result
    gsi_replace(&gsi, gimple_build_assign(result, null_pointer_node), false);
    release_ssa_name(memory);
    return;
  }
  gsi_remove(&gsi, true);
  release_defs(statement);
}

} // namespace pathprof
