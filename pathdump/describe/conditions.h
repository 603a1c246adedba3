// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the condition in C or C++ source text to which a source position from the compiler belongs.
//
// The position can be that of a keyword (an 'if' stands for its first condition), an operator, or the start of an
// expression.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_CONDITIONS_H
#define PATHPROF_PATHDUMP_DESCRIBE_CONDITIONS_H

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Returns the source text of the condition that a branch at `offset` tests, or an empty string. The condition is the
// expression in the parentheses of a keyword, the expression before a '?' (also if the offset is that of the ':'), or
// else the expression around the offset. `text` can consist of several lines; redundant blanks are removed.
std::string condition_at(const std::string &text, size_t offset);

// Returns true if the source text at `offset` is a single condition, without &&, ||, ?: and comma operator.
bool is_only_condition(const std::string &text, size_t offset);

// Returns true if `offset` is at an 'if', 'while', 'for' or 'switch', or at the opening parenthesis after such a
// keyword.
bool is_keyword_at(const std::string &text, size_t offset);

// Returns true if `offset` is at a 'switch' or at the opening parenthesis after it.
bool is_switch_at(const std::string &text, size_t offset);

// Returns the case labels of one statement, such as "RED" and "BLUE" if the text at `offset` is "case RED: case BLUE:".
// A "default:" among the labels is omitted.
std::vector<std::string> labels_at(const std::string &text, size_t offset);

// Returns true if the brackets of the expression are balanced.
bool is_balanced(const std::string &expression);

// Returns the expression without comments, redundant blanks and enclosing parentheses.
std::string bare_text(const std::string &expression);

// Returns "f" if the whole expression is "f(x)", "!f(x)" or "!(f(x))", and otherwise an empty string.
std::string called_by(const std::string &expression);

// Returns the use of the macro F at `offset`: "F (x)" or "F".
std::string use_at(const std::string &text, size_t offset);

// Returns the end of the word or literal before `end`, including the arguments that follow it. The compiler records
// only the start of the last word of a macro's text, and only the name of a macro that is used.
size_t end_of_word(const std::string &line, size_t end);

// Returns true if the expression can be the source text of the branch. If operands have no position of their own, the
// compiler's position can belong to an adjacent word or operator.
bool may_be_of(const std::string &expression, const BranchNotes &branch);

// Returns Same if the branch's true edge is taken when the expression is true, and Opposite if it is taken when the
// expression is false. Returns Unknown unless the expression is a single comparison or a single value and the branch
// makes the same kind of comparison. Late in compilation, a branch can result from several conditions and represent
// none of them alone.
Sense sense_in(const std::string &expression, const BranchNotes &branch);

} // namespace pathprof

#endif
