// SPDX-License-Identifier: GPL-3.0-or-later
// Optimises code that training did not execute as GCC optimises code without a profile, and separates this code from
// executed code.
//
// GCC's -fprofile-use optimises never-executed code for size: it does not vectorise its loops, for example. If the
// program later executes this code, it is slower than a build without a profile. With -fprofile-partial-training, which
// a rebuild implies, code is optimised for size only if it is known to be cold.
#ifndef PATHPROF_PLUGIN_REBUILD_UNTRAINED_H
#define PATHPROF_PLUGIN_REBUILD_UNTRAINED_H

#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// GCC's estimates of the blocks of `cfun`, from before the estimates are replaced with measured counts.
class UntrainedCode {
public:
  UntrainedCode();

  // Returns true if the block is cold even without a profile. GCC considers the block unlikely, for instance because it
  // calls a function with the attribute `cold` or handles an exception, or all paths from the block lead to a call that
  // does not return.
  bool is_known_cold(basic_block bb) const;

  // Returns true if the function has the attribute `cold` or never returns.
  bool is_known_cold() const;

  // Returns the count that a block that was not executed receives. The count is at least GCC's threshold for hot blocks
  // if GCC would consider the block hot without a profile. Counts are marked as guessed.
  profile_count guess(basic_block bb) const;

private:
  double frequency(basic_block bb) const;

  std::vector<profile_count> estimates_; // indexed by block
  std::vector<bool> is_cold_;            // indexed by block
};

// Makes GCC estimate the counts of functions that were called but have no counts in the profile.
void estimate_lost_counts();

// Completes functions that were never executed, after lost counts were estimated. The functions are compiled with the
// options of a build without a profile, and their code is emitted to the section for unlikely code.
void complete_untrained(const std::vector<cgraph_node *> &nodes);

// Registers the passes that emit never-executed functions and blocks to the section for unlikely code.
void register_placement_passes(const char *plugin_name);

} // namespace pathprof

#endif
