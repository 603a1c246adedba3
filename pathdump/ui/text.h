// SPDX-License-Identifier: GPL-3.0-or-later
// Formats numbers, and measures and shortens text.
#ifndef PATHPROF_PATHDUMP_UI_TEXT_H
#define PATHPROF_PATHDUMP_UI_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gmpxx.h>

namespace pathprof {

// Returns the number of characters in a UTF-8 string.
size_t num_characters(const std::string &text);
// Returns the position in a UTF-8 string at which the character with this index begins, or the end of the string.
size_t position_of(const std::string &text, size_t index);
// Returns the UTF-8 string, shortened to at most `width` characters. A shortened string ends in dots.
std::string cut_text(const std::string &text, size_t width);

// Returns the UTF-8 string, shortened to at most `width` characters. Dots replace characters in the middle.
std::string cut_middle(const std::string &text, size_t width);

// Returns a source line with its tabs expanded. Unexpanded tabs would have a different width when the line is printed
// with an indentation.
std::string without_tabs(const std::string &line);

// Formats numbers of up to 19 digits in full, and longer numbers in the form 1.2e+34.
std::string short_number(const mpz_class &number);

// Returns the number followed by its noun: "1 run", "2 runs".
std::string plural(uint64_t number, const std::string &noun);

// Returns the first `most` names in displayable form, followed by the number of remaining names.
std::string some_of(const std::vector<std::string> &names, size_t most, const std::string &separator);

// Returns the words joined as in a sentence: "a", "a and b", "a, b and c".
std::string enumeration(const std::vector<std::string> &words);

// Returns all digits of the number.
std::string digits(unsigned __int128 number);

// Returns the word quoted for the shell if necessary, with nonprintable characters escaped.
std::string quoted_word(const std::string &word);

// Returns `part` as a percentage of `whole`, or 0 if `whole` is 0.
double per_cent(double part, double whole);

} // namespace pathprof

#endif
