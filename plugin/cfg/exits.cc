// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes calls of _exit, abort, exec and similar functions.
#include "plugin/cfg/exits.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/library_calls.h"

namespace pathprof {

// Returns true if the function is a built-in that terminates or replaces the program. GCC recognizes a built-in even if
// a header gives it a different assembler name.
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

// Returns true if the function has the name of a library function that terminates or replaces the program. The list of
// names also contains built-ins, because GCC does not recognize built-ins with -fno-builtin. It contains daemon(),
// because the process that calls daemon() ends inside the library.
static bool has_name_of_end(tree decl) {
  return has_library_name(decl, {"_exit", "_Exit", "abort", "execl", "execle", "execlp", "execv", "execve", "execvp",
                                 "execvpe", "fexecve", "execveat", "__assert_fail", "__assert_perror_fail",
                                 "_ZSt9terminatev", "daemon", "__assert"});
}

bool is_sudden_end(gimple *statement) {
  tree decl = called_in_library(statement);
  return decl && (is_builtin_end(decl) || has_name_of_end(decl));
}

bool may_not_return(gimple *statement) {
  return stmt_can_terminate_bb_p(statement) || may_execute(statement);
}

bool may_execute(gimple *statement) {
  return is_sudden_end(statement) && !(gimple_call_flags(statement) & ECF_NORETURN);
}

} // namespace pathprof
