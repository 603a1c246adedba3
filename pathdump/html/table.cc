// SPDX-License-Identifier: GPL-3.0-or-later
// Making tables, and the meanings of their headings.
#include "pathdump/html/table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "pathdump/html/text.h"

namespace pathprof::html {

std::string link(const std::string &address, const std::string &text) {
  return fmt::format("<a href=\"#{}\">{}</a>", escape(address), escape(text));
}

// The identifier of a term's meaning, as elements.js makes it, too.
static std::string identifier_of(const std::string &term) {
  std::string text = "term-" + term;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == ' ' || c == '.'; }, '-');
  return text;
}

std::string Glossary::reference(const std::string &term) {
  terms_.insert(term);
  return fmt::format("data-term=\"{}\"", identifier_of(term));
}

std::string Glossary::meaning_of(const std::string &term) const {
  static const std::map<std::string, const char *> meanings = {
      {"before",
       "How often the earlier profile has the path; - where its function has changed since, so that its paths "
       "cannot be compared."},
      {"blocks", "How many basic blocks the prime path passes."},
      {"calls", "How often the function was entered."},
      {"change",
       "By how many percentage points the path's share of all executed statements has grown since the earlier "
       "profile."},
      {"count", "How often control went exactly this way; of a sequence, how often its paths followed each other; of a "
                "source line, how often it was executed."},
      {"cumul.", "The shares of this row and of all rows above it together."},
      {"cycles", "Cycles of the processor's time stamp counter that passed on the path, all executions together."},
      {"decisions",
       "What was decided on the path: 8:T is the condition on line 8 found true, 8:F found false, and of a "
       "switch the case that was taken. Behind 'calls' stands what is called there and not counted."},
      {"each", "Cycles of one execution, on average."},
      {"executed", "How many different paths of the function were taken."},
      {"executions", "How often any path of the function was taken; one call that goes around loops takes several."},
      {"failed", "How many of the failing runs executed the path, however often."},
      {"from", "Where the path begins: at the function's entry, at the head of a loop, behind a cut, or where an "
               "exception is caught."},
      {"function", "The function that the path lies in; of a path through calls the one that it begins in."},
      {"hottest line", "The line of the path that executes most statements, with its text."},
      {"kind", "Of a prime path: a simple path, or a simple cycle, which may begin at each of its blocks."},
      {"kind of change", "Whether the path is new, gone, or was executed more often (hotter) or less often (colder)."},
      {"length", "How many paths the sequence has."},
      {"line", "The number of the line in its file."},
      {"lines", "The source lines that the path passes, in the order of execution."},
      {"mode", "The model of paths that the function was counted with, and its k."},
      {"passed", "How many of the passing runs executed the path, however often."},
      {"path", "The number of the path: pathdump path FUNCTION NUMBER prints it block by block."},
      {"paths", "Which of the paths A, B, C … listed above pass the line: a letter each."},
      {"place", "The file and line that the function begins in."},
      {"rank", "The place of the row when the rows stand by what they cost."},
      {"reason", "Why the function is not counted."},
      {"score",
       "Ochiai's score of f of F failing and p passing runs that executed the path, f / sqrt(F (f + p)): 1 for what all "
       "failing runs did and no passing one."},
      {"sequence",
       "Paths that followed each other in one activation of the function: their numbers, and each of them."},
      {"source", "The text of the line."},
      {"stage", "Where in the compiler paths were numbered: source, as it was written; early or late, after some or "
                "all of the optimisations."},
      {"static", "How many paths the function has, taken or not."},
      {"stmts", "Statements that one execution of the path executes."},
      {"tests", "How many tests executed the path."},
      {"to",
       "Where the path ends: at the function's exit, at a back edge to the head of a loop, at a cut, or in a call "
       "that does not return."},
      {"uncut", "How many paths the function would have if none were cut to keep their number small; - where that is "
                "the same."},
  };
  if (term == "share")
    return by_cycles_
               ? "The part of all measured cycles that passed on the row's paths."
               : "The part of all executed statements that the row's paths executed. Those of sequences overlap.";
  return meanings.at(term);
}

std::string Glossary::list() const {
  std::string text;
  for (const std::string &term : terms_)
    text += fmt::format("<div><dt>{}</dt><dd id=\"{}\">{}</dd></div>\n", term, identifier_of(term),
                        escape(meaning_of(term)));
  return text;
}

Table::Table(Glossary &glossary, const std::string &caption, const std::vector<Head> &heads) {
  text_ = fmt::format("<div class=\"wide\"><table>\n<caption class=\"unseen\">{}</caption>\n<thead><tr>", caption);
  for (const Head &head : heads)
    text_ += fmt::format("<th scope=\"col\"{} {}>{}</th>",
                         head.term == "share" ? " class=\"n share\""
                         : head.is_number     ? " class=\"n\""
                                              : "",
                         glossary.reference(head.term), head.term);
  text_ += "</tr></thead>\n<tbody>\n";
}

void Table::number(uint64_t value) {
  number(grouped(value));
}

void Table::cell(const std::string &markup, const char *name) {
  text_ += (*name ? fmt::format("<td class=\"{}\">", name) : "<td>") + markup + "</td>";
}

void Table::name(const std::string &markup, const std::string &title) {
  text_ += fmt::format("<th scope=\"row\" title=\"{}\">{}</th>", escape(title), markup);
}

void Table::share(double per_cent, double most) {
  static constexpr double kWidth = 48;
  double width = most > 0 ? std::min(kWidth, kWidth * per_cent / most) : 0;
  text_ += fmt::format("<td class=\"n share\">{:.2f}%", per_cent);
  if (width >= 1)
    text_ += fmt::format("<svg aria-hidden=\"true\"><rect width=\"{:.0f}\" height=\"6\"/></svg>", width);
  text_ += "</td>";
}

} // namespace pathprof::html
