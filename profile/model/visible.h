// SPDX-License-Identifier: GPL-3.0-or-later
// Text that comes from outside (names of files and functions, lines of source, arguments), as it may be shown.
//
// A name can hold anything: what moves a terminal's cursor or changes its state, what ends a line of a format for
// other tools, what XML and JSON do not allow, or what makes the text around it run the other way.  All of these are
// written as escapes, so that whatever is made of the result (a table, a tracefile, XML, JSON, a page, a message) needs
// to think of printable text only.  doc/pathdump.md says what the escapes look like.
#ifndef PATHPROF_PROFILE_MODEL_VISIBLE_H
#define PATHPROF_PROFILE_MODEL_VISIBLE_H

#include <string>
#include <string_view>

namespace pathprof {

// Control characters below space and DEL become \x1b; C1 controls, bidirectional controls and line separators \u202e;
// bytes that are not UTF-8 \xff.  Other text stays as it is, a backslash too, and so does what was escaped before.
std::string visible(std::string_view text);

// A line of a text file: the same, but tabs stay.
std::string visible_line(std::string_view line);

} // namespace pathprof

#endif
