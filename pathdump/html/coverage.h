// SPDX-License-Identifier: GPL-3.0-or-later
// Adds coverage to the view of a function: decisions with truth tables, prime paths, and the tests that executed each
// path.
#ifndef PATHPROF_PATHDUMP_HTML_COVERAGE_H
#define PATHPROF_PATHDUMP_HTML_COVERAGE_H

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/tested_paths.h"
#include "pathdump/html/details.h"
#include "pathdump/html/ranking.h"
#include "pathdump/html/source.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/prime.h"
#include "pathdump/ui/json.h"

namespace pathprof::html {

class Coverage {
public:
  // Keeps references to the arguments. `tested` contains the paths per test, or nothing if the profile contains no
  // counts per test.
  Coverage(const Profile &profile, PathFormatter &formatter, Decoder &decoder, Details &details, SourceFiles &files,
           const std::optional<TestedPaths> &tested);

  // Adds "decisions", "prime" and, for each path, "tests" to the result of Details::function(). Members for which the
  // profile contains no data are omitted.
  void add(Json &json, const RankedFunction &ranked);

private:
  Json decisions_json(const Function &function, const Decoded &decoded);
  Json truth_table_json(const Function &function, const MeasuredDecision &decision);
  Json prime_json(size_t index, const Decoded &decoded);
  Json prime_path_json(size_t index, const FunctionPrimePaths &prime, const PrimePath &blocks, uint64_t count);
  void add_tests(Json &json, const RankedFunction &ranked) const;

  const Profile &profile_;
  PathFormatter &formatter_;
  Decoder &decoder_;
  Details &details_;
  SourceFiles &files_;
  const std::optional<TestedPaths> &tested_;
  // Maps each path to a list of the tests that executed the path, with its execution count in each test. The key
  // consists of the kind of path, the index of the function or interprocedural unit, and the path ID.
  using Key = std::tuple<bool, size_t, WideNumber>;
  std::map<Key, std::vector<std::pair<size_t, uint64_t>>> tests_of_;
};

} // namespace pathprof::html

#endif
