// SPDX-License-Identifier: GPL-3.0-or-later
// Formats suggestions as a list in the HTML page.
#include "pathdump/html/advice.h"

#include <vector>

#include <fmt/format.h>

#include "pathdump/html/text.h"
#include "pathdump/model/advice.h"
#include "pathdump/model/branch_correlation.h"

namespace pathprof::html {

std::string advice_text(const Profile &profile, const std::string &file, const Names &names, PathFormatter &formatter,
                        Sources &sources) {
  BranchCorrelations correlations = find_correlations(profile, file, names);
  std::vector<AdvicePiece> pieces = pieces_of(correlations, formatter, sources);
  add_steady_calls(pieces, correlations, {&profile, file}, formatter, sources);
  size_t more = keep_first(pieces, 5);
  std::string items;
  for (const AdvicePiece &piece : pieces) {
    items += fmt::format("<li><b>{}</b> ({})", escape(piece.place()), escape(piece.worth_text()));
    if (!piece.source.empty())
      items += fmt::format("<br><code>{}</code>", escape(piece.source));
    items += fmt::format("<br>{} {}</li>\n", escape(piece.text), escape(piece.use));
  }
  if (items.empty() && correlations.looked_at.is_all())
    return {};
  std::string rest;
  if (more)
    rest = fmt::format("<p class=\"more\">The first {} of {} suggestions; use pathdump advise to print all.</p>\n",
                       pieces.size(), pieces.size() + more);
  if (!correlations.looked_at.is_all())
    rest += fmt::format("<p class=\"more\">Only {}, were examined.</p>\n", correlations.looked_at.text());
  return fmt::format(
      "<details id=\"advice\" class=\"meanings\" open><summary>Suggestions derived from the "
      "executed paths</summary>\n{}{}</details>\n",
      items.empty() ? "<p>There are no suggestions.</p>\n" : "<ol class=\"advice\">\n" + items + "</ol>\n", rest);
}

} // namespace pathprof::html
