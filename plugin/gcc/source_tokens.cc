// SPDX-License-Identifier: GPL-3.0-or-later
// Splits source lines into tokens and expands macros from GCC's line table.
#include "plugin/gcc/source_tokens.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "plugin/gcc/excerpt.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_place.h"

namespace pathprof {

namespace {

// Number of source lines to read before and after a location.
constexpr size_t kLines = 40;
constexpr int kDeepestMacro = 50;

size_t end_of_token(const std::string &line, size_t begin) {
  static const char *const operators[] = {
      "<<=", ">>=", "<=>", "->*", "...", "&&", "||", "==", "!=", "<=", ">=", "<<", "->",
      "++",  "--",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "::", "##", ">>"};
  if (is_word(line[begin]))
    return end_of_word(line, begin);
  for (const char *one : operators)
    if (line.compare(begin, strlen(one), one) == 0)
      return begin + strlen(one);
  return begin + 1;
}

std::string token_at(const std::string &line, size_t begin) {
  std::string text = line.substr(begin, end_of_token(line, begin) - begin);
  if (lang_GNU_CXX())
    for (auto [word, meaning] : {std::pair("and", "&&"), std::pair("or", "||"), std::pair("not", "!")})
      if (text == word)
        return meaning;
  return text;
}

SourceToken token(const std::string &text, location_t location) {
  return {text, location, {location, location}};
}

bool is_continued(const std::string &line) {
  size_t end = skip_blanks_back(line, line.size());
  return end > 0 && line[end - 1] == '\\';
}

std::vector<SourceToken> tokens_of_lines(location_t near, const SourcePlace &place) {
  std::vector<SourceToken> tokens;
  size_t first = place.line - std::min(place.line, kLines),
         last = std::min(place.line + kLines, place.lines->size() - 1);
  bool is_directive = false;
  for (size_t number = first; number <= last; number++) {
    const std::string &line = (*place.lines)[number];
    size_t begin = line.find_first_not_of(" \t\f\v\r");
    is_directive = (is_directive && number > first && is_continued((*place.lines)[number - 1])) ||
                   (begin != std::string::npos && line[begin] == '#');
    if (is_directive)
      continue;
    for (size_t at = 0; at < line.size(); at = end_of_token(line, at))
      if (!ISSPACE(line[at]) && line[at] != '\\')
        tokens.push_back(token(token_at(line, at), location_at(near, number, at)));
  }
  return tokens;
}

// If the token at the location is the name of a macro that is expanded, returns the macro. Returns null otherwise.
const line_map_macro *macro_used_at(location_t location) {
  static std::unordered_map<location_t, unsigned> maps;
  static unsigned num_known = 0;
  for (; num_known < LINEMAPS_MACRO_USED(line_table); num_known++) {
    const line_map_macro *map = LINEMAPS_MACRO_MAP_AT(line_table, num_known);
    maps.emplace(get_pure_location(line_table, compat_expansion_point(map)), num_known);
  }
  auto at = maps.find(location);
  return at == maps.end() ? nullptr : LINEMAPS_MACRO_MAP_AT(line_table, at->second);
}

// Returns true if the macro is defined with a parameter list.
bool takes_arguments(const line_map_macro *map) {
  SourcePlace body = spelled_at(word_of_macro(map, MAP_START_LOCATION(map)).defined);
  if (!body.lines)
    return false;
  size_t line = body.line;
  while (line > 0 && is_continued((*body.lines)[line - 1]))
    line--;
  const std::string &text = (*body.lines)[line];
  size_t define = text.find("define");
  if (define == std::string::npos)
    return false;
  size_t name = text.find_first_not_of(" \t", end_of_word(text, define));
  size_t end = name == std::string::npos ? name : end_of_word(text, name);
  return end < text.size() && text[end] == '(';
}

MacroWord word_at_location(location_t location) {
  return word_of_macro(linemap_check_macro(linemap_lookup(line_table, location)), location);
}

// If this token in a macro's expansion is the name of another macro, returns the other macro. Returns null otherwise.
const line_map_macro *macro_named_in(location_t location) {
  while (is_of_macro(location)) {
    location = word_at_location(location).written;
    const line_map_macro *named = is_known(location) ? macro_used_at(get_pure_location(line_table, location)) : nullptr;
    if (named)
      return named;
  }
  return nullptr;
}

bool comes_from(location_t location, const line_map_macro *map) {
  for (; is_of_macro(location); location = word_at_location(location).written)
    if (linemap_lookup(line_table, location) == map)
      return true;
  return false;
}

// Returns true if the two tokens in a macro's expansion are copies of the same token in an argument.
bool are_copies(location_t one, location_t other) {
  while (one != other) {
    bool are_in_macros = is_of_macro(one) && is_of_macro(other);
    if (!are_in_macros || linemap_lookup(line_table, one) != linemap_lookup(line_table, other) ||
        word_at_location(one).defined != word_at_location(other).defined)
      return false;
    one = word_at_location(one).written;
    other = word_at_location(other).written;
  }
  return true;
}

// Returns true if a token in a macro's expansion is padding that the preprocessor adds before arguments. Padding has
// the location of the following token or, if the expansion of another macro follows, of the macro's name.
bool is_padding(location_t location, location_t next) {
  if (are_copies(location, next))
    return true;
  const line_map_macro *named = macro_named_in(location);
  return named && comes_from(next, named);
}

std::vector<SourceToken> tokens_of_macro(const line_map_macro *map) {
  std::vector<SourceToken> tokens;
  for (unsigned i = 0; i < MACRO_MAP_NUM_MACRO_TOKENS(map); i++) {
    location_t location = MAP_START_LOCATION(map) + i;
    SourcePlace place = spelled_at(location);
    if (!place.lines)
      continue;
    if (!tokens.empty() && is_padding(tokens.back().location, location))
      tokens.pop_back();
    tokens.push_back(token(token_at((*place.lines)[place.line], place.column), location));
  }
  return tokens;
}

// Returns the index of the parenthesis that closes the argument list, or of the last token if there is no such
// parenthesis.
size_t end_of_arguments(const std::vector<SourceToken> &tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); i++) {
    depth += (tokens[i].text == "(") - (tokens[i].text == ")");
    if (depth == 0)
      return i;
  }
  return tokens.size() - 1;
}

// Appends the tokens to `expanded`. Uses of macros are replaced with their expansions.
void expand(const std::vector<SourceToken> &tokens, int depth, std::vector<SourceToken> &expanded) {
  for (size_t i = 0; i < tokens.size(); i++) {
    bool may_be_macro = depth < kDeepestMacro && is_word(tokens[i].text.front()) && is_known(tokens[i].location);
    const line_map_macro *map = may_be_macro ? macro_used_at(tokens[i].location) : nullptr;
    if (!map) {
      expanded.push_back(tokens[i]);
      continue;
    }
    size_t first = expanded.size(), name = i;
    expand(tokens_of_macro(map), depth + 1, expanded);
    if (i + 1 < tokens.size() && tokens[i + 1].text == "(" && takes_arguments(map))
      i = end_of_arguments(tokens, i + 1);
    for (size_t made = first; made < expanded.size() && depth == 0; made++)
      expanded[made].use = {tokens[name].location, tokens[i].location};
  }
}

// A location in a macro's expansion. `of` is the macro that is invoked at this location and whose expansion contains
// the location that was passed to uses_around(). For that location itself, `of` is null.
struct Use {
  location_t location;
  const line_map_macro *of;
};

// Returns the location and all macro invocations around it that are inside other macros, from the innermost to the
// outermost.
std::vector<Use> uses_around(location_t location) {
  std::vector<Use> uses;
  const line_map_macro *of = nullptr;
  while (is_of_macro(location)) {
    uses.push_back({location, of});
    of = linemap_check_macro(linemap_lookup(line_table, location));
    location = get_pure_location(line_table, compat_expansion_point(of));
  }
  return uses;
}

// Returns the location of the last token of a macro invocation that occurs in the expansion of another macro.
location_t end_of_use(const Use &use) {
  if (!use.of || !takes_arguments(use.of))
    return use.location;
  std::vector<SourceToken> tokens = tokens_of_macro(linemap_check_macro(linemap_lookup(line_table, use.location)));
  for (size_t i = 0; i + 1 < tokens.size(); i++)
    if (tokens[i].location == use.location && tokens[i + 1].text == "(")
      return tokens[end_of_arguments(tokens, i + 1)].location;
  return use.location;
}

} // namespace

// Decisions on one line have the same tokens, and a macro that defines functions can contain many decisions. The tokens
// of the last line are therefore kept until GCC has read further tokens or expanded further macros.
const std::vector<SourceToken> &tokens_around(location_t location) {
  static std::vector<SourceToken> expanded;
  static std::array<location_t, 3> last{};
  SourcePlace place(location);
  location_t line = place.lines ? location_at(location, place.line, 0) : UNKNOWN_LOCATION;
  std::array<location_t, 3> now{line, line_table->highest_location, LINEMAPS_MACRO_USED(line_table)};
  if (is_known(line) && now == last)
    return expanded;
  last = now;
  expanded.clear();
  if (place.lines)
    expand(tokens_of_lines(location, place), 0, expanded);
  return expanded;
}

source_range in_one_macro(source_range range) {
  std::vector<Use> ends = uses_around(range.m_finish);
  for (const Use &begin : uses_around(range.m_start))
    for (const Use &end : ends)
      if (linemap_lookup(line_table, begin.location) == linemap_lookup(line_table, end.location))
        return {begin.location, end_of_use(end)};
  return {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
}

source_range in_argument(source_range range) {
  while (is_of_macro(range.m_start) && is_of_macro(range.m_finish)) {
    const line_map *map = linemap_lookup(line_table, range.m_start);
    if (linemap_lookup(line_table, range.m_finish) != map)
      return range;
    MacroWord first = word_of_macro(linemap_check_macro(map), range.m_start);
    MacroWord last = word_of_macro(linemap_check_macro(map), range.m_finish);
    if (!first.is_of_argument() || !last.is_of_argument() || first.defined != last.defined)
      return range;
    bool are_in_macros = is_of_macro(first.written) && is_of_macro(last.written);
    if (are_in_macros && linemap_lookup(line_table, first.written) != linemap_lookup(line_table, last.written))
      return range;
    range = {first.written, last.written};
  }
  return range;
}

} // namespace pathprof
