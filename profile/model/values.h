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

// The number of times that a value site of a function computed a value, or a value of a certain magnitude.
struct CountedValue {
  uint32_t site = 0;    // index in FunctionNotes::values
  bool is_exact = true; // false if the count includes all values of the same sign and binary magnitude
  int64_t value = 0;    // the value, or the value of this magnitude that is nearest to 0
  uint64_t count = 0;
};

// number_of returns the ID of a value in the profile, and value_with returns the value with an ID.
uint64_t number_of(const CountedValue &value);
CountedValue value_with(uint64_t number, uint64_t count);

// Adds up two lists of values that are sorted by ID.
void add_values(std::vector<CountedValue> &to, const std::vector<CountedValue> &from);

// Returns the number that represents a function with this key as a value.
int64_t callee_number(const std::string &key);

// Returns true if the two functions have the same kinds of value sites in the same order.
bool have_same_values(const FunctionNotes &a, const FunctionNotes &b);

// Appends the data of a function to the stream of values, or parses it.  The parser returns null, or a description of
// the fault.
void put_values(pathprof_buffer &stream, const FunctionNotes &function);
const char *get_values(pathprof_cursor &stream, FunctionNotes &function);

} // namespace pathprof

#endif
