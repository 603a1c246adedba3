// SPDX-License-Identifier: GPL-3.0-or-later
// Joins some lines of a source file into one text in which expressions can be found.
#ifndef PATHPROF_PLUGIN_GCC_EXCERPT_H
#define PATHPROF_PLUGIN_GCC_EXCERPT_H

#include <string>
#include <vector>

namespace pathprof {

// A && or || operator.
struct Connective {
  enum Kind { None, And, Or };
  Kind kind = None;
  const std::vector<std::string> *lines = nullptr; // Lines of the file that contains the operator
  size_t line = 0, column = 0;                     // Line and column, counted from 0

  bool is_known() const { return kind != None; }
  bool operator==(const Connective &other) const {
    return kind == other.kind && lines == other.lines && line == other.line && column == other.column;
  }
};

class Excerpt {
public:
  static constexpr size_t kNone = std::string::npos;

  // Joins the lines `first` to `last`, which are counted from 0. Lines that do not exist are ignored.
  Excerpt(const std::vector<std::string> &lines, size_t first, size_t last);
  // Returns the macro definition that contains the line. In the result, all characters before the macro's body are
  // replaced with ';', and a ';' follows the body.
  static Excerpt definition_around(const std::vector<std::string> &lines, size_t line);

  // Returns the offset in this text of a position in the file, which is given as a line and a column.
  size_t offset(size_t line, size_t column) const { return begins_[line - first_] + column; }

  // connective_at() returns the connective that begins at the offset, and connective_before() the connective that ends
  // before the offset.
  Connective connective_at(size_t at) const;
  Connective connective_before(size_t end) const;

  // Returns the offset of the first character at or after `begin` that is not a blank.
  size_t skip(size_t begin) const;

  std::string word_from(size_t at) const;

  // Returns the offset of the enclosing parenthesis before (step -1) or after (step 1) the offset `at`. Returns kNone
  // if there is no such parenthesis in the same statement.
  size_t parenthesis(size_t at, int step) const;

  // is_before_choice() returns true if a '?' follows `begin` in the same expression and the same parentheses.
  // has_choice_beside() returns true if such a '?' precedes `begin` or follows `end`.
  bool is_before_choice(size_t begin) const { return has_choice(begin, 1); }
  bool has_choice_beside(size_t begin, size_t end) const;

  // may_begin_behind() returns true if a complete condition can begin after the offset `end`. may_end_before() returns
  // true if a complete condition can end before the offset `begin`. A condition is complete if it is not an operand of
  // another operator.
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
