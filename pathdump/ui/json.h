// SPDX-License-Identifier: GPL-3.0-or-later
// JSON values, and how they are written.
#ifndef PATHPROF_PATHDUMP_UI_JSON_H
#define PATHPROF_PATHDUMP_UI_JSON_H

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace pathprof {

using Json = nlohmann::ordered_json;

// A number, or a string where a double could not hold it.
Json count_json(uint64_t count);

// One line.  Bytes that are not UTF-8 are replaced: names come from object files.
std::string dump(const Json &json);
// For people: several lines.
std::string dump_indented(const Json &json);

} // namespace pathprof

#endif
