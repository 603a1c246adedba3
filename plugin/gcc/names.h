// SPDX-License-Identifier: GPL-3.0-or-later
// Names of declarations.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_NAMES_H
#define PATHPROF_PLUGIN_GCC_NAMES_H

namespace pathprof {

// The assembler name where there is one (without the mark of an asm label), else the source name.
static inline const char *name_of(tree decl) {
  if (!decl || !DECL_P(decl))
    return "";
  tree name =
      HAS_DECL_ASSEMBLER_NAME_P(decl) && DECL_ASSEMBLER_NAME_SET_P(decl) ? DECL_ASSEMBLER_NAME(decl) : DECL_NAME(decl);
  const char *text = name ? IDENTIFIER_POINTER(name) : "";
  return *text == '*' ? text + 1 : text;
}

} // namespace pathprof

#endif
