// SPDX-License-Identifier: GPL-3.0-or-later
// What could be done with what paths foresee, in sentences: ranked by what each could be worth at most.
#ifndef PATHPROF_PATHDUMP_MODEL_ADVICE_H
#define PATHPROF_PATHDUMP_MODEL_ADVICE_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/model/compare.h"
#include "pathdump/model/branch_correlation.h"
#include "pathdump/ui/json.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/describe/sources.h"

namespace pathprof {

struct AdvicePiece {
  const char *kind =
      ""; // "decided", "alternates", "next-case", "exact-loop", "steady-call", "untested"; "one-way", "constant-loop"
  const Function *function = nullptr;
  std::string name;            // of the function, as shown
  std::string file;            // as shown
  uint32_t line = 0;           // 0: not known
  std::string source;          // text of the line; empty: not known
  double worth = 0;            // in per cent, an upper bound
  bool is_of_paths = true;     // only paths tell it: edges' counts do not
  bool is_of_branches = false; // of executed branches, which would be foreseen; else of executed statements
  std::string text;            // what is so
  std::string use;             // what would use it

  std::string place() const; // "a.c:9, in correlated"
  std::string worth_text() const;
};

// What only paths tell first, and of either what is worth most.
std::vector<AdvicePiece> pieces_of(const BranchCorrelations &correlations, PathFormatter &formatter, Sources &sources);

// A profile and its file.
struct NamedProfile {
  const Profile *profile;
  const std::string &file;
};
// Adds the `limit` paths (0: all) that executed most statements of those that ran in the field and never in the tests,
// among the others by what they are worth.  Returns how many more there are.
uint64_t add_untested(std::vector<AdvicePiece> &pieces, NamedProfile tests, NamedProfile field, uint64_t limit,
                      PathFormatter &formatter, Sources &sources);
// Adds the calls behind which the callee takes one way nearly always, while it takes others when it is called
// elsewhere: from profiles of paths that go through calls.
void add_steady_calls(std::vector<AdvicePiece> &pieces, const BranchCorrelations &correlations, NamedProfile profile,
                      PathFormatter &formatter, Sources &sources);
// Keeps the first so many; 0: all.  Returns how many more there were.
size_t keep_first(std::vector<AdvicePiece> &pieces, uint64_t limit);

// A list of objects: "kind", "function", "file", "line", "worth", "worth_of", "text", "use", "source".
Json pieces_json(const std::vector<AdvicePiece> &pieces);

} // namespace pathprof

#endif
