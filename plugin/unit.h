// SPDX-License-Identifier: GPL-3.0-or-later
// The variables that a translation unit gets: counters, table heads, notes, and the record of them that
// the runtime finds (profile/abi.h).
#ifndef PATHPROF_PLUGIN_UNIT_H
#define PATHPROF_PLUGIN_UNIT_H

#include <cstdint>
#include <vector>

union tree_node;

namespace pathprof {

class UnitVariables {
public:
  // Declares the arrays for these sizes; a size of zero gives no array.
  UnitVariables(uint64_t num_counters, uint64_t num_tables);

  tree_node *counters() const { return counters_; } // array of 64-bit counters
  tree_node *tables() const { return tables_; }     // array of table heads, as 64-bit words
  static uint64_t words_per_table();

  // void __pathrt_count (uint64_t *table, uint64_t id).  It neither throws nor calls back, so a call to
  // it never ends a block.
  tree_node *count_function() const { return count_function_; }

  // Defines everything, with the encoded notes and the argument array-max.
  void finish(const std::vector<unsigned char> &notes, uint64_t array_max);

private:
  uint64_t num_counters_;
  uint64_t num_tables_;
  tree_node *counters_ = nullptr;
  tree_node *tables_ = nullptr;
  tree_node *count_function_;
};

} // namespace pathprof

#endif
