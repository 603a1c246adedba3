// SPDX-License-Identifier: GPL-3.0-or-later
// Prints line-by-line differences of a function whose graph has changed, for `pathdump diff`.
#ifndef PATHPROF_PATHDUMP_COMMANDS_CHANGED_LINES_H
#define PATHPROF_PATHDUMP_COMMANDS_CHANGED_LINES_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/model/line_changes.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/output.h"

namespace pathprof {

// Print the `limit` largest changes (0: all), sorted by line, as a text table or as a Markdown table.
void print_changed_lines(const std::vector<LineChange> &changes, uint64_t limit, Output &out);
void print_changed_lines_markdown(const std::vector<LineChange> &changes, uint64_t limit, Output &out);
// Returns all changes as a JSON list.  The line number in A or B is null if A or B does not contain the line.
Json changed_lines_json(const std::vector<LineChange> &changes);

// Returns `text` as Markdown code for a table cell, so that none of it is interpreted as markup.  Returns "" if `text`
// is empty.
std::string markdown_code(const std::string &text);
// Prints a row of a Markdown table.
void print_markdown_row(const std::vector<std::string> &cells, Output &out);

} // namespace pathprof

#endif
