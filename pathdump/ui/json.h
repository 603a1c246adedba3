// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the JSON type and the functions that serialize JSON.
#ifndef PATHPROF_PATHDUMP_UI_JSON_H
#define PATHPROF_PATHDUMP_UI_JSON_H

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace pathprof {

using Json = nlohmann::ordered_json;

// Returns the count as a JSON number, or as a string if a double cannot represent the count exactly.
Json count_json(uint64_t count);

// Serializes the JSON on one line. Replaces invalid UTF-8, which can occur in names from object files.
std::string dump(const Json &json);
// Serializes the JSON on several indented lines.
std::string dump_indented(const Json &json);

} // namespace pathprof

#endif
