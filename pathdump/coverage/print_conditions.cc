// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump coverage --conditions`: prints one row per function, and for each decision the vectors that
// show, or would show, the independence of its conditions.
#include "pathdump/coverage/print_conditions.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/model/basis.h"
#include "pathdump/coverage/changed_code.h"
#include "pathdump/coverage/markers.h"
#include "pathdump/coverage/print_summary.h"
#include "pathdump/coverage/thresholds.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/annotations.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct FunctionRow {
  const Function *function;
  std::string name, file; // display names
  std::vector<MeasuredDecision> decisions;
  ConditionTotals totals;
};

struct Coverage {
  std::vector<FunctionRow> functions;
  std::map<std::string, ConditionTotals> files;
  ConditionTotals total;
  uint64_t num_others = 0; // number of functions whose conditions are not known
};

bool has_changed(const MeasuredDecision &decision, const Function &function, const ChangedCode &code,
                 const Names &names) {
  return std::any_of(decision.at.begin(), decision.at.end(), [&](const LineRef &at) {
    const ChangedLines *lines = at.line ? code.of(*function.sources, at.file, names) : nullptr;
    return lines && lines->has(at.line);
  });
}

// Computes condition coverage.  If `code` is given, includes only changed decisions and the functions that contain
// them.
Coverage measure(const ChangedCode *code, ProfileView &view) {
  const Profile &profile = view.profile;
  const Names &names = view.names;
  Markers markers(view.sources);
  Coverage coverage;
  for (const Function &function : profile.functions) {
    if (is_left_out(function) || !names.selects(function))
      continue;
    if (!has_conditions(function)) {
      coverage.num_others++;
      continue;
    }
    FunctionRow row{&function, names.function(function.notes.name), names.file(function.file), {}, {}};
    for (MeasuredDecision &decision : decisions_of(function, *decode_or_fail(view.file, function), view.formatter))
      if (!markers.has(function, decision) && (!code || has_changed(decision, function, *code, names)))
        row.decisions.push_back(std::move(decision));
    bool is_artificial = function.notes.flags & kArtificial; // for example, an implicit constructor
    if (row.decisions.empty() && (code || is_artificial))
      continue;
    for (const MeasuredDecision &decision : row.decisions)
      row.totals.add(decision.totals());
    coverage.files[row.file].add(row.totals);
    coverage.total.add(row.totals);
    coverage.functions.push_back(std::move(row));
  }
  markers.warn();
  return coverage;
}

// ---- text ----

// Returns the tally of the conditions that masking MC/DC shows to be independent.
Tally tally_of(const ConditionTotals &totals) {
  return {totals.masking, totals.conditions, 0};
}

std::string of(uint64_t part, uint64_t all) {
  return fmt::format("{}/{}", part, all);
}

void print_totals(const Coverage &coverage, Output &out) {
  Table table({{"MC/DC", true, Colour::Hot},
               {"masking", true},
               {"unique cause", true},
               {"effects", true},
               {"conditions", true},
               {"decisions", true},
               {"not measured", true},
               {"of", false, Colour::Name, 40},
               {"place", false, Colour::Place}});
  auto add = [&](const ConditionTotals &totals, const std::string &name, const std::string &place) {
    table.add({share_text(tally_of(totals)), of(totals.masking, totals.conditions),
               of(totals.unique_cause, totals.conditions), of(totals.effects, 2 * totals.conditions),
               of(totals.condition_outcomes, 2 * totals.conditions), of(totals.outcomes, 2 * totals.decisions),
               totals.unmeasured ? std::to_string(totals.unmeasured) : "-", name, place});
  };
  for (const FunctionRow &row : coverage.functions)
    if (!row.decisions.empty())
      add(row.totals, row.name, fmt::format("{}:{}", row.file, row.function->notes.line));
  if (coverage.files.size() > 1)
    for (const auto &[file, totals] : coverage.files)
      add(totals, "file", file);
  add(coverage.total, "total", "");
  table.print(out);
}

std::string pair_text(const std::optional<VectorPair> &pair, const ExecutedDecision &executed) {
  if (!pair)
    return "-";
  return fmt::format("{}, {}", vector_text(executed.vectors[pair->if_true]),
                     vector_text(executed.vectors[pair->if_false]));
}

std::string unique_cause_text(const MeasuredDecision &decision, size_t condition) {
  const ConditionCoverage &coverage = decision.coverage.conditions[condition];
  bool is_same = coverage.unique_cause && coverage.masking &&
                 coverage.unique_cause->if_true == coverage.masking->if_true &&
                 coverage.unique_cause->if_false == coverage.masking->if_false;
  if (is_same)
    return "same vectors";
  std::string limit = unique_cause_limit(decision, condition);
  return limit.empty() ? pair_text(coverage.unique_cause, decision.executed) : limit;
}

void print_conditions(const MeasuredDecision &decision, Output &out) {
  Table table({{"", true},
               {"true", true},
               {"false", true},
               {"condition", false, Colour::Name, 48},
               {"masking MC/DC", false},
               {"unique cause", false}});
  for (size_t i = 0; i < decision.conditions.size(); i++) {
    const ConditionCoverage &condition = decision.coverage.conditions[i];
    table.add({std::to_string(i + 1), std::to_string(condition.executed[1]), std::to_string(condition.executed[0]),
               decision.conditions[i],
               condition.masking ? pair_text(condition.masking, decision.executed) : missing_text(decision, i),
               unique_cause_text(decision, i)});
  }
  table.print(out);
}

void print_vectors(const MeasuredDecision &decision, Output &out) {
  if (decision.executed.vectors.empty())
    return;
  Table table({{"executions", true}, {"vector", false}, {"outcome", false}});
  for (const ConditionVector &vector : decision.executed.vectors)
    table.add({std::to_string(vector.count), values_text(vector.values), vector.outcome ? "T" : "F"});
  out.write("\n");
  table.print(out);
}

void print_decision(const FunctionRow &row, const MeasuredDecision &decision, bool vectors, Output &out) {
  std::string head = fmt::format(
      "{} in {}",
      decision.place.find(':') == std::string::npos ? fmt::format("{}:{}", row.file, decision.place) : decision.place,
      row.name);
  if (decision.executed.unmeasured != Unmeasured::No) {
    out.print("\n{}: not measured: {}\n", head, text_of(decision.executed.unmeasured));
    return;
  }
  ConditionTotals totals = decision.totals();
  out.print("\n{}: {} of {} shown to be independent; the decision was true {} and false {}\n", head, totals.masking,
            plural(totals.conditions, "condition"), plural(decision.coverage.outcomes[1], "time"),
            plural(decision.coverage.outcomes[0], "time"));
  print_conditions(decision, out);
  if (vectors)
    print_vectors(decision, out);
}

void print_decisions(const Coverage &coverage, const ConditionCoverageOptions &options, Output &out) {
  uint64_t num_listed = 0, num_more = 0;
  for (const FunctionRow &row : coverage.functions)
    for (const MeasuredDecision &decision : row.decisions) {
      if (!options.vectors && decision.is_covered())
        continue;
      if (options.limit && num_listed == options.limit)
        num_more++;
      else {
        print_decision(row, decision, options.vectors, out);
        num_listed++;
      }
    }
  if (num_more)
    out.print("\n... and {} more (-n 0 shows all)\n", plural(num_more, "decision"));
}

void print_text(const Coverage &coverage, const Profile &profile, const ChangedCode *code, const Names &names,
                const ConditionCoverageOptions &options, Output &out) {
  print_counted(profile, names, out);
  print_remark(
      "MC/DC, masking: conditions shown to affect the decision independently; unique cause: the same, with all "
      "other evaluated conditions equal",
      out);
  print_remark("effects: values of conditions that affected the decision; conditions, decisions: values that occurred "
               "(true and false count separately)",
               out);
  if (code)
    print_remark(fmt::format("{} changed since {}; other decisions are omitted",
                             plural(coverage.total.decisions + coverage.total.unmeasured, "decision"),
                             code->revision()),
                 out);
  if (std::string note = code ? code->note_on_lines_without_code() : ""; !note.empty())
    print_remark(note, out);
  if (coverage.num_others)
    print_remark(fmt::format("{} omitted: not instrumented at stage=source, so conditions are not known",
                             plural(coverage.num_others, "function")),
                 out);
  out.write("\n");
  print_totals(coverage, out);
  print_decisions(coverage, options, out);
}

// ---- JSON ----

} // namespace

Json totals_json(const ConditionTotals &totals) {
  return {{"decisions", totals.decisions},
          {"not_measured", totals.unmeasured},
          {"decision_outcomes", totals.outcomes},
          {"conditions", totals.conditions},
          {"condition_outcomes", totals.condition_outcomes},
          {"effects", totals.effects},
          {"masking", totals.masking},
          {"unique_cause", totals.unique_cause},
          {"share", totals.share()}};
}

static Json by_value(uint64_t if_false, uint64_t if_true) {
  return {{"true", if_true}, {"false", if_false}};
}

static Json vectors_json(const std::vector<ConditionVector> &vectors) {
  Json json = Json::array();
  for (const ConditionVector &vector : vectors)
    json.push_back({{"values", values_text(vector.values)}, {"outcome", vector.outcome}});
  return json;
}

static Json showable_json(Showable showable) {
  return showable == Showable::Unknown ? Json() : Json(showable == Showable::Yes);
}

static Json couplings_json(const MeasuredDecision &decision, size_t condition) {
  const std::vector<Coupling> &couplings = decision.executed.couplings;
  Json json = Json::array();
  for (size_t other : decision.coverage.conditions[condition].coupled)
    json.push_back(
        {{"condition", other}, {"opposite", couplings[other].is_opposite != couplings[condition].is_opposite}});
  return json;
}

static Json pair_json(const std::optional<VectorPair> &pair) {
  return pair ? Json::array({pair->if_true, pair->if_false}) : Json();
}

static Json condition_json(const MeasuredDecision &decision, size_t i) {
  Json json = {{"text", decision.conditions[i]}, {"place", decision.places[i]}};
  json["blocks"] = decision.executed.blocks[i];
  if (decision.executed.unmeasured != Unmeasured::No)
    return json;
  const ConditionCoverage &condition = decision.coverage.conditions[i];
  json["executed"] = by_value(condition.executed[0], condition.executed[1]);
  json["shows_effect"] = {{"true", condition.shows_effect[1]}, {"false", condition.shows_effect[0]}};
  json["masking"] = pair_json(condition.masking);
  json["unique_cause"] = pair_json(condition.unique_cause);
  json["missing"] = vectors_json(condition.missing);
  json["alternatives"] = Json::array();
  for (const std::vector<ConditionVector> &vectors : condition.alternatives)
    json["alternatives"].push_back(vectors_json(vectors));
  json["coupled"] = couplings_json(decision, i);
  json["can_be_shown"] = {{"masking", showable_json(condition.by_masking)},
                          {"unique_cause", showable_json(condition.by_unique_cause)}};
  return json;
}

Json decision_json(const MeasuredDecision &decision) {
  Json json = {
      {"place", decision.place}, {"file", decision.file}, {"line", decision.line}, {"column", decision.column}};
  bool is_measured = decision.executed.unmeasured == Unmeasured::No;
  json["measured"] = is_measured;
  if (!is_measured)
    json["reason"] = text_of(decision.executed.unmeasured);
  else
    json["outcomes"] = by_value(decision.coverage.outcomes[0], decision.coverage.outcomes[1]);
  Json conditions = Json::array(), vectors = Json::array();
  for (size_t i = 0; i < decision.conditions.size(); i++)
    conditions.push_back(condition_json(decision, i));
  for (const ConditionVector &vector : decision.executed.vectors)
    vectors.push_back({{"values", values_text(vector.values)}, {"outcome", vector.outcome}, {"count", vector.count}});
  json["conditions"] = std::move(conditions);
  json["vectors"] = std::move(vectors);
  return json;
}

static Json coverage_json(const Coverage &coverage, const Names &names) {
  Json functions = Json::array(), files = Json::array();
  for (const FunctionRow &row : coverage.functions) {
    Json json = totals_json(row.totals);
    json.update({{"name", row.function->notes.name}, {"demangled", names.full(row.function->notes.name)}});
    json.update({{"file", row.file}, {"line", row.function->notes.line}});
    Json decisions = Json::array();
    for (const MeasuredDecision &decision : row.decisions)
      decisions.push_back(decision_json(decision));
    json["decision_list"] = std::move(decisions);
    functions.push_back(std::move(json));
  }
  for (const auto &[file, totals] : coverage.files) {
    files.push_back(totals_json(totals));
    files.back()["file"] = file;
  }
  return {{"functions", std::move(functions)},
          {"files", std::move(files)},
          {"total", totals_json(coverage.total)},
          {"functions_without_conditions", coverage.num_others}};
}

// ---- annotations ----

// Adds an annotation if a condition of the decision is not shown to be independent. The annotation is at the line of
// the first such condition whose line is known.
static void annotate(const FunctionRow &row, const MeasuredDecision &decision, const Names &names,
                     std::vector<Annotation> &found) {
  if (decision.executed.unmeasured != Unmeasured::No)
    return;
  std::vector<std::string> texts;
  const LineRef *place = nullptr;
  for (size_t i = 0; i < decision.conditions.size(); i++) {
    if (decision.coverage.conditions[i].masking)
      continue;
    texts.push_back(fmt::format("condition {} of {} ({}): {}", i + 1, decision.conditions.size(),
                                decision.conditions[i], missing_text(decision, i)));
    if (!place && decision.at[i].line)
      place = &decision.at[i];
  }
  if (place)
    found.push_back({names.file((*row.function->files)[place->file]), place->line, place->line,
                     "changed-condition-not-shown",
                     fmt::format("Not shown to affect the decision independently: {}", fmt::join(texts, "; "))});
}

static std::vector<Annotation> annotations_of(const Coverage &coverage, const Names &names) {
  std::vector<Annotation> found;
  for (const FunctionRow &row : coverage.functions)
    for (const MeasuredDecision &decision : row.decisions)
      annotate(row, decision, names, found);
  return found;
}

// Returns a sentence if MC/DC is below the threshold, and otherwise an empty string. A change without decisions meets
// every threshold.
static std::string missed_of(const ConditionTotals &total, const ConditionCoverageOptions &options) {
  bool is_change_without_decisions = !options.changed.revision.empty() && total.decisions + total.unmeasured == 0;
  return is_change_without_decisions ? "" : missed_threshold("conditions", tally_of(total), options.least);
}

void check_has_conditions(const Profile &profile, const std::string &file) {
  if (std::none_of(profile.functions.begin(), profile.functions.end(), has_conditions))
    throw Failure(kWrongUse, fmt::format("coverage: --conditions: {} contains no functions that were instrumented at "
                                         "stage=source; build with '{} build conditions=1' or compile with "
                                         "-fplugin-arg-pathprof-conditions=1",
                                         file, program_name));
}

ExitStatus cover_conditions(const Profile &profile, const CommonOptions &common,
                            const ConditionCoverageOptions &options) {
  Names names(common, {&profile});
  ProfileView view(profile, options.file, names, common);
  std::optional<ChangedCode> code;
  if (!options.changed.revision.empty())
    code.emplace(options.changed.revision).add_statements(profile, names);
  Coverage coverage = measure(code ? &*code : nullptr, view);
  Output out(common);
  if (!options.changed.annotate.empty()) {
    print_annotations(annotations_of(coverage, names), options.changed.annotate == "gitlab", out);
  } else if (common.json) {
    Json json = coverage_json(coverage, names);
    if (code)
      code->put_into(json);
    json["counted"] = counted_json(profile, names);
    out.print("{}\n", dump_indented(json));
  } else {
    print_text(coverage, profile, code ? &*code : nullptr, names, options, out);
  }
  out.commit();
  if (code) {
    code->ask_for(view.sources, profile, names);
    code->warn_of_unknown_files(options.file);
  }
  view.sources.warn();
  warn_of_unmeasured_decisions(coverage.total.unmeasured, options.least);
  std::string missed = missed_of(coverage.total, options);
  if (!missed.empty())
    std::cerr << program_name << ": coverage: " << missed << "\n";
  return status_of_selection(common, names, profile, options.file, missed.empty() ? kGood : kMissed);
}

} // namespace pathprof
