// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines of a C or C++ source are one statement, and where it defines and uses macros.
#ifndef PATHPROF_PATHDUMP_COVERAGE_STATEMENTS_H
#define PATHPROF_PATHDUMP_COVERAGE_STATEMENTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pathprof {

// Lines are numbered from 1.
using LineRange = std::pair<uint32_t, uint32_t>; // first and last, both included

class Statements {
public:
  explicit Statements(const std::string &source);

  // The lines of the statement or declaration that the line belongs to with what it begins with; {0, 0} where it has
  // nothing but comments and brackets around statements, or is of a directive of the preprocessor.  What a condition's
  // parentheses hold, with their keyword, is a statement of its own.
  LineRange around(uint32_t line) const;

  // Whether all that the line has is brackets around statements.
  bool is_bracket(uint32_t line) const;
  // Whether it belongs to a directive of the preprocessor.
  bool is_directive(uint32_t line) const;

  // The macro that the line belongs to the definition of; empty: none.
  std::string macro_at(uint32_t line) const;
  // The macros that use the word in their definitions.
  std::vector<std::string> macros_with(const std::string &word) const;
  // The other lines that have it.
  std::vector<uint32_t> lines_with(const std::string &word) const;

private:
  void take_directives();
  void add_directive(const std::string &text, LineRange lines);
  void find_ends();
  bool is_block(size_t brace) const;
  size_t before(size_t at) const;
  std::string word_before(size_t at) const;
  uint32_t line_of(size_t at) const;
  size_t first_part(uint32_t line) const;

  std::string mask_;                               // without directives
  std::vector<size_t> begins_;                     // of lines
  std::vector<size_t> ends_;                       // of statements: places of what ends them
  std::map<uint32_t, std::string> directives_;     // by line: the macro that is defined, or nothing
  std::map<std::string, std::string> definitions_; // by macro: what is there, without comments
};

} // namespace pathprof

#endif
