// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes text and compresses data.
#include "pathdump/html/text.h"

#include <algorithm>
#include <charconv>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

namespace pathprof::html {

static bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// Uses the JSON writer to replace invalid UTF-8.
static std::string valid_utf8(const std::string &text) {
  if (std::all_of(text.begin(), text.end(), is_ascii))
    return text;
  return Json::parse(dump(Json(text))).get<std::string>();
}

std::string escape(const std::string &text) {
  std::string escaped;
  for (char c : valid_utf8(text))
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    case '\'':
      escaped += "&#39;";
      break;
    default: {
      bool is_control = (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n') || c == '\x7f';
      escaped += is_control ? std::string("\xef\xbf\xbd") : std::string(1, c);
    }
    }
  return escaped;
}

std::string stripped(const std::string &text) {
  static const char *const blanks = " \t\r\f\v";
  size_t begin = text.find_first_not_of(blanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string url_encode(const std::string &text) {
  static const std::string unreserved = "-_.~"; // RFC 3986
  std::string encoded;
  for (char c : valid_utf8(text)) {
    bool is_unreserved = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                         unreserved.find(c) != std::string::npos;
    encoded += is_unreserved ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::string grouped(std::string number) {
  if (number.find_first_not_of("0123456789") == std::string::npos)
    for (size_t at = number.size(); at > 3;)
      number.insert(at -= 3, ",");
  return number;
}

static std::string base64(const std::vector<unsigned char> &bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t number = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; j++)
      group = group << 8 | (j < number ? bytes[i + j] : 0);
    for (size_t j = 0; j < 4; j++)
      text += j <= number ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string csp_hash(std::string_view hexadecimal) {
  std::vector<unsigned char> bytes(hexadecimal.size() / 2);
  for (size_t i = 0; i < bytes.size(); i++)
    std::from_chars(hexadecimal.data() + 2 * i, hexadecimal.data() + 2 * i + 2, bytes[i], 16);
  return "'sha256-" + base64(bytes) + "'";
}

std::string packed(const Json &json) {
  std::string text = dump(json);
  uLongf size = compressBound(text.size());
  std::vector<unsigned char> bytes(size);
  if (compress2(bytes.data(), &size, reinterpret_cast<const Bytef *>(text.data()), text.size(), Z_BEST_COMPRESSION) !=
      Z_OK)
    throw std::bad_alloc();
  bytes.resize(size);
  return base64(bytes);
}

} // namespace pathprof::html
