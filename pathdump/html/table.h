// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the tables of a page and the glossary of their column headings.
#ifndef PATHPROF_PATHDUMP_HTML_TABLE_H
#define PATHPROF_PATHDUMP_HTML_TABLE_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "pathdump/model/basis.h"

namespace pathprof::html {

// Returns "<a href="#ADDRESS">TEXT</a>".
std::string link(const std::string &address, const std::string &text);

// The glossary of column headings. The page lists each term once, and headings refer to this list, so users with a
// mouse, a keyboard or a screen reader have access to the same explanation.
class Glossary {
public:
  explicit Glossary(const Basis &basis) : by_cycles_(basis.by_cycles), by_cost_(basis.costs != nullptr) {}

  // Adds the term to the glossary, and returns the attribute that makes a heading refer to the term.
  std::string reference(const std::string &term);
  // Adds a term that the page's script uses as a heading.
  void add(const std::string &term) { reference(term); }
  // Returns the <dt> and <dd> elements of all terms, in alphabetical order.
  std::string list() const;

private:
  std::string meaning_of(const std::string &term) const;

  bool by_cycles_, by_cost_;
  std::set<std::string> terms_;
};

struct Head {
  std::string term;
  bool is_number = false;
};

// A table. The column "function" contains the header cells of the rows. It is the first column, wherever it is in
// `heads` and whenever name() is called for a row, because narrow windows show only the first columns.
class Table {
public:
  Table(Glossary &glossary, const std::string &caption, std::vector<Head> heads);

  void begin_row() {
    text_ += "<tr>";
    row_ = text_.size();
  }
  void end_row() { text_ += "</tr>\n"; }
  void number(const std::string &text) { text_ += "<td class=\"n\">" + text + "</td>"; }
  void number(uint64_t value);
  void cell(const std::string &markup, const char *name = "");
  // Adds the header cell of the row.
  void name(const std::string &markup, const std::string &title);
  // Adds a cell with a percentage and a bar. The bar has its full length if the percentage equals `most`.
  void share(double per_cent, double most);
  std::string finish() { return text_ + "</tbody>\n</table></div>\n"; }

private:
  std::string text_;
  size_t row_ = 0; // offset in `text_` of the current row's first cell
};

} // namespace pathprof::html

#endif
