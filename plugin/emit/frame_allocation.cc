// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the allocation and release of frames. The allocation
//
//   frame = enter (info);
//
// is replaced with the following code:
//
//   top = __pathrt_frame_top;
//   __pathrt_frame_top = top + 1;
//   if (top->call == PATHPROF_FRAME_NO_CALL)
//     frame = top, frame->info = info;
//   else
//     frame = enter_at (top, info);
//
// The release
//
//   leave (frame);
//
// is replaced with the following code:
//
//   frame->call = PATHPROF_FRAME_NO_CALL;
//   __pathrt_frame_top = frame;
//
// A signal handler may interrupt the program between any two instructions and allocate frames itself. The top therefore
// moves up before the slot is examined, and moves down after the slot has been freed.
#include "plugin/emit/frame_allocation.h"

#include <algorithm>
#include <vector>

#include "profile/format/abi.h"

#include "plugin/emit/runtime_calls.h"
#include "plugin/emit/unit.h"
#include "plugin/gcc/barriers.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

tree frame_field(tree frame, size_t offset) {
  return build2(MEM_REF, word_type(), frame, build_int_cst(ptr_type_node, static_cast<HOST_WIDE_INT>(offset)));
}

namespace {

tree call_of(tree frame) {
  return frame_field(frame, offsetof(pathprof_frame, call));
}

gimple *assign(tree to, tree value) {
  return gimple_build_assign(to, value);
}

tree no_call() {
  return build_int_cstu(word_type(), PATHPROF_FRAME_NO_CALL);
}

void inline_allocation(gcall *call) {
  tree info = gimple_call_arg(call, 0), frame = create_tmp_reg(ptr_type_node, "pathframe");
  gimple_seq look = nullptr, use_top = nullptr;
  tree top = copied(&look, frame_top_variable(), "pathtop");
  tree above = displaced(&look, ptr_type_node, top, size_int(sizeof(pathprof_frame)), "pathtop");
  gimple_seq_add_stmt(&look, assign(frame_top_variable(), above));
  gimple_seq_add_stmt(&look, barrier_for({frame_top_variable(), call_of(top)}));
  tree state = copied(&look, call_of(top), "pathcall");
  gcond *is_free = gimple_build_cond(EQ_EXPR, state, no_call(), NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, is_free);
  gimple_seq_add_stmt(&use_top, assign(frame, top));
  tree word_of_info = converted(&use_top, word_type(), info, "pathinfo");
  gimple_seq_add_stmt(&use_top, assign(frame_field(frame, offsetof(pathprof_frame, info)), word_of_info));

  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  gcall *enter_at = gimple_build_call(enter_at_function(), 2, top, info);
  gimple_call_set_lhs(enter_at, frame);
  gimple_move_vops(enter_at, call);
  branch_around_result(call, is_free, use_top, frame, enter_at);
}

void inline_release(gcall *call) {
  tree frame = gimple_call_arg(call, 0);
  gimple_seq seq = nullptr;
  gimple_seq_add_stmt(&seq, assign(call_of(frame), no_call()));
  gimple_seq_add_stmt(&seq, barrier_for({call_of(frame), frame_top_variable()}));
  gimple_seq_add_stmt(&seq, assign(frame_top_variable(), frame));
  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  unlink_stmt_vdef(call);
  gsi_remove(&gsi, true);
  release_defs(call);
}

} // namespace

bool inline_frame_allocation(const std::set<gimple *> &seldom) {
  auto others = [&](std::vector<gcall *> calls) {
    calls.erase(std::remove_if(calls.begin(), calls.end(), [&](gcall *call) { return seldom.count(call); }),
                calls.end());
    return calls;
  };
  bool allocates = rewrite_each(others(warm_calls_of(PATHPROF_ENTER_SYMBOL, true)), inline_allocation);
  bool releases = rewrite_each(others(warm_calls_of(PATHPROF_LEAVE_SYMBOL, false)), inline_release);
  return allocates || releases;
}

} // namespace pathprof
