// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens demangled C++ names to the form in which people write them.
#ifndef PATHPROF_PATHDUMP_UI_CXX_NAMES_H
#define PATHPROF_PATHDUMP_UI_CXX_NAMES_H

#include <string>

namespace pathprof {

// Level of detail of a function's name. At all levels except Full, types are shortened: the C++ library's default
// template arguments, inline namespaces and ABI tags are removed. For example, "std::__cxx11::basic_string<char,
// std::char_traits<char>, std::allocator<char> >" becomes "std::string".
enum class NameDetail {
  Short,      // without result type; long parameter lists become "(...)"
  Parameters, // without result type
  Types,      // with result type
  Full,       // unchanged output of the demangler
};
// Returns the name at the given level of detail, or the unchanged text if it cannot be parsed.
std::string cxx_name(const std::string &demangled, NameDetail detail);

} // namespace pathprof

#endif
