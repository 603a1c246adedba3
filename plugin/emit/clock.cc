// SPDX-License-Identifier: GPL-3.0-or-later
// Emits statements that measure the cycles spent on paths.
#include "plugin/emit/clock.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/sequence.h"
#include "plugin/emit/unit.h"

namespace pathprof {

Clock::Clock()
    : start_(create_tmp_reg(word_type(), "pathstart")), entered_(create_tmp_reg(word_type(), "pathentered")) {}

// Targets without a clock that programs can read do not use the following functions.
[[maybe_unused]] static tree output(const char *constraint, tree to) {
  return build_tree_list(build_tree_list(NULL_TREE, build_string(strlen(constraint), constraint)), to);
}

[[maybe_unused]] static tree clobber(const char *name) {
  return build_tree_list(NULL_TREE, build_string(strlen(name), name));
}

// Appends an asm statement that reads the clock. An asm statement is used because not all front ends declare the
// built-in function. The memory clobber prevents GCC from moving the program's stores across the statement.
[[maybe_unused]] static void append_read(gimple_seq *sequence, const char *code, vec<tree, va_gc> *outputs) {
  vec<tree, va_gc> *clobbers = nullptr;
  vec_safe_push(clobbers, clobber("memory"));
#ifdef _S390_H
  vec_safe_push(clobbers, clobber("cc"));
#endif
  gasm *read = gimple_build_asm_vec(code, nullptr, outputs, clobbers, nullptr);
  gimple_asm_set_volatile(read, true);
  gimple_seq_add_stmt(sequence, read);
}

#ifdef PATHPROF_IS_X86
// Emits a read of the time-stamp counter.
//
//   asm volatile ("rdtsc" : "=a" (low), "=d" (high) : : "memory"); high << 32 | low
//
// On 32-bit targets, the constraint "A" stands for the pair of registers.
static tree read_time_stamp(gimple_seq *sequence, tree type) {
  constexpr int half = 32;
  tree low = create_tmp_reg(type, "pathclock"), high = create_tmp_reg(type, "pathclock");
  vec<tree, va_gc> *outputs = nullptr;
  if (!TARGET_64BIT) {
    vec_safe_push(outputs, output("=A", low));
    append_read(sequence, "rdtsc", outputs);
    return low;
  }
  vec_safe_push(outputs, output("=a", low));
  vec_safe_push(outputs, output("=d", high));
  append_read(sequence, "rdtsc", outputs);
  tree shifted = binary(sequence, LSHIFT_EXPR, high, build_int_cst(integer_type_node, half), "pathclock");
  return binary(sequence, BIT_IOR_EXPR, shifted, low, "pathclock");
}
#elif defined PATHPROF_HAS_TIME_STAMPS
// Emits a read of the clock. The constraint of some targets requires a variable in memory.
static tree read_time_stamp(gimple_seq *sequence, tree type) {
  bool is_in_memory = PATHPROF_CLOCK_CONSTRAINT[1] != 'r';
  tree stamp = is_in_memory ? create_tmp_var(type, "pathclock") : create_tmp_reg(type, "pathclock");
  TREE_ADDRESSABLE(stamp) = is_in_memory;
  vec<tree, va_gc> *outputs = nullptr;
  vec_safe_push(outputs, output(PATHPROF_CLOCK_CONSTRAINT, stamp));
  append_read(sequence, PATHPROF_READ_CLOCK, outputs);
  return is_in_memory ? copied(sequence, stamp, "pathclock") : stamp;
}
#else
// Never called, because metric=tsc is rejected (plugin/options/combinations.cc).
static tree read_time_stamp(gimple_seq *, tree) {
  gcc_unreachable();
}
#endif

//   time_stamp = rdtsc; now = time_stamp - callees;
void Clock::read(gimple_seq *sequence) {
  if (now_)
    return;
  time_stamp_ = read_time_stamp(sequence, word_type());
  tree callees = copied(sequence, callees_variable(), "pathclock");
  now_ = binary(sequence, MINUS_EXPR, time_stamp_, callees, "pathclock");
}

//   start = now;
void Clock::start(gimple_seq *sequence) {
  read(sequence);
  gimple_seq_add_stmt(sequence, gimple_build_assign(start_, now_));
}

//   entered = now;
void Clock::enter(gimple_seq *sequence) {
  read(sequence);
  gimple_seq_add_stmt(sequence, gimple_build_assign(entered_, now_));
}

// Emits code that computes the cycles since the start of the path. A negative difference is replaced with 0, because
// the thread may have moved to a processor whose time-stamp counter lags behind.
//
//   (uint64_t) max ((int64_t) (now - start), 0)
tree Clock::spent(gimple_seq *sequence) {
  read(sequence);
  tree signed_type = long_long_integer_type_node;
  tree difference = binary(sequence, MINUS_EXPR, now_, start_, "pathclock");
  tree number = converted(sequence, signed_type, difference, "pathclock");
  tree spent = binary(sequence, MAX_EXPR, number, build_int_cst(signed_type, 0), "pathclock");
  return converted(sequence, word_type(), spent, "pathclock");
}

// Emits the code that ends the measurement of the activation. Adds the cost of one clock reading, because the time
// between the activation's first and last reading does not include this cost.
//
//   callees = time_stamp - entered + reading;
void Clock::leave(gimple_seq *sequence) {
  read(sequence);
  tree reading = copied(sequence, reading_variable(), "pathclock");
  tree spent = binary(sequence, MINUS_EXPR, time_stamp_, entered_, "pathclock");
  tree callees = binary(sequence, PLUS_EXPR, spent, reading, "pathclock");
  gimple_seq_add_stmt(sequence, gimple_build_assign(callees_variable(), callees));
}

} // namespace pathprof
