// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the descriptions of paths that a command lists together.
//
// In the description "parcel.c:9:T weight > 10; 11:F is_express", the code 9:T of each decision is followed by the
// source text of its condition. The code contains the column only if two listed decisions would otherwise look alike.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_PATH_TEXT_H
#define PATHPROF_PATHDUMP_DESCRIBE_PATH_TEXT_H

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pathdump/ui/output.h"

namespace pathprof {

// An element in the description of a path: a decision or another text.
struct PathElement {
  std::string open;                // opening parenthesis of a context, or empty
  std::string start;               // "from " if the path starts here
  std::string own_file;            // name of the function's file and a colon, if the element is the first to print it
  bool takes_own_file = false;     // true if own_file can be printed with this element
  std::string text;                // text of an element that is not a decision
  std::string line;                // position of a decision without its column, such as "8" or "table.inc:8"
  std::string place;               // position of a decision, such as "8.11"; empty if the element is not a decision
  std::string outcome;             // outcome of a decision, such as "T"
  std::string condition;           // source text of the condition, or empty if it is unknown
  std::vector<std::string> events; // "around", "left"
  std::string close;               // closing parenthesis of a context, or empty
  bool is_heading = false;         // true if a blank instead of a semicolon separates the next element
  std::pair<std::string, std::string> function; // name and file of the function

  bool is_decision() const { return !place.empty(); }
};
using PathElements = std::vector<PathElement>;

// Returns an element that consists only of text.
PathElement text_element(std::string text, bool is_heading = false);

// Returns the codes of the elements: "parcel.c:9:T", "11:F".
std::vector<std::string> code_items(const PathElements &path);
// Returns the description that consists only of codes: "parcel.c:9:T 11:F".
std::string codes_of(const PathElements &path);

// Returns the items joined by blanks and broken into lines of at most `width` characters, the first of which has at
// most `first_width` characters. The first line is empty if the first item is longer.
std::vector<std::string> wrapped(const std::vector<std::string> &items, size_t first_width, size_t width);

// The paths that a command lists together.
class ListedPaths {
public:
  // Registers the decisions of a path. All listed paths must be registered before one of them is described.
  void add(const PathElements &path);

  // Returns the description of a path in items, between which a line can be broken. Joined by blanks, the items are the
  // whole description.
  std::vector<std::string> items(const PathElements &path) const;
  // Returns the code of a decision, such as "8:T". The code contains the column if the decision would otherwise look
  // like another listed decision.
  std::string code(const PathElement &decision) const;
  // Returns the descriptions of rows of a table, with lines of at most `width` characters. If the description of a row
  // is too long, replaces the decisions that all rows of the same function share with "…" and shortens the texts of
  // conditions. Different rows have different descriptions. The names of the functions are in `functions`.
  std::vector<std::string> fit(const std::vector<const PathElements *> &rows, size_t width);

  // Prints the meaning of T, F and "…", and the conditions whose source text was shortened or omitted.
  void print_legend(Output &out);

private:
  using Shared = std::set<std::string>; // keys of the decisions that are replaced with "…"
  struct Style {
    size_t limit;         // maximum length of the texts of conditions; 0: texts are omitted
    const Shared *shared; // or null
  };
  using Line = std::tuple<std::pair<std::string, std::string>, std::string>;

  bool needs_column(const PathElement &decision) const;
  bool is_shown(const PathElement &decision, size_t limit) const;
  std::string text(const PathElement &element, Style style) const;
  std::vector<std::string> items(const PathElements &path, Style style) const;
  void fit_group(const std::vector<const PathElements *> &rows, size_t width, std::vector<std::string> &texts);
  std::vector<std::string> fit_row(const PathElements &path, const Shared *shared, size_t width, Style &chosen) const;
  void note_texts(const PathElements &path, Style style);

  // For each line with decisions, the source texts of its conditions and their positions.
  std::map<Line, std::map<std::string, std::set<std::string>>> decisions_;
  bool has_truth_ = false;    // true if an outcome is T or F
  bool has_shared_ = false;   // true if "…" was printed
  bool is_explained_ = false; // true if the legend was printed
  // The conditions whose text was not shown in full, with their positions, by function.
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::pair<std::string, std::string>>>> legend_;
};

} // namespace pathprof

#endif
