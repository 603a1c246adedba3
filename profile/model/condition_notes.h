// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes and parses the conditions of a function's decisions and the couplings of conditions, as part of the notes.
#ifndef PATHPROF_PROFILE_MODEL_CONDITION_NOTES_H
#define PATHPROF_PROFILE_MODEL_CONDITION_NOTES_H

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// Appends the data of a function to the stream of conditions, or parses it.  The parser requires the function's graph
// and returns null, or a description of the fault.
void put_conditions(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_conditions(pathprof_cursor &stream, FunctionNotes &function);

// Returns true if some condition is coupled with another condition.
bool has_couplings(const FunctionNotes &function);

// Appends the data of a function to the stream of couplings, or parses it.  The parser requires the function's
// conditions and returns null, or a description of the fault.
void put_couplings(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_couplings(pathprof_cursor &stream, FunctionNotes &function);

} // namespace pathprof

#endif
