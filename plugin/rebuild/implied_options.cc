// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the options that -fprofile-use implies. GCC's own option handler sets these options, so the set of options is
// correct for every version of GCC.
#include "plugin/rebuild/implied_options.h"

#include <map>

#include "plugin/rebuild/changed_options.h"

#include "diagnostic.h"

namespace pathprof {

// The options before the implied options were set, by the options afterwards.
static std::map<tree, tree> without_implied;

// Modifies the current options.
static void set_implied(bool has_values) {
  // If indirect calls were not profiled, keep GCC's speculation about their targets.
  int guesses_calls = flag_devirtualize_speculatively;
  int values = flag_profile_values, transformations = flag_value_profile_transformations;
  cl_decoded_option option = {};
  option.opt_index = OPT_fprofile_use;
  option.value = 1;
  common_handle_option(&global_options, &global_options_set, &option, 0, COMPAT_DK_UNSPECIFIED, UNKNOWN_LOCATION,
                       nullptr, global_dc, nullptr);
  if (!has_values) {
    flag_devirtualize_speculatively = guesses_calls;
    flag_profile_values = values;
    flag_value_profile_transformations = transformations;
  }
  // Code that training did not execute is cold only if the user says so.
  if (!global_options_set.x_flag_profile_partial_training)
    flag_profile_partial_training = 1;
  // Set flag_branch_probabilities even if the user has disabled it. Otherwise, some GCC passes would report valid
  // counts as errors.
  flag_branch_probabilities = 1;
  // GCC itself derives flag_cunroll_grow_size from other options only after it has processed all options.
  if (!global_options_set.x_flag_cunroll_grow_size)
    flag_cunroll_grow_size |= flag_unroll_loops || flag_peel_loops;
}

void set_implied_options(bool has_values) {
  ChangedOptions implied([has_values] { set_implied(has_values); });
  auto set_in = [&implied](tree &options) {
    tree old = options;
    options = implied.of(old);
    without_implied.emplace(options, old);
  };
  set_in(optimization_default_node);
  optimization_current_node = optimization_default_node;
  restore_default_options();
  cgraph_node *node;
  FOR_EACH_FUNCTION(node) {
    tree &options = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(node->decl);
    if (options)
      set_in(options);
  }
}

// Returns the function's options before set_implied_options, or null if the options have been changed since.
static tree without_profile(tree decl) {
  tree options = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl);
  auto without = without_implied.find(options ? options : optimization_default_node);
  return without == without_implied.end() ? NULL_TREE : without->second;
}

tree options_without_profile(tree decl) {
  static ChangedOptions in_one_section([] { flag_reorder_blocks_and_partition = 0; });
  tree options = without_profile(decl);
  return options ? in_one_section.of(options) : DECL_FUNCTION_SPECIFIC_OPTIMIZATION(decl);
}

bool vectorises_without_profile(tree decl) {
  tree options = without_profile(decl);
  return !options || (TREE_OPTIMIZATION(options)->x_flag_tree_loop_vectorize &&
                      TREE_OPTIMIZATION(options)->x_flag_vect_cost_model != VECT_COST_MODEL_VERY_CHEAP);
}

} // namespace pathprof
