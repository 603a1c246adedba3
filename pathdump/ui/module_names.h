// SPDX-License-Identifier: GPL-3.0-or-later
// Names of entities that are attached to C++20 modules, which demanglers older than GCC 13's do not know.
//
// In `_ZW6shapesW5round4areai`, the function area of the module shapes.round, each W and the identifier behind it count
// as a component that substitutions refer to, as scopes do. So such a name is demangled as if the module's parts were
// scopes with a mark, and they are put behind the name afterwards: "area@shapes.round(int)".
#ifndef PATHPROF_PATHDUMP_UI_MODULE_NAMES_H
#define PATHPROF_PATHDUMP_UI_MODULE_NAMES_H

#include <string>

namespace pathprof {

// Returns the mangled name with the parts of modules as marked scopes; an empty text if it has none.
std::string with_modules_as_scopes(const std::string &mangled);

// Returns "initializer for module shapes.round" if the mangled name is that of such a function, or an empty text.
std::string module_initializer(const std::string &mangled);

// Returns the demangled form of such a name with the modules behind the names.
std::string with_modules_behind_names(const std::string &demangled);

} // namespace pathprof

#endif
