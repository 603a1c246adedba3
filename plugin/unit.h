// SPDX-License-Identifier: GPL-3.0-or-later
// The variables that a translation unit gets: counters, table heads, notes, and the record of them that
// the runtime finds (profile/abi.h).
#ifndef PATHPROF_PLUGIN_UNIT_H
#define PATHPROF_PLUGIN_UNIT_H

#include <cstdint>
#include <string>
#include <vector>

union tree_node;

namespace pathprof {

// How many of each thing the functions of a unit need.
struct UnitSizes {
  uint64_t counters = 0;
  uint64_t tables = 0;
  uint64_t frame_infos = 0;
  uint64_t calls = 0; // of the functions with frame infos
};

// What the runtime must know of a function under exact termination.
struct FrameInfo {
  std::string name;
  uint64_t prefixes_table; // index of the table head
  uint64_t num_paths;
  uint64_t shift;              // the path register holds sums << shift
  std::vector<int64_t> behind; // by call: what the register's sum lacks to that of the vals
};

class UnitVariables {
public:
  // Declares the arrays for these sizes; a size of zero gives no array.
  explicit UnitVariables(const UnitSizes &sizes);

  // &counters[index] and &tables[index], as constants.
  tree_node *counter_address(uint64_t index) const;
  tree_node *table_address(uint64_t index) const;
  tree_node *counters() const { return counters_; } // array of 64-bit counters

  // Fills the next frame info and returns its address.
  tree_node *add_frame_info(const FrameInfo &info);

  // Defines everything, with the encoded notes.
  void finish(const std::vector<unsigned char> &notes);

private:
  UnitSizes sizes_;
  tree_node *counters_;
  tree_node *tables_;
  tree_node *frame_infos_;
  tree_node *behind_;
  std::vector<tree_node *> frame_info_words_;
  std::vector<tree_node *> behind_words_;
};

// The runtime's functions that instrumented code calls.  They neither throw nor call back, so a call to
// one never ends a block.
struct RuntimeFunctions {
  tree_node *count;        // void (table *, uint64_t id)
  tree_node *count_atomic; // the same
  tree_node *thread;       // uint64_t (void): what to add to an address for this thread's copy
  tree_node *enter;        // frame * (const frame_info *, uint64_t base)
  tree_node *leave;        // void (frame *)
  tree_node *unwound;      // void (frame *)
  tree_node *jumped;       // void (frame *)
  tree_node *flush;        // void (void)

  RuntimeFunctions();
};

} // namespace pathprof

#endif
