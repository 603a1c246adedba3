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

// Returns the source text of the condition that a branch at `offset` tests, or an empty string if there is no
// condition. At a keyword, the condition is the expression in parentheses. At the '?' or ':' of a conditional
// expression, the condition is the expression before the '?'. Otherwise, the condition is the expression that contains
// `offset`. `text` can span several lines. Redundant blanks are removed from the result.
std::string condition_at(const std::string &text, size_t offset);

// Returns true if the source text at `offset` is a single condition, without any &&, ||, ?: or comma operator.
bool is_only_condition(const std::string &text, size_t offset);

// Returns true if `offset` is at an 'if', 'while', 'for' or 'switch', or at the opening parenthesis after such a
// keyword.
bool is_keyword_at(const std::string &text, size_t offset);

// Returns true if `offset` is at a 'switch' or at the opening parenthesis after it.
bool is_switch_at(const std::string &text, size_t offset);

// Returns the case labels of a statement: "RED" and "BLUE" if the text at `offset` is "case RED: case BLUE:". A
// "default:" among the labels is omitted.
std::vector<std::string> labels_at(const std::string &text, size_t offset);

// Returns true if the brackets in the expression are balanced.
bool is_balanced(const std::string &expression);

// Returns the expression without comments, redundant blanks and enclosing parentheses.
std::string bare_text(const std::string &expression);

// Returns the function name if the whole expression is a call or the negation of a call, such as "f(x)", "!f(x)" or
// "!(f(x))". Otherwise, returns an empty string.
std::string called_by(const std::string &expression);

// Returns the macro invocation at `offset`, such as "F (x)", or only "F" if the macro has no arguments.
std::string use_at(const std::string &text, size_t offset);

// Returns the end of the word or literal that contains the character before `end`. If arguments in parentheses follow
// the word, returns the end of the arguments. The end position that the compiler records for a condition can precede
// the end of the last word and its arguments.
size_t end_of_word(const std::string &line, size_t end);

// Returns true if the expression can be the source text of the branch's condition. Returns false if the recorded
// position is obviously wrong: if an operand has no position of its own, the compiler can record the position of an
// adjacent word or operator.
bool may_be_of(const std::string &expression, const BranchNotes &branch);

// Returns Same if the branch's true edge is taken when the expression is true, and Opposite if it is taken when the
// expression is false. Returns Unknown unless the expression is a single comparison or a single value and the branch
// makes the same kind of comparison. Late in compilation, a branch can combine several conditions.
Sense sense_in(const std::string &expression, const BranchNotes &branch);

} // namespace pathprof

#endif
