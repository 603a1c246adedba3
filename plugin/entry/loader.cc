// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the plugin. GCC loads this file, which compares the versions of GCC and then loads pathprof-passes.so from the
// same directory.
//
// The plugin itself refers to functions of the compiler. If the plugin is used with a different compiler, the dynamic
// linker reports only a missing symbol. The loader needs no such symbols and can report the cause.
#include <cstdio>
#include <cstring>
#include <string>

#include <dlfcn.h>

#include "gcc-plugin.h"
#include "plugin-version.h"

extern "C" {
__attribute__((visibility("default"))) int plugin_is_GPL_compatible;
__attribute__((visibility("default"))) int plugin_init(plugin_name_args *given, plugin_gcc_version *running);
}

// Reports a fatal error through the compiler's fatal_error function. If this function is not available, prints the
// error to standard error and returns.
static void fatal(const std::string &message) {
  using FatalError = void (*)(unsigned, const char *, ...);
  // void fatal_error (location_t, const char *, ...)
  if (void *reporter = dlsym(RTLD_DEFAULT, "_Z11fatal_errorjPKcz"))
    reinterpret_cast<FatalError>(reporter)(0, "%s", message.c_str());
  std::fprintf(stderr, "pathprof: error: %s\n", message.c_str());
}

// Returns the name of the first version field that differs, or null if all fields match.
static const char *differing_field(const plugin_gcc_version &built, const plugin_gcc_version &running) {
  const struct {
    const char *name, *ours, *theirs;
  } fields[] = {
      {"version", built.basever, running.basever},
      {"date stamp", built.datestamp, running.datestamp},
      {"development phase", built.devphase, running.devphase},
      {"revision", built.revision, running.revision},
      {"configuration", built.configuration_arguments, running.configuration_arguments},
  };
  for (const auto &field : fields)
    if (std::strcmp(field.ours, field.theirs) != 0)
      return field.name;
  return nullptr;
}

static std::string describe(const plugin_gcc_version &version) {
  return std::string(version.basever) + " (" + version.datestamp +
         (*version.devphase ? std::string(", ") + version.devphase : "") + ")";
}

int plugin_init(plugin_name_args *given, plugin_gcc_version *running) {
  if (const char *field = differing_field(gcc_version, *running)) {
    fatal("the pathprof plugin was built for GCC " + describe(gcc_version) + " and cannot be used with GCC " +
          describe(*running) + ": the " + field + " differs; build the plugin for this compiler with 'make GCC=...'");
    return 1;
  }
  std::string proper = given->full_name;
  proper.resize(proper.size() - std::strlen(".so"));
  proper += "-passes.so";
  void *handle = dlopen(proper.c_str(), RTLD_NOW);
  if (!handle) {
    fatal(std::string("cannot load the pathprof plugin: ") + dlerror());
    return 1;
  }
  using Init = int (*)(plugin_name_args *);
  return reinterpret_cast<Init>(dlsym(handle, "pathprof_init"))(given);
}
