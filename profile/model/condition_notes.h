// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes and parses, as part of the notes, the conditions of a function's decisions, their couplings, and the
// positions of their source texts.
#ifndef PATHPROF_PROFILE_MODEL_CONDITION_NOTES_H
#define PATHPROF_PROFILE_MODEL_CONDITION_NOTES_H

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// Appends the conditions of a function to the stream of conditions.
void put_conditions(pathprof_buffer &stream, const FunctionNotes &function);
// Parses the conditions of a function.  The function's graph must already have been read.  Returns null on success,
// otherwise an error message.
const char *get_conditions(pathprof_cursor &stream, FunctionNotes &function);

// Returns true if any condition is coupled with another condition.
bool has_couplings(const FunctionNotes &function);

// Appends the couplings of a function's conditions to the stream of couplings.
void put_couplings(pathprof_buffer &stream, const FunctionNotes &function);
// Parses the couplings of a function.  The function's conditions must already have been read.  Returns null on success,
// otherwise an error message.
const char *get_couplings(pathprof_cursor &stream, FunctionNotes &function);

// Returns true if the source text of at least one branch's condition is known.
bool has_condition_texts(const FunctionNotes &function);

// Appends the condition texts of a function to the stream of condition texts.
void put_condition_texts(pathprof_buffer &stream, const FunctionNotes &function);
// Parses the condition texts of a function.  The function's branches must already have been read.  `num_files` is the
// number of source files of the unit.  Returns null on success, otherwise an error message.
const char *get_condition_texts(pathprof_cursor &stream, FunctionNotes &function, size_t num_files);

} // namespace pathprof

#endif
