// SPDX-License-Identifier: GPL-3.0-or-later
// Splits C and C++ source text into statements, preprocessor directives and macro definitions.
#include "pathdump/coverage/statements.h"

#include <algorithm>

#include "pathdump/describe/scan.h"

namespace pathprof {

namespace {

constexpr size_t kNone = std::string::npos;

size_t find_word(const std::string &mask, const std::string &word, size_t from) {
  for (size_t at = from; (at = mask.find(word, at)) != kNone; at++) {
    size_t end = at + word.size();
    if ((at == 0 || !is_word(mask[at - 1])) && (end == mask.size() || !is_word(mask[end])))
      return at;
  }
  return kNone;
}

bool takes_condition(const std::string &word) {
  return word == "if" || word == "while" || word == "for" || word == "switch" || word == "catch";
}

} // namespace

Statements::Statements(const std::string &source) : mask_(masked(source)) {
  begins_.push_back(0);
  for (size_t i = 0; i < source.size(); i++)
    if (source[i] == '\n' && i + 1 < source.size())
      begins_.push_back(i + 1);
  take_directives();
  find_ends();
}

static size_t skip(const std::string &text, size_t at) {
  return std::min(text.find_first_not_of(' ', at), text.size());
}

// Replaces preprocessor directives with spaces in `mask_`.  A directive continues on the next line if its line ends
// with a backslash.
void Statements::take_directives() {
  uint32_t first = 0; // first line of a continued directive; 0 outside of directives
  std::string directive;
  for (uint32_t line = 1; line <= begins_.size(); line++) {
    size_t begin = begins_[line - 1], end = line < begins_.size() ? begins_[line] : mask_.size();
    std::string text = mask_.substr(begin, end - begin);
    size_t at = skip(text, 0);
    if (first == 0 && (at == text.size() || text[at] != '#'))
      continue;
    first = first ? first : line;
    std::fill(mask_.begin() + static_cast<ptrdiff_t>(begin), mask_.begin() + static_cast<ptrdiff_t>(end), ' ');
    size_t last = text.find_last_not_of(' ');
    bool goes_on = last != kNone && text[last] == '\\' && line < begins_.size();
    directive += goes_on ? text.substr(0, last) : text;
    if (goes_on)
      continue;
    add_directive(directive, {first, line});
    directive.clear();
    first = 0;
  }
}

void Statements::add_directive(const std::string &text, LineRange lines) {
  size_t word = skip(text, skip(text, 0) + 1);
  std::string name, kind = word_at(text, word);
  if (kind == "define") {
    size_t at = skip(text, word + kind.size());
    name = word_at(text, at);
    definitions_[name] += text.substr(at + name.size());
  }
  for (uint32_t line = lines.first; line <= lines.second; line++)
    directives_[line] = name;
}

// Returns the offset of the last nonblank character before `at`, or 0 if there is no such character.
size_t Statements::before(size_t at) const {
  size_t found = at == 0 ? kNone : mask_.find_last_not_of(' ', at - 1);
  return found == kNone ? 0 : found;
}

std::string Statements::word_before(size_t at) const {
  size_t end = before(at) + 1, begin = end;
  while (begin > 0 && is_word(mask_[begin - 1]))
    begin--;
  return mask_.substr(begin, end - begin);
}

// Returns true if the brace encloses statements rather than an initializer list.
bool Statements::is_block(size_t brace) const {
  return std::string("=,([{").find(mask_[before(brace)]) == kNone && word_before(brace) != "return";
}

void Statements::find_ends() {
  std::vector<size_t> open;
  for (size_t i = 0; i < mask_.size(); i++) {
    char c = mask_[i];
    bool is_in_block = open.empty() || (mask_[open.back()] == '{' && is_block(open.back()));
    if (c == '{' && is_in_block && mask_[before(i)] == '{')
      ends_.push_back(i); // a block at the start of another block
    else if ((c == '{' && is_block(i)) || (c == ';' && is_in_block) || (c == '}' && is_in_block))
      ends_.push_back(i);
    if (opens(c))
      open.push_back(i);
    if (!closes(c) || open.empty())
      continue;
    if (c == ')' && takes_condition(word_before(open.back())))
      ends_.push_back(i);
    open.pop_back();
  }
}

uint32_t Statements::line_of(size_t at) const {
  return static_cast<uint32_t>(std::upper_bound(begins_.begin(), begins_.end(), at) - begins_.begin());
}

// Returns the offset of the first character in the line other than blanks, braces and semicolons.  Returns kNone if
// there is no such character.
size_t Statements::first_part(uint32_t line) const {
  if (line == 0 || line > begins_.size())
    return kNone;
  size_t end = line < begins_.size() ? begins_[line] : mask_.size();
  auto found = std::find_if(mask_.begin() + static_cast<ptrdiff_t>(begins_[line - 1]),
                            mask_.begin() + static_cast<ptrdiff_t>(end),
                            [](char c) { return c != ' ' && c != '{' && c != '}' && c != ';'; });
  size_t at = static_cast<size_t>(found - mask_.begin());
  return at < end ? at : kNone;
}

bool Statements::is_bracket(uint32_t line) const {
  if (line == 0 || line > begins_.size() || first_part(line) != kNone)
    return false;
  size_t end = line < begins_.size() ? begins_[line] : mask_.size();
  return skip(mask_, begins_[line - 1]) < end;
}

LineRange Statements::around(uint32_t line) const {
  size_t at = first_part(line);
  if (at == kNone)
    return {0, 0};
  auto end = std::lower_bound(ends_.begin(), ends_.end(), at);
  size_t begin = end == ends_.begin() ? 0 : *std::prev(end) + 1;
  return {line_of(mask_.find_first_not_of(' ', begin)), line_of(end == ends_.end() ? mask_.size() - 1 : *end)};
}

bool Statements::is_directive(uint32_t line) const {
  return directives_.count(line) != 0;
}

std::string Statements::macro_at(uint32_t line) const {
  auto at = directives_.find(line);
  return at == directives_.end() ? std::string() : at->second;
}

std::vector<std::string> Statements::macros_with(const std::string &word) const {
  std::vector<std::string> found;
  for (const auto &[name, definition] : definitions_)
    if (find_word(definition, word, 0) != kNone)
      found.push_back(name);
  return found;
}

std::vector<uint32_t> Statements::lines_with(const std::string &word) const {
  std::vector<uint32_t> found;
  for (size_t at = 0; (at = find_word(mask_, word, at)) != kNone; at++)
    if (found.empty() || found.back() != line_of(at))
      found.push_back(line_of(at));
  return found;
}

} // namespace pathprof
