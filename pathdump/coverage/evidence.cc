// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the evidence of a profile: a manifest, one file per function, and one per unit with interprocedural paths.
#include "pathdump/coverage/evidence.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "core/numbering/saturate.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/evidence_folder.h"
#include "pathdump/coverage/print_conditions.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/lines.h"
#include "pathdump/model/prime.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/progress.h"
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

// Number of executed items and number of all items, such as blocks.
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
  uint64_t executed_prime = 0;
  mpz_class num_prime = 0, unmeasured_prime = 0;
  bool is_prime_exact = true;

  void add(const Criteria &other) {
    blocks.add(other.blocks);
    outcomes.add(other.outcomes);
    executed_paths += other.executed_paths;
    num_paths += other.num_paths;
    has_conditions |= other.has_conditions;
    has_prime |= other.has_prime;
    conditions.add(other.conditions);
    executed_prime += other.executed_prime;
    num_prime += other.num_prime;
    unmeasured_prime += other.unmeasured_prime;
    is_prime_exact &= other.is_prime_exact;
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
      json["prime_paths"] = {{"executed", executed_prime},
                             {"all", num_prime.get_str()},
                             {"not_measured", unmeasured_prime.get_str()},
                             {"exact", is_prime_exact}};
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
    }
    json_["decisions"] = std::move(decisions);
  }

  void add_prime_paths() {
    FunctionPrimePaths prime(function_, decoded_);
    Json paths = Json::array();
    for (const auto &[path, count] : prime.executed())
      paths.push_back(prime.path_json(path, count, formatter_));
    criteria_.has_prime = true;
    criteria_.executed_prime = prime.executed().size();
    criteria_.num_prime = prime.total().all;
    criteria_.unmeasured_prime = prime.num_unmeasured();
    criteria_.is_prime_exact = prime.total().is_exact;
    json_["prime_paths"] = std::move(paths);
  }

  const Function &function_;
  const FlowGraph &graph_;
  const Decoded &decoded_;
  PathFormatter &formatter_;
  std::vector<uint64_t> counts_; // one per edge
  Criteria criteria_;
  Json json_;
};

// ---- whole profile ----

class Evidence {
public:
  Evidence(const Profile &profile, const FileBytes &bytes, const std::string &file, const CommonOptions &options)
      : options_(options), names_(options, {&profile}), view_(profile, file, names_, options) {
    profile_json_ = {{"bytes", bytes.size()},
                     {"sha256", sha256_text({reinterpret_cast<const char *>(bytes.data()), bytes.size()})}};
  }

  EvidenceFiles files() {
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
    files_["manifest.json"] = reviewable(manifest());
    return std::move(files_);
  }

private:
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
    compilers_.insert(function.sources->compiler);
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
    else if (!source.doubt.empty())
      json["state"] = source.doubt;
    else
      json["state"] = compiled.empty() ? "checksum not recorded" : "as compiled";
    if (source.is_found && source.doubt.empty())
      json["sha256"] = digest_of(source.path);
  }

  static Json digest_of(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return file ? Json(sha256_text(text.str())) : Json();
  }

  Json manifest() {
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
                 {"selected_functions", options_.functions},
                 {"selected_files", options_.source_files},
                 {"root", options_.root},
                 {"include", options_.include},
                 {"exclude", options_.exclude}};
    json["sources"] = std::move(sources);
    json["total"] = total_.json();
    json["functions"] = std::move(functions_);
    json["programs"] = std::move(programs_);
    json["left_out"] = std::move(left_out_);
    return json;
  }

  const CommonOptions &options_;
  Names names_;
  ProfileView view_;
  EvidenceFiles files_;
  Json profile_json_;
  std::vector<Json> functions_;
  Json programs_ = Json::array(), left_out_ = Json::array();
  std::map<std::pair<std::string, std::string>, Json> sources_json_; // keyed by name and checksum
  std::set<std::string> compilers_;
  Criteria total_;
};

} // namespace

void write_evidence_of(const std::string &file, const std::string &folder, const CommonOptions &options) {
  FileBytes bytes = open_image(file);
  Profile profile = parse_image(file, bytes);
  write_evidence(folder, Evidence(profile, bytes, file, options).files());
}

} // namespace pathprof
