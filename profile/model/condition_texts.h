// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes and parses the positions of the source texts of conditions, as part of the notes.
#ifndef PATHPROF_PROFILE_MODEL_CONDITION_TEXTS_H
#define PATHPROF_PROFILE_MODEL_CONDITION_TEXTS_H

#include <cstddef>

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// Returns true if the source text of some branch's condition is known.
bool has_condition_texts(const FunctionNotes &function);

// Appends the data of a function to the stream of condition texts, or parses it after the stream of branches.
// `num_files` is the number of source files of the unit.  The parser returns null, or a description of the fault.
void put_condition_texts(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_condition_texts(pathprof_cursor &stream, FunctionNotes &function, size_t num_files);

} // namespace pathprof

#endif
