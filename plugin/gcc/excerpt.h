// SPDX-License-Identifier: GPL-3.0-or-later
// Some lines of a source file as one text, in which expressions are found.
#ifndef PATHPROF_PLUGIN_GCC_EXCERPT_H
#define PATHPROF_PLUGIN_GCC_EXCERPT_H

#include <string>
#include <vector>

namespace pathprof {

// An && or ||.
struct Connective {
  enum Kind { None, And, Or };
  Kind kind = None;
  const std::vector<std::string> *lines = nullptr; // of the file that it is in
  size_t line = 0, column = 0;                     // from 0

  bool is_known() const { return kind != None; }
  bool operator==(const Connective &other) const {
    return kind == other.kind && lines == other.lines && line == other.line && column == other.column;
  }
};

class Excerpt {
public:
  static constexpr size_t kNone = std::string::npos;

  // The lines, numbered from 0, as far as there are so many.
  Excerpt(const std::vector<std::string> &lines, size_t first, size_t last);
  // The definition of a macro that the line belongs to, between two ';' that stand for its name and its end.
  static Excerpt definition_around(const std::vector<std::string> &lines, size_t line);

  // Of a place in the file.
  size_t offset(size_t line, size_t column) const { return begins_[line - first_] + column; }

  // The one that begins at the offset, or ends in front of it.
  Connective connective_at(size_t at) const;
  Connective connective_before(size_t end) const;

  // The first character that is no blank.
  size_t skip(size_t begin) const;

  std::string word_from(size_t at) const;

  // The parenthesis around the offset, in front of it (step -1) or behind (1); kNone where the statement's begin or end
  // is nearer.
  size_t parenthesis(size_t at, int step) const;

  // Whether a '?' follows in the same parentheses, before the end of the expression, or stands beside what is between
  // two offsets.
  bool is_before_choice(size_t begin) const { return has_choice(begin, 1); }
  bool has_choice_beside(size_t begin, size_t end) const;

  // Whether a condition or more, which is the operand of nothing else, may begin behind the offset, or end in front.
  bool may_begin_behind(size_t end) const;
  bool may_end_before(size_t begin) const;

  std::string text;

private:
  Connective connective(Connective::Kind kind, size_t offset) const;
  bool has_choice(size_t at, int step) const;

  const std::vector<std::string> &lines_;
  size_t first_;
  std::vector<size_t> begins_;
};

} // namespace pathprof

#endif
