// SPDX-License-Identifier: GPL-3.0-or-later
// Propagates constant numbers of valid completions from callers to callees.
#include "core/interprocedural/completions.h"

#include <algorithm>
#include <set>

namespace pathprof {

// Processes callers before callees, because the number of completions that a procedure passes to its callees depends on
// the number that its callers pass to it.
std::vector<std::optional<WideNumber>> known_completions(const SupergraphNumbering &numbering) {
  const std::vector<Procedure> &procedures = numbering.supergraph().procedures;
  std::vector<std::optional<WideNumber>> known(procedures.size());
  if (numbering.is_piecewise())
    return known;
  std::vector<std::set<std::optional<WideNumber>>> passed(procedures.size());
  std::vector<int> order = callees_first(numbering.supergraph());
  std::reverse(order.begin(), order.end());
  for (int index : order) {
    const Procedure &procedure = procedures[static_cast<size_t>(index)];
    std::set<std::optional<WideNumber>> &from_callers = passed[static_cast<size_t>(index)];
    if (procedure.begins_paths)
      from_callers.insert(1);
    std::optional<WideNumber> &completions = known[static_cast<size_t>(index)];
    completions = from_callers.size() == 1 ? *from_callers.begin() : std::nullopt;
    const std::vector<Linear> &psi_return = numbering.of(index).psi_return;
    for (size_t call = 0; call < procedure.calls.size(); call++)
      if (procedure.calls[call].kind == CallKind::Traversed)
        passed[static_cast<size_t>(procedure.calls[call].callee)].insert(
            completions ? std::optional(wide(psi_return[call](exact(*completions)))) : std::nullopt);
  }
  return known;
}

} // namespace pathprof
