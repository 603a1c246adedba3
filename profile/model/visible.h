// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes text from other sources for output: names of files and functions, source lines, arguments.
//
// A name can contain any bytes: terminal control sequences, line breaks that corrupt the formats of other tools,
// characters that XML and JSON do not allow, or characters that reverse the direction of the surrounding text.  All of
// these are replaced by escape sequences, so the code for tables, tracefiles, XML, JSON, HTML and messages only has to
// process printable text.  doc/pathdump.md defines the escape sequences.
#ifndef PATHPROF_PROFILE_MODEL_VISIBLE_H
#define PATHPROF_PROFILE_MODEL_VISIBLE_H

#include <string>
#include <string_view>

namespace pathprof {

// Replaces ASCII control characters with escapes such as \x1b, bytes that are not UTF-8 with escapes such as \xff, and
// C1 controls, bidirectional controls and line separators with escapes such as \u202e.  Other text remains unchanged,
// including backslashes, so escaping twice has no further effect.
std::string visible(std::string_view text);

// Escapes a line of a text file in the same way as visible(), but keeps tabs.
std::string visible_line(std::string_view line);

} // namespace pathprof

#endif
