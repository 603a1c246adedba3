// SPDX-License-Identifier: GPL-3.0-or-later
// Groups functions with their parts and clones.
#include "pathdump/model/families.h"

#include <algorithm>

#include "core/numbering/saturate.h"
#include "pathdump/model/lines.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/describe/line_sequence.h"

namespace pathprof {

bool is_of_another(const Function &function) {
  return name_of_original(function.notes.name) != function.notes.name;
}

Families::Key Families::key_of(const Function &function) {
  return {name_of_original(function.notes.name), function.path, function.notes.line};
}

Families::Families(const Profile &profile, const std::string &file) {
  for (const Function &function : profile.functions)
    if (is_of_another(function) && !is_left_out(function))
      families_[key_of(function)];
  for (const Function &function : profile.functions)
    if (auto family = families_.find(key_of(function)); family != families_.end() && !is_left_out(function))
      family->second.members.push_back(&function);
  for (auto &[key, family] : families_) {
    auto original = std::find_if_not(family.members.begin(), family.members.end(),
                                     [](const Function *function) { return is_of_another(*function); });
    family.head = original == family.members.end() ? family.members.front() : *original;
    count(family, file);
  }
}

void Families::count(Family &family, const std::string &file) const {
  uint64_t goes_on = 0;
  for (const Function *function : family.members) {
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, *function);
    saturating_add(family.calls, totals_of(*function, *decoded).calls);
    if (is_part(function->notes.name) || function->notes.direct_calls.empty())
      continue;
    const FlowGraph &graph = function->notes.graph;
    std::vector<uint64_t> edges = count_edges(*function, *decoded), entered(graph.num_blocks());
    for (int e = 0; e < graph.num_edges(); e++)
      saturating_add(entered[static_cast<size_t>(graph.edge(e).dst)], edges[static_cast<size_t>(e)]);
    for (const DirectCall &call : function->notes.direct_calls)
      if (is_part(*call.callee) && name_of_original(*call.callee) == name_of_original(function->notes.name))
        saturating_add(goes_on, entered[call.block]);
  }
  family.calls -= std::min(family.calls, goes_on);
}

const Function &Families::head(const Function &function) const {
  auto family = families_.find(key_of(function));
  return family == families_.end() ? function : *family->second.head;
}

uint64_t Families::calls(const Function &function, uint64_t own) const {
  auto family = families_.find(key_of(function));
  return family == families_.end() || family->second.head != &function ? own : family->second.calls;
}

} // namespace pathprof
