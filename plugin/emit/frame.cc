// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>

#include "profile/format/abi.h"

#include "plugin/gcc/gcc.h"

#include "plugin/emit/frame.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

// frame = enter (&frame_info, base of the path register);
void ActivationFrame::enter(gimple_seq *seq, tree base, uint64_t shift) const {
  FrameInfo info = {function_.notes.name, function_.prefixes, function_.notes.num_paths, shift, {}};
  for (const PossibleEnd &site : function_.calls)
    info.behind.push_back(function_.plan->increments.behind_at[static_cast<size_t>(site.block)]);
  gcall *statement = gimple_build_call(runtime_.enter, 2, variables_.add_frame_info(info), base);
  gimple_call_set_lhs(statement, frame_);
  gimple_seq_add_stmt(seq, statement);
}

// frame->path_register = r; frame->call = 1 + place;
void ActivationFrame::note_call(gimple_seq *seq, tree path_register, uint64_t place) const {
  store(seq, offsetof(pathprof_frame, path_register), path_register);
  store(seq, offsetof(pathprof_frame, call), word(static_cast<int64_t>(place) + 1));
}

// frame->call = PATHPROF_FRAME_COUNTED;
void ActivationFrame::note_count(gimple_seq *seq) const {
  store(seq, offsetof(pathprof_frame, call), build_int_cstu(word_type(), PATHPROF_FRAME_COUNTED));
}

// function (frame);
gimple_seq ActivationFrame::call(tree function) const {
  gimple_seq seq = nullptr;
  gimple_seq_add_stmt(&seq, gimple_build_call(function, 1, frame_));
  return seq;
}

// frame->field = value;
void ActivationFrame::store(gimple_seq *seq, size_t offset, tree value) const {
  tree field = build2(MEM_REF, word_type(), frame_, build_int_cst(ptr_type_node, static_cast<HOST_WIDE_INT>(offset)));
  gimple_seq_add_stmt(seq, gimple_build_assign(field, value));
}

} // namespace pathprof
