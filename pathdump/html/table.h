// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a page, and what the headings of their columns mean.
#ifndef PATHPROF_PATHDUMP_HTML_TABLE_H
#define PATHPROF_PATHDUMP_HTML_TABLE_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pathprof::html {

// "<a href="#ADDRESS">TEXT</a>".
std::string link(const std::string &address, const std::string &text);

// The terms that headings are made of.  The page lists them once; each heading refers to its own there, so that people
// who point at it, come to it by keyboard, or have it read to them get the same words.
class Glossary {
public:
  explicit Glossary(bool by_cycles) : by_cycles_(by_cycles) {}

  // The attribute of a heading that refers to the term; the list has the term from now on.
  std::string reference(const std::string &term);
  // Terms that the page's script makes headings of.
  void add(const std::string &term) { reference(term); }
  // <dt>, <dd> of each, in the order of the alphabet.
  std::string list() const;

private:
  std::string meaning_of(const std::string &term) const;

  bool by_cycles_;
  std::set<std::string> terms_;
};

struct Head {
  std::string term;
  bool is_number = false;
};

class Table {
public:
  Table(Glossary &glossary, const std::string &caption, const std::vector<Head> &heads);

  void begin_row() { text_ += "<tr>"; }
  void end_row() { text_ += "</tr>\n"; }
  void number(const std::string &text) { text_ += "<td class=\"n\">" + text + "</td>"; }
  void number(uint64_t value);
  void cell(const std::string &markup, const char *name = "");
  // The cell that names the row.
  void name(const std::string &markup, const std::string &title);
  // With a bar, of full length where it is `most`.
  void share(double per_cent, double most);
  std::string finish() { return text_ + "</tbody>\n</table></div>\n"; }

private:
  std::string text_;
};

} // namespace pathprof::html

#endif
