// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of a function's decisions, and which of them are coupled, in notes.
#ifndef PATHPROF_PROFILE_MODEL_CONDITION_NOTES_H
#define PATHPROF_PROFILE_MODEL_CONDITION_NOTES_H

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// Appends a function's part of the stream of conditions, and reads it.  The reader needs the function's graph.  It
// returns the fault, or null.
void put_conditions(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_conditions(pathprof_cursor &stream, FunctionNotes &function);

// Returns true if some condition is coupled with another one.
bool has_couplings(const FunctionNotes &function);

// Appends a function's part of the stream of couplings, and reads it.  The reader needs the function's conditions.  It
// returns the fault, or null.
void put_couplings(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_couplings(pathprof_cursor &stream, FunctionNotes &function);

} // namespace pathprof

#endif
