// SPDX-License-Identifier: GPL-3.0-or-later
// Writes tables, and defines the meanings of their headings.
#include "pathdump/html/table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "pathdump/html/text.h"

namespace pathprof::html {

std::string link(const std::string &address, const std::string &text) {
  return fmt::format("<a href=\"#{}\">{}</a>", escape(address), escape(text));
}

// Returns the identifier of a glossary entry. tips.js computes the same identifier.
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
       "Execution count of the path in the earlier profile, or - if the function has changed since then and its paths "
       "cannot be compared."},
      {"blocks", "Number of basic blocks on the prime path."},
      {"calls", "Number of activations of the function."},
      {"change",
       "Change of the path's share of all executed statements since the earlier profile, in percentage points."},
      {"count", "Execution count of the path, of the sequence of paths, or of the source line."},
      {"cumul.", "Total of the shares of this row and of all rows above it."},
      {"cycles", "Total number of time-stamp counter cycles spent in all executions of the path."},
      {"decisions",
       "Decisions on the path. 8:T means that the condition on line 8 was true, and 8:F means that it was false. "
       "For a switch, the selected case is shown. The names after 'calls' are callees that are not counted."},
      {"each", "Average number of cycles per execution."},
      {"executed", "Number of distinct paths of the function that were executed."},
      {"executions", "Total execution count of the function's paths. An activation that iterates a loop executes "
                     "several paths."},
      {"failed", "Number of failing runs that executed the path."},
      {"from", "Start of the path: the function's entry, a loop header, a truncation point, or an exception handler."},
      {"function",
       "Function that contains the path, or, for an interprocedural path, the function in which the path begins."},
      {"hottest line", "Line with the most executed statements on the path, and its source text."},
      {"kind", "Kind of prime path: a simple path or a simple cycle. A cycle can start at any of its blocks."},
      {"kind of change", "Kind of change: the path is new, gone, hotter (executed more often) or colder (executed "
                         "less often)."},
      {"length", "Number of paths in the sequence."},
      {"line", "Line number in the source file."},
      {"lines", "Source lines of the path, in the order of execution."},
      {"mode", "Model that determines which paths of the function are counted, and its parameter k."},
      {"passed", "Number of passing runs that executed the path."},
      {"path", "Path ID. The command pathdump path FUNCTION ID prints the path block by block."},
      {"paths", "Letters of the paths in the list above (A, B, C …) that contain the line."},
      {"place", "File and line at which the function begins."},
      {"rank", "Position of the row in the list."},
      {"reason", "Reason why the function is not counted."},
      {"score", "Ochiai score f / sqrt(F (f + p)), where f of F failing runs and p passing runs executed the path. "
                "The score is 1 if all failing runs and no passing runs executed the path."},
      {"sequence",
       "Paths that were executed in succession during one activation of the function, with the ID and the decisions of "
       "each path."},
      {"source", "Source text of the line."},
      {"stage", "Stage of compilation at which the function was instrumented: source (the program as written), early "
                "(after some "
                "optimisations) or late (after all optimisations)."},
      {"static", "Number of possible paths through the function, whether executed or not."},
      {"stmts", "Number of statements on the path, excluding its context."},
      {"tests", "Number of tests that executed the path."},
      {"to", "End of the path: the function's exit, a back edge to a loop header, a truncation point, or a call that "
             "does not return."},
      {"uncut",
       "Number of paths that the function would have without the additional truncation points that limit the number of "
       "paths, or - if there are no such truncation points."},
  };
  if (term == "share" && by_cost_)
    return "Measured cost of the paths in the row, as a share of the cost of all paths. Shares of sequences refer to "
           "executed statements and overlap.";
  if (term == "share")
    return by_cycles_ ? "Cycles spent on the paths in the row, as a share of all measured cycles."
                      : "Statements executed on the paths in the row, as a share of all executed statements. Shares of "
                        "sequences overlap.";
  return meanings.at(term);
}

std::string Glossary::list() const {
  std::string text;
  for (const std::string &term : terms_)
    text += fmt::format("<div><dt>{}</dt><dd id=\"{}\">{}</dd></div>\n", term, identifier_of(term),
                        escape(meaning_of(term)));
  return text;
}

Table::Table(Glossary &glossary, const std::string &caption, std::vector<Head> heads) {
  std::stable_partition(heads.begin(), heads.end(), [](const Head &head) { return head.term == "function"; });
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
  text_.insert(row_, fmt::format("<th scope=\"row\" title=\"{}\">{}</th>", escape(title), markup));
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
