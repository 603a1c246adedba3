// SPDX-License-Identifier: GPL-3.0-or-later
// Optimises code that training did not execute as GCC optimises code without a profile.
#include "plugin/rebuild/untrained.h"

#include <algorithm>
#include <utility>

#include "plugin/rebuild/implied_options.h"

#include "plugin/gcc/passes.h"

#include "calls.h"
#include "profile.h"

namespace pathprof {

// Margin by which the counts of never-executed blocks exceed GCC's threshold for hot blocks. When GCC inlines a
// function into several callers, each copy receives only a part of the counts.
static constexpr gcov_type kMargin = 2;
// Highest count of a never-executed block, relative to the lowest.
static constexpr double kMostFrequency = 32;
// Highest number of instructions in a loop that GCC unrolls without a profile.
static constexpr int kSmallLoop = 4;
// Attribute of functions that were never executed. The space prevents conflicts with attributes in source code.
static const char never_executed[] = "pathprof never executed";

static bool is_guessed(profile_count count) {
  return count.initialized_p() && count.quality() == GUESSED;
}

static bool may_be_followed(edge e) {
  return !(e->flags & (EDGE_EH | EDGE_FAKE));
}

// Returns true for each block from which all paths lead to a call that does not return, or to unlikely code.
static std::vector<bool> cold_blocks() {
  std::vector<bool> is_cold(last_basic_block_for_fn(cfun));
  std::vector<unsigned> num_successors(last_basic_block_for_fn(cfun));
  std::vector<basic_block> worklist;
  basic_block bb;
  edge e;
  edge_iterator ei;
  FOR_BB_BETWEEN(bb, ENTRY_BLOCK_PTR_FOR_FN(cfun), EXIT_BLOCK_PTR_FOR_FN(cfun), next_bb) {
    FOR_EACH_EDGE(e, ei, bb->succs)
      num_successors[bb->index] += may_be_followed(e);
    if (bb->count == profile_count::zero() || num_successors[bb->index] == 0)
      worklist.push_back(bb);
  }
  while (!worklist.empty()) {
    bb = worklist.back();
    worklist.pop_back();
    if (is_cold[bb->index])
      continue;
    is_cold[bb->index] = true;
    FOR_EACH_EDGE(e, ei, bb->preds)
      if (may_be_followed(e) && --num_successors[e->src->index] == 0)
        worklist.push_back(e->src);
  }
  return is_cold;
}

UntrainedCode::UntrainedCode() : estimates_(last_basic_block_for_fn(cfun)), is_cold_(cold_blocks()) {
  basic_block bb;
  FOR_ALL_BB_FN(bb, cfun)
    estimates_[bb->index] = bb->count;
}

bool UntrainedCode::is_known_cold(basic_block bb) const {
  return is_cold_[bb->index];
}

bool UntrainedCode::is_known_cold() const {
  return lookup_attribute("cold", DECL_ATTRIBUTES(cfun->decl)) || is_cold_[ENTRY_BLOCK];
}

// Returns the estimated number of executions of the block per call of the function.
double UntrainedCode::frequency(basic_block bb) const {
  profile_count count = estimates_[bb->index], entry = estimates_[ENTRY_BLOCK];
  if (!count.initialized_p() || !entry.initialized_p() || entry.to_gcov_type() == 0)
    return 1;
  return static_cast<double>(count.to_gcov_type()) / entry.to_gcov_type();
}

// Returns true if `cfun` is executed at most once in each run, such as a constructor. See compute_function_frequency in
// GCC's predict.cc.
static bool is_executed_once() {
  tree decl = cfun->decl;
  return MAIN_NAME_P(DECL_NAME(decl)) || DECL_STATIC_CONSTRUCTOR(decl) || DECL_STATIC_DESTRUCTOR(decl) ||
         (flags_from_decl_or_type(decl) & ECF_NORETURN);
}

// The decision follows maybe_hot_count_p in GCC's predict.cc.
profile_count UntrainedCode::guess(basic_block bb) const {
  profile_count estimate = estimates_[bb->index];
  if (is_guessed(estimate))
    return estimate; // guessed before blocks were copied
  double frequency = this->frequency(bb);
  if (frequency * param_hot_bb_frequency_fraction < 1 || (is_executed_once() && frequency < 2.0 / 3))
    return profile_count::guessed_zero();
  gcov_type hot = std::max<gcov_type>(get_hot_bb_threshold(), profile_info->runs + 1) * kMargin;
  double count = hot * std::min(std::max(frequency, 1.0), kMostFrequency);
  return profile_count::from_gcov_type(static_cast<gcov_type>(count), GUESSED);
}

template <typename Function>
static void for_each_call(Function function) {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    for (cgraph_edge *call = node->callees; call; call = call->next_callee)
      function(call);
  }
}

// Calls in never-executed blocks do not prove that the callee was executed. Therefore, the counts of these calls are
// zero while GCC searches for functions whose counts were lost. Sets flag_profile_correction, because GCC would
// otherwise warn about each of these functions.
//
// Afterwards, the count of these calls is 1. If the calls were as hot as their blocks, GCC would inline more callees
// into executed functions, where they would take registers from executed code. If the count remained zero, GCC would
// assume that a static function with no other callers is executed at most once.
void estimate_lost_counts() {
  std::vector<cgraph_edge *> guessed;
  for_each_call([&](cgraph_edge *call) {
    if (is_guessed(call->count)) {
      guessed.push_back(call);
      call->count = profile_count::guessed_zero();
    }
  });
  int corrects = flag_profile_correction;
  flag_profile_correction = 1;
  handle_missing_profiles();
  flag_profile_correction = corrects;
  for (cgraph_edge *call : guessed)
    if (call->count == profile_count::guessed_zero())
      call->count = profile_count::from_gcov_type(1, GUESSED);
}

static bool is_called_by_executed_code(cgraph_node *node) {
  for (cgraph_edge *call = node->callers; call; call = call->next_caller) {
    profile_count count = call->count.ipa();
    if (count.nonzero_p() && count.quality() != GUESSED)
      return true;
  }
  return false;
}

void complete_untrained(const std::vector<cgraph_node *> &nodes) {
  for (cgraph_node *node : nodes) {
    tree decl = node->decl;
    if (is_called_by_executed_code(node))
      continue;
    DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl) = options_without_profile(decl);
    DECL_ATTRIBUTES(decl) = tree_cons(get_identifier(never_executed), NULL_TREE, DECL_ATTRIBUTES(decl));
  }
}

namespace {

const pass_data before_partition_pass_data = {
    RTL_PASS, "pathprof-untrained-blocks", OPTGROUP_NONE, TV_NONE, PROP_cfglayout, 0, 0, 0, 0,
};
const pass_data after_partition_pass_data = {
    RTL_PASS, "pathprof-partitioned-blocks", OPTGROUP_NONE, TV_NONE, PROP_cfglayout, 0, 0, 0, 0,
};
const pass_data unroll_pass_data = {
    RTL_PASS, "pathprof-untrained-loops", OPTGROUP_NONE, TV_NONE, PROP_cfglayout, 0, 0, 0, 0,
};
const pass_data before_output_pass_data = {
    RTL_PASS, "pathprof-untrained-functions", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};
const pass_data after_output_pass_data = {
    RTL_PASS, "pathprof-emitted-functions", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

bool is_zero(profile_probability probability) {
  return probability.initialized_p() && probability.guessed() == profile_probability::never().guessed();
}

// Returns true if training did not execute the edge. When GCC translates a switch to a jump table whose cases have
// probability 0, it gives all cases the same probability. The edge's count is then higher than its target's count.
bool is_untrained(edge e) {
  return is_zero(e->probability) ||
         (is_guessed(e->dest->count) && e->count().ipa_p() && e->dest->count.apply_scale(2, 1) < e->count());
}

// Returns the blocks of the current function that training did not execute and that are not known to be cold. Their
// counts are guessed, but GCC also marks other counts as guessed, such as those of a loop that it has vectorised. The
// blocks are therefore those that can be reached only through untrained edges.
std::vector<basic_block> untrained_blocks() {
  std::vector<bool> is_reached(last_basic_block_for_fn(cfun));
  std::vector<basic_block> worklist = {ENTRY_BLOCK_PTR_FOR_FN(cfun)};
  while (!worklist.empty()) {
    basic_block bb = worklist.back();
    worklist.pop_back();
    if (is_reached[bb->index])
      continue;
    is_reached[bb->index] = true;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
      if (!is_untrained(e))
        worklist.push_back(e->dest);
  }
  std::vector<basic_block> untrained;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (!is_reached[bb->index] && is_guessed(bb->count))
      untrained.push_back(bb);
  return untrained;
}

// Returns true if the function was executed, and untrained code is not assumed to be cold.
bool may_contain_untrained_blocks(function *body) {
  return flag_profile_partial_training && profile_status_for_fn(body) == PROFILE_READ;
}

// Clears the counts of never-executed blocks immediately before GCC partitions the blocks of executed functions, and
// restores them immediately afterwards. GCC moves blocks with count zero to the section for unlikely code.
class PartitionPass : public rtl_opt_pass {
public:
  PartitionPass(gcc::context *context, const pass_data &data, bool is_before)
      : rtl_opt_pass(data, context), is_before_(is_before) {}

  bool gate(function *body) final override {
    return flag_reorder_blocks_and_partition && may_contain_untrained_blocks(body);
  }

  unsigned int execute(function *) final override {
    static std::vector<std::pair<basic_block, profile_count>> cleared;
    for (auto [bb, count] : cleared)
      bb->count = count;
    cleared.clear();
    if (is_before_)
      for (basic_block bb : untrained_blocks()) {
        cleared.emplace_back(bb, bb->count);
        bb->count = profile_count::zero();
      }
    return 0;
  }

private:
  bool is_before_;
};

// Prevents GCC from unrolling never-executed loops of executed functions in RTL. A build without a profile does not
// unroll them either, except if they are very small.
class UnrollPass : public rtl_opt_pass {
public:
  explicit UnrollPass(gcc::context *context) : rtl_opt_pass(unroll_pass_data, context) {}

  bool gate(function *body) final override { return may_contain_untrained_blocks(body) && current_loops; }

  unsigned int execute(function *) final override {
    for (basic_block bb : untrained_blocks()) {
      class loop *loop = bb->loop_father;
      if (loop->header == bb && !loop->unroll && num_loop_insns(loop) > kSmallLoop)
        loop->unroll = 1;
    }
    return 0;
  }
};

// Marks a never-executed function as unlikely when all decisions between speed and size have been made, and restores
// its frequency when its code has been emitted. Otherwise, GCC would consider calls of the function unlikely.
class FunctionPass : public rtl_opt_pass {
public:
  FunctionPass(gcc::context *context, const pass_data &data, bool is_before)
      : rtl_opt_pass(data, context), is_before_(is_before) {}

  bool gate(function *body) final override {
    return lookup_attribute(never_executed, DECL_ATTRIBUTES(body->decl)) &&
           !ENTRY_BLOCK_PTR_FOR_FN(body)->count.ipa().nonzero_p();
  }

  unsigned int execute(function *body) final override {
    static node_frequency given;
    cgraph_node *node = cgraph_node::get(body->decl);
    if (is_before_)
      given = node->frequency;
    node->frequency = is_before_ ? NODE_FREQUENCY_UNLIKELY_EXECUTED : given;
    return 0;
  }

private:
  bool is_before_;
};

} // namespace

void register_placement_passes(const char *plugin_name) {
  register_pass(plugin_name, new PartitionPass(g, before_partition_pass_data, true), "bbpart", PASS_POS_INSERT_BEFORE);
  register_pass(plugin_name, new PartitionPass(g, after_partition_pass_data, false), "bbpart");
  register_pass(plugin_name, new UnrollPass(g), "loop2_unroll", PASS_POS_INSERT_BEFORE);
  register_pass(plugin_name, new FunctionPass(g, before_output_pass_data, true), "shorten", PASS_POS_INSERT_BEFORE);
  register_pass(plugin_name, new FunctionPass(g, after_output_pass_data, false), "final");
}

} // namespace pathprof
