// SPDX-License-Identifier: GPL-3.0-or-later
// The path register of a function, and the counters of its paths.  Include after plugin/gcc/gcc.h.
//
// With array storage the path register is a pointer into the counters: in position-independent code an
// index would need the array's address in a second register.  With table storage it is the path's
// number; where interesting paths have slots (core/numbering/preferential.h), both of its numbers.
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

  // What the function does first, whatever path it takes.
  void begin(gimple_seq *seq);

  // ---- the path register ----

  tree variable() const override { return register_; }
  tree value_of(gimple_seq *seq, int64_t number) override;
  tree plus(gimple_seq *seq, tree value, tree amount, int64_t factor) override;
  tree plus(gimple_seq *seq, tree value, int64_t number) override;

  // What the register is set to for a number, as an operand of an assignment.
  tree start(gimple_seq *seq, int64_t number);
  // to = from + number
  gassign *advance(tree to, tree from, int64_t number) const;
  // register + number
  tree sum(gimple_seq *seq, int64_t number) { return plus(seq, register_, number); }

  // What the runtime makes of the register under exact termination: base + (sum << shift), as words.  The base is a
  // counter (update=thread: in the thread's copy), or nothing.
  Place base() const;
  tree register_word(gimple_seq *seq);
  uint64_t shift() const { return array_ ? CounterMemory::kCounterShift : 0; }

  // ---- counters ----

  // count[register + number] += amount; amount is 1 or -1.
  void count_at(gimple_seq *seq, int64_t number);
  void uncount_at(gimple_seq *seq, int64_t number);
  // count[number] += amount
  void count_path(gimple_seq *seq, int64_t number, tree amount);
  void count(gimple_seq *seq, tree value, int64_t number) override;
  void count(gimple_seq *seq, tree value, int64_t number, tree amount) override;

  // What names a counter before it is known which one is counted: that of register + number, or of the number.
  tree selectable_at(gimple_seq *seq, int64_t number) { return sum(seq, number - bias_); }
  tree selectable_path(gimple_seq *seq, int64_t number) { return start(seq, number - bias_); }
  // count[selected] += 1
  void count_selected(gimple_seq *seq, tree selected);

  // The cycles of the path with the number register + `number` are so many more.
  void spend(gimple_seq *seq, int64_t number, tree cycles);

  // Gives calls of the runtime their branches.  Only after all other code of the plugin is in place.
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
  tree register_;
  tree tls_counter_offset_; // update=thread: what to add to an address
  CounterMemory memory_;
  std::unique_ptr<ForestState> forest_;     // mode=kipf, where activations run through several paths
  std::unique_ptr<ResidualPaths> residual_; // mode=preferential
  std::vector<gcall *> calls_;              // of the runtime that count
  // Keeps the pointer from ever pointing before the array: GCC takes it that none does, and that
  // *(register + 9) therefore is not one of the first nine counters.  At a block the register has a sum of
  // vals, which is not negative, less what it is behind there.
  int64_t bias_ = 0;
};

} // namespace pathprof

#endif
