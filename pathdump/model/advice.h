// SPDX-License-Identifier: GPL-3.0-or-later
// Turns branch correlations into suggestions, ranked by an upper bound of their worth.
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

// A kind of suggestions. Its explanation is printed once, before the suggestions of the kind.
struct AdviceKind {
  const char *name;  // "decided", for example, as in the JSON output
  const char *title; // describes the observed fact
  const char *use;   // sentence that suggests an action
  bool is_of_paths;  // true if the fact follows only from paths, not from edge counts
};

struct AdvicePiece {
  const AdviceKind *kind = nullptr;
  const Function *function = nullptr;
  std::string name;            // name of the function, as printed
  std::string file;            // name of the source file, as printed
  uint32_t line = 0;           // line number, or 0 if unknown
  std::string source;          // source text of the line, or empty
  double worth = 0;            // upper bound of the worth, in percent
  bool is_of_branches = false; // true if worth refers to branch executions, not to statements
  double saving = 0;           // estimate of the instructions that the action saves, or 0 if unknown
  double saved_share = 0;      // saving in percent of the executed statements
  uint64_t executions =
      UINT64_MAX;   // number of executions that show the observed fact, or the maximum if there are many
  std::string text; // sentence that states the observed fact
  std::string hint; // how the action is done in this case, or empty

  std::string place() const; // returns the position: "a.c:9, in correlated"
  // Returns text such as "about 400 instructions; affects 1.20 % of the executed statements".
  std::string worth_text() const;
  // Returns the sentences that suggest the action.
  std::string use() const;
};

// Returns the suggestions, sorted by kind. Kinds that require path counts come first. Among them, the kind with the
// greatest saving comes first; suggestions of a kind are sorted by decreasing saving, then by decreasing worth.
std::vector<AdvicePiece> pieces_of(const BranchCorrelations &correlations, PathFormatter &formatter, Sources &sources);

// A profile and the name of its file.
struct NamedProfile {
  const Profile *profile;
  const std::string &file;
};
// Adds suggestions for the `limit` hottest paths (0: all) that were executed in the field but never in the tests, and
// sorts all suggestions. Returns the number of such paths that were omitted because of the limit.
uint64_t add_untested(std::vector<AdvicePiece> &pieces, NamedProfile tests, NamedProfile field, uint64_t limit,
                      PathFormatter &formatter, Sources &sources);
// Adds suggestions for call sites at which the callee nearly always executes the same path, although it executes other
// paths when it is called from other sites. Requires a profile with interprocedural paths.
void add_steady_calls(std::vector<AdvicePiece> &pieces, const BranchCorrelations &correlations, NamedProfile profile,
                      PathFormatter &formatter, Sources &sources);
// A suggestion is small if its worth and its saving are less than the threshold, or if fewer executions show the fact.
inline constexpr double kLeastWorth = 0.01; // default threshold in percent
inline constexpr uint64_t kFewestExecutions = 3;
// Removes small suggestions, unless they concern tests or `least` is 0. Returns the number of removed suggestions.
size_t remove_small(std::vector<AdvicePiece> &pieces, double least);
// Keeps the first `limit` suggestions (0: all). Returns the number of suggestions that were removed.
size_t keep_first(std::vector<AdvicePiece> &pieces, uint64_t limit);

// Returns an array of objects with "kind", "function", "file", "line", "source", "worth", "worth_of", "saving", "text"
// and "use".
Json pieces_json(const std::vector<AdvicePiece> &pieces);

} // namespace pathprof

#endif
