// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code that updates the path register and counts paths in arrays, tables and forests.
#include <algorithm>
#include <cstdint>
#include <memory>

#include "plugin/gcc/gcc.h"

#include "plugin/emit/inline_cache.h"
#include "plugin/emit/path_counters.h"

namespace pathprof {

PathCounters::PathCounters(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime)
    : function_(function), runtime_(runtime),
      array_(function.notes.storage == PATHPROF_STORAGE_ARRAY && !function.slots),
      tls_counter_offset_(function.update == Update::Thread && !(array_ && function.counters.is_in_segment())
                              ? create_tmp_reg(word_type(), "pathown")
                              : NULL_TREE),
      memory_(function, tls_counter_offset_),
      register_(create_tmp_reg(array_ ? memory_.counter_pointer_type() : word_type(), "pathreg")) {
  if (function.notes.has_forest())
    forest_ = std::make_unique<ForestState>(address_of(function.table), function.notes.model.k, function.update);
  if (model_of(function.notes.model).has(Feature::InterestingPaths))
    residual_ = std::make_unique<ResidualPaths>(function, memory_, variables, runtime);
  const std::vector<int64_t> &deficit_at = function.plan->increments.deficit_at;
  if (array_)
    bias_ = std::max<int64_t>(0, *std::max_element(deficit_at.begin(), deficit_at.end()) -
                                     static_cast<int64_t>(function.counters.index));
}

// tls_counter_offset = thread ();
void PathCounters::begin(gimple_seq *seq) {
  if (tls_counter_offset_) {
    gcall *statement = gimple_build_call(runtime_.thread, 0);
    gimple_call_set_lhs(statement, tls_counter_offset_);
    gimple_seq_add_stmt(seq, statement);
  }
  if (forest_)
    forest_->begin(seq, memory_.own(seq, address_of(function_.table)));
}

// ---- the path register ----

// Copies the value to a temporary. This is necessary because the address of a counter is not a valid operand in every
// statement.
tree PathCounters::value_of(gimple_seq *seq, int64_t number) {
  return copied(seq, start(seq, number), "pathsum");
}

// value + amount * factor, or value + amount * factor * counter_size if `value` is a pointer
tree PathCounters::plus(gimple_seq *seq, tree value, tree amount, int64_t factor) {
  int64_t scale = array_ ? factor * memory_.counter_size() : factor;
  tree product = scale == 1 ? amount : binary(seq, MULT_EXPR, amount, word(scale));
  return array_ ? displaced(seq, memory_.counter_pointer_type(), value, product, "pathsum")
                : binary(seq, PLUS_EXPR, value, product);
}

tree PathCounters::plus(gimple_seq *seq, tree value, int64_t number) {
  return number == 0 ? value : append(seq, advance(create_tmp_reg(TREE_TYPE(register_), "pathsum"), value, number));
}

// &counters[first + number], or number
tree PathCounters::start(gimple_seq *seq, int64_t number) {
  return array_ ? memory_.own(seq, memory_.unit_address(number + bias_)) : word(number);
}

gassign *PathCounters::advance(tree to, tree from, int64_t number) const {
  return array_ ? gimple_build_assign(to, POINTER_PLUS_EXPR, from,
                                      build_int_cst(sizetype, number * memory_.counter_size()))
                : gimple_build_assign(to, PLUS_EXPR, from, word(number));
}

Place PathCounters::base() const {
  const Place &first = function_.counters;
  return array_ ? Place{first.array, first.index + static_cast<uint64_t>(bias_)} : Place{};
}

tree PathCounters::register_word(gimple_seq *seq) {
  return array_ ? converted(seq, word_type(), register_) : register_;
}

// ---- counters ----

// r[number]++;      or      count (table, r + number, cache);
void PathCounters::count_at(gimple_seq *seq, int64_t number) {
  array_ ? count_in_array(seq, counter_at(number), word(1)) : count_sum(seq, sum(seq, number), word(1));
}

// r[number]--;
void PathCounters::uncount_at(gimple_seq *seq, int64_t number) {
  array_ ? memory_.increment(seq, counter_at(number), word(-1)) : count_sum(seq, sum(seq, number), word(-1));
}

// counters[first + number] += amount;      or      count (table, number, cache);
void PathCounters::count_path(gimple_seq *seq, int64_t number, tree amount) {
  if (!array_)
    count_sum(seq, word(number), amount);
  else if (is_runtime_told() && !function_.notes.is_interesting(static_cast<uint64_t>(number)))
    count_in_array(seq, memory_.counter(seq, number), amount);
  else
    memory_.increment(seq, memory_.counter(seq, number), amount);
}

// value[number]++;      or      count (table, value + number, cache);
void PathCounters::count(gimple_seq *seq, tree value, int64_t number) {
  array_ ? memory_.increment(seq, CounterMemory::at(value, number - bias_), word(1))
         : call_count(seq, plus(seq, value, number));
}

// value[number] += amount;
void PathCounters::count(gimple_seq *seq, tree value, int64_t number, tree amount) {
  gcc_assert(array_);
  memory_.increment(seq, CounterMemory::at(value, number - bias_), amount);
}

// (*selected)++;      or      count (table, selected, cache);
void PathCounters::count_selected(gimple_seq *seq, tree selected) {
  array_ ? count_in_array(seq, CounterMemory::at(selected, 0), word(1)) : count_sum(seq, selected, word(1));
}

// Counts a path. `sum` is the value of the path register at the end of the path.
void PathCounters::count_sum(gimple_seq *seq, tree sum, tree amount) {
  if (function_.slots)
    residual_->count_sum(seq, sum, amount);
  else
    call_count(seq, sum); // the amount is 1: other amounts occur only with arrays
}

void PathCounters::count_in_array(gimple_seq *seq, tree counter, tree amount) {
  residual_ ? residual_->count_in_array(seq, counter, amount) : memory_.increment(seq, counter, amount);
}

// count (table, key, cache);
void PathCounters::call_count(gimple_seq *seq, tree id) {
  if (forest_) {
    forest_->emit(seq, key_of(seq, id), runtime_);
    return;
  }
  if (is_runtime_told()) {
    calls_.push_back(residual_->call(seq, function_.table, function_.cache, id, word(1)));
    return;
  }
  tree function = memory_.is_atomic() ? runtime_.count_atomic : runtime_.count;
  tree table = memory_.own(seq, address_of(function_.table));
  tree cache = memory_.own(seq, address_of(function_.cache));
  calls_.push_back(gimple_build_call(function, 3, table, key_of(seq, id), cache));
  gimple_seq_add_stmt(seq, calls_.back());
}

// r[number + num_paths] += cycles;      or      spend (cycles_table, r + number, cycles);
void PathCounters::spend(gimple_seq *seq, int64_t number, tree cycles) {
  if (array_) {
    memory_.increment(seq, counter_at(number + static_cast<int64_t>(function_.notes.num_paths)), cycles);
    return;
  }
  tree function = memory_.is_atomic() ? runtime_.spend_atomic : runtime_.spend;
  tree table = memory_.own(seq, address_of(function_.cycles));
  gimple_seq_add_stmt(seq, gimple_build_call(function, 3, table, sum(seq, number), cycles));
}

void PathCounters::branch() {
  look_into_inline_caches_first(calls_, is_runtime_told() ? CountCall::Residual : CountCall::Function,
                                function_.update);
  if (residual_)
    residual_->branch();
  if (forest_)
    forest_->check_cached_successors_first();
}

} // namespace pathprof
