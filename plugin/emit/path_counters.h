// SPDX-License-Identifier: GPL-3.0-or-later
// The path register of a function and the counters of its paths. Include after plugin/gcc/gcc.h.
//
// With array storage, the path register is a pointer into the counters. In position-independent code, an index would
// need a second register for the address of the array. With table storage, the path register holds the path ID. If
// interesting paths have slots (core/numbering/preferential.h), it holds both the slot and the Ball-Larus ID.
#ifndef PATHPROF_PLUGIN_EMIT_PATH_COUNTERS_H
#define PATHPROF_PLUGIN_EMIT_PATH_COUNTERS_H

#include <cstdint>
#include <memory>
#include <vector>

#include "plugin/emit/counter_memory.h"
#include "plugin/emit/forest.h"
#include "plugin/emit/residual.h"
#include "plugin/emit/windows.h"

namespace pathprof {

class PathCounters : public PathRegister {
public:
  PathCounters(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime);

  // Emits the setup code, which must be executed before any other inserted code.
  void begin(gimple_seq *seq);

  // ---- the path register ----

  tree variable() const override { return register_; }
  tree value_of(gimple_seq *seq, int64_t number) override;
  tree plus(gimple_seq *seq, tree value, tree amount, int64_t factor) override;
  tree plus(gimple_seq *seq, tree value, int64_t number) override;

  // Returns the operand that represents `number` when it is assigned to the path register.
  tree start(gimple_seq *seq, int64_t number);
  // to = from + number
  gassign *advance(tree to, tree from, int64_t number) const;
  // register + number
  tree sum(gimple_seq *seq, int64_t number) { return plus(seq, register_, number); }

  // Base of the path register. With termination=exact, the runtime interprets the register's value as base + (sum <<
  // shift). The base is 0 or the address of a counter. With update=thread, this counter is in the thread's copy.
  Place base() const;
  tree register_word(gimple_seq *seq);
  uint64_t shift() const { return array_ ? CounterMemory::kCounterShift : 0; }

  // ---- counters ----

  // count[register + number] += 1 or -1
  void count_at(gimple_seq *seq, int64_t number);
  void uncount_at(gimple_seq *seq, int64_t number);
  // count[number] += amount
  void count_path(gimple_seq *seq, int64_t number, tree amount);
  void count(gimple_seq *seq, tree value, int64_t number) override;
  void count(gimple_seq *seq, tree value, int64_t number, tree amount) override;

  // Return the value that represents one of two counters between which a branch selects. For selectable_at(), the
  // counter's index is register + `number`; for selectable_path(), it is `number`.
  tree selectable_at(gimple_seq *seq, int64_t number) { return sum(seq, number - bias_); }
  tree selectable_path(gimple_seq *seq, int64_t number) { return start(seq, number - bias_); }
  // count[selected] += 1
  void count_selected(gimple_seq *seq, tree selected);

  // Adds `cycles` to the cycle count of the path whose ID is the sum of the path register and `number`.
  void spend(gimple_seq *seq, int64_t number, tree cycles);

  // Inlines the common case of calls to the runtime. Must be called after all other instrumentation has been inserted.
  void branch();

private:
  tree counter_at(int64_t value) const { return CounterMemory::at(register_, value - bias_); }
  void call_count(gimple_seq *seq, tree id);
  void count_sum(gimple_seq *seq, tree sum, tree amount);
  void count_in_array(gimple_seq *seq, tree counter, tree amount);
  bool is_runtime_told() const { return residual_ && residual_->is_runtime_told(); }

  const PlannedFunction &function_;
  const RuntimeFunctions &runtime_;
  bool array_;
  tree tls_counter_offset_; // with update=thread: offset of the thread's copy, or null if it is not used
  CounterMemory memory_;
  tree register_;
  std::unique_ptr<ForestState> forest_;     // mode=kipf, if an activation can execute several paths
  std::unique_ptr<ResidualPaths> residual_; // mode=preferential
  std::vector<gcall *> calls_;              // counting calls of the runtime
  // Offset that prevents the path register from pointing before the start of the array. GCC assumes that a pointer
  // never points before the start of an array. Without the offset, GCC could conclude, for example, that *(register +
  // 9) is not one of the first nine counters. The offset depends on the largest deficit of all blocks, because the
  // register holds, in each block, a nonnegative sum of edge values minus the block's deficit.
  int64_t bias_ = 0;
};

} // namespace pathprof

#endif
