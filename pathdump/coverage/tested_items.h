// SPDX-License-Identifier: GPL-3.0-or-later
// Formats the items that tests cover (paths, effects of conditions, prime paths, lines) as table rows and as JSON.
#ifndef PATHPROF_PATHDUMP_COVERAGE_TESTED_ITEMS_H
#define PATHPROF_PATHDUMP_COVERAGE_TESTED_ITEMS_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/coverage/tested_paths.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/table.h"

namespace pathprof {

// Returns "path", "effect", "prime path" or "line".
const char *noun_of(Criterion criterion);
// Returns the criterion as spelled in --by and in JSON: "paths", "conditions", "prime" or "lines".
const char *to_string(Criterion criterion);

// An item that a test covers, with its execution count.
struct CoveredItem {
  size_t test;
  uint32_t item; // index in TestedPaths::paths
  uint64_t count;
};

class ItemTexts {
public:
  // Keeps references to the arguments.
  ItemTexts(const TestedPaths &tested, Decoder &decoder, PathFormatter &formatter)
      : tested_(tested), decoder_(decoder), formatter_(formatter) {}

  // Prints a table with one row per item and a column for the test name. Records the decisions in the formatter, for
  // the legend.
  void print_table(const std::vector<CoveredItem> &items, Output &out);
  // Returns the item as JSON. The test name is not included.
  Json json(const CoveredItem &item);

private:
  const TestedPath &at(const CoveredItem &item) const { return tested_.paths[item.item]; }
  const Function &function_of(const CoveredItem &item) const { return tested_.profile.functions[at(item).function]; }
  std::vector<Column> columns() const;
  PathLabel label_of(const CoveredItem &item);
  std::vector<std::string> cells(const CoveredItem &item, const PathLabel &text);
  Json path_json_of(const CoveredItem &item);
  Json effect_json(const CoveredItem &item);

  const TestedPaths &tested_;
  Decoder &decoder_;
  PathFormatter &formatter_;
};

} // namespace pathprof

#endif
