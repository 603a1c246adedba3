// SPDX-License-Identifier: GPL-3.0-or-later
// What was stored in the frame is in variables until then, where the call's number is zero as long as no activation has
// the frame:
//
//   frame = enter (info);                call = 0;
//   frame->path_register = r;            path_register = r;
//   frame->call = 3;                     call = 3;
//   if (x)                        =>     if (x)
//     fail ();                             frame = enter (info), frame->path_register = path_register,
//                                          frame->call = call, fail ();
//   leave (frame);                       call = 0;
//
// Most are constants where they are used, and nothing is left of them elsewhere.
#include "plugin/gcc/gcc.h"

#include "plugin/emit/sunk_frames.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "profile/format/abi.h"

#include "plugin/emit/frame_place.h"
#include "plugin/emit/frame_uses.h"
#include "plugin/emit/runtime_calls.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

namespace {

// A frame, and the variables that stand for it.
struct Sunk {
  tree enter = NULL_TREE, leave = NULL_TREE; // the functions that take it and give it back
  tree info = NULL_TREE;                     // what it is taken for
  tree path_register = create_tmp_reg(word_type(), "pathreg");
  tree call = create_tmp_reg(word_type(), "pathcall");
  std::set<size_t> around;            // frames of the activations that it was inlined into
  double cost = 0, cost_of_reads = 0; // in instructions, as it is and if it is taken at calls alone
  bool is_left_again = false;         // where a call comes back
  bool stays = false;

  // For the field that is stored to; null for others.
  tree variable_for(gimple *store) const {
    if (!useless_type_conversion_p(word_type(), TREE_TYPE(gimple_assign_lhs(store))))
      return NULL_TREE;
    poly_int64 offset = mem_ref_offset(gimple_assign_lhs(store)).force_shwi();
    if (known_eq(offset, static_cast<HOST_WIDE_INT>(offsetof(pathprof_frame, path_register))))
      return path_register;
    return known_eq(offset, static_cast<HOST_WIDE_INT>(offsetof(pathprof_frame, call))) ? call : NULL_TREE;
  }

  void note(const FrameEvent &event) {
    double frequency = frequency_of(event.statement);
    if (event.effect == FrameEffect::Store) {
      stays |= !variable_for(event.statement);
      cost += frequency;
    } else if (event.effect == FrameEffect::Take) {
      tree taken_for = gimple_call_arg(event.statement, 0);
      stays |= !is_gimple_min_invariant(taken_for) || (info && !operand_equal_p(info, taken_for, 0));
      info = taken_for;
      enter = gimple_call_fndecl(event.statement);
      cost += frequency * kTaking;
    } else {
      leave = gimple_call_fndecl(event.statement);
    }
  }

  void note_read(gimple *statement) {
    bool comes_back = EDGE_COUNT(gimple_bb(statement)->succs) != 0;
    is_left_again |= comes_back;
    stays |= comes_back && !may_be_followed(statement);
    cost_of_reads += frequency_of(statement) * (kTaking + kStoring);
  }

private:
  static constexpr double kTaking = 9, kStoring = 3;

  static double frequency_of(gimple *statement) {
    profile_count count = gimple_bb(statement)->count;
    return count.initialized_p() ? static_cast<double>(count.to_gcov_type()) : 1;
  }

  // Not the runtime's functions that are given frames.
  static bool may_be_followed(gimple *statement) {
    return is_gimple_call(statement) && !gimple_call_internal_p(statement) && !runtime_function(statement) &&
           !stmt_ends_bb_p(statement) && !(gimple_call_flags(statement) & ECF_RETURNS_TWICE) &&
           !gimple_call_tail_p(as_a<gcall *>(statement)) && !gimple_call_must_tail_p(as_a<gcall *>(statement));
  }
};

class SunkFrames {
public:
  explicit SunkFrames(const std::vector<gcall *> &enters)
      : uses_(enters), frames_(uses_.num_frames()),
        open_in_(static_cast<size_t>(last_basic_block_for_fn(cfun)), std::vector<char>(frames_.size())) {}

  // Where each frame may be an activation's.
  void solve() {
    std::vector<int> order(static_cast<size_t>(n_basic_blocks_for_fn(cfun)));
    int number = pre_and_rev_post_order_compute(nullptr, order.data(), false);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (int i = 0; i < number; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[static_cast<size_t>(i)]);
        std::vector<char> open = open_in_[index(bb)];
        for (const FrameEvent &event : uses_.events(bb))
          follow(open, event);
        edge e;
        edge_iterator ei;
        FOR_EACH_EDGE(e, ei, bb->succs)
          is_changed |= add(open_in_[index(e->dest)], open);
      }
    }
  }

  bool sink() {
    choose();
    std::vector<gimple *> replaced;
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun) {
      take_at_reads(bb);
      for (const FrameEvent &event : uses_.events(bb))
        if (event.effect != FrameEffect::Read && !frames_[event.frame].stays) {
          keep_in_variable(event);
          replaced.push_back(event.statement);
        }
    }
    if (replaced.empty())
      return false;
    for (gimple *statement : replaced)
      remove_frame_use(statement);
    begin_without_frames();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    update_ssa(TODO_update_ssa);
    return true;
  }

private:
  static size_t index(basic_block bb) { return static_cast<size_t>(bb->index); }

  static void follow(std::vector<char> &open, const FrameEvent &event) {
    if (event.effect == FrameEffect::Take)
      open[event.frame] = 1;
    else if (event.effect == FrameEffect::GiveBack)
      open[event.frame] = 0;
  }

  static bool add(std::vector<char> &set, const std::vector<char> &more) {
    bool is_changed = false;
    for (size_t i = 0; i < set.size(); i++)
      if (more[i] && !set[i])
        set[i] = 1, is_changed = true;
    return is_changed;
  }

  // Frames stay where a call reads them that nothing can be put behind, and around others that stay, for an
  // activation's frame is above those of its callers; and where being taken at calls alone costs more.
  void choose() {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      for_each_event(bb, [&](const FrameEvent &event, const std::vector<char> &open) {
        if (event.effect != FrameEffect::Read)
          frames_[event.frame].note(event);
        for (size_t frame = 0; frame < frames_.size(); frame++)
          if (open[frame] && event.effect == FrameEffect::Read)
            frames_[frame].note_read(event.statement);
          else if (open[frame] && event.effect == FrameEffect::Take && frame != event.frame)
            frames_[event.frame].around.insert(frame);
      });
    for (Sunk &frame : frames_)
      frame.stays |= frame.is_left_again && !frame.leave;
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const Sunk &frame : frames_)
        for (size_t outer : frame.around)
          if (frame.stays && !frames_[outer].stays)
            frames_[outer].stays = true, is_changed = true;
    }
    for (size_t frame : from_outer_to_inner(std::vector<char>(frames_.size(), 1)))
      if (is_outermost(frame) && !is_worth_it(frame))
        frames_[frame].stays = true;
  }

  // Of those that do not stay.
  bool is_outermost(size_t frame) const {
    const std::set<size_t> &around = frames_[frame].around;
    return std::all_of(around.begin(), around.end(), [&](size_t outer) { return frames_[outer].stays; });
  }

  // With those inside of it.
  bool is_worth_it(size_t frame) const {
    double balance = 0;
    for (size_t inner = 0; inner < frames_.size(); inner++)
      if (inner == frame || frames_[inner].around.count(frame))
        balance += frames_[inner].cost - frames_[inner].cost_of_reads;
    return balance > 0;
  }

  // `visit` is called with each event and the frames that are open there.
  template <typename Visit>
  void for_each_event(basic_block bb, Visit visit) const {
    std::vector<char> open = open_in_[index(bb)];
    for (const FrameEvent &event : uses_.events(bb)) {
      visit(event, open);
      follow(open, event);
    }
  }

  // In front of what reads them, and there given back behind it where control goes on.
  void take_at_reads(basic_block bb) const {
    std::vector<tree> taken(frames_.size());
    for_each_event(bb, [&](const FrameEvent &event, const std::vector<char> &open) {
      if (event.effect != FrameEffect::Read)
        return;
      gimple_seq before = nullptr, behind = nullptr;
      for (size_t frame : from_outer_to_inner(open))
        fill(&before, frames_[frame], taken[frame]);
      gimple_stmt_iterator gsi = gsi_for_stmt(event.statement);
      gsi_insert_seq_before(&gsi, before, GSI_SAME_STMT);
      if (stmt_ends_bb_p(event.statement))
        return;
      std::vector<size_t> order = from_outer_to_inner(open);
      for (auto frame = order.rbegin(); frame != order.rend(); ++frame)
        read_back(&behind, frames_[*frame], taken[*frame], EDGE_COUNT(bb->succs) != 0);
      gsi_insert_seq_after(&gsi, behind, GSI_CONTINUE_LINKING);
    });
  }

  std::vector<size_t> from_outer_to_inner(const std::vector<char> &open) const {
    std::vector<size_t> order;
    for (size_t frame = 0; frame < frames_.size(); frame++)
      if (open[frame] && !frames_[frame].stays)
        order.push_back(frame);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return frames_[a].around.size() < frames_[b].around.size(); });
    return order;
  }

  // Stores in the frame what is in the variables; `taken` is what has its address, null before it is taken.
  static void fill(gimple_seq *seq, const Sunk &frame, tree &taken) {
    if (!taken) {
      taken = create_tmp_reg(ptr_type_node, "pathframe");
      gcall *enter = gimple_build_call(frame.enter, 1, unshare_expr(frame.info));
      gimple_call_set_lhs(enter, taken);
      gimple_seq_add_stmt(seq, enter);
    }
    for (auto [offset, value] : {std::pair(offsetof(pathprof_frame, path_register), frame.path_register),
                                 std::pair(offsetof(pathprof_frame, call), frame.call)})
      gimple_seq_add_stmt(seq, gimple_build_assign(frame_field(taken, offset), value));
  }

  // The path may have been counted there, or may be one that the parent of a fork counts.
  static void read_back(gimple_seq *seq, const Sunk &frame, tree &taken, bool is_left) {
    gimple_seq_add_stmt(seq, gimple_build_assign(frame.call, frame_field(taken, offsetof(pathprof_frame, call))));
    if (!is_left)
      return;
    gimple_seq_add_stmt(seq, gimple_build_call(frame.leave, 1, taken));
    taken = NULL_TREE;
  }

  void keep_in_variable(const FrameEvent &event) const {
    const Sunk &frame = frames_[event.frame];
    bool is_store = event.effect == FrameEffect::Store;
    gimple *assign = is_store
                         ? gimple_build_assign(frame.variable_for(event.statement), gimple_assign_rhs1(event.statement))
                         : gimple_build_assign(frame.call, word(PATHPROF_FRAME_NO_CALL));
    gimple_stmt_iterator gsi = gsi_for_stmt(event.statement);
    gsi_insert_before(&gsi, assign, GSI_SAME_STMT);
  }

  void begin_without_frames() const {
    gimple_seq seq = nullptr;
    for (const Sunk &frame : frames_)
      if (!frame.stays)
        gimple_seq_add_stmt(&seq, gimple_build_assign(frame.call, word(PATHPROF_FRAME_NO_CALL)));
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), seq);
  }

  FrameUses uses_;
  std::vector<Sunk> frames_;
  std::vector<std::vector<char>> open_in_; // by block
};

} // namespace

bool sink_frames() {
  std::vector<gcall *> enters = warm_enters();
  if (enters.empty())
    return false;
  SunkFrames frames(enters);
  frames.solve();
  return frames.sink();
}

} // namespace pathprof
