// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the basis of ranking and describes it.
#include "pathdump/model/basis.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/models/model.h"
#include "core/numbering/saturate.h"
#include "pathdump/ui/text.h"

namespace pathprof {

uint64_t cycles_of(const Function &function) {
  uint64_t sum = 0;
  for (const ExecutedPath &path : function.paths)
    saturating_add(sum, path.cycles);
  return sum;
}

double Basis::share_of_measuring() const {
  return per_cent(static_cast<double>(measuring), static_cast<double>(measuring) + static_cast<double>(cycles));
}

Basis basis_of(const Profile &profile, const std::string &key) {
  Basis basis;
  basis.has_cycles = profile.has_cycles();
  for (const Function &function : profile.functions) {
    saturating_add(basis.cycles, cycles_of(function));
    saturating_add(basis.measuring, function.measuring);
    for (const ExecutedPath &path : function.paths)
      saturating_add(basis.measurements, pathprof::has_cycles(function, path) ? path.count : 0);
  }
  basis.knows_cost = basis.measuring || !basis.cycles;
  basis.is_wanted = key == "statements" || key == "cycles";
  basis.by_cycles = basis.is_wanted ? key == "cycles" : basis.has_cycles && !basis.is_dear();
  return basis;
}

static std::string ranking_text(const Basis &basis, std::optional<Weight> all) {
  std::string text = basis.has_cycles ? plural(basis.cycles, "cycle") + " measured. " : "";
  if (!basis.order.empty()) {
    text += basis.order == "count" ? "Ranked by executions" : "Rows sorted by name";
    if (all)
      text += basis.by_cycles
                  ? "; shares are relative to all measured cycles"
                  : fmt::format("; shares are relative to all {} executed statements (executions × statements)",
                                digits(*all));
    return text;
  }
  text += basis.by_cycles ? "Ranked by cycles" : "Ranked by executed statements (executions × statements)";
  if (!all)
    return text;
  return text + (basis.by_cycles ? "; shares are relative to all measured cycles"
                                 : fmt::format("; shares are relative to the total of {}", digits(*all)));
}

std::vector<std::string> basis_text(const Basis &basis, std::optional<Weight> all) {
  if (basis.costs) {
    std::vector<std::string> text = basis.costs->text();
    if (!basis.order.empty())
      text.emplace_back(basis.order == "count" ? "Rows sorted by executions" : "Rows sorted by name");
    return text;
  }
  std::vector<std::string> text = {ranking_text(basis, all)};
  if (!basis.has_cycles)
    return text;
  if (!basis.knows_cost) {
    text.emplace_back("The cost of measuring is unknown because the profile has format 1.5 or older");
    return text;
  }
  text.push_back(fmt::format(
      "Measuring {} took {} ({:.1f} each), or {:.1f}% of all cycles; the cycles of the paths exclude this cost",
      plural(basis.measurements, "time"), plural(basis.measuring, "cycle"),
      static_cast<double>(basis.measuring) / static_cast<double>(std::max<uint64_t>(basis.measurements, 1)),
      basis.share_of_measuring()));
  if (!basis.is_dear())
    return text;
  if (basis.by_cycles)
    text.emplace_back("Because measuring took more than half of all cycles, the cycles of short paths are unreliable");
  else if (!basis.is_wanted)
    text.emplace_back("The cost of measuring exceeds half of all cycles, so rows are not ranked by cycles (use report "
                      "--sort=cycles to rank by cycles); for better figures, use a scheme file to exclude functions "
                      "with short paths");
  return text;
}

void print_basis(const Basis &basis, std::optional<Weight> all, Output &out) {
  for (const std::string &line : basis_text(basis, all))
    print_remark(line, out);
}

void add_basis(Json &json, const Basis &basis) {
  json["ranked_by"] = basis.name();
  if (!basis.order.empty())
    json["sorted_by"] = basis.order;
  if (basis.costs)
    json["cost"] = basis.costs->json();
  if (!basis.has_cycles)
    return;
  json["cycles"] = count_json(basis.cycles);
  json["measuring_cycles"] = basis.knows_cost ? count_json(basis.measuring) : Json(nullptr);
}

// ---- counted paths ----

namespace {

using Kind = std::pair<Mode, uint32_t>; // mode and k

std::map<Kind, uint64_t> kinds_of(const Profile &profile, const Names &names) {
  std::map<Kind, uint64_t> kinds;
  for (const Function &function : profile.functions)
    if (!is_left_out(function) && names.selects(function))
      kinds[{function.notes.model.mode, function.notes.model.k}]++;
  return kinds;
}

std::string text_of(Mode mode, uint32_t k) {
  return model_of(mode).has(Feature::K) ? fmt::format("{},k={}", to_string(mode), k) : to_string(mode);
}

std::string kind_text(const Kind &kind) {
  return fmt::format("{} (mode={})", model_of(kind.first).paths_text(kind.second), text_of(kind.first, kind.second));
}

} // namespace

std::string counted_text(const FunctionNotes &notes) {
  return kind_text({notes.model.mode, notes.model.k});
}

std::string mode_text(const FunctionNotes &notes) {
  return text_of(notes.model.mode, notes.model.k);
}

std::string counted_text(const Profile &profile, const Names &names) {
  std::map<Kind, uint64_t> kinds = kinds_of(profile, names);
  std::string text;
  for (const auto &[kind, functions] : kinds) {
    text += (text.empty() ? "" : "; ") + kind_text(kind);
    if (kinds.size() > 1)
      text += fmt::format(" in {}", plural(functions, "function"));
  }
  if (std::any_of(profile.functions.begin(), profile.functions.end(),
                  [](const Function &function) { return (function.notes.flags & kCoverageOnly) != 0; }))
    text += "; a count is 1 if the path was executed, however often (counters=bit)";
  return text;
}

void print_counted(const Profile &profile, const Names &names, Output &out) {
  if (std::string text = counted_text(profile, names); !text.empty())
    print_remark("Counted: " + text, out);
}

void print_counted(const Profile &a, const Profile &b, const Names &names, Output &out) {
  std::string of_a = counted_text(a, names), of_b = counted_text(b, names);
  if (of_a == of_b)
    return print_counted(a, names, out);
  print_remark("Counted in A: " + (of_a.empty() ? "nothing" : of_a), out);
  print_remark("Counted in B: " + (of_b.empty() ? "nothing" : of_b), out);
}

Json counted_json(const Profile &profile, const Names &names) {
  Json json = Json::array();
  for (const auto &[kind, functions] : kinds_of(profile, names))
    json.push_back({{"mode", to_string(kind.first)}, {"k", kind.second}, {"functions", functions}});
  return json;
}

} // namespace pathprof
