// SPDX-License-Identifier: GPL-3.0-or-later
// switch=1: the passes that make instrumented versions of functions, and let each plain one begin with the question
// which of the two is to run.
#ifndef PATHPROF_PLUGIN_ENTRY_ENTRY_TESTS_H
#define PATHPROF_PLUGIN_ENTRY_ENTRY_TESTS_H

namespace pathprof {

struct Arguments;

void register_entry_tests(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
