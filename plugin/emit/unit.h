// SPDX-License-Identifier: GPL-3.0-or-later
// The variables that a translation unit gets: counters, table heads, notes, and the record of them that
// the runtime finds (profile/format/abi.h).
#ifndef PATHPROF_PLUGIN_EMIT_UNIT_H
#define PATHPROF_PLUGIN_EMIT_UNIT_H

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/gcc/place.h"

union tree_node;

namespace pathprof {

// Counters, table heads and inline caches, a variable each; none where the number is zero.
struct Storage {
  tree_node *counters = nullptr; // array of 64-bit counters
  tree_node *tables = nullptr;   // array of the words of table heads
  tree_node *caches = nullptr;   // array of the words of inline caches' slots
  uint64_t num_counters = 0;
  uint64_t num_tables = 0;

  Place counter(uint64_t index) const { return {counters, index}; }
  Place table(uint64_t index) const;
  // The inline cache that begins with this slot.
  Place cache(uint64_t slot) const;
};

// What the runtime must know of a function under exact termination.
struct FrameInfo {
  std::string name;
  Place prefixes; // table head
  uint64_t num_paths;
  uint64_t shift;            // the path register holds sums << shift, above
  Place base;                // a counter, or nothing
  std::vector<int64_t> sums; // by call, as in struct pathprof_frame_info
};

// What the runtime must know of a function with interesting paths, to tell of residual ones.
struct ResidualInfo {
  std::string name; // empty: it tells of none
  Place counters;   // of all paths by Ball-Larus numbers; none if they are not counted so
  uint64_t num_counters = 0;
  uint64_t mask = UINT64_MAX; // takes the Ball-Larus number out of the path register
  uint64_t num_slots = 0;
  std::vector<uint64_t> interesting; // paths that the runtime is asked about and that are not residual
};

class UnitVariables {
public:
  // Declares arrays of these sizes: those of the whole unit, or of a function if functions come one by
  // one.  `num_slots`: of all inline caches.
  Storage declare(uint64_t num_counters, uint64_t num_tables, uint64_t num_slots);

  // Declares the constant that says so, and returns its address.
  tree_node *add_frame_info(const FrameInfo &info);

  tree_node *add_residual_info(const ResidualInfo &info);

  // Declares a constant array of words.
  tree_node *add_words(const std::vector<uint64_t> &words);

  // Defines everything, with the encoded notes.  What was declared by parts lies in this order, without
  // gaps: the runtime takes it for one array.
  void finish(const std::vector<Storage> &parts, const std::vector<unsigned char> &notes);

private:
  std::string numbered(const char *name);
  tree_node *add_constant(const char *name, const std::vector<tree_node *> &words);

  unsigned num_names_ = 0;
  std::vector<tree_node *> constants_;
};

// The runtime's functions that instrumented code calls.  They neither throw nor call back, so a call to
// one never ends a block.
struct RuntimeFunctions {
  tree_node *count;                // void (table *, uint64_t key, slot *cache)
  tree_node *count_atomic;         // the same
  tree_node *count_program;        // the same, of a program
  tree_node *count_program_atomic; // the same
  tree_node *count_mapped;         // void (table *, uint64_t id, uint64_t num_paths)
  tree_node *count_mapped_atomic;  // the same
  tree_node *count_wide;           // void (forest *, uint64_t high, uint64_t low)
  tree_node *count_wide_atomic;    // the same
  tree_node *spend;                // void (table *, uint64_t id, uint64_t cycles)
  tree_node *spend_atomic;         // the same
  tree_node *thread;               // uint64_t (void): what to add to an address for this thread's copy
  tree_node *enter;                // frame * (info *)
  tree_node *leave;                // void (frame *)
  tree_node *unwound;              // void (frame *)
  tree_node *jumped;               // void (frame *)
  tree_node *flush;                // void (void)
  tree_node *restrict_calls;       // void (void)
  tree_node *prctl;                // void (long option)
  tree_node *syscall;              // void (long number, long first_argument)
  tree_node *emit;                 // node * (forest *, node *at, uint64_t id, uint64_t k)
  tree_node *emit_atomic;          // the same
  tree_node *residual;             // void (table *, uint64_t sum, const residual_info *, uint64_t amount, slot *cache)
  tree_node *residual_atomic;      // the same
  tree_node *first;                // void (const residual_info *, uint64_t *counter)
  tree_node *value;                // void (table *, uint64_t site, int64_t value)
  tree_node *value_atomic;         // the same
  tree_node *called;               // void (int64_t callee)

  RuntimeFunctions();
};

// The runtime's variables for measuring cycles (libpathrt/storage/cycles.h): what finished activations took, one a
// thread, and what reading the clock costs.
tree_node *callees_variable();
tree_node *reading_variable();

// The runtime's variable with what __pathrt_thread returns, one a thread (libpathrt/storage/own_copy.h).
tree_node *to_own_variable();

// The runtime's variable that says where a thread's next activation under exact termination has its frame.
tree_node *frame_top_variable();
// frame * (frame *, info *)
tree_node *enter_at_function();

// The runtime's variable with a thread's last indirect call (struct pathprof_indirect_call), as an array of words.
tree_node *indirect_call_variable();

// The runtime's variable that says whether the module's instrumented bodies run (libpathrt/storage/switched.h).
tree_node *switch_variable();

// Defines a byte with this name that no pass removes.
void define_mark(const char *name);

// Keeps what the compiler would otherwise collect between two functions.  Once, before any of the above.
void register_roots(const char *plugin_name);

} // namespace pathprof

#endif
