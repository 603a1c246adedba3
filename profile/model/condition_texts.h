// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes and parses the positions of the source texts of conditions, as part of the notes.
#ifndef PATHPROF_PROFILE_MODEL_CONDITION_TEXTS_H
#define PATHPROF_PROFILE_MODEL_CONDITION_TEXTS_H

#include <cstddef>

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// Returns true if the source text of at least one branch's condition is known.
bool has_condition_texts(const FunctionNotes &function);

// Appends the condition texts of a function to the stream of condition texts.
void put_condition_texts(pathprof_buffer &stream, const FunctionNotes &function);
// Parses the condition texts of a function.  The function's branches must already have been read.  `num_files` is the
// number of source files of the unit.  Returns null on success, otherwise an error message.
const char *get_condition_texts(pathprof_cursor &stream, FunctionNotes &function, size_t num_files);

} // namespace pathprof

#endif
