// SPDX-License-Identifier: GPL-3.0-or-later
// Quotes words for the shell.
#include "pathdump/ui/shell.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "profile/model/visible.h"

namespace pathprof {

std::string quoted_word(const std::string &word) {
  auto is_not_special = [](unsigned char c) { return isalnum(c) || std::strchr("_-./=,+@%:", c) || c >= 0x80; };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_not_special))
    return visible(word);
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return visible(quoted + "'");
}

} // namespace pathprof
