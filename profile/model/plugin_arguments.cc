// SPDX-License-Identifier: GPL-3.0-or-later
// Contains the table of the plugin's arguments.
#include "profile/model/plugin_arguments.h"

#include <algorithm>
#include <cassert>

namespace pathprof {

const std::vector<PluginArgument> &plugin_arguments() {
  static const std::vector<PluginArgument> table = {
      {"mode", "acyclic, kiter, kipf, intracontext, context, piecewise or preferential", "acyclic", "path model"},
      {"k", "a number from 1 to 64, or auto", "2", "iterations in a path (kiter), or paths in a sequence (kipf)"},
      {"numbering", "register or paper", "register", "path numbering scheme (kiter)"},
      {"loops", "LINE:K,LINE:K... with K from 1 to 64", "k", "iterations of individual loops (kiter)"},
      {"stage", "source, early or late", "early when optimising, otherwise source",
       "point in GCC's pass pipeline at which code is instrumented"},
      {"target", "hosted or freestanding",
       "freestanding if the compiler's target has no operating system, otherwise hosted",
       "environment in which the program is executed"},
      {"counters", "64, 32 or bit", "32 with target=freestanding, otherwise 64",
       "size of a counter in bits; bit only records whether a path was executed"},
      {"conditions", "0 or 1", "0", "keep the conditions of && and || apart, for coverage --conditions"},
      {"hybrid", "auto, static, file, leaf or all", "auto", "calls that interprocedural paths step over"},
      {"recursion", "summary or split", "summary", "treatment of calls that interprocedural paths step over"},
      {"indirect", "cut or chain", "cut", "treatment of indirect calls on interprocedural paths"},
      {"wide", "0 or 1", "0", "interprocedural path IDs of up to 124 bits instead of 62"},
      {"array-max", "a number from 0 to 1000000000", "6000; 16777216 per unit",
       "maximum number of paths for which counters are in an array"},
      {"paths-max", "a number from 1 to 4611686018427387903", "60000; 100 with target=freestanding",
       "maximum number of paths in a function"},
      {"overflow", "cut or skip", "cut", "treatment of functions with more than paths-max paths"},
      {"update", "single, atomic or thread", "thread in executables and with -pthread, otherwise single",
       "how counters are incremented"},
      {"termination", "basic or exact", "exact at stage=source, otherwise basic",
       "how paths that end by exit, longjmp or an exception are counted"},
      {"metric", "none or tsc", "none", "measure the cycles of each path"},
      {"switch", "0 or 1", "0", "switch counting on and off in the running program"},
      {"values", "0 or 1", "0", "record call targets, divisors and sizes for a rebuild"},
      {"interesting",
       "PROFILE, PROFILE@SHARE (0 < SHARE <= 1), LIST (a text file with lines of the form FUNCTION ID ID...), "
       "SOURCE:LINE-LINE or annotated; separate multiple values with commas",
       "", "interesting paths (preferential)"},
      {"large-ids", "residual or hash", "residual",
       "treatment of interesting paths whose compact numbers exceed array-max"},
      {"notify", "0 or 1", "0", "report the first execution of each residual path to the program"},
      {"weights", "a profile (*.pathprof)", "GCC's estimates", "profile from which edge frequencies are read"},
      {"use", "a profile (*.pathprof)", "", "profile to rebuild the program with"},
      {"rebuild", "counts, thread, dispatch or inline, separated by commas", "all", "steps of a rebuild"},
      {"scheme", "a file with lines of the form GLOB KEY=VALUE...", "",
       "file with plugin arguments for individual functions"},
      {"include", "globs separated by commas", "everything", "functions and files to instrument"},
      {"exclude", "globs separated by commas", "", "functions and files to leave out"},
      {"verbose", "0 or 1", "0", "print a note for each function that was truncated or left out"},
      {"dump", "ipa-pathprof or tree-pathprof, optionally with -fdump- suffixes", "", "dump of the plugin's passes"},
  };
  return table;
}

const PluginArgument &plugin_argument(const std::string &key) {
  const std::vector<PluginArgument> &all = plugin_arguments();
  auto found = std::find_if(all.begin(), all.end(), [&key](const PluginArgument &one) { return key == one.key; });
  assert(found != all.end());
  return *found;
}

} // namespace pathprof
