// SPDX-License-Identifier: GPL-3.0-or-later
// Values that functions computed (values=1): their notes, and what was counted of them.
#ifndef PATHPROF_PROFILE_MODEL_VALUES_H
#define PATHPROF_PROFILE_MODEL_VALUES_H

#include <cstdint>
#include <string>
#include <vector>

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// How often a place of a function computed a value, or one of a certain size.
struct CountedValue {
  uint32_t site = 0;    // index into FunctionNotes::values
  bool is_exact = true; // else all values that begin with the same bit are counted together
  int64_t value = 0;    // if it is not exact, the one that is nearest to 0
  uint64_t count = 0;
};

// A value's number in the profile, and the value with a number.
uint64_t number_of(const CountedValue &value);
CountedValue value_with(uint64_t number, uint64_t count);

// Adds up values, all by increasing number.
void add_values(std::vector<CountedValue> &to, const std::vector<CountedValue> &from);

// Returns the number that a function with this key has as a value.
int64_t callee_number(const std::string &key);

// Whether two functions count the same kinds of values at the same places in the order of their statements.
bool have_same_values(const FunctionNotes &a, const FunctionNotes &b);

// Writes a function's part of the stream of values, and reads it.  What is wrong with it, or null.
void put_values(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_values(pathprof_cursor &stream, FunctionNotes &function);

} // namespace pathprof

#endif
