// SPDX-License-Identifier: GPL-3.0-or-later
// Searches the text of several source lines for expressions and operators.
#include <algorithm>

#include "plugin/gcc/source_place.h"

#include "plugin/gcc/excerpt.h"

namespace pathprof {

Excerpt::Excerpt(const std::vector<std::string> &lines, size_t first, size_t last) : lines_(lines), first_(first) {
  for (size_t line = first; line <= last && line < lines.size(); line++) {
    begins_.push_back(text.size());
    text += lines[line] + "\n";
  }
}

static bool is_continued(const std::string &line) {
  size_t end = skip_blanks_back(line, line.size());
  return end > 0 && line[end - 1] == '\\';
}

Excerpt Excerpt::definition_around(const std::vector<std::string> &lines, size_t line) {
  size_t first = line, last = line;
  while (first > 0 && is_continued(lines[first - 1]))
    first--;
  while (last + 1 < lines.size() && is_continued(lines[last]))
    last++;
  Excerpt definition(lines, first, last);
  std::string &text = definition.text;
  for (size_t i = 0; i + 1 < text.size(); i++)
    if (text[i] == '\\' && text[i + 1] == '\n')
      text[i] = ' ';
  text.back() = ';';
  size_t name = text.find("define");
  if (name == kNone)
    return definition;
  size_t end = end_of_word(text, definition.skip(end_of_word(text, name)));
  if (end < text.size() && text[end] == '(')
    end = std::min(text.find(')', end), text.size() - 2) + 1;
  std::fill_n(text.begin(), end, ';');
  return definition;
}

Connective Excerpt::connective(Connective::Kind kind, size_t offset) const {
  size_t line = begins_.size() - 1;
  while (begins_[line] > offset)
    line--;
  return {kind, &lines_, first_ + line, offset - begins_[line]};
}

Connective Excerpt::connective_at(size_t at) const {
  auto is_there = [&](const std::string &wanted) { return text.compare(at, wanted.size(), wanted) == 0; };
  std::string word = word_from(at);
  if (is_there("&&") || word == "and")
    return connective(Connective::And, at);
  return is_there("||") || word == "or" ? connective(Connective::Or, at) : Connective();
}

Connective Excerpt::connective_before(size_t end) const {
  size_t begin = begin_of_word(text, end);
  return begin < end ? connective_at(begin) : end >= 2 ? connective_at(end - 2) : Connective();
}

size_t Excerpt::skip(size_t begin) const {
  while (begin < text.size() && ISSPACE(text[begin]))
    begin++;
  return begin;
}

std::string Excerpt::word_from(size_t at) const {
  return text.substr(at, end_of_word(text, at) - at);
}

static bool ends_statement(char c) {
  return c == ';' || c == '{' || c == '}';
}

size_t Excerpt::parenthesis(size_t at, int step) const {
  char wanted = step < 0 ? '(' : ')', other = step < 0 ? ')' : '(';
  int depth = 0;
  for (size_t i = step < 0 ? at - 1 : at; i < text.size(); i += static_cast<size_t>(step)) {
    depth += text[i] == other;
    if (text[i] == wanted && depth-- == 0)
      return i;
    if (depth == 0 && ends_statement(text[i]))
      break;
  }
  return kNone;
}

// Returns true if there is a '?' between offset `at` and the end (step 1) or the beginning (step -1) of the expression.
// The search is limited to the innermost parentheses around the offset.
bool Excerpt::has_choice(size_t at, int step) const {
  char opening = step < 0 ? ')' : '(', closing = step < 0 ? '(' : ')';
  int depth = 0;
  for (; at < text.size(); at += static_cast<size_t>(step)) {
    depth += (text[at] == opening) - (text[at] == closing);
    if (depth < 0 || (depth == 0 && (ends_statement(text[at]) || text[at] == ',')))
      return false;
    if (depth == 0 && text[at] == '?')
      return true;
  }
  return false;
}

bool Excerpt::has_choice_beside(size_t begin, size_t end) const {
  return has_choice(begin - 1, -1) || has_choice(end, 1);
}

bool Excerpt::may_begin_behind(size_t end) const {
  if (end == 0)
    return false;
  char last = text[end - 1], before = end > 1 ? text[end - 2] : ' ';
  std::string word = word_from(begin_of_word(text, end));
  bool is_assignment = last == '=' && std::string("=!<>").find(before) == kNone;
  return is_assignment || ends_statement(last) || last == ',' || word == "return" || word == "else";
}

bool Excerpt::may_end_before(size_t begin) const {
  return begin < text.size() && (ends_statement(text[begin]) || text[begin] == ',' || text[begin] == ')');
}

} // namespace pathprof
