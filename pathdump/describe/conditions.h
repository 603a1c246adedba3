// SPDX-License-Identifier: GPL-3.0-or-later
// Finding, in the text of a C or C++ program, the condition that a position of the compiler's belongs to.
//
// The position may be a keyword ('if' of the first condition behind it), an operator, or the beginning of an
// expression.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_CONDITIONS_H
#define PATHPROF_PATHDUMP_DESCRIBE_CONDITIONS_H

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// What a branch at the place, an offset from 0 in a text of one or several lines, may decide: what the parentheses of a
// keyword hold, or stands in front of a '?', also that of a ':', or else is around the place up to where another
// expression begins.  Without blanks that tell nothing; empty where there is none.
std::string condition_at(const std::string &text, size_t offset);

// Whether that is one condition by itself: no operand of && or ||, nothing behind a comma, no ?: in it.
bool is_only_condition(const std::string &text, size_t offset);

// Whether the place is an if, a loop or a switch, or in front of what it looks at.
bool is_keyword_at(const std::string &text, size_t offset);

// Whether the place is a switch, or in front of what it looks at.
bool is_switch_at(const std::string &text, size_t offset);

// "RED" and "BLUE" of "case RED: case BLUE:", where that stands at the offset: labels with nothing in between, which
// lead to the same place.  "default:" may be among them, and is left out.
std::vector<std::string> labels_at(const std::string &text, size_t offset);

// Whether each bracket is closed.
bool is_balanced(const std::string &expression);

// Without comments, blanks that tell nothing, and parentheses around all of it.
std::string bare_text(const std::string &expression);

// "f" of an expression that is nothing but "f(x)", "!f(x)" or "!(f(x))"; else empty.
std::string called_by(const std::string &expression);

// "F (x)", or "F", of a macro F that is used at the place.
std::string use_at(const std::string &text, size_t offset);

// Where the word or literal ends that is in front of a place in a line, with the arguments that follow it: of the last
// word of a macro's text the compiler has the beginning only, and of the use of a macro the name.
size_t end_of_word(const std::string &line, size_t end);

// Whether the text can be that of what the branch tests: of operands that have no position of their own it may be a
// word or an operator beside them.
bool may_be_of(const std::string &expression, const BranchNotes &branch);

// Whether the branch's true edge is taken where the expression holds or where it does not.  Unknown unless it is one
// comparison, or one value, and the branch compares so.  Late in compilation a branch at a place may have come of
// several conditions there, and not have one of its own.
Sense sense_in(const std::string &expression, const BranchNotes &branch);

} // namespace pathprof

#endif
