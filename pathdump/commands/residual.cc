// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump residual` for mode=preferential: lists the executed paths that are not interesting, each with
// the nearest interesting path, and compares the counts of interesting paths with those in the profile that selected
// them.
#include <algorithm>
#include <map>

#include "core/models/model.h"
#include "core/numbering/saturate.h"
#include "pathdump/commands/commands.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/model/hot.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  uint64_t limit = 20;
};

bool has_interesting(const Function &function) {
  return model_of(function.notes.model).has(Feature::InterestingPaths) && !is_left_out(function);
}

struct Nearest {
  uint64_t id = 0;
  uint64_t tested = 0; // execution count in the profile that selected the path; 0 if not known
  std::vector<Difference> differences;
};

// The interesting paths of a function, with their decisions.
class InterestingPaths {
public:
  InterestingPaths(const Function &function, const Decoded &decoded)
      : notes_(function.notes), decoded_(decoded), branches_(function, decoded) {
    for (const InterestingPath &path : notes_.interesting)
      decisions_.push_back(branches_.of(path.id));
  }

  // Returns the interesting path that has the most decisions in common with the path `id`.  If several paths tie,
  // prefers the highest count, then the first path.  Returns nothing if the function has no interesting paths.
  std::optional<Nearest> nearest(uint64_t id) const {
    std::vector<int> decisions = branches_.of(id);
    std::vector<char> is_taken(static_cast<size_t>(decoded_.graph.num_edges()), 0);
    for (int e : decisions)
      is_taken[static_cast<size_t>(e)] = 1;
    size_t best = decisions_.size(), most = 0;
    for (size_t i = 0; i < decisions_.size(); i++) {
      size_t shared = static_cast<size_t>(std::count_if(decisions_[i].begin(), decisions_[i].end(),
                                                        [&](int e) { return is_taken[static_cast<size_t>(e)] != 0; }));
      if (best == decisions_.size() || shared > most ||
          (shared == most && notes_.interesting[i].count > notes_.interesting[best].count)) {
        best = i;
        most = shared;
      }
    }
    if (best == decisions_.size())
      return std::nullopt;
    return Nearest{notes_.interesting[best].id, notes_.interesting[best].count,
                   branches_.differences(decisions, decisions_[best])};
  }

  const Decisions &decisions() const { return branches_; }

private:
  const FunctionNotes &notes_;
  const Decoded &decoded_;
  Decisions branches_;
  std::vector<std::vector<int>> decisions_;
};

// The results for all functions with interesting paths.
struct Findings {
  uint64_t num_functions = 0;
  uint64_t num_interesting = 0, num_ran = 0; // number of interesting paths, and of executed interesting paths
  uint64_t num_residual = 0;
  uint64_t executions = 0, residual_executions = 0;
  std::vector<HotPath> residual;
  // Interesting paths, ranked by their weight in the profile from which they were selected.  Paths whose counts in that
  // profile are unknown are omitted.
  std::vector<HotPath> tested;
  Weight weight = 0, tested_weight = 0; // weight of all paths here and in the profile that selected them
};

uint64_t count_in(const Function &function, uint64_t id) {
  auto at = std::lower_bound(function.paths.begin(), function.paths.end(), id,
                             [](const ExecutedPath &path, uint64_t wanted) { return path.id < wanted; });
  return at != function.paths.end() && at->id == id ? at->count : 0;
}

Findings find(ProfileView &view, uint64_t limit) {
  Findings found;
  for (size_t i = 0; i < view.profile.functions.size(); i++) {
    const Function &function = view.profile.functions[i];
    if (!has_interesting(function) || !view.names.selects(function))
      continue;
    found.num_functions++;
    found.num_interesting += function.notes.interesting.size();
    for_each_path(function, i, view.decoder.decoded(i), false, [&](const HotPath &hot) {
      saturating_add(found.executions, hot.count);
      found.weight += hot.weight;
      if (function.notes.is_interesting(hot.id)) {
        found.num_ran++;
        return;
      }
      found.num_residual++;
      saturating_add(found.residual_executions, hot.count);
      found.residual.push_back(hot);
    });
    for (const InterestingPath &path : function.notes.interesting) {
      if (path.count == 0)
        continue;
      uint64_t statements = statements_of(function, *view.decoder.decoded(i).regenerate(path.id));
      Weight weight = static_cast<Weight>(path.count) * statements;
      found.tested.push_back({weight, path.count, std::nullopt, statements, i, path.id});
      found.tested_weight += weight;
    }
  }
  for (std::vector<HotPath> *list : {&found.residual, &found.tested}) {
    keep_best(*list, limit);
    std::sort(list->begin(), list->end());
  }
  return found;
}

class Printer {
public:
  Printer(ProfileView &view, const Findings &found) : view_(view), found_(found) {}

  void print_text(Output &out) {
    out.print("{}: {} with interesting paths: {} of {} interesting paths executed; "
              "{} ({:.2f}% of all {} path executions)\n\n",
              view_.profile.program, plural(found_.num_functions, "function"), found_.num_ran, found_.num_interesting,
              plural(found_.num_residual, "residual path"),
              per_cent(static_cast<double>(found_.residual_executions), static_cast<double>(found_.executions)),
              found_.executions);
    if (!found_.residual.empty())
      print_residual(out);
    if (!found_.tested.empty())
      print_tested(out);
    view_.formatter.print_legend(out);
  }

  Json json() {
    Json residual = Json::array(), tested = Json::array();
    for (const HotPath &hot : found_.residual)
      residual.push_back(residual_json(hot));
    for (const HotPath &hot : found_.tested)
      tested.push_back(tested_json(hot));
    return {{"functions", found_.num_functions},
            {"interesting_paths", found_.num_interesting},
            {"interesting_paths_executed", found_.num_ran},
            {"residual_paths", found_.num_residual},
            {"executions", count_json(found_.executions)},
            {"residual_executions", count_json(found_.residual_executions)},
            {"residual", std::move(residual)},
            {"tested", std::move(tested)}};
  }

private:
  std::optional<Nearest> nearest(const HotPath &hot) {
    auto &known = interesting_[hot.function];
    if (!known)
      known = std::make_unique<InterestingPaths>(view_.function(hot), view_.decoder.decoded(hot.function));
    return known->nearest(hot.id);
  }

  Path path_of(const HotPath &hot, uint64_t id) { return *view_.decoder.decoded(hot.function).regenerate(id); }

  std::string below(const HotPath &hot, const Output &out) {
    std::optional<Nearest> near = nearest(hot);
    if (!near)
      return "      the function has no interesting paths\n";
    return nearest_text(fmt::format("nearest: {} ", near->id),
                        view_.formatter.elements(view_.function(hot), path_of(hot, near->id)), view_.formatter, out) +
           fmt::format("      {}\n", interesting_[hot.function]->decisions().text(near->differences, view_.formatter));
  }

  void print_residual(Output &out) {
    out.write("Residual paths, ranked by executed statements (executions × statements)\n\n");
    Table table(ranked_path_columns({{"rank", true}}, false, view_.formatter.heading()));
    for (const HotPath &hot : found_.residual) // all listed paths must be known before they are described
      if (std::optional<Nearest> near = nearest(hot))
        view_.formatter.elements(view_.function(hot), path_of(hot, near->id));
    std::vector<PathLabel> rows = view_.labels(found_.residual);
    for (size_t i = 0; i < rows.size(); i++) {
      const HotPath &hot = found_.residual[i];
      std::vector<std::string> cells = {std::to_string(i + 1)};
      for (std::string &cell : path_cells(hot, rows[i].start, rows[i].end, false))
        cells.push_back(std::move(cell));
      cells.insert(cells.end(), {rows[i].function, rows[i].path});
      view_.formatter.note(view_.function(hot), view_.decoder.path(hot));
      table.add(std::move(cells), below(hot, out));
    }
    fit_paths(table, rows, view_.formatter);
    table.print(out);
    if (found_.num_residual > found_.residual.size())
      out.print("... and {} (-n 0 shows all)\n",
                plural(found_.num_residual - found_.residual.size(), "more residual path"));
  }

  double tested_share(const HotPath &hot) const {
    return per_cent(static_cast<double>(hot.weight), static_cast<double>(found_.tested_weight));
  }

  double share_here(const HotPath &hot) const {
    Weight weight = static_cast<Weight>(count_in(view_.function(hot), hot.id)) * hot.statements;
    return per_cent(static_cast<double>(weight), static_cast<double>(found_.weight));
  }

  void print_tested(Output &out) {
    out.write("\nInteresting paths: \"then\" is the profile from which they were selected, "
              "and \"here\" is this profile; shares are relative to all executed statements\n\n");
    Table table({{"then", true},
                 {"here", true, Colour::Hot},
                 {"count then", true},
                 {"count here", true},
                 {"id", true},
                 {"function", false, Colour::Name, 40},
                 {view_.formatter.heading(), false, Colour::Place}});
    std::vector<PathLabel> rows = view_.labels(found_.tested);
    for (size_t i = 0; i < rows.size(); i++) {
      const HotPath &hot = found_.tested[i];
      table.add({fmt::format("{:.2f}%", tested_share(hot)), fmt::format("{:.2f}%", share_here(hot)),
                 std::to_string(hot.count), std::to_string(count_in(view_.function(hot), hot.id)), digits(hot.id),
                 rows[i].function, rows[i].path});
    }
    fit_paths(table, rows, view_.formatter);
    table.print(out);
  }

  Json residual_json(const HotPath &hot) {
    Json json = view_.json(hot);
    std::optional<Nearest> near = nearest(hot);
    if (!near) {
      json["nearest"] = nullptr;
      return json;
    }
    PathFormatter lines = view_.formatter.by_lines();
    json["nearest"] = {{"id", std::to_string(near->id)},
                       {"count_then", count_json(near->tested)},
                       {"lines", lines.text(view_.function(hot), path_of(hot, near->id))},
                       {"decisions", view_.formatter.json(view_.function(hot),
                                                          *view_.decoder.decoded(hot.function).regenerate(near->id))},
                       {"differences", interesting_[hot.function]->decisions().json(near->differences)}};
    return json;
  }

  Json tested_json(const HotPath &hot) {
    uint64_t count = count_in(view_.function(hot), hot.id);
    Json json = view_.json(hot);
    json["count"] = count_json(count);
    json["count_then"] = count_json(hot.count);
    json["share"] = share_here(hot);
    json["share_then"] = tested_share(hot);
    return json;
  }

  ProfileView &view_;
  const Findings &found_;
  std::map<size_t, std::unique_ptr<InterestingPaths>> interesting_;
};

int run(const Options &options) {
  check_lines_option(options, "residual");
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  if (std::none_of(profile.functions.begin(), profile.functions.end(), has_interesting))
    throw Failure(kWrongUse,
                  fmt::format("{}: no function has interesting paths; compile with mode=preferential", file));
  Names names(options, {&profile});
  ProfileView view(profile, file, names, options);
  Findings found = find(view, options.limit);
  Printer printer(view, found);
  Output out(options);
  if (options.json)
    out.print("{}\n", dump_indented(printer.json()));
  else
    printer.print_text(out);
  out.commit();
  return status_of_selection(options, names, profile, file);
}

} // namespace

Run declare_residual(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_number_option(command, options->limit, "print at most N paths in each table (default 20; 0: all)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions | kLinesOption);
  return [options] { return run(*options); };
}

} // namespace pathprof
