// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the changes between two profiles for an HTML page.
#include "pathdump/html/changes.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "pathdump/html/details.h"
#include "pathdump/html/text.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

// Prefix of the keys that represent functions and units of the earlier profile. No function name begins with this
// prefix.
static const char *const kEarlier = "earlier:";

Changes::Changes(const Profile &before, const std::string &before_file, const Profile &now, const std::string &now_file,
                 const Names &names, const CommonOptions &options)
    : names_(names), comparison_(compare({&before, before_file}, {&now, now_file}, names_, kListed, {})),
      view_(before, before_file, names_, options) {
  view_.formatter.mark_calls(before);
  for (const Overlap &pair : comparison_.overlaps)
    if (pair.function[0] != kNoFunction && pair.function[1] != kNoFunction)
      before_of_[{pair.is_program, pair.function[1]}] = pair.function[0];
  for (const ChangedFunction &one : comparison_.changed)
    not_comparable_.insert({one.is_program, one.function[1]});
  for (const PathChange &change : comparison_.changes)
    note(change);
}

void Changes::note(const PathChange &change) {
  bool is_now = !is_earlier(change);
  size_t index = change.function[is_now];
  if (change.is_of_program)
    (is_now ? programs_ : earlier_programs_)[index].insert(change.id);
  else
    (is_now ? listed_ : earlier_)[index][static_cast<uint64_t>(change.id)] = change.statements;
}

bool Changes::ran_now(size_t function) const {
  const Function &now = profile(1).functions[function];
  auto ran = [](const ExecutedPath &path) { return path.count > 0; };
  return std::any_of(now.paths.begin(), now.paths.end(), ran) ||
         std::any_of(now.cut_short.begin(), now.cut_short.end(), ran);
}

// Returns true if the path must be displayed in a graph with the edge counts of the earlier profile. If the function
// was also executed in the later profile, the graph with the later counts is used instead.
bool Changes::is_earlier(const PathChange &change) const {
  if (change.side() == 0)
    return true;
  return change.count[1] == 0 && (change.is_of_program || !ran_now(change.function[1]));
}

double Changes::points(const PathChange &change) const {
  return share(change.weight[1], 1) - share(change.weight[0], 0);
}

// Finds the path with the given ID in a sorted vector. Returns null if the path was not executed.
template <typename Executed, typename Number>
static const Executed *find_executed(const std::vector<Executed> &paths, Number id) {
  auto at = std::lower_bound(paths.begin(), paths.end(), id,
                             [](const Executed &path, Number wanted) { return path.id < wanted; });
  return at != paths.end() && at->id == id ? &*at : nullptr;
}

Changes::Before Changes::find(const HotPath &hot) const {
  auto pair = before_of_.find({hot.is_of_program(), hot.is_of_program() ? hot.program : hot.function});
  if (pair == before_of_.end())
    return {};
  const Profile &before = profile(0);
  if (hot.is_of_program()) {
    const ExecutedProgramPath *executed = find_executed(before.interprocedural_units[pair->second].paths, hot.id);
    return executed ? Before{executed->count, static_cast<Weight>(executed->count) *
                                                  ShownPath(before, pair->second, hot.id).statements()}
                    : Before{};
  }
  const Function &function = before.functions[pair->second];
  auto id = static_cast<uint64_t>(hot.id);
  const ExecutedPath *executed = find_executed(id < function.notes.num_paths ? function.paths : function.cut_short, id);
  if (!executed)
    return {};
  uint64_t statements = statements_of(function, *view_.decoder.decoded(pair->second).regenerate(id));
  return {executed->count, static_cast<Weight>(executed->count) * statements};
}

std::vector<std::string> Changes::cells(const HotPath &hot) const {
  if (not_comparable_.count({hot.is_of_program(), hot.is_of_program() ? hot.program : hot.function}))
    return {"-", "-"};
  Before before = find(hot);
  Weight now = static_cast<Weight>(hot.count) * hot.statements;
  return {grouped(before.count), fmt::format("{:+.2f}", share(now, 1) - share(before.weight, 0))};
}

// Returns the functions in the earlier profile that the listed paths go through.
std::set<size_t> Changes::earlier_functions() const {
  std::set<size_t> functions;
  for (const auto &[function, paths] : earlier_)
    functions.insert(function);
  for (const auto &[index, ids] : earlier_programs_) {
    const InterproceduralUnit &unit = profile(0).interprocedural_units[index];
    for (WideNumber id : ids) {
      InterproceduralPath path = *unit.regenerate(id);
      for (const PathStep &step : path.steps)
        functions.insert(unit.functions[static_cast<size_t>(step.procedure)]);
    }
  }
  return functions;
}

std::vector<PackedData> Changes::data(SourceFiles &files) {
  if (earlier_.empty() && earlier_programs_.empty())
    return {};
  Ranking ranking =
      rank(profile(0), comparison_.sides[0].file, names_, view_.decoder, {}, earlier_, basis_of(profile(0)));
  std::set<size_t> passed = earlier_functions();
  for (RankedFunction &ranked : ranking.functions) {
    ranked.key = kEarlier + ranked.key;
    ranked.is_detailed = passed.count(ranked.index) != 0;
  }
  Details details(profile(0), ranking, view_.formatter, view_.decoder, files, nullptr);
  std::vector<PackedData> data;
  for (const RankedFunction &ranked : ranking.functions)
    if (ranked.is_detailed) {
      data.push_back({"function", ranked.key, details.function(ranked)});
      earlier_keys_[ranked.index] = ranked.key;
    }
  for (const auto &[unit, ids] : earlier_programs_)
    data.push_back({"unit", kEarlier + std::to_string(unit), details.program(unit, ids)});
  for (PackedData &one : data)
    one.json["earlier"] = true;
  return data;
}

std::string Changes::summary() const {
  std::string text = "<p class=\"intro\">";
  for (int side : {0, 1}) {
    const Side &one = comparison_.sides[side];
    text += fmt::format("{}: <b>{}</b>, {}, {}, {} statements. ", side ? "Now" : "Before", escape(visible(one.file)),
                        plural(one.profile->runs, "run"), plural(one.executions, "path execution"),
                        grouped(digits(one.weight)));
  }
  const uint64_t *num = comparison_.num_of_kind;
  return text + fmt::format("{} new, {} gone, {} hotter, {} colder, {} unchanged. Rows are sorted by the change in "
                            "executed statements{}.</p>\n",
                            plural(num[0], "path"), grouped(num[1]), grouped(num[2]), grouped(num[3]),
                            grouped(comparison_.num_equal), comparison_.scale.is_needed() ? " per run" : "");
}

std::string Changes::changed_functions() const {
  if (comparison_.changed.empty())
    return {};
  std::string items;
  for (const ChangedFunction &one : comparison_.changed) {
    const Profile &now = *comparison_.sides[1].profile;
    std::string name = one.is_program ? name_of(now.interprocedural_units[one.function[1]], names_)
                                      : names_.function(now.functions[one.function[1]].notes.name);
    items += fmt::format("<li><b>{}</b>: {}; {:.2f}% of the statements before, {:.2f}% now</li>\n", escape(name),
                         escape(one.why), share(one.weight[0], 0), share(one.weight[1], 1));
  }
  return "<h3>Changed functions</h3>\n<p class=\"more\">The paths of these functions cannot be compared; use "
         "pathdump diff to compare their lines and branches.</p>\n<ul>\n" +
         items + "</ul>\n";
}

// Returns the labels of the changed paths. A path is decoded with the later profile if that profile contains the
// function, and otherwise with the earlier profile.
std::vector<PathLabel> Changes::texts(const PageParts &page) {
  std::vector<PathLabel> texts;
  view_.formatter.list_with(page.formatter);
  for (const PathChange &change : comparison_.changes) {
    bool is_now = change.side() == 1;
    PathFormatter &words = is_now ? page.formatter : view_.formatter;
    Decoder &decoder = is_now ? page.decoder : view_.decoder;
    texts.push_back(path_label(profile(is_now), decoder, change.hot_path(), words, false));
  }
  complete(texts, page.formatter);
  return texts;
}

std::string Changes::address_of(const PathChange &change, const PageParts &page) const {
  if (!is_earlier(change))
    return page.address(change.hot_path());
  if (change.is_of_program)
    return fmt::format("u={}{}&p={}", kEarlier, change.function[0], change.id);
  auto key = earlier_keys_.find(change.function[0]);
  return key == earlier_keys_.end() ? "" : fmt::format("f={}&p={}", url_encode(key->second), change.id);
}

std::string Changes::contents(const PageParts &page) {
  Table table(
      page.glossary, "Paths by change in executed statements",
      with_location_heads(
          {{"rank", true}, {"kind of change"}, {"change", true}, {"before", true}, {"count", true}, {"stmts", true}},
          page.formatter));
  std::vector<PathLabel> rows = texts(page);
  for (size_t i = 0; i < rows.size(); i++) {
    const PathChange &change = comparison_.changes[i];
    table.begin_row();
    table.number(i + 1);
    table.cell(to_string(change.kind));
    table.number(fmt::format("{:+.2f}", points(change)));
    table.number(change.count[0]);
    table.number(change.count[1]);
    table.number(change.statements);
    add_location(table, address_of(change, page), change.id, rows[i]);
    table.end_row();
  }
  uint64_t all = 0;
  for (uint64_t number : comparison_.num_of_kind)
    all += number;
  std::string more;
  if (all > rows.size())
    more = fmt::format("<p class=\"more\">The {} largest of {} changes; the view of each function lists the earlier "
                       "counts of its paths.</p>\n",
                       rows.size(), grouped(all));
  return summary() + (rows.empty() ? "<p>No execution counts changed.</p>\n" : table.finish() + more) +
         changed_functions();
}

} // namespace pathprof::html
