// SPDX-License-Identifier: GPL-3.0-or-later
// Reads direct calls from GIMPLE.
#include "plugin/cfg/direct_calls.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "plugin/gcc/expansion.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

// Returns the name under which the callee's paths are recorded. If the callee is an alias of a function in this unit,
// this is the name of that function.
static const char *callee_name(tree decl) {
  cgraph_node *node = cgraph_node::get(decl);
  if (!node || node->thunk)
    return name_of(decl);
  availability available;
  cgraph_node *callee = node->ultimate_alias_target(&available);
  return name_of(callee && available > AVAIL_INTERPOSABLE ? callee->decl : decl);
}

// Returns true if GCC may expand the call inline because it calls a built-in library function. Returns false if this
// unit defines the function.
static bool is_no_call(gcall *call, tree decl) {
  cgraph_node *node = cgraph_node::get(decl);
  return fndecl_built_in_p(decl) && !(node && node->definition) && becomes_code(call, decl);
}

using Shared = std::shared_ptr<const std::string>;

static Shared name_in(std::map<std::string, Shared> &names, const char *name) {
  Shared &known = names[name];
  if (!known)
    known = std::make_shared<const std::string>(name);
  return known;
}

std::vector<DirectCall> read_direct_calls() {
  std::vector<DirectCall> calls;
  std::map<std::string, Shared> names;
  for (int index = NUM_FIXED_BLOCKS; index < last_basic_block_for_fn(cfun); index++) {
    basic_block bb = BASIC_BLOCK_FOR_FN(cfun, index);
    for (gimple_stmt_iterator gsi = bb ? gsi_start_bb(bb) : gsi_none(); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
      tree decl = call && !gimple_call_internal_p(call) ? gimple_call_fndecl(call) : NULL_TREE;
      if (decl && !is_no_call(call, decl))
        calls.push_back({static_cast<uint32_t>(index), outermost_line(call), name_in(names, callee_name(decl))});
    }
  }
  return calls;
}

} // namespace pathprof
