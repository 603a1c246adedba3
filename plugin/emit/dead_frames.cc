// SPDX-License-Identifier: GPL-3.0-or-later
// A frame is there for calls that may not return.  Where none follows before it is given back nobody needs it: a
// problem of live variables.  The variables are frames: what the names of one value have in common that are joined
// where ways meet. A frame that is needed keeps all its stores, for another thread that ends the process may read it at
// any time.
#include "plugin/gcc/gcc.h"

#include "plugin/emit/dead_frames.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "profile/format/abi.h"

#include "core/graph/disjoint_sets.h"
#include "plugin/cfg/exits.h"
#include "plugin/emit/runtime_calls.h"

namespace pathprof {

namespace {

enum class Effect { Read, Store, Take, GiveBack };

struct Event {
  gimple *statement;
  Effect effect;
  size_t frame = 0; // of all but reads: these may be of every frame
};

// Those of the runtime's functions that look at no frame.
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

// Whether code of this unit may run in the call, as the body of a parallel region does.
bool may_call_back(gimple *statement) {
  return is_gimple_call(statement) && !gimple_call_internal_p(statement) &&
         !(gimple_call_flags(statement) & (ECF_LEAF | ECF_CONST | ECF_PURE));
}

// Whether a path may be cut short there, or the function left with the frame.
bool may_read_frames(gimple *statement) {
  if (gimple_code(statement) == GIMPLE_RESX || may_call_back(statement) ||
      (may_not_return(statement) && !is_empty_asm(statement)))
    return !looks_at_no_frame(statement);
  return false;
}

// The pointer that a statement stores through, of which it does nothing else.
tree stored_frame(gimple *statement) {
  if (!gimple_assign_single_p(statement) || !gimple_store_p(statement))
    return NULL_TREE;
  tree to = gimple_assign_lhs(statement);
  if (TREE_CODE(to) != MEM_REF || TREE_OPERAND(to, 0) == gimple_assign_rhs1(statement))
    return NULL_TREE;
  return TREE_OPERAND(to, 0);
}

// The frames of a function by the names that they have.
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

  // Which of them it is; none where that is no frame's name, or a frame is used in other ways.
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
      else if (!SSA_NAME_IS_DEFAULT_DEF(value)) // a way without the frame
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
  std::map<int, size_t> frames_; // by set
};

class DeadFrames {
public:
  explicit DeadFrames(const std::vector<gcall *> &enters)
      : names_(enters), events_(static_cast<size_t>(last_basic_block_for_fn(cfun))), live_in_(events_.size()) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun) {
      live_in_[index(bb)].resize(names_.size());
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        note(events_[index(bb)], gsi_stmt(gsi));
    }
  }

  void solve() {
    std::vector<int> order(events_.size());
    int number = post_order_compute(order.data(), false, false);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (int i = 0; i < number; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[static_cast<size_t>(i)]);
        std::vector<char> live = live_out(bb);
        go_back(bb, live, [](const Event &, bool) {});
        if (live == live_in_[index(bb)])
          continue;
        live_in_[index(bb)] = std::move(live);
        is_changed = true;
      }
    }
  }

  bool remove() {
    std::vector<char> is_needed(names_.size());
    std::vector<gimple *> dead;
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun) {
      std::vector<char> live = live_out(bb);
      go_back(bb, live, [&](const Event &event, bool is_live) {
        if (event.effect == Effect::Take && is_live)
          is_needed[event.frame] = 1;
      });
    }
    FOR_EACH_BB_FN(bb, cfun)
      for (const Event &event : events_[index(bb)])
        if (event.effect != Effect::Read && !is_needed[event.frame])
          dead.push_back(event.statement);
    for (gimple *statement : dead)
      remove(statement);
    return !dead.empty();
  }

private:
  static size_t index(basic_block bb) { return static_cast<size_t>(bb->index); }

  void note(std::vector<Event> &events, gimple *statement) {
    if (calls(statement, PATHPROF_ENTER_SYMBOL)) {
      if (auto frame = names_.frame_of(gimple_call_lhs(statement)))
        events.push_back({statement, Effect::Take, *frame});
    } else if (calls(statement, PATHPROF_LEAVE_SYMBOL)) {
      if (auto frame = names_.frame_of(gimple_call_arg(statement, 0)))
        events.push_back({statement, Effect::GiveBack, *frame});
    } else if (auto frame = names_.frame_of(stored_frame(statement))) {
      events.push_back({statement, Effect::Store, *frame});
    } else if (may_read_frames(statement)) {
      events.push_back({statement, Effect::Read});
    }
  }

  // A function is left with the frames that were not given back.
  std::vector<char> live_out(basic_block bb) const {
    std::vector<char> live(names_.size());
    bool is_left = EDGE_COUNT(bb->succs) == 0;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs) {
      is_left |= e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun);
      const std::vector<char> &in = live_in_[index(e->dest)];
      std::transform(in.begin(), in.end(), live.begin(), live.begin(), std::bit_or<>());
    }
    if (is_left)
      std::fill(live.begin(), live.end(), 1);
    return live;
  }

  // Makes of what is live at a block's end what is at its start.  `visit` is called with each event and what is live
  // of its frame behind it.
  template <typename Visit>
  void go_back(basic_block bb, std::vector<char> &live, Visit visit) const {
    const std::vector<Event> &events = events_[index(bb)];
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
      if (event->effect == Effect::Read) {
        std::fill(live.begin(), live.end(), 1);
        continue;
      }
      visit(*event, live[event->frame]);
      if (event->effect != Effect::Store)
        live[event->frame] = 0;
    }
  }

  static void remove(gimple *statement) {
    gimple_stmt_iterator gsi = gsi_for_stmt(statement);
    tree result = gimple_get_lhs(statement), memory = gimple_vdef(statement);
    unlink_stmt_vdef(statement);
    if (result && TREE_CODE(result) == SSA_NAME) { // joined with others still
      gsi_replace(&gsi, gimple_build_assign(result, null_pointer_node), false);
      release_ssa_name(memory);
      return;
    }
    gsi_remove(&gsi, true);
    release_defs(statement);
  }

  FrameNames names_;
  std::vector<std::vector<Event>> events_; // by block, as all of these
  std::vector<std::vector<char>> live_in_;
};

} // namespace

bool remove_dead_frames() {
  // What is known of each frame at each block takes memory: in larger functions all frames stay.
  constexpr size_t kMostParts = 64 << 20;
  std::vector<gcall *> enters = optimize ? warm_calls_of(PATHPROF_ENTER_SYMBOL, true) : std::vector<gcall *>();
  if (enters.empty() || enters.size() > kMostParts / static_cast<size_t>(last_basic_block_for_fn(cfun)))
    return false;
  DeadFrames frames(enters);
  frames.solve();
  return frames.remove();
}

} // namespace pathprof
