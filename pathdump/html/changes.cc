// SPDX-License-Identifier: GPL-3.0-or-later
// Listing what changed between two profiles for a page.
#include "pathdump/html/changes.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "pathdump/html/text.h"
#include "pathdump/model/programs.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

static constexpr size_t kListed = 200;

Changes::Changes(const Profile &before, const std::string &before_file, const Profile &now, const std::string &now_file,
                 const Names &names, const CommonOptions &options)
    : names_(names), comparison_(compare({&before, before_file}, {&now, now_file}, names_, 0, 0)),
      sources_(names_, before_file), wording_(names_, &sources_, options), decoder_(before, comparison_.sides[0].file) {
  wording_.mark_calls(before);
  for (size_t i = 0; i < comparison_.changes.size(); i++) {
    const PathChange &change = comparison_.changes[i];
    if (change.side() == 0)
      continue;
    by_path_[{change.is_of_program, change.function[1], change.id}] = i;
    if (i < kListed && !change.is_of_program)
      listed_[change.function[1]][static_cast<uint64_t>(change.id)] = change.statements;
  }
  for (const ChangedFunction &one : comparison_.changed)
    not_comparable_.insert({one.is_program, one.function[1]});
}

double Changes::share(Weight weight, int side) const {
  return comparison_.share(weight, side);
}

double Changes::points(const PathChange &change) const {
  return share(change.weight[1], 1) - share(change.weight[0], 0);
}

bool Changes::is_comparable(const HotPath &hot) const {
  return !not_comparable_.count({hot.is_of_program(), hot.is_of_program() ? hot.program : hot.function});
}

const PathChange *Changes::find(const HotPath &hot) const {
  auto at = by_path_.find({hot.is_of_program(), hot.is_of_program() ? hot.program : hot.function, hot.id});
  return at == by_path_.end() ? nullptr : &comparison_.changes[at->second];
}

std::string Changes::before(const HotPath &hot) const {
  if (!is_comparable(hot))
    return "-";
  const PathChange *change = find(hot);
  return grouped(change ? change->count[0] : hot.count);
}

// What was executed as often has the same weight on both sides.
std::string Changes::change(const HotPath &hot) const {
  if (!is_comparable(hot))
    return "-";
  if (const PathChange *change = find(hot))
    return fmt::format("{:+.2f}", points(*change));
  Weight weight = static_cast<Weight>(hot.count) * hot.statements;
  return fmt::format("{:+.2f}", share(weight, 1) - share(weight, 0));
}

void Changes::add(Json &json, const RankedFunction &ranked) const {
  for (size_t i = 0; i < ranked.paths.size(); i++) {
    json["paths"][i]["before"] = before(ranked.paths[i]);
    json["paths"][i]["change"] = change(ranked.paths[i]);
  }
}

void Changes::note_programs(std::map<size_t, std::set<WideNumber>> &of_program) const {
  for (size_t i = 0; i < num_listed(); i++)
    if (const PathChange &change = comparison_.changes[i]; change.is_of_program && change.count[1])
      of_program[change.function[1]].insert(change.id);
}

size_t Changes::num_listed() const {
  return std::min(kListed, comparison_.changes.size());
}

std::string Changes::summary() const {
  std::string text = "<p class=\"intro\">";
  for (int side : {0, 1}) {
    const Side &one = comparison_.sides[side];
    text +=
        fmt::format("{}: <b>{}</b>, {}, {} taken, {} statements. ", side ? "Now" : "Before", escape(visible(one.file)),
                    plural(one.profile->runs, "run"), plural(one.executions, "path"), grouped(digits(one.weight)));
  }
  const uint64_t *num = comparison_.num_of_kind;
  return text + fmt::format("{} new, {} gone, {} hotter, {} colder, {} as often. The rows stand by the change in "
                            "executed statements.</p>\n",
                            plural(num[0], "path"), grouped(num[1]), grouped(num[2]), grouped(num[3]),
                            grouped(comparison_.num_equal));
}

std::string Changes::changed_functions() const {
  if (comparison_.changed.empty())
    return {};
  std::string items;
  for (const ChangedFunction &one : comparison_.changed) {
    const Profile &now = *comparison_.sides[1].profile;
    std::string name = one.is_program ? name_of(now.programs[one.function[1]], names_)
                                      : names_.function(now.functions[one.function[1]].notes.name);
    items += fmt::format("<li><b>{}</b>: {}; {:.2f}% of the statements before, {:.2f}% now</li>\n", escape(name),
                         escape(one.why), share(one.weight[0], 0), share(one.weight[1], 1));
  }
  return "<h3>Changed functions</h3>\n<p class=\"more\">Paths of these cannot be compared; pathdump diff compares "
         "their lines and branches.</p>\n<ul>\n" +
         items + "</ul>\n";
}

HotPath Changes::hot_of(const PathChange &change) {
  size_t index = change.function[change.side()];
  HotPath hot = {change.weight[1], change.count[1], std::nullopt, change.statements, index, change.id};
  if (change.is_of_program)
    hot.program = index;
  return hot;
}

// In the words of the side whose numbers the change has: the later one, where it has the function.
std::vector<RowText> Changes::texts(Wording &wording, Decoder &decoder) {
  std::vector<RowText> texts;
  for (size_t i = 0; i < num_listed(); i++) {
    const PathChange &change = comparison_.changes[i];
    bool is_now = change.side() == 1;
    const Profile &profile = *comparison_.sides[is_now].profile;
    Wording &words = is_now ? wording : wording_;
    texts.push_back(change.is_of_program ? ShownPath(profile, hot_of(change).program, change.id).row_text(words, false)
                                         : row_of(profile, is_now ? decoder : decoder_, hot_of(change), words));
  }
  tell_apart(texts, wording);
  return texts;
}

std::string Changes::section(Glossary &glossary, Wording &wording, Decoder &decoder,
                             const std::function<std::string(const HotPath &)> &address) {
  Table table(glossary, "Paths by the change in executed statements",
              {{"rank", true},
               {"kind of change"},
               {"change", true},
               {"before", true},
               {"count", true},
               {"stmts", true},
               {"path", true},
               {"from"},
               {"to"},
               {"function"},
               {wording.heading()}});
  std::vector<RowText> rows = texts(wording, decoder);
  for (size_t i = 0; i < rows.size(); i++) {
    const PathChange &change = comparison_.changes[i];
    bool is_shown = change.side() == 1 && (!change.is_of_program || change.count[1]);
    std::string to = is_shown ? address(hot_of(change)) : "", id = digits(change.id);
    table.begin_row();
    table.number(i + 1);
    table.cell(to_string(change.kind));
    table.number(fmt::format("{:+.2f}", points(change)));
    table.number(change.count[0]);
    table.number(change.count[1]);
    table.number(change.statements);
    table.number(to.empty() ? id : link(to, id));
    table.cell(rows[i].start);
    table.cell(rows[i].end);
    table.name(escape(rows[i].function), rows[i].function);
    table.cell("<div>" + escape(rows[i].marked_path()) + "</div>", "trail");
    table.end_row();
  }
  std::string more;
  if (comparison_.changes.size() > rows.size())
    more = fmt::format("<p class=\"more\">The {} largest of {} changes; each function lists what its own paths were "
                       "before.</p>\n",
                       rows.size(), grouped(comparison_.changes.size()));
  return "<section id=\"changes\" class=\"list\" aria-labelledby=\"changes-title\">\n<h2 id=\"changes-title\">Changes"
         "</h2>\n" +
         summary() + (rows.empty() ? "<p>No path ran differently.</p>\n" : table.finish() + more) +
         changed_functions() + "</section>\n";
}

} // namespace pathprof::html
