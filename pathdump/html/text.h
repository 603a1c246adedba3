// SPDX-License-Identifier: GPL-3.0-or-later
// Names and source text in a page, where nothing of them may become markup, and data that is packed into it.
#ifndef PATHPROF_PATHDUMP_HTML_TEXT_H
#define PATHPROF_PATHDUMP_HTML_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

#include "pathdump/ui/json.h"

namespace pathprof::html {

// Text of an element or of a quoted attribute.  Bytes that are not UTF-8 and control characters are replaced.
std::string escape(const std::string &text);
// Without white space around it.
std::string stripped(const std::string &text);
// A component of an address behind its '#'.
std::string url_encode(const std::string &text);
// "1,234,567".  What is no number of digits alone stays as it is.
std::string grouped(std::string number);
inline std::string grouped(uint64_t number) {
  return grouped(std::to_string(number));
}
// The value of CSP's 'sha256-…' for a digest in hexadecimal.
std::string csp_hash(std::string_view hexadecimal);
// JSON, deflated (RFC 1950), as base64: what the page's script unpacks when it is looked at.
std::string packed(const Json &json);

} // namespace pathprof::html

#endif
