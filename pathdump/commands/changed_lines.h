// SPDX-License-Identifier: GPL-3.0-or-later
// How 'diff' shows the lines of a function whose graph has changed.
#ifndef PATHPROF_PATHDUMP_COMMANDS_CHANGED_LINES_H
#define PATHPROF_PATHDUMP_COMMANDS_CHANGED_LINES_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/model/line_changes.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/output.h"

namespace pathprof {

// The `limit` largest changes (0: all), in the order of the lines, as a table of text or of Markdown.
void print_changed_lines(const std::vector<LineChange> &changes, uint64_t limit, Output &out);
void print_changed_lines_markdown(const std::vector<LineChange> &changes, uint64_t limit, Output &out);
// All: each "line_a", "line_b" (null: it is not there), "count_a", "count_b", "branches_a", "branches_b".
Json changed_lines_json(const std::vector<LineChange> &changes);

// Names and lines as a cell of a table of Markdown, in which nothing is markup; empty: an empty cell.
std::string markdown_code(const std::string &text);
// A row of such a table.
void print_markdown_row(const std::vector<std::string> &cells, Output &out);

} // namespace pathprof

#endif
