// SPDX-License-Identifier: GPL-3.0-or-later
// C++ names as people write them, out of those that a demangler gives.
#ifndef PATHPROF_PATHDUMP_UI_CXX_NAMES_H
#define PATHPROF_PATHDUMP_UI_CXX_NAMES_H

#include <string>

namespace pathprof {

// How much of a function's name is shown, from little to all of it.  Types are short ones, unless it is shown in full:
// template arguments are left out that are the defaults of the C++ library, its inline namespaces and ABI tags are
// dropped, and "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >" is "std::string".
enum class NameDetail {
  Short,      // without the result's type; "(...)" for parameters that make it too long for a column
  Parameters, // without the result's type
  Types,      // with the result's type
  Full,       // as the demangler gives it
};
// A text that is not understood stays as it is.
std::string cxx_name(const std::string &demangled, NameDetail detail);

} // namespace pathprof

#endif
