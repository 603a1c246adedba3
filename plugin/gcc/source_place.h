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

// Returns the offset at which the word that ends at `end` begins, or `end` if there is none. The second function
// returns the offset at which the word that starts at `begin` ends, or `begin`.
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

// Returns the offset after the last character before `end` that is not a blank.
inline size_t skip_blanks_back(const std::string &text, size_t end) {
  while (end > 0 && ISSPACE(text[end - 1]))
    end--;
  return end;
}

// Returns true if the word is a keyword that a condition in parentheses follows.
inline bool begins_statement(const std::string &word) {
  return word == "if" || word == "while" || word == "for";
}

// Maximum number of lines of a condition, and of the lines that are searched before and after a condition.
constexpr size_t kMostLines = 12;

// A position in a source file, outside macros. `lines` is null if the position is unknown.
struct SourcePlace {
  explicit SourcePlace(location_t location);

  const std::vector<std::string> *lines = nullptr;
  size_t line = 0, column = 0; // Line and column, counted from 0
};

// Returns the position at which the token at the location is spelled, even if it belongs to a macro.
SourcePlace spelled_at(location_t location);

// Returns GCC's location of a line and a column, both counted from 0, in the file that contains `near`. Returns
// UNKNOWN_LOCATION if GCC has no such location.
location_t location_at(location_t near, size_t line, size_t column);

// Returns the word at the position, or an empty string.
std::string word_at(const SourcePlace &place);
std::string word_at(location_t location);

// Returns the location of the name if it occurs once in the range, in the source or in the expansion of a single macro.
// Occurrences as the name of a member are ignored. Otherwise returns UNKNOWN_LOCATION.
location_t only_place_of(const std::string &name, source_range range);

// Returns the range of the parentheses that open at the location, or after a keyword or '!' at the location.
source_range in_parentheses(location_t location);

// Returns true if the range contains one of the operators &&, || and ?. Macros are not searched.
bool has_connectives(source_range range);

// Returns true if the range contains a ?: outside parentheses.
bool is_choice_in_source(source_range range);

// Returns true if the statement around the location contains a ?: or is unknown.
bool may_have_choice_around(location_t location);

// Returns true if the range contains && or || outside parentheses.
bool is_joined_in_source(source_range range);

// Returns true if an `if`, `while` or `for` is at the location or directly before it.
bool is_at_statement(location_t location);

// Returns the location of the '?' that belongs to the ':' at the location and is on the same line. Otherwise returns
// the location itself.
location_t question_before(location_t location);

// Returns the location of the '!' before the location, possibly with blanks between them, or UNKNOWN_LOCATION.
location_t negation_before(location_t location);

} // namespace pathprof

#endif
