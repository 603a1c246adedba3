// SPDX-License-Identifier: GPL-3.0-or-later
// Provides the names of declarations. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_NAMES_H
#define PATHPROF_PLUGIN_GCC_NAMES_H

namespace pathprof {

// Returns the assembler name of a declaration, or the source name if there is no assembler name. If the assembler name
// comes from an asm label, strips the '*' that GCC puts in front of this name.
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
