// SPDX-License-Identifier: GPL-3.0-or-later
// Counts and serializes values.
#include "profile/model/values.h"

#include <algorithm>

#include "core/numbering/saturate.h"
#include "profile/format/values.h"
#include "profile/model/sorted_sum.h"
#include "profile/model/streams.h"

namespace pathprof {

uint64_t number_of(const CountedValue &value) {
  return pathprof_value_number(value.site, value.is_exact ? pathprof_value_code(value.value)
                                                          : pathprof_magnitude_code(value.value));
}

CountedValue value_with(uint64_t number, uint64_t count) {
  uint64_t code = pathprof_code_of(number);
  return {static_cast<uint32_t>(pathprof_site_of(number)), pathprof_is_value(code), pathprof_value_of(code), count};
}

void add_values(std::vector<CountedValue> &to, const std::vector<CountedValue> &from) {
  add_sorted(to, from, number_of,
             [](CountedValue &sum, const CountedValue &value) { saturating_add(sum.count, value.count); });
}

// Returns a hash of the key that is small enough to be recorded as a single value (profile/format/values.h).
int64_t callee_number(const std::string &key) {
  uint64_t hash = pathprof_key(key.data(), key.size());
  return static_cast<int64_t>((hash ^ hash >> 46) & (PATHPROF_FIRST_MAGNITUDE / 2 - 1));
}

bool have_same_values(const FunctionNotes &a, const FunctionNotes &b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const ValueNotes &x, const ValueNotes &y) { return x.kind == y.kind; });
}

void put_values(pathprof_buffer &stream, const FunctionNotes &function) {
  pathprof_put_varint(&stream, function.values.size());
  uint32_t line = function.line;
  for (const ValueNotes &value : function.values) {
    uint64_t distance = zigzag(static_cast<int64_t>(value.line) - static_cast<int64_t>(line));
    pathprof_put_varint(&stream, distance * kNumValueKinds + static_cast<unsigned>(value.kind));
    line = value.line;
  }
}

const char *get_values(pathprof_cursor &stream, FunctionNotes &function) {
  uint64_t num_values = pathprof_get_varint(&stream);
  if (num_values > PATHPROF_MAX_SITES || num_values > pathprof_cursor_left(&stream))
    return "a function has too many value sites";
  uint32_t line = function.line;
  for (uint64_t i = 0; i < num_values; i++) {
    uint64_t head = pathprof_get_varint(&stream);
    line += static_cast<uint32_t>(unzigzag(head / kNumValueKinds));
    function.values.push_back({static_cast<ValueKind>(head % kNumValueKinds), line});
  }
  return stream.error.reason;
}

} // namespace pathprof
