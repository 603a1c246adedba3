// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/versions.h"

#include <unordered_map>

#include "plugin/cfg/two_bodies.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/copying.h"
#include "plugin/gcc/scope.h"

#include "tree-inline.h"

namespace pathprof {

// The call graph keeps these declarations for as long as functions are compiled.
static std::unordered_map<tree, tree> instrumented_versions, plain_versions;

static tree found_in(const std::unordered_map<tree, tree> &versions, tree decl) {
  auto found = versions.find(decl);
  return found == versions.end() ? NULL_TREE : found->second;
}

tree instrumented_version_of(tree decl) {
  return found_in(instrumented_versions, decl);
}

tree plain_version_of(tree decl) {
  return found_in(plain_versions, decl);
}

tree written_version_of(tree decl) {
  tree plain = plain_version_of(decl);
  return plain ? plain : decl;
}

// Whether the beginning of the function's code may be a jump that nothing knows of: GCC's own profiler and split stacks
// have code there that calls belong to.
static bool may_begin_with_jump(cgraph_node *node) {
#ifdef PATHPROF_HAS_ENTRY_TESTS
  tree decl = node->decl;
  return opt_for_fn(decl, optimize) && !profile_flag && !flag_split_stack && ix86_cmodel != CM_LARGE &&
         ix86_cmodel != CM_LARGE_PIC && !lookup_attribute("naked", DECL_ATTRIBUTES(decl)) &&
         !MAIN_NAME_P(DECL_NAME(decl)) && !node->tm_clone && !DECL_STATIC_CONSTRUCTOR(decl) &&
         !DECL_STATIC_DESTRUCTOR(decl);
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

static bool can_have_version(cgraph_node *node) {
  FunctionScope scope(node);
  return tree_versionable_function_p(node->decl) && !has_symbols_of_its_own() && !has_loop_that_may_run_long();
}

static void stand_behind(symtab_node *node, symtab_node *before) {
  if (node->next)
    node->next->previous = node->previous;
  if (node->previous)
    node->previous->next = node->next;
  else
    symtab->nodes = static_cast<symtab_node *>(node->next);
  node->previous = before;
  node->next = before->next;
  before->next = node;
  if (node->next)
    node->next->previous = node;
}

static void stand_behind(cgraph_edge *edge, cgraph_edge *before) {
  if (edge->next_caller)
    edge->next_caller->prev_caller = edge->prev_caller;
  (edge->prev_caller ? edge->prev_caller->next_caller : edge->callee->callers) = edge->next_caller;
  edge->prev_caller = before;
  edge->next_caller = before->next_caller;
  before->next_caller = edge;
  if (edge->next_caller)
    edge->next_caller->prev_caller = edge;
}

// GCC compiles functions after those that they call, because it then knows which registers these change; otherwise in
// the reverse of the order in which it comes upon them (ipa_reverse_postorder).  So it is to come upon the version
// after the plain one, in its list of functions, where those with an address are last, and in each list of callers.
static void let_compile_before(cgraph_node *version, cgraph_node *node) {
  version->address_taken = true;
  stand_behind(version, node);
  std::unordered_map<cgraph_node *, cgraph_edge *> calls;
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    calls[call->callee] = call;
  for (cgraph_edge *call = version->callees; call; call = call->next_callee)
    if (auto found = calls.find(call->callee); found != calls.end())
      stand_behind(call, found->second);
}

void make_instrumented_version(cgraph_node *node) {
  if (!may_begin_with_jump(node))
    return;
  node->get_body(); // with what is inlined into it
  if (!can_have_version(node))
    return;
  cgraph_node *version =
      node->create_version_clone_with_body(vNULL, nullptr, nullptr, nullptr, nullptr, "counted", NULL_TREE);
  if (!version)
    return;
  version->local = false; // its arguments are where those of the plain one are
  version->force_output = true;
  if (node->get_comdat_group())
    version->add_to_same_comdat_group(node);
  let_compile_before(version, node);
  instrumented_versions[node->decl] = version->decl;
  plain_versions[version->decl] = node->decl;
}

void mark_version_cold() {
  basic_block bb;
  FOR_ALL_BB_FN(bb, cfun)
    bb->count = profile_count::zero();
  cgraph_node::get(cfun->decl)->frequency = NODE_FREQUENCY_UNLIKELY_EXECUTED;
}

} // namespace pathprof
