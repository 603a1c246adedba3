// SPDX-License-Identifier: GPL-3.0-or-later
// Adds files to the dependencies that compilers with a preprocessor write.
#include "plugin/entry/dependencies.h"

#include "plugin/options/interesting.h"

#include "plugin/gcc/gcc.h"

#include "cpplib.h"

// Only the compilers for C and related languages define `parse_in`.
extern struct cpp_reader *parse_in __attribute__((weak));
// deps_add_dep() is declared here because GCC does not install the header that declares it.
extern void deps_add_dep(class mkdeps *, const char *) __attribute__((weak));

namespace pathprof {

static std::vector<std::string> files;

// Adds `files` to the dependencies that the compiler writes for make (-MD). GCC has already recorded the main file,
// which must be the first dependency.
static void add_files(void *, void *) {
  class mkdeps *dependencies = &parse_in && parse_in && deps_add_dep ? cpp_get_deps(parse_in) : nullptr;
  for (const std::string &file : files)
    if (dependencies)
      deps_add_dep(dependencies, file.c_str());
}

void register_dependencies(const char *plugin_name, const Arguments &arguments) {
  InterestingItems items;
  if (!arguments.interesting_items.empty())
    InterestingItems::read(arguments.interesting_items.c_str(), items);
  for (const InterestingItems::File &file : items.files)
    files.push_back(file.name);
  for (const std::string &file : {arguments.use_file, arguments.weights_file, arguments.scheme_file})
    if (!file.empty())
      files.push_back(file);
  if (!files.empty())
    register_callback(plugin_name, PLUGIN_START_UNIT, add_files, nullptr);
}

} // namespace pathprof
