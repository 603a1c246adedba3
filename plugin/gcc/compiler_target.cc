// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the compiler's target from the arguments of the configure script that are compiled into GCC.
#include "plugin/gcc/compiler_target.h"

#include <string>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// A compiler that was configured without --target compiles for the machine on which it was built.
bool compiler_has_operating_system() {
  static const std::string option = "--target=";
  std::string arguments = configuration_arguments;
  size_t start = arguments.find(option);
  if (start == std::string::npos)
    return true;
  std::string target = arguments.substr(start, arguments.find(' ', start) - start);
  return target.find("linux") != std::string::npos;
}

} // namespace pathprof
