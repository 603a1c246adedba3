// SPDX-License-Identifier: GPL-3.0-or-later
// Summarises the coverage of lines, branches, functions, conditions and paths.
#include "pathdump/coverage/summary.h"

#include <algorithm>
#include <memory>

#include "core/analysis/path_filter.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/markers.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

void Tally::add(const Tally &other) {
  covered += other.covered;
  total += other.total;
  justified += other.justified;
}

double Tally::share() const {
  return is_empty() ? 100 : 100 * static_cast<double>(covered) / total.get_d();
}

double Tally::share_with_justified() const {
  return Tally{covered + justified, total}.share();
}

void FileSummary::add(const FileSummary &other) {
  lines.add(other.lines);
  branches.add(other.branches);
  functions.add(other.functions);
  conditions.add(other.conditions);
  paths.add(other.paths);
  excluded_lines += other.excluded_lines;
  excluded_branches += other.excluded_branches;
  unmeasured_decisions += other.unmeasured_decisions;
}

namespace {

class Summariser {
public:
  Summariser(const Profile &profile, const std::string &file, const Names &names, const CoverageOptions &options,
             const std::vector<JustificationEntry> &entries)
      : view_(profile, file, names), options_(options), markers_(view_.sources) {
    summary_.details = covered_files(profile, file, names, options);
    justifications_ = std::make_unique<Justifications>(view_, summary_.details, entries);
  }

  CoverageSummary run() {
    for (const auto &[name, file] : summary_.details)
      add_file(name, file);
    for (const Function &function : view_.profile.functions)
      if (!is_left_out(function) && view_.names.selects(function))
        add_function(function);
    for (const InterproceduralUnit &unit : view_.profile.interprocedural_units)
      add_unit(unit);
    for (const PathCoverage &row : summary_.paths)
      summary_.files[row.file].paths.add(row.paths);
    for (const auto &[name, file] : summary_.files)
      summary_.total.add(file);
    summary_.justifications = justifications_->take(!view_.names.has_selection());
    return std::move(summary_);
  }

private:
  bool is_excluded(const Function &function) {
    return markers_.of(function, function.notes.file).has_line(function.notes.line);
  }

  void add_file(const std::string &name, const CoveredFile &file) {
    FileSummary &sums = summary_.files[name];
    std::map<uint32_t, std::string> reasons;
    JustifiedItems justified = justifications_->of_file(name, file, reasons);
    if (!reasons.empty())
      summary_.justified_lines[name] = std::move(reasons);
    sums.lines.add({file.num_lines_run(), file.lines.size(), justified.lines});
    sums.branches.add({file.num_edges_taken(), file.num_edges(), justified.branches});
    sums.functions.add({file.num_functions_run(), file.functions.size(), justified.functions});
    sums.excluded_lines += file.excluded_lines.size();
    sums.excluded_branches += file.num_excluded_edges;
  }

  void add_function(const Function &function) {
    std::unique_ptr<Decoded> decoded = decode_or_fail(view_.file, function);
    std::string file = view_.names.file(function.file);
    if (has_conditions(function)) {
      size_t number = 0;
      for (const MeasuredDecision &decision : decisions_of(function, *decoded, view_.formatter))
        if (number++; !markers_.has(function, decision)) {
          ConditionTotals totals = decision.totals();
          summary_.files[file].unmeasured_decisions += totals.unmeasured;
          summary_.files[file].conditions.add(
              {totals.masking, totals.conditions, justifications_->num_conditions(function, number, decision)});
        }
    }
    if (!function.in_program && !is_excluded(function))
      summary_.paths.push_back({view_.names.function(function.notes.name), file, view_.names.full(function.notes.name),
                                function.notes.line, &function, paths_of(function, *decoded)});
  }

  // Returns the path coverage of a function, without the paths through code that markers exclude and, with
  // --no-exceptions, through exception edges.
  Tally paths_of(const Function &function, const Decoded &decoded) {
    const FlowGraph &graph = function.notes.graph;
    std::vector<char> blocks(function.notes.blocks.size()), edges(static_cast<size_t>(graph.num_edges()));
    for (size_t block = 0; block < blocks.size(); block++)
      for (const LineRef &position : function.notes.blocks[block].lines)
        blocks[block] |= position.line && markers_.of(function, position.file).has_line(position.line);
    for (size_t e = 0; e < edges.size(); e++)
      edges[e] = !options_.counts_exceptions && (graph.edge(static_cast<int>(e)).flags & kEh);
    PathFilter filter(graph, blocks, edges);
    Tally paths;
    for (const ExecutedPath &path : function.paths)
      if (path.count > 0 && (filter.is_empty() || !filter.excludes(*decoded.regenerate(path.id))))
        paths.covered++;
    paths.total = filter.is_empty() ? num_own_paths(function) : mpz_class(filter.num_paths(decoded.graph));
    paths.justified = justifications_->num_paths(function, decoded, blocks, edges);
    return paths;
  }

  void add_unit(const InterproceduralUnit &unit) {
    bool is_selected = std::any_of(unit.functions.begin(), unit.functions.end(), [&](size_t function) {
      return view_.names.selects(view_.profile.functions[function]);
    });
    if (!is_selected)
      return;
    Tally paths{static_cast<uint64_t>(std::count_if(unit.paths.begin(), unit.paths.end(),
                                                    [](const ExecutedProgramPath &path) { return path.count > 0; })),
                unit.num_paths, 0};
    summary_.paths.push_back(
        {name_of(unit, view_.names), unit_of(view_.profile, unit, view_.names), "", 0, nullptr, paths});
  }

  ProfileView view_;
  CoverageOptions options_;
  Markers markers_;
  CoverageSummary summary_;
  std::unique_ptr<Justifications> justifications_;
};

} // namespace

CoverageSummary summarise(const Profile &profile, const std::string &file, const Names &names,
                          const CoverageOptions &options, const std::vector<JustificationEntry> &entries) {
  CoverageOptions with_names = options; // justifications of decisions identify branches by their places
  with_names.names_outcomes |= !entries.empty();
  return Summariser(profile, file, names, with_names, entries).run();
}

} // namespace pathprof
