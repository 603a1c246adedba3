// SPDX-License-Identifier: GPL-3.0-or-later
// Represents the values that functions computed (values=1), with their notes and counts.
#ifndef PATHPROF_PROFILE_MODEL_VALUES_H
#define PATHPROF_PROFILE_MODEL_VALUES_H

#include <cstdint>
#include <string>
#include <vector>

#include "profile/format/bytes.h"
#include "profile/model/notes.h"

namespace pathprof {

// The number of times that a value site computed a certain value, or any value of a certain magnitude.
struct CountedValue {
  uint32_t site = 0;    // index in FunctionNotes::values
  bool is_exact = true; // false if the count includes all values of the same sign and binary magnitude
  int64_t value = 0;    // the value, or the value of this magnitude that is closest to 0
  uint64_t count = 0;
};

// Returns the ID of a value in the profile.
uint64_t number_of(const CountedValue &value);
// Returns the value with this ID.
CountedValue value_with(uint64_t number, uint64_t count);

// Adds the values in `from` to `to`.  Both lists are sorted by ID.
void add_values(std::vector<CountedValue> &to, const std::vector<CountedValue> &from);

// Returns the number that identifies the function with this key as a callee in the recorded values of indirect calls.
int64_t callee_number(const std::string &key);

// Returns true if the two functions have the same kinds of value sites in the same order.
bool have_same_values(const FunctionNotes &a, const FunctionNotes &b);

// Appends the value sites of a function to the stream of values.
void put_values(pathprof_buffer &stream, const FunctionNotes &function);
// Parses the value sites of a function.  Returns null on success, otherwise an error message.
const char *get_values(pathprof_cursor &stream, FunctionNotes &function);

} // namespace pathprof

#endif
