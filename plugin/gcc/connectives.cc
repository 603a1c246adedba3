// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/source_place.h"

#include "plugin/gcc/connectives.h"

#include "plugin/gcc/locations.h"

namespace pathprof {

namespace {

constexpr size_t kNone = std::string::npos;

// Some lines of a file as one text.
class Excerpt {
public:
  Excerpt(const std::vector<std::string> &lines, size_t first, size_t last) : lines_(lines), first_(first) {
    for (size_t line = first; line <= last && line < lines.size(); line++) {
      begins_.push_back(text.size());
      text += lines[line] + "\n";
    }
  }

  size_t offset(const SourcePlace &place) const { return begins_[place.line - first_] + place.column; }

  Connective connective(Connective::Kind kind, size_t offset) const {
    size_t line = begins_.size() - 1;
    while (begins_[line] > offset)
      line--;
    return {kind, &lines_, first_ + line, offset - begins_[line]};
  }

  // Of the word or operator that begins there.
  Connective connective_at(size_t at) const {
    auto is_there = [&](const std::string &wanted) { return text.compare(at, wanted.size(), wanted) == 0; };
    std::string word = word_from(at);
    if (is_there("&&") || word == "and")
      return connective(Connective::And, at);
    return is_there("||") || word == "or" ? connective(Connective::Or, at) : Connective();
  }

  // Of the word or operator that ends in front of it.
  Connective connective_before(size_t end) const {
    size_t begin = begin_of_word(text, end);
    return begin < end ? connective_at(begin) : end >= 2 ? connective_at(end - 2) : Connective();
  }

  size_t skip(size_t begin) const {
    while (begin < text.size() && ISSPACE(text[begin]))
      begin++;
    return begin;
  }

  std::string word_from(size_t at) const { return text.substr(at, end_of_word(text, at) - at); }

  // The parenthesis around the place, in front of it (step -1) or behind (1); kNone where the statement's begin or end
  // is nearer.
  size_t parenthesis(size_t at, int step) const {
    char wanted = step < 0 ? '(' : ')', other = step < 0 ? ')' : '(';
    int depth = 0;
    for (size_t i = step < 0 ? at - 1 : at; i < text.size(); i += static_cast<size_t>(step)) {
      depth += text[i] == other;
      if (text[i] == wanted && depth-- == 0)
        return i;
      if (depth == 0 && std::string(";{}").find(text[i]) != kNone)
        break;
    }
    return kNone;
  }

  std::string text;

private:
  const std::vector<std::string> &lines_;
  size_t first_;
  std::vector<size_t> begins_;
};

// Where a condition or more, which is the operand of nothing else, may begin and end.
bool begins_expression(const Excerpt &source, size_t end) {
  if (end == 0)
    return false;
  char last = source.text[end - 1], before = end > 1 ? source.text[end - 2] : ' ';
  std::string word = source.word_from(begin_of_word(source.text, end));
  bool is_assignment = last == '=' && std::string("=!<>").find(before) == kNone;
  return is_assignment || std::string(";{},").find(last) != kNone || word == "return" || word == "else";
}
bool ends_expression(const Excerpt &source, size_t begin) {
  return begin < source.text.size() && std::string(";{},)").find(source.text[begin]) != kNone;
}

// The condition's two ends as they were written, or if the one is in a macro that the other is not in, that macro's
// use.
std::pair<SourcePlace, SourcePlace> ends_of(source_range condition) {
  location_t first = condition.m_start, last = condition.m_finish;
  bool are_apart = is_known(condition) && linemap_lookup(line_table, first) != linemap_lookup(line_table, last);
  if (!are_apart)
    return {spelled_at(first), spelled_at(last)};
  auto use_of = [](location_t location) {
    return SourcePlace(linemap_resolve_location(line_table, location, LRK_MACRO_EXPANSION_POINT, nullptr));
  };
  return {use_of(first), use_of(last)};
}

} // namespace

Connective connective_at(location_t location) {
  SourcePlace place = spelled_at(location);
  if (!place.lines)
    return {};
  Excerpt line(*place.lines, place.line, place.line);
  bool is_inside_word = place.column > 0 && is_word(line.text[place.column - 1]) && is_word(line.text[place.column]);
  return is_inside_word ? Connective() : line.connective_at(place.column);
}

AroundCondition around_condition(source_range condition) {
  AroundCondition around;
  auto [first, last] = ends_of(condition);
  if (!first.lines || first.lines != last.lines || first.line > last.line || last.line - first.line > kMostLines)
    return around;
  around.is_known = true;
  Excerpt source(*first.lines, first.line - std::min(first.line, kMostLines), last.line + kMostLines);
  size_t begin = source.offset(first), end = source.offset(last);
  end += std::max<size_t>(1, source.word_from(end).size());
  bool is_in_call = false; // or in a macro's argument
  for (;;) {
    begin = skip_blanks_back(source.text, begin);
    end = source.skip(end);
    bool is_joined = around.before.is_known() || around.behind.is_known();
    if (begin > 0 && source.text[begin - 1] == '!') {
      if (is_joined)
        return around;
      around.is_negated = !around.is_negated;
      begin--;
      continue;
    }
    Connective before = source.connective_before(begin), behind = source.connective_at(end);
    if (!is_joined) {
      around.before = before;
      around.behind = behind;
    }
    bool is_first =
        before.is_known() || (begin > 0 && source.text[begin - 1] == '(') || begins_expression(source, begin);
    bool is_last = behind.is_known() || ends_expression(source, end);
    if (!is_first || !is_last)
      return around;
    size_t open = source.parenthesis(begin, -1), close = source.parenthesis(end, 1);
    bool is_outermost = open == kNone || close == kNone;
    size_t end_of_name = is_outermost ? begin : skip_blanks_back(source.text, open);
    size_t name = begin_of_word(source.text, end_of_name);
    std::string word = source.text.substr(name, end_of_name - name);
    if (is_outermost || begins_statement(word)) {
      around.is_plain = !is_in_call;
      return around;
    }
    bool is_grouping = word.empty() || word == "and" || word == "or" || word == "return";
    is_in_call |= !is_grouping;
    begin = is_grouping ? open : name;
    end = close + 1;
  }
}

} // namespace pathprof
