// SPDX-License-Identifier: GPL-3.0-or-later
// Converts measured counts to GCC's profile data.
#include "plugin/rebuild/counts.h"

#include <algorithm>
#include <set>

#include "plugin/rebuild/implied_options.h"
#include "plugin/rebuild/untrained.h"

#include "plugin/gcc/gcc.h"

#include "tree-ssa-loop-niter.h"

namespace pathprof {

namespace {

// Highest count that GCC can add and scale without overflow.
constexpr uint64_t kMostCount = uint64_t{1} << 60;

gcov_type to_gcc(uint64_t count) {
  return static_cast<gcov_type>(std::min(count, kMostCount));
}

class Counts {
public:
  explicit Counts(const MeasuredEdges &measured) : measured_(measured) {
    any_ = std::any_of(measured.begin(), measured.end(), [](const auto &edge) { return edge.second > 0; });
  }

  // Returns true if the function was executed.
  bool any() const { return any_; }

  // Returns the count of the edge. For the entry edge of an executed function, returns at least 1, even if no path
  // through this edge was counted.
  uint64_t of(edge e) const {
    auto at = measured_.find(e);
    uint64_t count = at == measured_.end() ? 0 : at->second;
    return any_ && e->src == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? std::max<uint64_t>(count, 1) : count;
  }

  uint64_t of(vec<edge, va_gc> *edges) const {
    uint64_t sum = 0;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, edges)
      sum = std::min(sum + std::min(of(e), kMostCount), kMostCount);
    return sum;
  }

  uint64_t of(basic_block bb) const { return of(bb == ENTRY_BLOCK_PTR_FOR_FN(cfun) ? bb->succs : bb->preds); }

private:
  const MeasuredEdges &measured_;
  bool any_;
};

} // namespace

// Sets the probabilities of the edges out of an executed block. If control never left the block, for instance because a
// call did not return, all probabilities are 0. The probability 0 is only a guess if the edge leads to code that
// training did not execute and that is not known to be cold.
static void set_probabilities(basic_block bb, const Counts &counts, const UntrainedCode &untrained) {
  uint64_t total = counts.of(bb->succs);
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs) {
    bool was_never = e->probability == profile_probability::never();
    e->probability =
        profile_probability::probability_in_gcov_type(to_gcc(counts.of(e)), to_gcc(std::max<uint64_t>(total, 1)));
    if (flag_profile_partial_training && !was_never && counts.of(e) == 0 && !untrained.is_known_cold(e->dest))
      e->probability = e->probability.guessed();
  }
}

// Guesses the probabilities of the edges out of a block that was not executed and for which GCC has no estimate.
static void guess_probabilities(basic_block bb) {
  unsigned num_ordinary = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    num_ordinary += !(e->flags & (EDGE_COMPLEX | EDGE_FAKE));
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (num_ordinary && (e->flags & (EDGE_COMPLEX | EDGE_FAKE)))
      e->probability = profile_probability::never();
    else
      e->probability =
          profile_probability::guessed_always().apply_scale(1, num_ordinary ? num_ordinary : EDGE_COUNT(bb->succs));
}

// Sets the counts of the blocks. The counts of untrained code that is not known to be cold are zero, but only guessed.
static void set_block_counts(const Counts &counts, const UntrainedCode &untrained) {
  basic_block bb;
  FOR_ALL_BB_FN(bb, cfun) {
    uint64_t count = counts.of(bb);
    if (count > 0 || !flag_profile_partial_training || untrained.is_known_cold(bb))
      bb->count = profile_count::from_gcov_type(to_gcc(count));
    else
      bb->count = profile_count::guessed_zero();
  }
}

// Sets the counts of untrained blocks. At -O2, -fprofile-use enables vectorisation that makes code larger. Loops that
// training did not execute are excluded from vectorisation, except if they have `#pragma omp simd`.
static void guess_untrained_counts(const UntrainedCode &untrained) {
  std::set<basic_block> guessed;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (bb->count == profile_count::guessed_zero()) {
      bb->count = untrained.guess(bb);
      guessed.insert(bb);
    }
  if (guessed.empty() || !loops_for_fn(cfun) || vectorises_without_profile(cfun->decl))
    return;
  compat_for_each_loop(
      [&](class loop *loop) { loop->dont_vectorize |= !loop->force_vectorize && guessed.count(loop->header) > 0; });
}

// Marks the counts of a function that was never executed as globally zero. Counts that GCC considers zero even without
// a profile are not changed.
static void keep_estimates_of_what_never_ran() {
  basic_block bb;
  FOR_ALL_BB_FN(bb, cfun)
    if (!(bb->count == profile_count::zero()))
      bb->count = bb->count.global0();
}

// Records the number of iterations of each loop. The recorded number remains valid when blocks are copied and counts
// become inexact.
static void record_iterations() {
  if (!loops_for_fn(cfun))
    return;
  compat_for_each_loop([](class loop *loop) {
    if (!(loop->header->count > 0) || !loop->header->count.reliable_p())
      return;
    gcov_type iterations = expected_loop_iterations_unbounded(loop);
    loop->any_estimate = false;
    record_niter_bound(loop, gcov_type_to_wide_int(iterations), true, false);
  });
}

bool set_counts(const MeasuredEdges &measured) {
  Counts counts(measured);
  UntrainedCode untrained;
  if (!counts.any() && flag_profile_partial_training && !untrained.is_known_cold())
    return false;
  basic_block bb;
  FOR_BB_BETWEEN(bb, ENTRY_BLOCK_PTR_FOR_FN(cfun), NULL, next_bb)
    if (counts.of(bb) > 0)
      set_probabilities(bb, counts, untrained);
    else if (profile_status_for_fn(cfun) == PROFILE_ABSENT)
      guess_probabilities(bb);
  profile_status_for_fn(cfun) = PROFILE_READ;
  if (counts.any() || !flag_guess_branch_prob)
    set_block_counts(counts, untrained);
  else
    keep_estimates_of_what_never_ran();
  record_iterations();
  compute_function_frequency();
  if (counts.any())
    guess_untrained_counts(untrained);
  update_max_bb_count();
  return true;
}

} // namespace pathprof
