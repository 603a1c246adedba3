// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the words at source locations and the locations of words.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_PLACE_H
#define PATHPROF_PLUGIN_GCC_SOURCE_PLACE_H

#include <string>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

inline bool is_word(char c) {
  return ISALNUM(c) || c == '_';
}

// begin_of_word() returns the start of the word that ends at offset `end`, or `end` if there is no such word.
// end_of_word() returns the end of the word that starts at offset `begin`, or `begin` if there is no such word.
inline size_t begin_of_word(const std::string &text, size_t end) {
  while (end > 0 && is_word(text[end - 1]))
    end--;
  return end;
}
inline size_t end_of_word(const std::string &text, size_t begin) {
  while (begin < text.size() && is_word(text[begin]))
    begin++;
  return begin;
}

// Skips blanks backwards from `end` and returns the resulting offset.
inline size_t skip_blanks_back(const std::string &text, size_t end) {
  while (end > 0 && ISSPACE(text[end - 1]))
    end--;
  return end;
}

// Returns true if the word is a keyword that is followed by a condition in parentheses.
inline bool begins_statement(const std::string &word) {
  return word == "if" || word == "while" || word == "for";
}

// Maximum number of lines in a condition, and maximum number of lines that are searched before and after a condition.
constexpr size_t kMostLines = 12;

// A position in a source file but not in a macro. `lines` is null if the position is unknown.
struct SourcePlace {
  explicit SourcePlace(location_t location);

  const std::vector<std::string> *lines = nullptr;
  size_t line = 0, column = 0; // Line and column, counted from 0
};

// Returns the source position at which the token at the location is spelled. The location may be in a macro.
SourcePlace spelled_at(location_t location);

// Returns GCC's location of a line and a column, both counted from 0, in the file that contains `near`. Returns
// UNKNOWN_LOCATION if GCC has no such location.
location_t location_at(location_t near, size_t line, size_t column);

// Returns the word at the position, or an empty string.
std::string word_at(const SourcePlace &place);
std::string word_at(location_t location);

// Returns the location of a name that occurs exactly once in the range, or UNKNOWN_LOCATION. The range must be either
// outside macros or in the expansion of a single macro. Names of members are ignored.
location_t only_place_of(const std::string &name, source_range range);

// Returns the source range from the location to the end of the first parenthesized expression after it. Only words,
// blanks and '!' may precede the opening parenthesis.
source_range in_parentheses(location_t location);

// Returns true if the range contains one of the operators &&, || and ?. Macros are not expanded.
bool has_connectives(source_range range);

// Returns true if the range contains a ?: outside parentheses.
bool is_choice_in_source(source_range range);

// Returns true if the statement around the location contains a ?:, or if the statement cannot be found.
bool may_have_choice_around(location_t location);

// Returns true if the range contains && or || outside parentheses.
bool is_joined_in_source(source_range range);

// Returns true if there is an `if`, `while` or `for` at the location or directly before it.
bool is_at_statement(location_t location);

// Returns the location of the '?' that belongs to the ':' at the location. Returns the location itself if there is no
// ':' at the location or no '?' on the same line.
location_t question_before(location_t location);

// Returns the location of the '!' that precedes the location, or UNKNOWN_LOCATION. Blanks may follow the '!'.
location_t negation_before(location_t location);

} // namespace pathprof

#endif
