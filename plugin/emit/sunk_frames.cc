// SPDX-License-Identifier: GPL-3.0-or-later
// Sinks frames to rarely executed calls. Variables hold the values that were stored in the frame until such a call is
// executed. The call number is zero while no activation owns the frame:
//
//   frame = enter (info);                call = 0;
//   frame->path_register = r;            path_register = r;
//   frame->call = 3;                     call = 3;
//   if (x)                        =>     if (x)
//     fail ();                             frame = enter (info), frame->path_register = path_register,
//                                          frame->call = call, fail ();
//   leave (frame);                       call = 0;
//
// Most of the variables are constants where they are used, so no code remains elsewhere.
#include "plugin/gcc/gcc.h"

#include "plugin/emit/sunk_frames.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "profile/format/abi.h"

#include "plugin/emit/frame_allocation.h"
#include "plugin/emit/frame_uses.h"
#include "plugin/emit/runtime_calls.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

namespace {

// A frame and the variables that replace it.
struct Sunk {
  tree enter = NULL_TREE, leave = NULL_TREE; // functions that allocate and release the frame
  tree info = NULL_TREE;                     // frame info that is passed to `enter`
  tree path_register = create_tmp_reg(word_type(), "pathreg");
  tree call = create_tmp_reg(word_type(), "pathcall");
  std::set<size_t> around;            // frames of callers into which this function was inlined
  double cost = 0, cost_of_reads = 0; // number of instructions, without and with sinking
  size_t num_reads = 0;
  bool has_register = false;  // true if the path register is stored
  bool is_left_again = false; // true if control continues after a call
  bool stays = false;

  // Returns the variable that replaces the field written by a store, or null if no variable replaces this field.
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
      tree variable = variable_for(event.statement);
      stays |= !variable;
      has_register |= variable == path_register;
      cost += frequency;
    } else if (event.effect == FrameEffect::Allocate) {
      tree argument = gimple_call_arg(event.statement, 0);
      stays |= !is_gimple_min_invariant(argument) || (info && !operand_equal_p(info, argument, 0));
      info = argument;
      enter = gimple_call_fndecl(event.statement);
      cost += frequency * kTaking;
    } else if (event.effect == FrameEffect::Release) {
      leave = gimple_call_fndecl(event.statement);
    }
  }

  void note_read(gimple *statement) {
    constexpr size_t kMostReads = 32; // each read increases code size
    bool comes_back = !is_last(statement);
    is_left_again |= comes_back;
    stays |= (comes_back && !may_be_followed(statement)) || ++num_reads > kMostReads;
    cost_of_reads += frequency_of(statement) * (kTaking + kStoring);
  }

  // Returns true if control never continues after the statement.
  static bool is_last(gimple *statement) {
    return stmt_ends_bb_p(statement) && EDGE_COUNT(gimple_bb(statement)->succs) == 0;
  }

private:
  static constexpr double kTaking = 9, kStoring = 3;

  static double frequency_of(gimple *statement) {
    profile_count count = gimple_bb(statement)->count;
    return count.initialized_p() ? static_cast<double>(count.to_gcov_type()) : 1;
  }

  // Returns true if other statements can be inserted after the statement. This is not the case for calls to runtime
  // functions that take a frame as an argument.
  static bool may_be_followed(gimple *statement) {
    if (stmt_ends_bb_p(statement) || calls(statement, PATHPROF_UNWOUND_SYMBOL) ||
        calls(statement, PATHPROF_JUMPED_SYMBOL))
      return false;
    gcall *call = dyn_cast<gcall *>(statement);
    return !call || !((gimple_call_flags(call) & ECF_RETURNS_TWICE) || gimple_call_tail_p(call) ||
                      gimple_call_must_tail_p(call));
  }
};

class SunkFrames {
public:
  explicit SunkFrames(const std::vector<gcall *> &enters)
      : uses_(enters), frames_(uses_.num_frames()),
        open_in_(static_cast<size_t>(last_basic_block_for_fn(cfun)), std::vector<char>(frames_.size())) {}

  // Computes, for each block, the frames that may already be allocated when control enters the block.
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
      allocate_at_reads(bb);
      for (const FrameEvent &event : uses_.events(bb))
        if (event.is_of_one() && !frames_[event.frame].stays) {
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

  // Returns the calls in rarely executed blocks that allocate or release frames.
  const std::set<gimple *> &calls() const { return calls_; }

private:
  static size_t index(basic_block bb) { return static_cast<size_t>(bb->index); }

  static void follow(std::vector<char> &open, const FrameEvent &event) {
    if (event.effect == FrameEffect::Allocate)
      open[event.frame] = 1;
    else if (event.effect == FrameEffect::Release)
      open[event.frame] = 0;
  }

  static bool add(std::vector<char> &set, const std::vector<char> &more) {
    bool is_changed = false;
    for (size_t i = 0; i < set.size(); i++)
      if (more[i] && !set[i])
        set[i] = 1, is_changed = true;
    return is_changed;
  }

  // Selects the frames to sink, that is, to allocate only at the calls that may read them. A frame is not sunk if it is
  // read by a call after which no statement can be inserted, or if sinking the frame would not reduce the cost. If the
  // frame of an inlined function is not sunk, the frames of its callers are not sunk either, because they must be below
  // this frame on the frame stack.
  void choose() {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      for_each_event(bb, [&](const FrameEvent &event, const std::vector<char> &open) { note(event, open); });
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

  void note(const FrameEvent &event, const std::vector<char> &open) {
    if (event.is_of_one())
      frames_[event.frame].note(event);
    for (size_t frame = 0; frame < frames_.size(); frame++)
      if (!open[frame])
        continue;
      else if (event.effect == FrameEffect::Read)
        frames_[frame].note_read(event.statement);
      else if (event.effect == FrameEffect::AllocateOther)
        frames_[frame].stays = true;
      else if (event.effect == FrameEffect::Allocate && frame != event.frame)
        frames_[event.frame].around.insert(frame);
  }

  // Returns true if the frames of all callers into which the frame's function was inlined are kept, that is, not sunk.
  bool is_outermost(size_t frame) const {
    const std::set<size_t> &around = frames_[frame].around;
    return std::all_of(around.begin(), around.end(), [&](size_t outer) { return frames_[outer].stays; });
  }

  // Returns true if sinking the frame reduces the cost. The frames of the functions that were inlined into the frame's
  // function are sunk together with this frame.
  bool is_worth_it(size_t frame) const {
    double balance = 0;
    for (size_t inner = 0; inner < frames_.size(); inner++)
      if (inner == frame || frames_[inner].around.count(frame))
        balance += frames_[inner].cost - frames_[inner].cost_of_reads;
    return balance > 0;
  }

  // Calls `visit` for each event in the block, and passes the event and the set of frames that may be allocated before
  // the event.
  template <typename Visit>
  void for_each_event(basic_block bb, Visit visit) const {
    std::vector<char> open = open_in_[index(bb)];
    for (const FrameEvent &event : uses_.events(bb)) {
      visit(event, open);
      follow(open, event);
    }
  }

  // Allocates the sunk frames before each statement that may read them. If control continues after the statement, also
  // releases the frames after it.
  void allocate_at_reads(basic_block bb) {
    std::vector<gimple *> added;
    for_each_event(bb, [&](const FrameEvent &event, const std::vector<char> &open) {
      if (event.effect != FrameEffect::Read)
        return;
      gimple_seq before = nullptr, behind = nullptr;
      std::vector<std::pair<const Sunk *, tree>> allocated;
      for (size_t frame : from_outer_to_inner(open))
        allocated.emplace_back(&frames_[frame], allocate(&before, frames_[frame], &added));
      gimple_stmt_iterator gsi = gsi_for_stmt(event.statement);
      gsi_insert_seq_before(&gsi, before, GSI_SAME_STMT);
      if (Sunk::is_last(event.statement))
        return;
      for (auto frame = allocated.rbegin(); frame != allocated.rend(); ++frame)
        release(&behind, *frame->first, frame->second, &added);
      gsi_insert_seq_after(&gsi, behind, GSI_CONTINUE_LINKING);
    });
    if (is_seldom(bb))
      calls_.insert(added.begin(), added.end());
  }

  // Returns true if the block is executed so rarely that code size matters more than speed.
  static bool is_seldom(basic_block bb) {
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(cfun)->count;
    return bb->count.initialized_p() && entry.initialized_p() && bb->count < entry.apply_scale(1, 8);
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

  // Emits code that allocates a frame and stores the variables in the frame. Returns the variable that holds the
  // frame's address.
  static tree allocate(gimple_seq *seq, const Sunk &frame, std::vector<gimple *> *added) {
    tree allocated = create_tmp_reg(ptr_type_node, "pathframe");
    gcall *enter = gimple_build_call(frame.enter, 1, unshare_expr(frame.info));
    gimple_call_set_lhs(enter, allocated);
    gimple_seq_add_stmt(seq, enter);
    added->push_back(enter);
    if (frame.has_register)
      gimple_seq_add_stmt(seq, gimple_build_assign(frame_field(allocated, offsetof(pathprof_frame, path_register)),
                                                   frame.path_register));
    gimple_seq_add_stmt(seq, gimple_build_assign(frame_field(allocated, offsetof(pathprof_frame, call)), frame.call));
    return allocated;
  }

  // Emits code that releases a frame. The call number is copied back to the variable, because it can change during the
  // call. It changes if the path is counted, or if the call is a fork after which only the parent process counts the
  // path.
  static void release(gimple_seq *seq, const Sunk &frame, tree allocated, std::vector<gimple *> *added) {
    gimple_seq_add_stmt(seq, gimple_build_assign(frame.call, frame_field(allocated, offsetof(pathprof_frame, call))));
    gcall *leave = gimple_build_call(frame.leave, 1, allocated);
    gimple_seq_add_stmt(seq, leave);
    added->push_back(leave);
  }

  void keep_in_variable(const FrameEvent &event) const {
    const Sunk &frame = frames_[event.frame];
    gimple_seq seq = nullptr;
    if (event.effect == FrameEffect::Store) {
      gimple_seq_add_stmt(
          &seq, gimple_build_assign(frame.variable_for(event.statement), gimple_assign_rhs1(event.statement)));
    } else {
      gimple_seq_add_stmt(&seq, gimple_build_assign(frame.call, word(PATHPROF_FRAME_NO_CALL)));
      if (event.effect == FrameEffect::Allocate && frame.has_register) // ends the variable's live range
        gimple_seq_add_stmt(&seq, gimple_build_assign(frame.path_register, word(0)));
    }
    gimple_stmt_iterator gsi = gsi_for_stmt(event.statement);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
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
  std::vector<std::vector<char>> open_in_; // indexed by block
  std::set<gimple *> calls_;
};

} // namespace

bool sink_frames(std::set<gimple *> *calls) {
  std::vector<gcall *> enters = enters_to_look_at();
  if (enters.empty())
    return false;
  SunkFrames frames(enters);
  frames.solve();
  bool is_changed = frames.sink();
  *calls = frames.calls();
  return is_changed;
}

} // namespace pathprof
