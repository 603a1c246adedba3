// SPDX-License-Identifier: GPL-3.0-or-later
// Hides the differences between the supported GCC versions, 11 to 16. Only plugin/gcc/gcc.h includes this file.
#ifndef PATHPROF_PLUGIN_GCC_COMPAT_H
#define PATHPROF_PLUGIN_GCC_COMPAT_H

#ifndef GCCPLUGIN_VERSION_MAJOR
#error "GCC's plugin-version.h is missing"
#endif
#if GCCPLUGIN_VERSION_MAJOR < 11
#error "pathprof requires GCC 11 or later"
#endif

#if GCCPLUGIN_VERSION_MAJOR >= 12
#include "gcov-io.h"
#else
// The required declarations of gcov-io.h are repeated here, because in GCC 11 this header includes a file that is not
// installed.
using gcov_unsigned_t = unsigned;
struct gcov_summary {
  gcov_unsigned_t runs;
  gcov_type sum_max;
};
#endif

// GCC's own function in GCC 12 and later.
#if GCCPLUGIN_VERSION_MAJOR < 12
inline bool startswith(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}
#endif

// True if the pass warn-printf initialises the loop optimiser, which adds blocks to loops.
constexpr bool kWarnPrintfAddsBlocks = GCCPLUGIN_VERSION_MAJOR >= 12;

// Computes value ranges along a path, which is given as a list of blocks in reverse order. path_range_query exists in
// GCC 12 and later. GCC 12 requires an explicit call to compute_ranges, whereas later versions compute ranges on
// demand.
#if GCCPLUGIN_VERSION_MAJOR >= 12
#define PATHPROF_HAS_PATH_RANGES
#include "value-range.h"
#include "value-relation.h"
#include "gimple-range.h"
#include "gimple-range-path.h"

class CompatPathRanges : public path_range_query {
public:
#if GCCPLUGIN_VERSION_MAJOR >= 13
  CompatPathRanges(gimple_ranger &ranger, const vec<basic_block> &path) : path_range_query(ranger, path) {}
#else
  CompatPathRanges(gimple_ranger &ranger, const vec<basic_block> &path) : path_range_query(true, &ranger) {
    compute_ranges(path);
  }
#endif
};
#endif

// Headers that ipa-prop.h requires.
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "value-range.h"
#include "sreal.h"
#if GCCPLUGIN_VERSION_MAJOR >= 14
#include "ipa-cp.h"
#endif

#if GCCPLUGIN_VERSION_MAJOR >= 16
#define COMPAT_DK_UNSPECIFIED static_cast<int>(diagnostics::kind::unspecified)
#else
#define COMPAT_DK_UNSPECIFIED DK_UNSPECIFIED
#endif

// The flag that -w sets to suppress warnings. Requires diagnostic.h.
#if GCCPLUGIN_VERSION_MAJOR >= 14
#define COMPAT_INHIBITS_WARNINGS global_dc->m_inhibit_warnings
#else
#define COMPAT_INHIBITS_WARNINGS global_dc->dc_inhibit_warnings
#endif

// Returns true if the indirect call is a call to a virtual function.
static inline bool compat_is_polymorphic(cgraph_indirect_call_info *info) {
#if GCCPLUGIN_VERSION_MAJOR >= 16
  return is_a<cgraph_polymorphic_indirect_info *>(info);
#else
  return info->polymorphic;
#endif
}

// Features of the target. The include guards of GCC's target headers identify the target; OPTION_MASK_ISA_64BIT exists
// only for x86.
//
//   PATHPROF_IS_X86          thread segments, calls that preserve registers, and switch checks at function entries
//   PATHPROF_ORDERS_LOADS    true if the processor executes loads in program order, and each load of 8 bytes at once
//   PATHPROF_READ_CLOCK      assembler template that reads the clock for metric=tsc into operand 0, which has the
//                            constraint PATHPROF_CLOCK_CONSTRAINT; on x86, read_time_stamp in plugin/emit/clock.cc
//   PATHPROF_HAS_TIME_STAMPS programs can read the clock
#if defined OPTION_MASK_ISA_64BIT
#define PATHPROF_IS_X86
#define PATHPROF_ORDERS_LOADS (TARGET_64BIT != 0)
#define PATHPROF_HAS_TIME_STAMPS
#elif defined GCC_AARCH64_H
#define PATHPROF_READ_CLOCK "mrs\t%0, cntvct_el0"
#elif defined GCC_RISCV_H
#define PATHPROF_READ_CLOCK "rdtime\t%0"
#elif defined _S390_H
#define PATHPROF_ORDERS_LOADS true
#define PATHPROF_READ_CLOCK "stckf\t%0"
#define PATHPROF_CLOCK_CONSTRAINT "=Q"
#elif defined RS6000_MODES_H
#define PATHPROF_READ_CLOCK "mftb\t%0"
#endif
#ifndef PATHPROF_ORDERS_LOADS
#define PATHPROF_ORDERS_LOADS false
#endif
#ifdef PATHPROF_READ_CLOCK
#define PATHPROF_HAS_TIME_STAMPS
#ifndef PATHPROF_CLOCK_CONSTRAINT
#define PATHPROF_CLOCK_CONSTRAINT "=r"
#endif
#endif

// Discards GCC's summaries of the memory that functions access.
static inline void compat_forget_modref_summaries() {
#if GCCPLUGIN_VERSION_MAJOR >= 12
  ipa_modref_cc_finalize();
#else
  ipa_modref_c_finalize();
#endif
}

// Returns the part of a location that GCC's coverage pass compares. In GCC 16 and later, this part excludes ranges and
// discriminators.
static inline location_t compat_position(location_t location) {
#if GCCPLUGIN_VERSION_MAJOR >= 16
  return get_pure_location(location);
#else
  return location;
#endif
}

// Returns the last statement of a block, not counting debug statements.
static inline gimple *compat_last_stmt(basic_block bb) {
#if GCCPLUGIN_VERSION_MAJOR >= 14
  return *gsi_last_nondebug_bb(bb);
#else
  return last_stmt(bb);
#endif
}

// Builds a condition for use as the first operand of a COND_EXPR in an assignment. GCC 13 and later require a separate
// assignment for the condition. The condition must not be used anywhere else. Otherwise, GCC would not expand the
// assignment to a comparison and a conditional move.
static inline tree compat_condition(gimple_seq *seq, tree_code code, tree a, tree b) {
#if GCCPLUGIN_VERSION_MAJOR >= 13
  tree condition = create_tmp_reg(boolean_type_node);
  gimple_seq_add_stmt(seq, gimple_build_assign(condition, code, a, b));
  return condition;
#else
  (void)seq;
  return build2(code, boolean_type_node, a, b);
#endif
}

// Returns a copy of the function with different parameters. In GCC 12 and later, create_version_clone_with_body has an
// additional parameter that controls whether the return value is dropped.
static inline cgraph_node *compat_clone(cgraph_node *node, ipa_param_adjustments *adjustments, const char *suffix) {
#if GCCPLUGIN_VERSION_MAJOR >= 12
  return node->create_version_clone_with_body(vNULL, nullptr, adjustments, nullptr, nullptr, suffix, NULL_TREE, false);
#else
  return node->create_version_clone_with_body(vNULL, nullptr, adjustments, nullptr, nullptr, suffix, NULL_TREE);
#endif
}

// Discards a function's body and the information derived from it, but keeps the function in its comdat group. GCC 13
// always removes the function from the group. Older versions never do this, and newer versions have a parameter for it.
static inline void compat_reset(cgraph_node *node) {
#if GCCPLUGIN_VERSION_MAJOR >= 14
  node->reset(true);
#else
  tree group = node->get_comdat_group();
  symtab_node *neighbour = node->same_comdat_group;
  node->reset();
  if (group && !node->get_comdat_group())
    node->set_comdat_group(group);
  if (neighbour && !node->same_comdat_group)
    node->add_to_same_comdat_group(neighbour);
#endif
}

// Inserts a copy of a loop's body before the loop header. `entry` is the edge that enters the loop.
static inline bool compat_peel(class loop *loop, edge entry, sbitmap wont_exit, int flags) {
#if GCCPLUGIN_VERSION_MAJOR >= 12
  return gimple_duplicate_loop_body_to_header_edge(loop, entry, 1, wont_exit, NULL, NULL, flags);
#else
  return gimple_duplicate_loop_to_header_edge(loop, entry, 1, wont_exit, NULL, NULL, flags);
#endif
}

// Calls `visit` for each loop in `cfun`.
template <typename Visit>
static inline void compat_for_each_loop(Visit visit) {
#if GCCPLUGIN_VERSION_MAJOR >= 12
  for (class loop *loop : loops_list(cfun, 0))
    visit(loop);
#else
  class loop *loop;
  FOR_EACH_LOOP(loop, 0)
    visit(loop);
#endif
}

// Returns the location of the macro's expansion.
static inline location_t compat_expansion_point(const line_map_macro *map) {
#if GCCPLUGIN_VERSION_MAJOR >= 14
  return map->get_expansion_point_location();
#else
  return MACRO_MAP_EXPANSION_POINT_LOCATION(map);
#endif
}

// Defined in optabs-query.cc. The header that declares the function includes a file that is not installed.
extern bool can_compare_and_swap_p(machine_mode mode, bool allow_libcall);

// Returns true if the target can replace an integer of this mode atomically without calling a library function.
static inline bool compat_has_inline_swap(machine_mode mode) {
  return can_compare_and_swap_p(mode, false);
}

// Runs GCC's IL verifiers. In GCC 13 and later, verify_gimple_in_cfg has an additional parameter.
static inline void compat_verify_function() {
  verify_flow_info();
#if GCCPLUGIN_VERSION_MAJOR >= 13
  verify_gimple_in_cfg(cfun, false, true);
#else
  verify_gimple_in_cfg(cfun, false);
#endif
  if (gimple_in_ssa_p(cfun))
    verify_ssa(true, false);
}

#endif
