// SPDX-License-Identifier: GPL-3.0-or-later
// Finds callees by name.
#include "pathdump/describe/callees.h"

#include <algorithm>
#include <set>

#include "pathdump/describe/line_sequence.h"

namespace pathprof {

Callees::Callees(const Profile &profile) {
  for (const Function &function : profile.functions)
    by_name_.emplace(function.notes.name, &function);
}

// Returns true if the unit can contain code from the file. If several units contain the same static function from a
// header, the profile stores the function only once, in one of the units.
static bool has_file(const UnitSources &unit, const std::string &file) {
  return std::find(unit.files.begin(), unit.files.end(), file) != unit.files.end();
}

// Returns the function with this name that is visible to the caller. Other units can contain static functions with the
// same name.
const Function *Callees::visible(const Function &caller, const std::string &name) const {
  auto [first, last] = by_name_.equal_range(name);
  const Function *found = nullptr;
  for (auto at = first; at != last; ++at) {
    bool is_own = at->second->sources == caller.sources || has_file(*caller.sources, at->second->file);
    if (is_own || (!found && (at->second->notes.flags & kExternallyVisible)))
      found = at->second;
  }
  return found;
}

const Function *Callees::find(const Function &caller, const std::string &name) const {
  const Function *found = visible(caller, name);
  if (found || name.rfind("_Z", 0) != 0)
    return found;
  // A call often uses the complete-object name (C1, D1) of a constructor or destructor, whereas the body has the
  // base-object name (C2, D2).
  for (size_t at = name.find('1', 2); at != std::string::npos && !found; at = name.find('1', at + 1))
    if (char kind = name[at - 1]; kind == 'C' || kind == 'D' || kind == 'I') {
      std::string other = name;
      other[at] = '2';
      found = visible(caller, other);
    }
  return found;
}

// Returns the last executed line of a truncated path. Returns UINT32_MAX if the path was not truncated, or if it was
// truncated before the first line of its last block.
static uint32_t last_line(const Function &function, const Path &path) {
  size_t end = lines_before_end(function, path);
  if (end == SIZE_MAX || end == 0)
    return UINT32_MAX;
  return function.notes.blocks[static_cast<size_t>(path.blocks.back())].lines[end - 1].line;
}

std::vector<std::string> Callees::not_counted(const Function &function, const Path &path) const {
  const std::vector<DirectCall> &calls = function.notes.direct_calls; // sorted by block
  std::vector<std::string> names;
  std::set<int> seen;
  for (size_t i = path.context_blocks; i < path.blocks.size(); i++) {
    if (!seen.insert(path.blocks[i]).second)
      continue;
    auto block = static_cast<uint32_t>(path.blocks[i]);
    uint32_t last = i + 1 == path.blocks.size() ? last_line(function, path) : UINT32_MAX;
    auto call = std::lower_bound(calls.begin(), calls.end(), block,
                                 [](const DirectCall &c, uint32_t wanted) { return c.block < wanted; });
    for (; call != calls.end() && call->block == block && call->line <= last; ++call) {
      const Function *callee = find(function, *call->callee);
      if ((!callee || is_left_out(*callee)) && std::find(names.begin(), names.end(), *call->callee) == names.end())
        names.push_back(*call->callee);
    }
  }
  return names;
}

} // namespace pathprof
