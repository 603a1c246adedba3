// SPDX-License-Identifier: GPL-3.0-or-later
// Finding, in the text of a C or C++ program, the condition that a position of the compiler's belongs to.
//
// The position may be a keyword ('if' of the first condition behind it), an operator, or the beginning of an
// expression.
#ifndef PATHPROF_PATHDUMP_MODEL_CONDITIONS_H
#define PATHPROF_PATHDUMP_MODEL_CONDITIONS_H

#include <cstddef>
#include <string>

#include "profile/model/notes.h"

namespace pathprof {

// The operand of && and || around the position, an offset from 0; of a switch what it looks at.  `text` may be several
// lines.  Without blanks that tell nothing; empty where there is none.
std::string condition_at(const std::string &text, size_t offset);

// "RED" of "case RED:", or "default", where that is what stands at the offset; else empty.
std::string label_at(const std::string &line, size_t offset);

// Whether the branch's true edge is taken where the expression does not hold, as far as that can be told.
bool is_turned_around(const std::string &expression, const BranchNotes &branch);

} // namespace pathprof

#endif
