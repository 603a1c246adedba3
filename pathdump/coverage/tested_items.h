// SPDX-License-Identifier: GPL-3.0-or-later
// How what tests cover is said: rows of a table, and JSON.
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

// "path", "effect", "prime path".
const char *noun_of(Criterion criterion);
// As --by has it and JSON: "paths", "conditions", "prime".
const char *to_string(Criterion criterion);

// Something that a test covers, and how often.
struct CoveredItem {
  size_t test;
  uint32_t item; // index in TestedPaths::paths
  uint64_t count;
};

class ItemTexts {
public:
  // Keeps references.
  ItemTexts(const TestedPaths &tested, Decoder &decoder, PathFormatter &formatter)
      : tested_(tested), decoder_(decoder), formatter_(formatter) {}

  // A row each, with the test's name; the formatter notes the conditions of the rows for the legend.
  Table table(const std::vector<CoveredItem> &items);
  // Without the test's name.
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
