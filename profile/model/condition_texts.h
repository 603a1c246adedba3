// SPDX-License-Identifier: GPL-3.0-or-later
// Where the texts of conditions stand, in notes.
#ifndef PATHPROF_PROFILE_MODEL_CONDITION_TEXTS_H
#define PATHPROF_PROFILE_MODEL_CONDITION_TEXTS_H

#include <cstddef>

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// Whether the text of some branch is known.
bool has_condition_texts(const FunctionNotes &function);

// Writes a function's part of the stream of texts, and reads it behind that of branches.  `num_files` are the unit's.
// What is wrong with it, or null.
void put_condition_texts(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_condition_texts(pathprof_cursor &stream, FunctionNotes &function, size_t num_files);

} // namespace pathprof

#endif
