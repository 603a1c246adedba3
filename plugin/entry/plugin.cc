// SPDX-License-Identifier: GPL-3.0-or-later
// Initialises the plugin. The loader (loader.cc) calls this code after it has verified that the versions of GCC match.
#include "plugin/options/read.h"
#include "plugin/entry/pass.h"

#include "plugin/gcc/gcc.h"

using namespace pathprof;

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
  if (POINTER_SIZE != 64 && !(POINTER_SIZE == 32 && arguments.function.is_freestanding)) {
    error("pathprof: only 64-bit targets and 32-bit freestanding targets are supported");
    return 0;
  }
  register_pass_for(given->base_name, arguments);
  return 0;
}
