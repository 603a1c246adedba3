// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the names of the functions in a profile.
#include "pathdump/cost/instrumented.h"

#include <algorithm>
#include <regex>

#include "pathdump/ui/names.h"

namespace pathprof {

std::string name_of_callee(const std::string &symbol) {
  if (symbol.rfind("_dl_runtime_resolve", 0) == 0)
    return "the dynamic linker";
  static const std::regex variant(
      "__((?:raw)?(?:mem|str|stp|wcs|wmem)[a-z]*)_(?:avx|evex|sse|ssse|erms|generic|neon|asimd|"
      "sve|mops|a64fx|zva)\\w*");
  std::smatch match;
  return std::regex_match(symbol, match, variant) ? match[1].str() : without_parameters(demangle(symbol));
}

InstrumentedNames::InstrumentedNames(const Profile &profile) {
  for (const Function &function : profile.functions)
    for (const std::string &name : names_in_tools(function.notes.name))
      names_.insert(name);
}

bool InstrumentedNames::has(const std::string &name) const {
  std::vector<std::string> candidates = names_of_clone(name);
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](const std::string &candidate) { return names_.count(candidate); });
}

bool InstrumentedNames::is_runtime(const std::string &name) {
  return name.rfind("pathrt_", 0) == 0 || name.rfind("pathprof_", 0) == 0;
}

} // namespace pathprof
