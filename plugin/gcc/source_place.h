// SPDX-License-Identifier: GPL-3.0-or-later
// Words at places of the source, and places of words.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_PLACE_H
#define PATHPROF_PLUGIN_GCC_SOURCE_PLACE_H

#include <string>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

inline bool is_word(char c) {
  return ISALNUM(c) || c == '_';
}

// Where the word that ends, or begins, at a place of a text begins, or ends; the place itself if there is none.
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

// Behind the last character before a place that is no blank.
inline size_t skip_blanks_back(const std::string &text, size_t end) {
  while (end > 0 && ISSPACE(text[end - 1]))
    end--;
  return end;
}

// Whether a condition stands behind the word, in parentheses.
inline bool begins_statement(const std::string &word) {
  return word == "if" || word == "while" || word == "for";
}

// Longer conditions are not looked at, and as many lines before and behind one.
constexpr size_t kMostLines = 12;

// A place in a source file, outside macros; without lines where it is not known.
struct SourcePlace {
  explicit SourcePlace(location_t location);

  const std::vector<std::string> *lines = nullptr;
  size_t line = 0, column = 0; // from 0
};

// Where the place was written, if it is of a macro.
SourcePlace spelled_at(location_t location);

// Returns the location of a line and a column, from 0, in the file that `near` is in; UNKNOWN_LOCATION if GCC has none.
location_t location_at(location_t near, size_t line, size_t column);

// The word there, or an empty text.
std::string word_at(const SourcePlace &place);
std::string word_at(location_t location);

// The only place where the name stands within the range: in the source, or in what one macro makes.  Members of that
// name do not count.  UNKNOWN_LOCATION if it stands there nowhere, or in several places.
location_t only_place_of(const std::string &name, source_range range);

// What is between the parentheses that begin at the place, or behind the keyword or the '!' there.
source_range in_parentheses(location_t location);

// Whether an operator in the range joins conditions or chooses by one: && || ?.  In macros that is not looked for.
bool has_connectives(source_range range);

// Whether all of the range is a ?:.
bool is_choice_in_source(source_range range);

// Whether there is a ?: in the statement around the place, or the statement is not known.
bool may_have_choice_around(location_t location);

// Whether it is conditions that are joined by && or ||.
bool is_joined_in_source(source_range range);

// Whether an if, a while or a for is there, or in front of it.
bool is_at_statement(location_t location);

// The place of the '?' on the line whose ':' is at the place; else the place.
location_t question_before(location_t location);

// The place in front of this one if a '!' stands there, maybe with blanks behind it; else UNKNOWN_LOCATION.
location_t negation_before(location_t location);

} // namespace pathprof

#endif
