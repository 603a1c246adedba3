// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/exits.h"

#include <cstring>

#include "plugin/gcc.h"

namespace pathprof {

// GCC knows these whatever name a header redirects them to.
static bool is_builtin_end(tree decl) {
  if (!fndecl_built_in_p(decl, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE(decl)) {
  case BUILT_IN_ABORT:
  case BUILT_IN__EXIT:
  case BUILT_IN__EXIT2:
  case BUILT_IN_EXECL:
  case BUILT_IN_EXECLE:
  case BUILT_IN_EXECLP:
  case BUILT_IN_EXECV:
  case BUILT_IN_EXECVE:
  case BUILT_IN_EXECVP:
    return true;
  default:
    return false;
  }
}

// The rest, and all of them under -fno-builtin.
static bool has_name_of_end(tree decl) {
  static const char *const names[] = {
      "_exit",           "_Exit",  "abort",   "execl",   "execle",   "execlp",        "execv",
      "execve",          "execvp", "execvpe", "fexecve", "execveat", "__assert_fail", "__assert_perror_fail",
      "_ZSt9terminatev",
  };
  if (!DECL_ASSEMBLER_NAME_SET_P(decl) && !HAS_DECL_ASSEMBLER_NAME_P(decl))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
  name += *name == '*';
  for (const char *known : names)
    if (strcmp(name, known) == 0)
      return true;
  return false;
}

// A function that the program defines itself, or that is local to the unit, is not libc's.
static bool is_sudden_end(gimple *statement) {
  tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return decl && TREE_PUBLIC(decl) && DECL_EXTERNAL(decl) && !gimple_has_body_p(decl) &&
         (is_builtin_end(decl) || has_name_of_end(decl));
}

bool may_not_return(gimple *statement) {
  return stmt_can_terminate_bb_p(statement) || may_execute(statement);
}

bool may_execute(gimple *statement) {
  return is_sudden_end(statement) && !(gimple_call_flags(statement) & ECF_NORETURN);
}

void SuddenEnds::find(cgraph_node *node) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (is_sudden_end(gsi_stmt(gsi)))
        calls_.emplace_back(node, gsi_stmt(gsi));
}

void SuddenEnds::insert_flushes(const RuntimeFunctions &runtime) const {
  for (auto [node, call] : calls_) {
    push_cfun(DECL_STRUCT_FUNCTION(node->decl));
    gimple *statement = gimple_build_call(runtime.flush, 0);
    gimple_set_location(statement, gimple_location(call));
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    gsi_insert_before(&gsi, statement, GSI_SAME_STMT);
    pop_cfun();
  }
}

} // namespace pathprof
