// SPDX-License-Identifier: GPL-3.0-or-later
// Where a function computes values that GCC can make something of when it rebuilds the program (values=1).
#ifndef PATHPROF_PLUGIN_GCC_VALUE_SITES_H
#define PATHPROF_PLUGIN_GCC_VALUE_SITES_H

#include <cstddef>
#include <vector>

#include "profile/model/notes.h"

struct gimple;
union tree_node;
struct histogram_value_t;

namespace pathprof {

// A statement of `cfun`, and what it computes or is about to use.
struct ValueSite {
  ValueKind kind = ValueKind::Operand;
  gimple *statement = nullptr;
  size_t site = 0; // its place in the notes: copies of a statement have one

  // What the statement uses; of a quotient the divisor.
  tree_node *operand() const;
};

// What GCC itself would count of `cfun` under -fprofile-values: its histograms, and the site that each is made from.
// Some are made from one site.
class ValueHistograms {
public:
  ValueHistograms();
  ~ValueHistograms(); // of those that were not taken
  ValueHistograms(const ValueHistograms &) = delete;
  ValueHistograms &operator=(const ValueHistograms &) = delete;

  const std::vector<ValueSite> &sites() const { return sites_; }

  struct Histogram {
    histogram_value_t *histogram; // null: taken
    size_t site;
  };
  std::vector<Histogram> &histograms() { return histograms_; }

private:
  std::vector<ValueSite> sites_; // in the order of the statements; at most PATHPROF_MAX_SITES
  std::vector<Histogram> histograms_;
};

// Marks the statements of `cfun` that compute values, so that their copies are known, too.  Returns them.
std::vector<ValueSite> mark_values();

// Takes the marks away.  Returns the statements that have them, copies too.
std::vector<ValueSite> take_marked_values();

} // namespace pathprof

#endif
