// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <vector>

#include "plugin/gcc/excerpt.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/negation.h"
#include "plugin/gcc/source_place.h"

namespace pathprof {

namespace {

// A text that has the connective, or the parameter or the macro that stands for what has it.
struct Level {
  SourcePlace place;
  bool is_definition = false; // of a macro
  bool is_use = false;        // of a macro
};

// The innermost first.
void add_levels(location_t location, std::vector<Level> &levels) {
  if (!is_of_macro(location)) {
    levels.push_back({SourcePlace(location)});
    return;
  }
  const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, location));
  MacroWord word = word_of_macro(map, location);
  if (word.is_of_argument())
    add_levels(word.written, levels);
  levels.push_back({spelled_at(word.defined), true, false});
  size_t use = levels.size();
  add_levels(compat_expansion_point(map), levels);
  levels[use].is_use = true;
}

Excerpt text_of(const Level &level) {
  const std::vector<std::string> &lines = *level.place.lines;
  size_t line = level.place.line;
  return level.is_definition ? Excerpt::definition_around(lines, line)
                             : Excerpt(lines, line - std::min(line, kMostLines), line + kMostLines);
}

// Goes out of parentheses in a text.
class Way {
public:
  enum Result { BeforeChoice, AtEnd, Stuck };

  // From the level's place on: a connective, or what stands for something whole.
  Result go_out(const Level &level, bool is_connective) {
    Excerpt source = text_of(level);
    size_t begin = source.offset(level.place.line, level.place.column), end = begin;
    if (!is_connective)
      end = end_of_word(source.text, begin);
    if (level.is_use && source.text[source.skip(end)] == '(') { // the macro's arguments
      size_t close = source.parenthesis(source.skip(end) + 1, 1);
      if (close == Excerpt::kNone)
        return Stuck;
      end = close + 1;
    }
    for (bool is_whole = !is_connective;; is_whole = true) {
      if (is_whole && !leave_negations(source, begin, end))
        return Stuck;
      if (source.is_before_choice(end))
        return BeforeChoice;
      size_t open = source.parenthesis(begin, -1), close = source.parenthesis(end, 1);
      if (open == Excerpt::kNone || close == Excerpt::kNone)
        return AtEnd;
      size_t before = skip_blanks_back(source.text, open);
      if (before > 0 && is_word(source.text[before - 1]) &&
          source.word_from(begin_of_word(source.text, before)) != "return")
        return AtEnd; // of an argument
      begin = open;
      end = close + 1;
    }
  }

  bool is_negated = false;

private:
  // Goes out of the '!' in front.  False where what is between the places is part of a larger expression then.
  bool leave_negations(const Excerpt &source, size_t &begin, size_t &end) {
    begin = skip_blanks_back(source.text, begin);
    for (; begin > 0 && source.text[begin - 1] == '!'; begin = skip_blanks_back(source.text, begin - 1))
      is_negated = !is_negated;
    end = source.skip(end);
    bool is_first = (begin > 0 && strchr("(?:", source.text[begin - 1])) || source.may_begin_behind(begin);
    return is_first && (source.text[end] == '?' || source.may_end_before(end));
  }
};

} // namespace

std::optional<bool> is_negated_before_choice(const Connective &connective, location_t near) {
  std::vector<Level> levels;
  add_levels(near, levels);
  const SourcePlace &innermost = levels.front().place;
  if (innermost.lines != connective.lines)
    return std::nullopt;
  levels.front().place.line = connective.line;
  levels.front().place.column = connective.column;
  Way way;
  for (size_t i = 0; i < levels.size(); i++) {
    Way::Result result = levels[i].place.lines ? way.go_out(levels[i], i == 0) : Way::Stuck;
    if (result == Way::BeforeChoice)
      return way.is_negated;
    if (result == Way::Stuck)
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace pathprof
