// SPDX-License-Identifier: GPL-3.0-or-later
// Creates and removes instrumented clones of functions (switch=1).
#include "plugin/gcc/instrumented_clone.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/copying.h"
#include "plugin/gcc/scope.h"

#include "except.h"
#include "tree-inline.h"

namespace pathprof {

// The garbage collector does not free the declarations in the two maps, because the call graph references them while
// functions are compiled.
static std::unordered_map<tree, tree> instrumented_versions, plain_versions;

static tree found_in(const std::unordered_map<tree, tree> &versions, tree decl) {
  auto found = versions.find(decl);
  return found == versions.end() ? NULL_TREE : found->second;
}

tree instrumented_clone_of(tree decl) {
  return found_in(instrumented_versions, decl);
}

tree uninstrumented_original_of(tree decl) {
  return found_in(plain_versions, decl);
}

tree source_function_of(tree decl) {
  tree plain = uninstrumented_original_of(decl);
  return plain ? plain : decl;
}

// Returns true if a jump that is unknown to GCC may be inserted at the start of the function. This is impossible with
// GCC's own profiler and with split stacks, which insert calls at the start of each function.
static bool may_begin_with_jump(cgraph_node *node) {
#ifdef PATHPROF_IS_X86
  tree decl = node->decl;
  return TARGET_64BIT && opt_for_fn(decl, optimize) && !profile_flag && !flag_split_stack && ix86_cmodel != CM_LARGE &&
         ix86_cmodel != CM_LARGE_PIC && !lookup_attribute("naked", DECL_ATTRIBUTES(decl)) && !node->tm_clone &&
         !DECL_STATIC_CONSTRUCTOR(decl) && !DECL_STATIC_DESTRUCTOR(decl);
#else
  (void)node;
  return false;
#endif
}

static bool has_symbols_of_its_own() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (gasm *assembler = dyn_cast<gasm *>(gsi_stmt(gsi)); assembler && may_define_symbol(assembler))
        return true;
  return false;
}

// Returns true if the function catches exceptions by type. GCC cannot copy the handlers of these exceptions, because it
// has already numbered the types.
static bool catches_by_type() {
  eh_region region;
  FOR_ALL_EH_REGION(region)
    if (region->type == ERT_TRY || region->type == ERT_ALLOWED_EXCEPTIONS)
      return true;
  return false;
}

static std::vector<basic_block> blocks_of(function *body) {
  std::vector<basic_block> blocks;
  basic_block bb;
  FOR_EACH_BB_FN(bb, body)
    blocks.push_back(bb);
  return blocks;
}

// Gives the blocks of the copy the same indices as in the original, so that the paths are the same as without switch=1.
// First, merges the empty block that GCC adds at the start of the copy with its successor.
static void number_blocks_as_in(function *original) {
  basic_block first = single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)), second = single_succ(first);
  if (!can_merge_blocks_p(first, second))
    return;
  merge_blocks(first, second);
  compact_blocks();
  std::vector<basic_block> blocks = blocks_of(cfun), numbered = blocks_of(original);
  if (blocks.size() != numbered.size())
    return;
  unsigned end = static_cast<unsigned>(last_basic_block_for_fn(original));
  if (basic_block_info_for_fn(cfun)->length() < end)
    vec_safe_grow_cleared(basic_block_info_for_fn(cfun), end, true);
  for (unsigned index = NUM_FIXED_BLOCKS; index < basic_block_info_for_fn(cfun)->length(); index++)
    SET_BASIC_BLOCK_FOR_FN(cfun, index, nullptr);
  for (size_t i = 0; i < blocks.size(); i++) {
    blocks[i]->index = numbered[i]->index;
    SET_BASIC_BLOCK_FOR_FN(cfun, blocks[i]->index, blocks[i]);
  }
  last_basic_block_for_fn(cfun) = static_cast<int>(end);
}

static std::vector<gcall *> calls_of(function *body) {
  std::vector<gcall *> calls;
  basic_block bb;
  FOR_EACH_BB_FN(bb, body)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
        calls.push_back(call);
  return calls;
}

// Restores the tail-call flags of calls in the copy. GCC clears these flags when it copies the body.
static void mark_tail_calls_as_in(function *original, function *copy) {
  std::vector<gcall *> calls = calls_of(original), copies = calls_of(copy);
  if (calls.size() == copies.size())
    for (size_t i = 0; i < calls.size(); i++)
      gimple_call_set_tail(copies[i], gimple_call_tail_p(calls[i]));
}

cgraph_node *make_instrumented_clone(cgraph_node *node) {
  if (!may_begin_with_jump(node) || !tree_versionable_function_p(node->decl) || has_symbols_of_its_own() ||
      catches_by_type())
    return nullptr;
  cgraph_edge::rebuild_edges();
  cgraph_node *version =
      node->create_version_clone_with_body(vNULL, nullptr, nullptr, nullptr, nullptr, "counted", NULL_TREE);
  if (!version)
    return nullptr;
  version->local = false; // The clone has the same calling convention as the original function.
  version->force_output = true;
  if (node->get_comdat_group())
    version->add_to_same_comdat_group(node);
  function *original = cfun, *body = DECL_STRUCT_FUNCTION(version->decl);
  body->tail_call_marked = original->tail_call_marked;
  body->last_clique = std::max(body->last_clique, original->last_clique); // Some references keep their cliques.
  mark_tail_calls_as_in(original, body);
  FunctionScope scope(version);
  number_blocks_as_in(original);
  instrumented_versions[node->decl] = version->decl;
  plain_versions[version->decl] = node->decl;
  return version;
}

void remove_instrumented_clone(cgraph_node *version) {
  instrumented_versions.erase(uninstrumented_original_of(version->decl));
  plain_versions.erase(version->decl);
  {
    FunctionScope scope(version);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
  }
  version->remove();
}

void mark_clone_cold() {
  basic_block bb;
  FOR_ALL_BB_FN(bb, cfun)
    bb->count = profile_count::zero();
  cgraph_node::get(cfun->decl)->frequency = NODE_FREQUENCY_UNLIKELY_EXECUTED;
}

} // namespace pathprof
