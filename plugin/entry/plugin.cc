// SPDX-License-Identifier: GPL-3.0-or-later
// Initialises the plugin. The loader (loader.cc) calls this code after it has verified that the versions of GCC match.
#include "plugin/options/read.h"
#include "plugin/emit/unit.h"
#include "plugin/entry/pass.h"

#include "plugin/gcc/gcc.h"

using namespace pathprof;

// Returns true if programs for the selected target can be profiled. The x86-64 compiler's option -m32 is rejected,
// because the runtime for these programs belongs to the cross compiler. Freestanding programs need no such runtime.
static bool is_supported_target([[maybe_unused]] const Arguments &arguments) {
#ifdef PATHPROF_IS_X86
  if (TARGET_64BIT_DEFAULT && POINTER_SIZE != 64 && !arguments.function.is_freestanding) {
    error("pathprof: only 64-bit code is supported with this compiler; for 32-bit code, use a cross compiler such as "
          "i686-linux-gnu-gcc");
    return false;
  }
#endif
  // On POWER, GCC sets the size, 32 or 64, only after it has loaded the plugins.
  if (POINTER_SIZE != 0 && POINTER_SIZE != 64 && POINTER_SIZE != 32) {
    error("pathprof: only targets with pointers of 32 or 64 bits are supported");
    return false;
  }
  return true;
}

extern "C" __attribute__((visibility("default"))) int pathprof_init(plugin_name_args *given) {
  static plugin_info info = {
      "0.1.0",
      "pathprof: Ball-Larus path profiling\n"
      "  -fplugin-arg-pathprof-KEY=VALUE; see pathprof-plugin(7)\n",
  };
  register_callback(given->base_name, PLUGIN_INFO, nullptr, &info);
  Arguments arguments;
  // No message is needed, because read_arguments has already reported the error.
  if (!read_arguments(*given, arguments))
    return 0;
  if (!is_supported_target(arguments))
    return 0;
  keep_variables_out_of_blocks();
  register_pass_for(given->base_name, arguments);
  return 0;
}
