// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes the coverage of a function for the script of the page.
#include "pathdump/html/coverage.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/models/model.h"
#include "pathdump/html/text.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

// Limits of the lists per function.
static constexpr size_t kMostPrimePaths = 100, kMostMissing = 20, kMostTests = 50;

Coverage::Coverage(const Profile &profile, PathFormatter &formatter, Decoder &decoder, Details &details,
                   SourceFiles &files, const std::optional<TestedPaths> &tested)
    : profile_(profile), formatter_(formatter), decoder_(decoder), details_(details), files_(files), tested_(tested) {
  if (!tested)
    return;
  // The profile with the counts per test also contains functions that `profile` omits, so the index of a function
  // differs between the two profiles.
  std::map<std::string, size_t> by_key;
  for (size_t i = 0; i < profile.functions.size(); i++)
    by_key.try_emplace(function_key(profile.functions[i]), i);
  std::vector<size_t> index_of; // index in `profile` of each function with tests, or SIZE_MAX
  for (const Function &function : tested->profile.functions) {
    auto found = by_key.find(function_key(function));
    index_of.push_back(found == by_key.end() ? SIZE_MAX : found->second);
  }
  for (size_t i = 0; i < tested->tests.size(); i++)
    for (const auto &[index, count] : tested->tests[i].paths) {
      const TestedPath &path = tested->paths[index];
      size_t function = path.is_of_program ? path.function : index_of[path.function];
      tests_of_[{path.is_of_program, function, path.id}].push_back({i, count});
    }
}

// ---- decisions ----

// Returns the numbers of the conditions whose independent effect is shown by the i-th executed vector. Conditions are
// numbered from 1.
static Json shown_by(const MeasuredDecision &decision, size_t i) {
  Json numbers = Json::array();
  for (size_t c = 0; c < decision.conditions.size(); c++)
    if (const std::optional<VectorPair> &pair = decision.coverage.conditions[c].masking;
        pair && (pair->if_true == i || pair->if_false == i))
      numbers.push_back(c + 1);
  return numbers;
}

// Returns the executed vectors, followed by the missing vectors, without duplicates. Each vector is listed with the
// conditions whose independent effect it shows or would show.
static Json vectors_json(const MeasuredDecision &decision) {
  Json rows = Json::array();
  const std::vector<ConditionVector> &vectors = decision.executed.vectors;
  for (size_t i = 0; i < vectors.size(); i++)
    rows.push_back({{"values", values_text(vectors[i].values)},
                    {"outcome", vectors[i].outcome},
                    {"count", count_json(vectors[i].count)},
                    {"shows", shown_by(decision, i)}});
  std::map<std::pair<std::string, bool>, Json> missing;
  for (size_t c = 0; c < decision.conditions.size(); c++)
    for (const ConditionVector &vector : decision.coverage.conditions[c].missing)
      missing[{values_text(vector.values), vector.outcome}].push_back(c + 1);
  for (const auto &[vector, numbers] : missing) {
    bool is_executed = std::any_of(vectors.begin(), vectors.end(), [&, &values = vector.first](const auto &other) {
      return values_text(other.values) == values;
    });
    if (!is_executed)
      rows.push_back({{"values", vector.first}, {"outcome", vector.second}, {"missing", true}, {"shows", numbers}});
  }
  return rows;
}

Json Coverage::truth_table_json(const Function &function, const MeasuredDecision &decision) {
  bool is_measured = decision.executed.unmeasured == Unmeasured::No;
  Json json = {{"line", decision.line}, {"place", decision.place}, {"conditions", Json::array()}};
  if (const BranchNotes *branch = function.notes.branch_at(decision.executed.blocks.front().front()))
    json["file"] = files_.number_of(function, (*function.files)[branch->at.file]);
  if (!is_measured)
    json["reason"] = text_of(decision.executed.unmeasured);
  for (size_t c = 0; c < decision.conditions.size(); c++) {
    Json condition = {{"text", visible(decision.conditions[c])}};
    if (is_measured) {
      const ConditionCoverage &coverage = decision.coverage.conditions[c];
      condition["true"] = count_json(coverage.executed[1]);
      condition["false"] = count_json(coverage.executed[0]);
      condition["independent"] = coverage.masking.has_value();
      bool is_missing = !coverage.masking && !coverage.missing.empty();
      condition["can_be_shown"] = coverage.masking.has_value() || is_missing;
      if (is_missing)
        condition["alternatives"] = alternatives_text(coverage);
      else if (!coverage.masking)
        condition["reason"] = missing_text(decision, c);
    }
    json["conditions"].push_back(std::move(condition));
  }
  if (is_measured)
    json["vectors"] = vectors_json(decision);
  return json;
}

Json Coverage::decisions_json(const Function &function, const Decoded &decoded) {
  Json list = Json::array();
  for (const MeasuredDecision &decision : decisions_of(function, decoded, formatter_))
    list.push_back(truth_table_json(function, decision));
  return list;
}

// ---- prime paths ----

Json Coverage::prime_path_json(size_t index, const FunctionPrimePaths &prime, const PrimePath &blocks, uint64_t count) {
  const Function &function = profile_.functions[index];
  Path path = prime.path(blocks);
  path.end = PathEnd::Exit; // the drawn path ends at its last block
  Json json = {{"count", count_json(count)},
               {"kind", FunctionPrimePaths::kind(blocks)},
               {"blocks", blocks.size() - is_cycle(blocks)},
               {"trail", formatter_.shown(function, path)},
               {"lines", details_.lines_json(function, line_sequence_of(function, path))}};
  details_.add_drawn(json, index, path);
  return json;
}

// Returns the executed prime paths, most frequent first, followed by the missing prime paths that are most similar to
// executed paths.
Json Coverage::prime_json(size_t index, const Decoded &decoded) {
  FunctionPrimePaths prime(profile_.functions[index], decoded);
  Json paths = Json::array();
  for (const auto &[blocks, count] : prime.by_count())
    if (paths.size() < kMostPrimePaths)
      paths.push_back(prime_path_json(index, prime, blocks, count));
  if (!prime.executed().empty())
    for (const MissingPrimePath &missing : prime.missing(kMostMissing).paths)
      paths.push_back(prime_path_json(index, prime, missing.path, 0));
  const PrimeTotal &total = prime.total();
  return {{"executed", prime.executed().size()},
          {"all", grouped(short_number(total.measured))},
          {"exact", total.is_exact},
          {"paths", std::move(paths)}};
}

// ---- tests ----

void Coverage::add_tests(Json &json, const RankedFunction &ranked) const {
  if (!tested_)
    return;
  json["num_tests"] = tested_->tests.size();
  for (size_t i = 0; i < ranked.paths.size(); i++) {
    const HotPath &hot = ranked.paths[i];
    auto found = tests_of_.find({hot.is_of_program(), hot.is_of_program() ? hot.program : hot.function, hot.id});
    Json tests = Json::array();
    size_t number = found == tests_of_.end() ? 0 : found->second.size();
    for (size_t t = 0; t < std::min(number, kMostTests); t++)
      tests.push_back({tested_->tests[found->second[t].first].name, count_json(found->second[t].second)});
    json["paths"][i]["tests"] = std::move(tests);
    json["paths"][i]["num_tests"] = number;
  }
}

void Coverage::add(Json &json, const RankedFunction &ranked) {
  const Function &function = profile_.functions[ranked.index];
  const Decoded &decoded = decoder_.decoded(ranked.index);
  if (has_conditions(function))
    if (Json decisions = decisions_json(function, decoded); !decisions.empty())
      json["decisions"] = std::move(decisions);
  if (counts_prime_paths(function) && model_of(function.notes.model).has(Feature::Sequences))
    json["prime"] = prime_json(ranked.index, decoded);
  add_tests(json, ranked);
}

} // namespace pathprof::html
