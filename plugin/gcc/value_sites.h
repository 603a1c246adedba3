// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the statements that compute values from which GCC benefits when the program is rebuilt (values=1).
#ifndef PATHPROF_PLUGIN_GCC_VALUE_SITES_H
#define PATHPROF_PLUGIN_GCC_VALUE_SITES_H

#include <cstddef>
#include <vector>

#include "profile/model/notes.h"

struct gimple;
union tree_node;
struct histogram_value_t;

namespace pathprof {

// A statement in `cfun` whose operand or callee is recorded.
struct ValueSite {
  ValueKind kind = ValueKind::Operand;
  gimple *statement = nullptr;
  size_t site = 0; // Index in the notes, which copies of a statement share

  // Returns the value to record. For a division, this is the divisor.
  tree_node *operand() const;
};

// The histograms that GCC itself would collect for `cfun` with -fprofile-values, each with the site that provides its
// data. Several histograms can share a site.
class ValueHistograms {
public:
  ValueHistograms();
  ~ValueHistograms(); // Frees the histograms that were not taken
  ValueHistograms(const ValueHistograms &) = delete;
  ValueHistograms &operator=(const ValueHistograms &) = delete;

  const std::vector<ValueSite> &sites() const { return sites_; }

  struct Histogram {
    histogram_value_t *histogram; // Null if the caller has taken the histogram
    size_t site;
  };
  std::vector<Histogram> &histograms() { return histograms_; }

private:
  std::vector<ValueSite> sites_; // In statement order; at most PATHPROF_MAX_SITES
  std::vector<Histogram> histograms_;
};

// Marks the statements in `cfun` that compute values, and returns them. The marks make it possible to recognize copies
// of the statements.
std::vector<ValueSite> mark_values();

// Removes the marks. Returns all marked statements, including copies.
std::vector<ValueSite> take_marked_values();

} // namespace pathprof

#endif
