// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the evidence of a profile: a manifest, one file per function, and one per unit with interprocedural paths.
#include "pathdump/coverage/evidence.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/numbering/saturate.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/output_folder.h"
#include "pathdump/coverage/print_summary.h"
#include "pathdump/coverage/evidence_page.h"
#include "pathdump/coverage/print_conditions.h"
#include "pathdump/coverage/print_prime.h"
#include "pathdump/coverage/traceability.h"
#include "pathdump/coverage/summary.h"
#include "pathdump/coverage/test_results.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/lines.h"
#include "pathdump/model/prime.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/text.h"
#include "pathdump/describe/flow_json.h"

namespace pathprof {

namespace {

// Version of the file format.
constexpr int kVersion = 1;

// Formats a JSON object with one member or list element per line, so that line-based tools can compare two versions.
std::string reviewable(const Json &json) {
  std::string text = "{\n";
  const char *separator = "";
  for (const auto &[key, value] : json.items()) {
    text += fmt::format("{}{}: ", separator, dump(Json(key)));
    separator = ",\n";
    if (!value.is_array() || value.empty()) {
      text += dump(value);
      continue;
    }
    const char *before = "[\n  "; // the comma precedes the element, so that an appended element changes no other line
    for (const Json &element : value) {
      text += before + dump(element);
      before = "\n, ";
    }
    text += "\n]";
  }
  return text + "\n}\n";
}

// Number of executed items and total number of items of one kind, such as blocks.
struct Covered {
  uint64_t executed = 0, all = 0;

  void add(const Covered &other) {
    executed += other.executed;
    all += other.all;
  }
  Json json() const { return {{"executed", executed}, {"all", all}}; }
};

struct Criteria {
  Covered blocks, outcomes; // blocks, and outcomes of branches
  uint64_t executed_paths = 0;
  mpz_class num_paths = 0;
  bool has_conditions = false, has_prime = false;
  ConditionTotals conditions;
  PrimeTotals prime;

  void add(const Criteria &other) {
    blocks.add(other.blocks);
    outcomes.add(other.outcomes);
    executed_paths += other.executed_paths;
    num_paths += other.num_paths;
    has_conditions |= other.has_conditions;
    has_prime |= other.has_prime;
    conditions.add(other.conditions);
    prime.add(other.prime);
  }

  Json json() const {
    Json json = {{"blocks", blocks.json()},
                 {"outcomes", outcomes.json()},
                 {"paths", {{"executed", executed_paths}, {"all", num_paths.get_str()}}},
                 {"conditions", nullptr},
                 {"prime_paths", nullptr}};
    if (has_conditions)
      json["conditions"] = totals_json(conditions);
    if (has_prime)
      json["prime_paths"] = {{"executed", prime.executed},
                             {"all", prime.all.get_str()},
                             {"not_measured", prime.unmeasured.get_str()},
                             {"exact", prime.is_exact}};
    return json;
  }
};

// ---- one function ----

class FunctionEvidence {
public:
  FunctionEvidence(const Function &function, const Decoded &decoded, PathFormatter &formatter)
      : function_(function), graph_(function.notes.graph), decoded_(decoded), formatter_(formatter),
        counts_(count_edges(function, decoded)) {
    const FunctionNotes &notes = function.notes;
    const Names &names = formatter.names();
    json_ = {{"evidence", kVersion},
             {"name", notes.name},
             {"demangled", names.full(notes.name)},
             {"file", names.file(function.file)},
             {"line", notes.line},
             {"compiler", function.sources->compiler},
             {"stage", to_string(notes.stage)},
             {"mode", mode_text(notes)},
             {"termination", notes.flags & kExactTermination ? "exact" : "basic"},
             {"graph", fmt::format("{:08x}", notes.checksum())},
             {"criteria", nullptr}};
    add_graph();
    add_paths();
    if (has_conditions(function))
      add_conditions();
    if (counts_prime_paths(function))
      add_prime_paths();
    json_["criteria"] = criteria_.json();
  }

  const Criteria &criteria() const { return criteria_; }
  const Json &json() const { return json_; }
  // Returns the decisions that are not measured, with reasons.
  const std::vector<Json> &unmeasured() const { return unmeasured_; }

private:
  uint64_t count_of(int block) const {
    uint64_t sum = 0;
    for (int edge : block == kEntryBlock ? graph_.succs(block) : graph_.preds(block))
      saturating_add(sum, counts_[static_cast<size_t>(edge)]);
    return sum;
  }

  bool is_there(int block) const { return !graph_.succs(block).empty() || !graph_.preds(block).empty(); }

  // Returns true if the edge can be an outcome of a branch, that is, if it is neither an exception edge nor an abnormal
  // edge.
  bool is_outcome(int edge) const { return !(graph_.edge(edge).flags & (kEh | kAbnormal)); }

  void add_graph() {
    Json blocks = Json::array(), edges = Json::array();
    for (int block = 0; block < graph_.num_blocks(); block++) {
      if (!is_there(block))
        continue;
      uint64_t count = count_of(block);
      if (block != kEntryBlock && block != kExitBlock)
        criteria_.blocks.add({count > 0, 1});
      Json json = block_json(function_, block, formatter_.names());
      json["count"] = count_json(count);
      blocks.push_back(std::move(json));
      add_outcomes(block);
    }
    const Branches &branches = formatter_.branches(function_);
    for (int e = 0; e < graph_.num_edges(); e++) {
      const Edge &edge = graph_.edge(e);
      edges.push_back({{"src", edge.src},
                       {"dst", edge.dst},
                       {"flags", flags_json(edge.flags)},
                       {"count", count_json(counts_[static_cast<size_t>(e)])}});
      if (const std::string &outcome = branches.outcome(e); !outcome.empty())
        edges.back()["outcome"] = visible(outcome);
    }
    json_["blocks"] = std::move(blocks);
    json_["edges"] = std::move(edges);
  }

  void add_outcomes(int block) {
    std::vector<int> outcomes;
    for (int edge : graph_.succs(block))
      if (is_outcome(edge))
        outcomes.push_back(edge);
    if (outcomes.size() > 1)
      for (int edge : outcomes)
        criteria_.outcomes.add({counts_[static_cast<size_t>(edge)] > 0, 1});
  }

  // Adds the executed paths.  Truncated paths are listed but do not contribute to the coverage.
  void add_paths() {
    Json paths = Json::array();
    PathFormatter by_lines = formatter_.by_lines();
    for (const auto *list : {&function_.paths, &function_.cut_short})
      for (const ExecutedPath &executed : *list) {
        if (executed.count == 0)
          continue;
        Path path = *decoded_.regenerate(executed.id);
        criteria_.executed_paths += list == &function_.paths;
        paths.push_back({{"id", std::to_string(executed.id)},
                         {"count", count_json(executed.count)},
                         {"start", to_string(path.start)},
                         {"end", to_string(path.end)},
                         {"blocks", path.blocks},
                         {"lines", by_lines.text(function_, path)}});
      }
    if (!function_.in_program)
      criteria_.num_paths = num_own_paths(function_);
    json_["paths"] = std::move(paths);
  }

  void add_conditions() {
    Json decisions = Json::array();
    criteria_.has_conditions = true;
    for (const MeasuredDecision &decision : decisions_of(function_, decoded_, formatter_)) {
      criteria_.conditions.add(decision.totals());
      decisions.push_back(decision_json(decision));
      if (decision.executed.unmeasured != Unmeasured::No)
        unmeasured_.push_back({{"place", fmt::format("{}:{}", decision.file, decision.line)},
                               {"what", fmt::format("decision {}", fmt::join(decision.conditions, ", "))},
                               {"reason", text_of(decision.executed.unmeasured)}});
    }
    json_["decisions"] = std::move(decisions);
  }

  void add_prime_paths() {
    FunctionPrimePaths prime(function_, decoded_);
    Json paths = Json::array();
    for (const auto &[path, count] : prime.executed())
      paths.push_back(prime.path_json(path, count, formatter_));
    criteria_.has_prime = true;
    criteria_.prime = totals_of(prime);
    json_["prime_paths"] = std::move(paths);
  }

  const Function &function_;
  const FlowGraph &graph_;
  const Decoded &decoded_;
  PathFormatter &formatter_;
  std::vector<uint64_t> counts_; // one per edge
  Criteria criteria_;
  std::vector<Json> unmeasured_;
  Json json_;
};

// ---- whole profile ----

Json digest_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? Json(sha256_text(text.str())) : Json();
}

// Returns the checksums of this program and of the plugins and runtimes that are installed with it.
Json tools_json() {
  namespace fs = std::filesystem;
  Json tools = Json::array();
  std::error_code error;
  fs::path own = fs::canonical("/proc/self/exe", error);
  tools.push_back({{"file", own.filename().string()}, {"sha256", digest_of(own)}});
  fs::path libraries = own.parent_path().parent_path() / "lib";
  std::map<std::string, std::string> paths; // by name relative to the directory of libraries
  for (fs::recursive_directory_iterator at(libraries / "pathprof", error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == ".so" && at->is_regular_file())
      paths[fs::relative(at->path(), libraries).string()] = at->path();
  for (const char *runtime : {"libpathrt.a", "libpathrt.so.1"})
    if (fs::exists(libraries / runtime, error))
      paths[runtime] = libraries / runtime;
  for (const auto &[name, path] : paths)
    tools.push_back({{"file", name}, {"sha256", digest_of(path)}});
  return tools;
}

class Evidence {
public:
  Evidence(const Profile &profile, const FileBytes &bytes, const std::string &file, const CommonOptions &options,
           const CommonOptions &selection, const OpenedObjects &objects, const EvidenceOptions &evidence)
      : options_(options), selection_(selection), objects_(objects), evidence_(evidence), names_(selection, {&profile}),
        report_names_(in_source_tree(options), {&profile}), view_(profile, file, names_, selection) {
    profile_json_ = {{"bytes", bytes.size()},
                     {"sha256", sha256_text({reinterpret_cast<const char *>(bytes.data()), bytes.size()})}};
  }

  OutputFiles files() {
    Progress progress(view_.profile.functions.size(), "functions");
    for (const Function &function : view_.profile.functions) {
      progress.advance();
      if (!view_.names.selects(function))
        continue;
      if (is_left_out(function))
        left_out_.push_back({{"name", function.notes.name}, {"reason", why_left_out(function)}});
      else
        add_function(function);
    }
    for (size_t i = 0; i < view_.profile.interprocedural_units.size(); i++)
      add_program(i);
    Json all = manifest();
    files_["manifest.json"] = reviewable(all);
    files_[kStartPage] = evidence_page(all);
    return std::move(files_);
  }

  // Returns one sentence for each file that does not match the profile. Call this after files().
  const std::vector<std::string> &contradictions() const { return contradictions_; }
  // Returns one sentence for each test that failed. Call this after files().
  const std::vector<std::string> &failed_tests() const { return failed_tests_; }
  // Returns one sentence for each invalid justification. Call this after files().
  const std::vector<std::string> &justification_faults() const { return justification_faults_; }
  // Returns true if nothing speaks against the coverage. Call this after files().
  bool has_passed() const { return has_passed_; }

private:
  // Returns the options of the report that accompanies the evidence.
  static CommonOptions in_source_tree(CommonOptions options) {
    options.has_root = true;
    return options;
  }

  // Adds a file under a unique name and returns the name.  Names are deterministic because functions and units are
  // added in the order in which the profile lists them.
  std::string add_file(const std::string &name, const Json &json) {
    std::string free = name + ".json";
    for (int i = 2; files_.count(free); i++)
      free = fmt::format("{}.{}.json", name, i);
    files_[free] = reviewable(json);
    return free;
  }

  void add_function(const Function &function) {
    std::unique_ptr<Decoded> decoded = decode_or_fail(view_.file, function);
    FunctionEvidence evidence(function, *decoded, view_.formatter);
    std::string name = fmt::format("functions/{}/{}", file_name_for(view_.names.file(function.file)),
                                   file_name_for(function.notes.name));
    total_.add(evidence.criteria());
    if (report_names_.selects(function))
      reported_prime_.add(evidence.criteria().prime);
    compilers_.insert(function.sources->compiler);
    unmeasured_.insert(unmeasured_.end(), evidence.unmeasured().begin(), evidence.unmeasured().end());
    note_sources(function);
    Json row = {{"name", function.notes.name},
                {"file", view_.names.file(function.file)},
                {"line", function.notes.line},
                {"evidence", add_file(name, evidence.json())}};
    row.update(evidence.criteria().json());
    functions_.push_back(std::move(row));
  }

  void add_program(size_t index) {
    const InterproceduralUnit &unit = view_.profile.interprocedural_units[index];
    Json paths = Json::array();
    for (const ExecutedProgramPath &executed : unit.paths) {
      ShownPath path(view_.profile, index, executed.id);
      if (executed.count > 0 && path.is_selected(view_.names))
        paths.push_back({{"id", digits(executed.id)},
                         {"count", count_json(executed.count)},
                         {"start", to_string(path.path().start)},
                         {"end", to_string(path.path().end)},
                         {"path", path.text(view_.formatter)}});
    }
    bool is_selected = std::any_of(unit.functions.begin(), unit.functions.end(), [&](size_t function) {
      return view_.names.selects(view_.profile.functions[function]);
    });
    if (!is_selected)
      return;
    std::string unit_name = unit_of(view_.profile, unit, view_.names);
    Json json = {{"evidence", kVersion},
                 {"unit", unit_name},
                 {"mode", to_string(unit.mode)},
                 {"executed", paths.size()},
                 {"num_paths", unit.num_paths.get_str()},
                 {"paths", std::move(paths)}};
    Json row = {{"unit", unit_name}, {"executed", json["executed"]}, {"num_paths", json["num_paths"]}};
    row["evidence"] = add_file("programs/" + file_name_for(unit_name), json);
    programs_.push_back(std::move(row));
  }

  void note_sources(const Function &function) {
    std::set<uint32_t> listed;
    for (const BlockNotes &block : function.notes.blocks)
      for (const LineRef &line : block.lines)
        if (line.line)
          listed.insert(line.file);
    for (uint32_t file : listed)
      note_source(*function.sources, file);
  }

  void note_source(const UnitSources &unit, uint32_t file) {
    std::string compiled = file < unit.checksums.size() && unit.checksums[file]
                               ? fmt::format("{:08x}", unit.checksums[file])
                               : std::string();
    auto [at, is_new] = sources_json_.try_emplace({view_.names.file(unit.files[file]), compiled});
    if (!is_new)
      return;
    const SourceFile &source = view_.sources[view_.sources.number_of(unit, unit.files[file])];
    Json &json = at->second;
    json = {{"file", at->first.first}, {"crc32c", nullptr}, {"sha256", nullptr}, {"state", ""}};
    if (!compiled.empty())
      json["crc32c"] = compiled;
    if (!source.is_found)
      json["state"] = source.reason.empty() ? "not found" : source.reason;
    else if (!source.doubt.empty()) {
      json["state"] = source.doubt;
      contradictions_.push_back(fmt::format("{} {}", at->first.first, source.doubt));
    } else
      json["state"] = compiled.empty() ? "checksum not recorded" : "as compiled";
    if (source.is_found && source.doubt.empty())
      json["sha256"] = digest_of(source.path);
  }

  // Returns the compilers, targets and options, each with the units that were compiled with them.
  Json builds_json() const {
    std::map<std::pair<std::string, std::vector<std::string>>, std::set<std::string>> builds;
    for (const std::unique_ptr<UnitSources> &unit : view_.profile.sources)
      if (!unit->files.empty())
        builds[{unit->compiler, unit->options}].insert(view_.names.file(unit->files.front()));
    Json json = Json::array();
    for (const auto &[build, units] : builds) {
      const auto &[compiler, options] = build;
      json.push_back({{"compiler", compiler},
                      {"target", options.empty() ? Json() : Json(options.front())},
                      {"options", options.empty() ? Json() : Json(std::vector(options.begin() + 1, options.end()))},
                      {"units", units}});
    }
    return json;
  }

  Json objects_json() const {
    Json json = Json::array();
    for (const std::string &object : objects_.files)
      json.push_back({{"file", visible(std::filesystem::proximate(object).string())}, {"sha256", digest_of(object)}});
    return json;
  }

  // Adds the files of the list of `pathprof build` whose code is not part of the totals.
  void add_lost_objects() {
    for (const auto &[files, fault] : {std::pair(&objects_.missing, "is missing"),
                                       std::pair(&objects_.uninstrumented, "no longer contains instrumented code")})
      for (const std::string &file : *files) {
        std::string name = visible(std::filesystem::proximate(file).string());
        left_out_files_.push_back({{"name", name}, {"reason", fault}});
        contradictions_.push_back(fmt::format("the listed file {} {}, so code that only this file contains is missing "
                                              "from the totals; build again with 'pathprof build'",
                                              name, fault));
      }
  }

  // Adds each test with its result, and each requirement that a test name mentions with the paths that its tests
  // executed.
  void add_tests(Json &json) {
    std::vector<TestResult> results = read_test_results(evidence_.test_results);
    std::vector<char> is_recorded(results.size());
    Json tests = Json::array(), requirements = Json::array();
    if (std::optional<TestedPaths> tested = read_tests_of(view_.file, selection_)) {
      for (const Test &test : tested->tests) {
        std::string result = result_of(test, results, is_recorded);
        tests.push_back({{"name", test.name},
                         {"runs", count_json(test.runs)},
                         {"paths", test.paths.size()},
                         {"result", result.empty() ? Json() : Json(result)}});
        if (result == "failed")
          failed_tests_.push_back(fmt::format("the test {} failed", test.name));
        if (result.empty() && !results.empty())
          unmeasured_.push_back({{"place", test.name}, {"what", "result of the test"}, {"reason", "not in the files"}});
      }
      for (const auto &[tag, requirement] : trace_requirements(*tested))
        requirements.push_back(requirement_json(tag, requirement, *tested));
    }
    for (size_t i = 0; i < results.size(); i++)
      if (!is_recorded[i]) {
        unmeasured_.push_back(
            {{"place", results[i].name}, {"what", "test"}, {"reason", "was not recorded separately"}});
        if (results[i].result == "failed")
          failed_tests_.push_back(fmt::format("the test {} failed", results[i].name));
      }
    json["tests"] = std::move(tests);
    json["requirements"] = std::move(requirements);
  }

  // Returns the result of a recorded test, or an empty string if the result is not known. A test that failed in any run
  // counts as failed.
  static std::string result_of(const Test &test, const std::vector<TestResult> &results,
                               std::vector<char> &is_recorded) {
    std::string result;
    for (size_t i = 0; i < results.size(); i++)
      if (results[i].is_of(test.name)) {
        is_recorded[i] = 1;
        if (result.empty() || results[i].result == "failed" || (results[i].result == "passed" && result == "skipped"))
          result = results[i].result;
      }
    return result;
  }

  Json requirement_json(const std::string &tag, const TracedRequirement &requirement, const TestedPaths &tested) {
    std::vector<std::string> tests;
    for (size_t test : requirement.tests)
      tests.push_back(tested.tests[test].name);
    std::map<std::string, std::vector<std::string>> paths; // IDs by function
    for (uint32_t item : requirement.items) {
      const TestedPath &path = tested.paths[item];
      std::string name = path.is_of_program
                             ? unit_of(tested.profile, tested.profile.interprocedural_units[path.function], view_.names)
                             : view_.names.full(tested.profile.functions[path.function].notes.name);
      paths[name].push_back(digits(path.id));
    }
    return {{"requirement", tag}, {"tests", std::move(tests)}, {"paths", std::move(paths)}};
  }

  // Adds the summary that `coverage` prints, the thresholds, the justifications and the verdict.
  void add_summary(Json &json) {
    CoverageSummary summary =
        summarise(view_.profile, view_.file, report_names_, {evidence_.counts_exceptions, false, false, false},
                  justifications_for(evidence_.justifications, report_names_));
    Json files = Json::array();
    auto add = [&](const std::string &name, const FileSummary &file) {
      Json row = {{"file", name}};
      row.update(summary_json(file));
      row["paths"] = {{"covered", file.paths.covered},
                      {"total", file.paths.total.get_str()},
                      {"share", file.paths.share()},
                      {"justified", file.paths.justified}};
      files.push_back(std::move(row));
    };
    for (const auto &[name, file] : summary.files)
      add(name, file);
    add("total", summary.total);
    const Thresholds &least = evidence_.thresholds;
    json["summary"] = std::move(files);
    json["thresholds"] = {{"lines", least.line},
                          {"branches", least.branch},
                          {"functions", least.function},
                          {"conditions", least.condition},
                          {"paths", least.path},
                          {"prime_paths", least.prime},
                          {"accept_justified", least.accept_justified}};
    json["justifications"] = justifications_json(summary);
    justification_faults_ = faults_of(summary);
    if (std::string text = text_of_missing_sources(summary.details); !text.empty())
      json["warnings"].push_back(std::move(text));
    std::vector<std::string> reasons = missed_thresholds(summary.total, least);
    if (std::string missed = missed_prime_threshold(reported_prime_, least.prime); !missed.empty())
      reasons.push_back(std::move(missed));
    Selection selected(options_, report_names_);
    selected.add(view_.profile, view_.file);
    for (const std::vector<std::string> &others :
         {justification_faults_, contradictions_, failed_tests_, selected.faults("the profile")})
      reasons.insert(reasons.end(), others.begin(), others.end());
    has_passed_ = reasons.empty();
    json["verdict"] = {{"passed", has_passed_}, {"reasons", std::move(reasons)}};
  }

  // Returns what is not measured, with reasons.
  Json not_measured_json() {
    std::vector<Json> all = unmeasured_;
    for (const Json &function : left_out_)
      all.push_back({{"place", function["name"]}, {"what", "function"}, {"reason", function["reason"]}});
    for (const Json &file : left_out_files_)
      all.push_back({{"place", file["name"]}, {"what", "object file"}, {"reason", file["reason"]}});
    for (const auto &[key, source] : sources_json_)
      if (source["sha256"].is_null())
        all.push_back(
            {{"place", source["file"]}, {"what", "identity of the source file"}, {"reason", source["state"]}});
    return all;
  }

  Json manifest() {
    for (const std::string &file : objects_.changed)
      contradictions_.push_back(fmt::format("{} differs between the executed program and object files; these object "
                                            "files were left out, so code that only these files contain is missing "
                                            "from the totals",
                                            file));
    for (const std::string &file : objects_.rebuilt)
      contradictions_.push_back(fmt::format("{} was compiled again, with other options or another compiler, after the "
                                            "program was executed; its new object file was left out",
                                            file));
    add_lost_objects();
    Json modules = Json::array(), sources = Json::array();
    for (const Module &module : view_.profile.modules)
      modules.push_back({{"name", module.name}, {"build_id", module.build_id}});
    for (auto &[key, json] : sources_json_)
      sources.push_back(json);
    std::sort(functions_.begin(), functions_.end(),
              [](const Json &a, const Json &b) { return a["evidence"] < b["evidence"]; });
    Json json = {{"evidence", kVersion},
                 {"tool", "pathdump"},
                 {"version", PACKAGE_VERSION},
                 {"program", view_.profile.program},
                 {"profile", profile_json_},
                 {"runs", count_json(view_.profile.runs)},
                 {"sudden_ends", count_json(view_.profile.sudden_ends)},
                 {"compilers", compilers_},
                 {"modules", std::move(modules)},
                 {"counted", counted_json(view_.profile, view_.names)},
                 {"warnings", warnings_of(view_.profile)},
                 {"builds", builds_json()},
                 {"tools", tools_json()},
                 {"objects", objects_json()},
                 {"selected_functions", options_.functions},
                 {"selected_files", options_.source_files},
                 {"root", options_.root},
                 {"include", options_.include},
                 {"exclude", options_.exclude}};
    add_tests(json);
    add_summary(json);
    json["not_measured"] = not_measured_json();
    json["sources"] = std::move(sources);
    json["total"] = total_.json();
    json["functions"] = std::move(functions_);
    json["programs"] = std::move(programs_);
    for (Json &file : left_out_files_)
      left_out_.push_back(std::move(file));
    json["left_out"] = std::move(left_out_);
    return json;
  }

  const CommonOptions &options_;   // of the command
  const CommonOptions &selection_; // without --root, unless it was given
  const OpenedObjects &objects_;
  const EvidenceOptions &evidence_;
  Names names_;
  Names report_names_; // selects the code of the report that accompanies the evidence
  ProfileView view_;
  OutputFiles files_;
  Json profile_json_;
  std::vector<Json> functions_;
  Json programs_ = Json::array(), left_out_ = Json::array();         // functions
  std::vector<Json> left_out_files_;                                 // object files
  std::map<std::pair<std::string, std::string>, Json> sources_json_; // keyed by name and checksum
  std::set<std::string> compilers_;
  std::vector<Json> unmeasured_;
  std::vector<std::string> contradictions_, failed_tests_, justification_faults_;
  Criteria total_;
  PrimeTotals reported_prime_; // of the functions that the report contains
  bool has_passed_ = false;
};

} // namespace

ExitStatus write_evidence_of(const std::string &file, const CommonOptions &options, const EvidenceOptions &evidence) {
  OpenedObjects objects;
  FileBytes bytes = open_image(file);
  Profile profile = open_profile_with_objects(file, evidence.objects, &objects);
  evidence.check(profile);
  CommonOptions selection = options;
  selection.has_root = !options.root.empty(); // unless --root is given, the evidence includes all files
  Evidence collected(profile, bytes, file, options, selection, objects, evidence);
  write_output_folder(kEvidenceFolder, evidence.folder, collected.files());
  std::vector<std::vector<std::string>> all = {collected.contradictions(), collected.failed_tests()};
  if (evidence.reports_faults)
    all.push_back(collected.justification_faults());
  for (const std::vector<std::string> &faults : all)
    for (const std::string &fault : faults)
      std::cerr << program_name << ": coverage: --evidence: " << fault << "\n";
  return !collected.contradictions().empty() ? kBadData : collected.has_passed() ? kGood : kMissed;
}

} // namespace pathprof
