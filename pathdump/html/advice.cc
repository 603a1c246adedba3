// SPDX-License-Identifier: GPL-3.0-or-later
// Formats suggestions as a list in the HTML page.
#include "pathdump/html/advice.h"

#include <vector>

#include <fmt/format.h>

#include "pathdump/html/table.h"
#include "pathdump/html/text.h"
#include "pathdump/model/advice.h"
#include "pathdump/model/branch_correlation.h"

namespace pathprof::html {

std::string advice_text(ProfileView &view, const AddressOf &address_of) {
  BranchCorrelations correlations = find_correlations(view.profile, view.file, view.names);
  std::vector<AdvicePiece> pieces = pieces_of(correlations, view.formatter, view.sources);
  add_steady_calls(pieces, correlations, {&view.profile, view.file}, view.formatter, view.sources);
  remove_small(pieces, kLeastWorth);
  size_t more = keep_first(pieces, 5);
  std::string items;
  const AdviceKind *kind = nullptr;
  for (size_t i = 0; i < pieces.size(); i++) {
    const AdvicePiece &piece = pieces[i];
    if (piece.kind != kind) {
      items += fmt::format("{}<p><b>{}.</b> {}</p>\n<ol class=\"advice\" start=\"{}\">\n", kind ? "</ol>\n" : "",
                           escape(piece.kind->title), escape(piece.kind->use), i + 1);
      kind = piece.kind;
    }
    std::string address = address_of(*piece.function);
    items += fmt::format("<li>{} ({})", address.empty() ? escape(piece.place()) : link(address, piece.place()),
                         escape(piece.worth_text()));
    if (!piece.source.empty())
      items += fmt::format("<br><code>{}</code>", escape(piece.source));
    items += fmt::format("<br>{}</li>\n", escape(piece.text));
  }
  if (items.empty() && correlations.looked_at.is_all())
    return {};
  std::string rest;
  if (more)
    rest = fmt::format("<p class=\"more\">The first {} of {} suggestions; use pathdump advise to print all.</p>\n",
                       pieces.size(), pieces.size() + more);
  if (!correlations.looked_at.is_all())
    rest += fmt::format("<p class=\"more\">Only {}, were examined.</p>\n", correlations.looked_at.text());
  return fmt::format("<details id=\"advice\" class=\"meanings\" open><summary>Suggestions derived from the "
                     "executed paths</summary>\n{}{}</details>\n",
                     items.empty() ? "<p>There are no suggestions.</p>\n" : items + "</ol>\n", rest);
}

} // namespace pathprof::html
