// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes names and source text for a page, and compresses the data that the page's script reads.
#ifndef PATHPROF_PATHDUMP_HTML_TEXT_H
#define PATHPROF_PATHDUMP_HTML_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

#include "pathdump/ui/json.h"

namespace pathprof::html {

// Escapes text for an element or a quoted attribute. Invalid UTF-8 and control characters are replaced.
std::string escape(const std::string &text);
// Strips leading and trailing white space from the text, and returns the result.
std::string stripped(const std::string &text);
// Percent-encodes text for use in an address after the '#'.
std::string url_encode(const std::string &text);
// Groups the digits of a number by thousands: "1,234,567". Other text is returned unchanged.
std::string grouped(std::string number);
inline std::string grouped(uint64_t number) {
  return grouped(std::to_string(number));
}
// Returns the CSP source 'sha256-…' for a hexadecimal digest.
std::string csp_hash(std::string_view hexadecimal);
// Returns JSON compressed with zlib (RFC 1950) and encoded in base64. The page's script unpacks the data when a view is
// opened.
std::string packed(const Json &json);

} // namespace pathprof::html

#endif
