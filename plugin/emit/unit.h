// SPDX-License-Identifier: GPL-3.0-or-later
// The variables that the plugin adds to a translation unit: counters, table heads, notes, and the record through which
// the runtime finds them (profile/format/abi.h).
#ifndef PATHPROF_PLUGIN_EMIT_UNIT_H
#define PATHPROF_PLUGIN_EMIT_UNIT_H

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/gcc/place.h"
#include "plugin/options/arguments.h"

union tree_node;

namespace pathprof {

// Variables for counters, table heads and inline caches. A variable that is not needed is null.
struct Storage {
  tree_node *counters = nullptr; // array of counters
  tree_node *tables = nullptr;   // array of words that form table heads
  tree_node *caches = nullptr;   // array of words that form slots of inline caches
  uint64_t num_counters = 0;
  uint64_t num_tables = 0;

  Place counter(uint64_t index) const { return {counters, index}; }
  Place table(uint64_t index) const;
  // Returns the inline cache that starts at this slot.
  Place cache(uint64_t slot) const;
};

// Description of a function with termination=exact, which the runtime uses to decode truncated paths.
struct FrameInfo {
  std::string name;
  Place prefixes; // head of the table of truncated paths
  uint64_t num_paths;
  uint64_t shift;            // the path register holds base + (sum << shift)
  Place base;                // counter, or no array if the base is 0
  std::vector<int64_t> sums; // one value per call, as in struct pathprof_frame_info
};

// Description of a function with interesting paths, which the runtime uses to report residual paths.
struct ResidualInfo {
  std::string name; // empty if the program is not notified of residual paths
  Place counters;   // counters indexed by Ball-Larus ID, if any
  uint64_t num_counters = 0;
  uint64_t mask = UINT64_MAX; // bits of the path register that hold the Ball-Larus ID
  uint64_t num_slots = 0;
  std::vector<uint64_t> interesting; // interesting paths that the runtime may be asked to count
};

class UnitVariables {
public:
  explicit UnitVariables(const Arguments &arguments)
      : is_freestanding_(arguments.function.is_freestanding), kind_(arguments.function.counters),
        has_one_array_(arguments.stage != Stage::Late) {}

  // Declares arrays of these sizes for the whole unit or, if functions are instrumented one by one, for a single
  // function. `num_slots` is the total number of inline-cache slots.
  // If `is_in_segment` is true, the counters are addressed relative to a segment register.
  Storage declare(uint64_t num_counters, uint64_t num_tables, uint64_t num_slots, bool is_in_segment);

  // Declares a constant that contains the description, and returns the constant's address.
  tree_node *add_frame_info(const FrameInfo &info);

  tree_node *add_residual_info(const ResidualInfo &info);

  // Declares a constant array of words.
  tree_node *add_words(const std::vector<uint64_t> &words);

  // Defines all declared variables and emits the encoded notes. The arrays in `parts` are placed in order and without
  // gaps, because the runtime treats them as one array.
  void finish(const std::vector<Storage> &parts, const std::vector<unsigned char> &notes);

private:
  std::string numbered(const char *name);
  tree_node *counter_type(bool is_in_segment) const;
  tree_node *record_of(const std::vector<tree_node *> &counters, uint64_t num_counters,
                       const std::vector<tree_node *> &tables, uint64_t num_tables,
                       const std::vector<unsigned char> &notes) const;
  uint64_t padding_of(uint64_t num_counters) const;
  void pad(std::vector<tree_node *> &counters, uint64_t num_counters);
  tree_node *freestanding_record_of(const std::vector<tree_node *> &counters, uint64_t num_counters,
                                    const std::vector<unsigned char> &notes) const;
  tree_node *add_constant(const char *name, const std::vector<tree_node *> &words);

  bool is_freestanding_;
  Counters kind_;
  bool has_one_array_; // the counters of the unit are in one array instead of one array per function
  unsigned num_names_ = 0;
  bool has_segment_ = false; // some counters are addressed relative to a segment register
  std::vector<tree_node *> constants_;
};

// The runtime functions that instrumented code calls. They neither throw exceptions nor call functions of the unit, so
// a call to one of them never ends a basic block.
struct RuntimeFunctions {
  tree_node *count;                // void (table *, uint64_t key, slot *cache)
  tree_node *count_atomic;         // same signature as count
  tree_node *count_program;        // void (table *, uint64_t key, slot *cache): counts an interprocedural path
  tree_node *count_program_atomic; // same signature as count_program
  tree_node *count_mapped;         // void (table *, uint64_t id, uint64_t num_paths)
  tree_node *count_mapped_atomic;  // same signature as count_mapped
  tree_node *count_wide;           // void (forest *, uint64_t high, uint64_t low)
  tree_node *count_wide_atomic;    // same signature as count_wide
  tree_node *spend;                // void (table *, uint64_t id, uint64_t cycles)
  tree_node *spend_atomic;         // same signature as spend
  tree_node *thread;               // uint64_t (void): returns the offset of this thread's copy
  tree_node *enter;                // frame * (info *)
  tree_node *leave;                // void (frame *)
  tree_node *unwound;              // void (frame *)
  tree_node *jumped;               // void (frame *)
  tree_node *flush;                // void (void)
  tree_node *restrict_calls;       // void (void)
  tree_node *prctl;                // void (long option)
  tree_node *syscall;              // void (long number, long first_argument)
  tree_node *emit;                 // node * (forest *, node *at, uint64_t id, uint64_t k)
  tree_node *emit_atomic;          // same signature as emit
  tree_node *residual;             // void (table *, uint64_t sum, const residual_info *, uint64_t amount, slot *cache)
  tree_node *residual_atomic;      // same signature as residual
  tree_node *first;                // void (const residual_info *, uint64_t *counter)
  tree_node *value;                // void (table *, uint64_t site, int64_t value)
  tree_node *value_atomic;         // same signature as value
  tree_node *called;               // void (int64_t callee)

  RuntimeFunctions();
};

// Return runtime variables for the measurement of cycles (libpathrt/storage/cycles.h). callees_variable() holds the
// number of cycles that the thread has spent in finished activations, and reading_variable() holds the cost of reading
// the clock.
tree_node *callees_variable();
tree_node *reading_variable();

// Returns the thread-local variable that caches the result of __pathrt_thread (libpathrt/storage/own_copy.h).
tree_node *to_own_variable();

// Returns the thread-local variable that points to the slot for the thread's next frame (termination=exact).
tree_node *frame_top_variable();
// Returns the runtime function that allocates a frame if the next slot is in use. Its signature is frame * (frame *,
// info *).
tree_node *enter_at_function();

// Returns the thread-local variable that describes the thread's last indirect call. It is declared as an array of words
// and contains a struct pathprof_indirect_call.
tree_node *indirect_call_variable();

// Returns the module's profiling switch, a variable that selects between instrumented and uninstrumented bodies
// (libpathrt/storage/switched.h).
tree_node *switch_variable();

// Defines a one-byte variable with this name that GCC never removes, even if it is not used.
void define_mark(const char *name);

// Registers the declared variables with GCC's garbage collector, so that it does not free them. Must be called once,
// before any other function in this file.
void register_roots(const char *plugin_name);

// Makes GCC define the variables of this file separately. On targets with section anchors, GCC otherwise defines
// variables in blocks, which it writes before PLUGIN_FINISH_UNIT. Variables that are added later (stage=late) would be
// missing.
void keep_variables_out_of_blocks();

} // namespace pathprof

#endif
