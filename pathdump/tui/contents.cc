// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the rows for functions, paths, lines and blocks.
#include "pathdump/tui/contents.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/plan/print.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof::tui {

static constexpr size_t kMostPaths = 200; // limit of the path list of a function, and of the list of hot paths

Contents::Contents(const Profile &profile, const std::string &file, const Names &names, const CommonOptions &options,
                   const Basis &basis)
    : view_(profile, file, names, options), warnings_(warnings_of(profile)), basis_(basis),
      listings_(make_listings(profile, view_.decoder, names, basis_.ranking(), kMostPaths, 0)) {
  view_.formatter.mark_calls(profile);
  std::stable_sort(listings_.functions.begin(), listings_.functions.end(), hotter);
}

std::string Contents::share(Weight weight) const {
  return fmt::format("{:.2f}%", per_cent(static_cast<double>(weight), static_cast<double>(listings_.weight)));
}

std::string Contents::title_of_paths() const {
  return fmt::format(
      "{}, {}; shares are relative to {}{}", title_of(view_.profile, view_.file), plural(view_.profile.runs, "run"),
      basis_.costs ? fmt::format("the cost of all paths ({})", basis_.name()) : "all executed " + basis_.name(),
      warnings_.empty() ? "" : "; counts may be wrong (see the warnings at the end)");
}

void Contents::add_warnings(Pane &pane) const {
  for (const std::string &warning : warnings_)
    pane.rows.push_back({{{"WARNING: " + warning, Colour::Hot}}, std::nullopt});
}

std::vector<Contents::Ranked> Contents::ranked_paths() const {
  std::vector<Ranked> ranked;
  for (size_t i = 0; i < listings_.functions.size(); i++) {
    const Listing &listing = listings_.functions[i];
    for (size_t p = 0; p < listing.paths.size(); p++)
      if (listing.paths[p].function == listing.body)
        ranked.push_back({listing.paths[p], Target{i, p}});
  }
  for (size_t i = 0; i < view_.profile.interprocedural_units.size(); i++)
    for_each_path(
        view_.profile, i,
        [&](const HotPath &hot, const ShownPath &path) {
          if (!path.is_selected(view_.names))
            return;
          auto at = std::find_if(listings_.functions.begin(), listings_.functions.end(),
                                 [&](const Listing &listing) { return listing.body == hot.function; });
          std::optional<Target> target;
          if (at != listings_.functions.end())
            target = Target{static_cast<size_t>(at - listings_.functions.begin()), std::nullopt};
          ranked.push_back({hot, target});
        },
        basis_.costs);
  keep_best(ranked, kMostPaths);
  std::sort(ranked.begin(), ranked.end());
  return ranked;
}

static const std::vector<Column> columns_of_paths = {{"share", true, Colour::Hot},
                                                     {"count", true},
                                                     {"stmts", true},
                                                     {"id", true},
                                                     {"from"},
                                                     {"to"},
                                                     {"function", false, Colour::Name, 30},
                                                     {"decisions", false, Colour::Place}};

// Adds one row per path. Different paths have different labels.
void Contents::add_paths(Pane &pane, const std::vector<HotPath> &paths) {
  std::vector<PathLabel> rows = view_.labels(paths);
  std::vector<std::vector<std::string>> cells;
  for (size_t i = 0; i < paths.size(); i++)
    cells.push_back({share(paths[i].weight), std::to_string(paths[i].count), std::to_string(paths[i].statements),
                     digits(paths[i].id), rows[i].start, rows[i].end, rows[i].function, rows[i].path});
  align(pane, columns_of_paths, cells, view_.names.are_whole());
  for (size_t i = 0; i < rows.size(); i++)
    pane.rows[i].items = view_.formatter.items(rows[i].elements);
}

Pane Contents::hot_paths() {
  Pane pane;
  pane.title = "Hot paths of " + title_of_paths();
  std::vector<Ranked> ranked = ranked_paths();
  std::vector<HotPath> paths;
  for (const Ranked &path : ranked)
    paths.push_back(path.hot);
  add_paths(pane, paths);
  for (size_t i = 0; i < ranked.size(); i++)
    pane.rows[i].target = ranked[i].target;
  if (ranked.empty())
    pane.rows.push_back({{{"No path was executed.", Colour::Faint}}, std::nullopt});
  add_warnings(pane);
  return pane;
}

Pane Contents::functions(bool all) const {
  Pane pane;
  pane.title = "Functions of " + title_of_paths();
  std::vector<std::vector<std::string>> cells;
  std::vector<size_t> shown;
  for (size_t i = 0; i < listings_.functions.size(); i++) {
    const Listing &listing = listings_.functions[i];
    if (!all && !lines_ran(listing))
      continue;
    shown.push_back(i);
    const Function *body = listing.body ? &view_.profile.functions[*listing.body] : nullptr;
    cells.push_back({share(listing.weight), body ? std::to_string(listing.totals.calls) : "inlined",
                     !body              ? "-"
                     : body->in_program ? std::to_string(body->activity ? body->activity->num_paths : 0)
                                        : std::to_string(body->paths.size()),
                     body ? short_number(body->notes.num_paths) : "-", view_.names.function(listing.name),
                     fmt::format("{}:{}", view_.names.file(listing.file), listing.line)});
  }
  align(pane,
        {{"share", true, Colour::Hot},
         {"calls", true},
         {"executed", true},
         {"paths", true},
         {"function", false, Colour::Name, 40},
         {"place", false, Colour::Place}},
        cells, view_.names.are_whole());
  for (size_t i = 0; i < shown.size(); i++)
    pane.rows[i].target = Target{shown[i], std::nullopt};
  if (size_t hidden = listings_.functions.size() - shown.size())
    pane.rows.push_back({{{fmt::format("{} {} never executed; press 'a' to show {}", plural(hidden, "function"),
                                       hidden == 1 ? "was" : "were", hidden == 1 ? "it" : "them"),
                           Colour::Faint}},
                         std::nullopt});
  else if (shown.empty())
    pane.rows.push_back({{{"No function to show.", Colour::Faint}}, std::nullopt});
  add_warnings(pane);
  return pane;
}

static std::string text_of_mark(const Listing &listing, std::optional<size_t> path) {
  return path ? fmt::format("; * path {}", digits(listing.paths[*path].id)) : "";
}

void Contents::add_source_file(Pane &pane, const Listing &listing, const std::string &file, const LinesOfFile &lines,
                               std::optional<size_t> path) {
  size_t source = view_.sources.number_of(unit_of(view_.profile, listing, file), file);
  if (file != listing.file)
    pane.rows.push_back({{{"in " + view_.names.file(file), Colour::Place}}, std::nullopt});
  if (!view_.sources[source].doubt.empty())
    pane.rows.push_back({{{"WARNING: " + text_of_doubt(view_.sources[source]), Colour::Hot}}, std::nullopt});
  if (!view_.sources[source].is_found)
    pane.rows.push_back(
        {{{"(source file not found; use --source-prefix OLD=NEW to specify its location)", Colour::Faint}},
         std::nullopt});
  uint64_t hottest = 0;
  for (const auto &[number, line] : lines)
    hottest = std::max(hottest, line->count.count());
  for (const auto &[number, line] : with_lines_between(lines, view_.sources, source)) {
    if (number == 0) {
      pane.rows.push_back({{{fmt::format("{:>21}", "..."), Colour::Faint}}, std::nullopt});
      continue;
    }
    uint64_t count = line ? line->count.count() : 0;
    bool is_marked = line && path && std::binary_search(line->paths.begin(), line->paths.end(), *path);
    Colour colour = !line || count == 0 ? Colour::Faint : count > hottest / 2 ? Colour::Hot : Colour::None;
    const std::string *text = view_.sources.line(source, number);
    pane.rows.push_back({{{fmt::format("{:>12}", line ? std::to_string(count) : "-"), colour},
                          {fmt::format("  {:>6} ", number), Colour::Faint},
                          {is_marked ? "* " : "  ", Colour::Heading},
                          {text ? without_tabs(*text) : "", is_marked            ? Colour::Heading
                                                            : !line || count > 0 ? Colour::None
                                                                                 : Colour::Faint}},
                         std::nullopt});
  }
}

Pane Contents::source(size_t index, std::optional<size_t> path) {
  const Listing &listing = listings_.functions[index];
  Pane pane;
  pane.title = fmt::format("{} ({}:{}), source{}", name_of(index), view_.names.file(listing.file), listing.line,
                           text_of_mark(listing, path));
  pane.heading = {{{fmt::format("{:>12}  {:>6}", "count", "line"), Colour::Heading}}, std::nullopt};
  for (const auto &[file, lines] : lines_by_file(listing, view_.names))
    add_source_file(pane, listing, file, lines, path);
  if (pane.rows.empty())
    pane.rows.push_back(
        {{{"The profile contains no lines of this function because the function was compiled without -g.",
           Colour::Faint}},
         std::nullopt});
  for (size_t row = 0; path && row < pane.rows.size(); row++)
    if (pane.rows[row].spans.size() > 2 && pane.rows[row].spans[2].text == "* ") {
      pane.cursor = row;
      break;
    }
  return pane;
}

std::vector<char> Contents::blocks_on(const Listing &listing, std::optional<size_t> path) {
  std::vector<char> on(static_cast<size_t>(view_.profile.functions[*listing.body].notes.graph.num_blocks()), 0);
  if (path && listing.paths[*path].function == listing.body)
    for (int block : view_.decoder.path(listing.paths[*path]).blocks)
      on[static_cast<size_t>(block)] = 1;
  return on;
}

static std::string name_of_block(int block) {
  return block == kEntryBlock ? "ENTRY" : block == kExitBlock ? "EXIT" : std::to_string(block);
}

// Adds a row for the block, and a row for each outgoing edge.
void Contents::add_block(Pane &pane, const Function &function, int block, const std::vector<uint64_t> &counts,
                         bool is_marked) {
  const FlowGraph &graph = function.notes.graph;
  const Branches &branches = view_.formatter.branches(function);
  auto sum = [&](const std::vector<int> &edges) {
    unsigned __int128 all = 0;
    for (int edge : edges)
      all += counts[static_cast<size_t>(edge)];
    return all;
  };
  unsigned __int128 times = sum(block == kEntryBlock ? graph.succs(block) : graph.preds(block));
  Path alone;
  alone.blocks = {block};
  bool is_real = block != kEntryBlock && block != kExitBlock;
  std::string condition = branches.decides(block) ? branches.condition(block) : "";
  pane.rows.push_back({{{is_marked ? "* " : "  ", Colour::Heading},
                        {name_of_block(block), Colour::Heading},
                        {is_real ? "  " + line_sequence_text(function, alone, view_.names) : "", Colour::Place},
                        {fmt::format("  {}", digits(times)), times ? Colour::None : Colour::Faint},
                        {condition.empty() ? "" : "  " + condition, Colour::None}},
                       std::nullopt});
  for (int edge : graph.succs(block)) {
    uint64_t count = counts[static_cast<size_t>(edge)];
    double part = per_cent(static_cast<double>(count), static_cast<double>(sum(graph.succs(block))));
    std::string kind = branches.outcome(edge);
    pane.rows.push_back(
        {{{fmt::format("      -> {:<6} {:>12} {:>6.1f}%  ", name_of_block(graph.edge(edge).dst), count, part),
           count == 0  ? Colour::Faint
           : part > 50 ? Colour::Hot
                       : Colour::None},
          {kind, Colour::Faint}},
         std::nullopt});
  }
}

Pane Contents::graph(size_t index, std::optional<size_t> path) {
  const Listing &listing = listings_.functions[index];
  Pane pane;
  pane.title = fmt::format("{}, control-flow graph{}", name_of(index), text_of_mark(listing, path));
  if (!listing.body) {
    pane.rows.push_back(
        {{{"The function was inlined everywhere, so it has no graph of its own.", Colour::Faint}}, std::nullopt});
    return pane;
  }
  pane.heading = {{{"  block  lines  executions", Colour::Heading}}, std::nullopt};
  const Function &function = view_.profile.functions[*listing.body];
  std::vector<uint64_t> counts = count_edges(function, view_.decoder.decoded(*listing.body));
  std::vector<char> on = blocks_on(listing, path), reachable = reachable_blocks(function.notes.graph);
  add_block(pane, function, kEntryBlock, counts, on[kEntryBlock]);
  for (int block = kExitBlock + 1; block < function.notes.graph.num_blocks(); block++)
    if (reachable[static_cast<size_t>(block)])
      add_block(pane, function, block, counts, on[static_cast<size_t>(block)]);
  add_block(pane, function, kExitBlock, counts, on[kExitBlock]);
  return pane;
}

Pane Contents::paths(size_t index) {
  const Listing &listing = listings_.functions[index];
  Pane pane;
  pane.title = fmt::format("{}, paths, hottest first", name_of(index));
  add_paths(pane, listing.paths);
  for (size_t i = 0; i < listing.paths.size(); i++)
    pane.rows[i].target = Target{index, i};
  if (listing.paths.empty()) {
    bool in_program = listing.body && view_.profile.functions[*listing.body].in_program;
    pane.rows.push_back({{{in_program ? "The function's paths are interprocedural; see the list of hot paths."
                                      : "No paths in this function were executed.",
                           Colour::Faint}},
                         std::nullopt});
  } else if (listing.paths.size() == kMostPaths) {
    pane.rows.push_back(
        {{{fmt::format("The list is limited to the {} hottest paths.", kMostPaths), Colour::Faint}}, std::nullopt});
  }
  return pane;
}

} // namespace pathprof::tui
