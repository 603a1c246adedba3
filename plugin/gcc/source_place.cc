// SPDX-License-Identifier: GPL-3.0-or-later
// Finds tokens in the text of source files and maps them to GCC's locations.
#include "plugin/gcc/source_lines.h"

#include "plugin/gcc/source_place.h"

#include "plugin/gcc/locations.h"

namespace pathprof {

namespace {

constexpr int kNowhere = INT_MAX;

bool begins_word(const std::string &text, size_t at) {
  return at == 0 || !is_word(text[at - 1]) || !is_word(text[at]);
}

// Returns true if the word at this offset is the name of a member after '.' or '->'.
bool is_member(const std::string &text, size_t at) {
  at = skip_blanks_back(text, at);
  return at > 0 && (text[at - 1] == '.' || (at > 1 && text.compare(at - 2, 2, "->") == 0));
}

// Returns the number of occurrences of the name in the range, and stores the line and the column of the last occurrence
// in `found`.
int places_in_source(const std::string &name, const SourcePlace &first, const SourcePlace &last, size_t found[2]) {
  int number = 0;
  for (size_t line = first.line; line <= last.line; line++) {
    const std::string &text = (*first.lines)[line];
    size_t end = line == last.line ? last.column + 1 : text.size();
    for (size_t at = line == first.line ? first.column : 0; (at = text.find(name, at)) < end; at += name.size()) {
      bool is_whole = begins_word(text, at) && (at + name.size() >= text.size() || !is_word(text[at + name.size()]));
      if (!is_whole || is_member(text, at))
        continue;
      found[0] = line;
      found[1] = at;
      number++;
    }
  }
  return number;
}

location_t only_place_in_source(const std::string &name, source_range range) {
  SourcePlace first(range.m_start), last(range.m_finish);
  bool is_range = first.lines && first.lines == last.lines && first.line <= last.line;
  size_t found[2];
  if (!is_range || last.line - first.line > kMostLines || places_in_source(name, first, last, found) != 1)
    return UNKNOWN_LOCATION;
  return location_at(range.m_start, found[0], found[1]);
}

// GCC assigns consecutive location numbers to the tokens in a macro's expansion.
location_t only_place_in_macro(const std::string &name, source_range range) {
  location_t found = UNKNOWN_LOCATION;
  for (location_t word = range.m_start; word <= range.m_finish; word++) {
    location_t spelled = linemap_resolve_location(line_table, word, LRK_SPELLING_LOCATION, nullptr);
    if (word_at(spelled) != name)
      continue;
    if (is_known(found))
      return UNKNOWN_LOCATION;
    found = word;
  }
  return found;
}

} // namespace

// Returns the location in this map, or an unknown location if the map does not contain the line and the column.
static location_t location_in(const line_map_ordinary *map, linenum_type line, size_t column) {
  unsigned bits = map->m_column_and_range_bits - map->m_range_bits;
  if (line < ORDINARY_MAP_STARTING_LINE_NUMBER(map) || column + 1 >= (size_t{1} << bits))
    return UNKNOWN_LOCATION;
  location_t found = linemap_position_for_line_and_column(line_table, map, line, static_cast<unsigned>(column) + 1);
  return linemap_lookup(line_table, found) == map ? found : UNKNOWN_LOCATION;
}

// GCC begins another map in the middle of a line if a column does not fit into the current map.
location_t location_at(location_t near, size_t line, size_t column) {
  const line_map_ordinary *map = linemap_check_ordinary(linemap_lookup(line_table, near));
  const line_map_ordinary *last = LINEMAPS_LAST_ORDINARY_MAP(line_table);
  linenum_type wanted = static_cast<linenum_type>(line) + 1;
  location_t found = location_in(map, wanted, column);
  while (!is_known(found) && map < last && ORDINARY_MAP_STARTING_LINE_NUMBER(map + 1) <= wanted &&
         ORDINARY_MAP_FILE_NAME(map + 1) == ORDINARY_MAP_FILE_NAME(map))
    found = location_in(++map, wanted, column);
  return found;
}

SourcePlace spelled_at(location_t location) {
  return SourcePlace(is_known(location) ? linemap_resolve_location(line_table, location, LRK_SPELLING_LOCATION, nullptr)
                                        : UNKNOWN_LOCATION);
}

SourcePlace::SourcePlace(location_t location) {
  bool is_there = is_known(location) && !is_of_macro(location) && has_column(location);
  expanded_location where = is_there ? expand_location(location) : expanded_location();
  if (!where.file || where.line <= 0 || where.column <= 0)
    return;
  line = static_cast<size_t>(where.line) - 1;
  column = static_cast<size_t>(where.column) - 1;
  std::string file = where.file;
  const std::vector<std::string> &all = code_lines_of(file);
  if (line < all.size() && column < all[line].size())
    lines = &all;
}

std::string word_at(location_t location) {
  return word_at(SourcePlace(location));
}

std::string word_at(const SourcePlace &at) {
  if (!at.lines)
    return {};
  const std::string &text = (*at.lines)[at.line];
  size_t end = end_of_word(text, at.column), begin = end > at.column ? begin_of_word(text, at.column) : end;
  return text.substr(begin, end - begin);
}

location_t only_place_of(const std::string &name, source_range range) {
  if (!is_known(range))
    return UNKNOWN_LOCATION;
  location_t first = get_pure_location(line_table, range.m_start), last = get_pure_location(line_table, range.m_finish);
  if (!is_of_macro(first) && !is_of_macro(last))
    return only_place_in_source(name, {first, last});
  bool is_in_one = linemap_lookup(line_table, first) == linemap_lookup(line_table, last);
  return is_in_one ? only_place_in_macro(name, {first, last}) : UNKNOWN_LOCATION;
}

source_range in_parentheses(location_t location) {
  SourcePlace place(location);
  if (!place.lines)
    return {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  size_t depth = 0, column = place.column;
  for (size_t line = place.line; line < place.lines->size() && line - place.line <= kMostLines; line++, column = 0) {
    const std::string &text = (*place.lines)[line];
    for (; column < text.size(); column++) {
      bool is_in_front = depth == 0 && (is_word(text[column]) || ISSPACE(text[column]) || text[column] == '!');
      if (is_in_front)
        continue;
      depth += text[column] == '(';
      if (depth == 0)
        return {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
      depth -= text[column] == ')';
      if (depth == 0)
        return {location, location_at(get_pure_location(line_table, location), line, column)};
    }
  }
  return {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
}

// Returns the source text of the range, or an empty string if the text is unknown or if the start or the end of the
// range is in a macro.
static std::string text_between(source_range range) {
  SourcePlace first(range.m_start), last(range.m_finish);
  if (!first.lines || first.lines != last.lines || first.line > last.line)
    return {};
  std::string text;
  for (size_t line = first.line; line <= last.line; line++) {
    const std::string &all = (*first.lines)[line];
    size_t begin = line == first.line ? first.column : 0, end = line == last.line ? last.column + 1 : all.size();
    text += all.substr(begin, end - std::min(begin, end)) + " ";
  }
  return text;
}

// Returns the smallest nesting depth of parentheses at which one of `operators` occurs in the range, or kNowhere if
// none of them occurs.
static int depth_of_one(source_range range, std::initializer_list<const char *> operators) {
  std::string text = text_between(range);
  int depth = 0, least = kNowhere;
  for (size_t i = 0; i < text.size(); i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    for (const char *wanted : operators)
      if (text.compare(i, strlen(wanted), wanted) == 0)
        least = std::min(least, depth);
  }
  return least;
}

bool has_connectives(source_range range) {
  return depth_of_one(range, {"&&", "||", "?", " and ", " or "}) < kNowhere;
}

bool is_choice_in_source(source_range range) {
  return depth_of_one(range, {"?"}) <= 0;
}

bool may_have_choice_around(location_t location) {
  SourcePlace place(location);
  if (!place.lines)
    return true;
  size_t first = place.line - std::min(place.line, kMostLines);
  size_t last = std::min(place.line + kMostLines, place.lines->size() - 1);
  std::string before, behind;
  for (size_t line = first; line < place.line; line++)
    before += (*place.lines)[line];
  before += (*place.lines)[place.line].substr(0, place.column);
  behind = (*place.lines)[place.line].substr(place.column);
  for (size_t line = place.line + 1; line <= last; line++)
    behind += (*place.lines)[line];
  static constexpr char kBetweenStatements[] = ";{}";
  size_t begin = before.find_last_of(kBetweenStatements), end = behind.find_first_of(kBetweenStatements);
  if (begin == std::string::npos || end == std::string::npos)
    return true;
  return before.find('?', begin) != std::string::npos || behind.find('?') < end;
}

bool is_joined_in_source(source_range range) {
  return depth_of_one(range, {"&&", "||", " and ", " or "}) <= 0;
}

bool is_at_statement(location_t location) {
  SourcePlace place = spelled_at(location);
  if (!place.lines)
    return false;
  const std::string &text = (*place.lines)[place.line];
  size_t end = is_word(text[place.column]) ? end_of_word(text, place.column) : skip_blanks_back(text, place.column);
  size_t begin = begin_of_word(text, end);
  return begins_statement(text.substr(begin, end - begin));
}

location_t question_before(location_t location) {
  SourcePlace place(location);
  if (!place.lines || (*place.lines)[place.line][place.column] != ':')
    return location;
  const std::string &text = (*place.lines)[place.line];
  int depth = 0, questions = 1;
  for (size_t at = place.column; at-- > 0 && depth >= 0;) {
    depth += (text[at] == ')') - (text[at] == '(');
    if (depth == 0)
      questions += (text[at] == ':') - (text[at] == '?');
    if (depth == 0 && questions == 0)
      return location_at(get_pure_location(line_table, location), place.line, at);
  }
  return location;
}

location_t negation_before(location_t location) {
  SourcePlace place(location);
  if (!place.lines)
    return UNKNOWN_LOCATION;
  const std::string &text = (*place.lines)[place.line];
  size_t at = skip_blanks_back(text, place.column);
  return at > 0 && text[at - 1] == '!' ? location_at(get_pure_location(line_table, location), place.line, at - 1)
                                       : UNKNOWN_LOCATION;
}

} // namespace pathprof
