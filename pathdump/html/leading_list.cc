// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the common parts of the lists at the start of a page.
#include "pathdump/html/leading_list.h"

#include <fmt/format.h>

#include "pathdump/html/text.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

void LeadingList::note_programs(std::map<size_t, std::set<WideNumber>> &of_program) const {
  for (const auto &[program, ids] : programs_)
    of_program[program].insert(ids.begin(), ids.end());
}

void LeadingList::add(Json &json, const RankedFunction &ranked) const {
  std::vector<std::string> names = columns();
  json["columns"] = names;
  for (size_t i = 0; i < ranked.paths.size(); i++) {
    std::vector<std::string> texts = cells(ranked.paths[i]);
    for (size_t column = 0; column < names.size(); column++)
      json["paths"][i][names[column]] = texts[column];
  }
}

std::vector<PackedData> LeadingList::data(SourceFiles &) {
  return {};
}

std::string LeadingList::section(const PageParts &page) {
  return fmt::format(
             "<section id=\"{0}\" class=\"list\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n", id(),
             title()) +
         contents(page) + "</section>\n";
}

std::vector<Head> LeadingList::with_location_heads(std::vector<Head> heads, const PathFormatter &formatter) {
  heads.insert(heads.end(), {{"path", true}, {"from"}, {"to"}, {"function"}, {formatter.heading()}});
  return heads;
}

void LeadingList::add_location(Table &table, const std::string &address, WideNumber id, const PathLabel &row) {
  table.number(address.empty() ? digits(id) : link(address, digits(id)));
  table.cell(row.start);
  table.cell(row.end);
  table.name(escape(row.function), row.function);
  table.cell("<div>" + escape(row.path) + "</div>", "trail");
}

} // namespace pathprof::html
