// SPDX-License-Identifier: GPL-3.0-or-later
// Demangles names of entities that are attached to C++20 modules, which demanglers before GCC 13 do not support.
//
// In `_ZW6shapesW5round4areai`, the function `area` of the module `shapes.round`, each W with its identifier is a
// component to which substitutions can refer, as for a scope. Each component of the module is therefore rewritten as a
// scope whose name has a special prefix. After demangling, these scopes are removed and the module is appended to the
// name: "area@shapes.round(int)".
#ifndef PATHPROF_PATHDUMP_UI_MODULE_NAMES_H
#define PATHPROF_PATHDUMP_UI_MODULE_NAMES_H

#include <string>

namespace pathprof {

// Returns the mangled name with module components rewritten as marked scopes, or an empty string if the name contains
// no module.
std::string with_modules_as_scopes(const std::string &mangled);

// Returns "initializer for module shapes.round" if the name is that of a module initializer, and an empty string
// otherwise.
std::string module_initializer(const std::string &mangled);

// Removes the marked scopes from a demangled name, and appends the module to the name.
std::string with_modules_behind_names(const std::string &demangled);

} // namespace pathprof

#endif
