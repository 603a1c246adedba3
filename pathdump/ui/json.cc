// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes JSON.
#include "pathdump/ui/json.h"

namespace pathprof {

Json count_json(uint64_t count) {
  static constexpr uint64_t kExactInDouble = uint64_t{1} << 53;
  return count > kExactInDouble ? Json(std::to_string(count)) : Json(count);
}

std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dump_indented(const Json &json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

} // namespace pathprof
