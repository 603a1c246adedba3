// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as text, and how wide text is.
#ifndef PATHPROF_PATHDUMP_UI_TEXT_H
#define PATHPROF_PATHDUMP_UI_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gmpxx.h>

namespace pathprof {

// How many characters a text has (UTF-8).
size_t num_characters(const std::string &text);
// At most `width` characters (UTF-8), the last ones dots where some are missing.
std::string cut_text(const std::string &text, size_t width);

// A line of source with spaces for its tabs, which would stand elsewhere than in the source.
std::string without_tabs(const std::string &line);

// 1234567890123456789 stays, longer numbers become 1.2e+34.
std::string short_number(const mpz_class &number);

// "1 run", "2 runs".
std::string plural(uint64_t number, const std::string &noun);

// The first `most` names, fit to be shown, and how many more there are.
std::string some_of(const std::vector<std::string> &names, size_t most, const std::string &separator);

// All digits of a number.
std::string digits(unsigned __int128 number);

// `part` of `whole` in per cent; 0 of nothing.
double per_cent(double part, double whole);

} // namespace pathprof

#endif
