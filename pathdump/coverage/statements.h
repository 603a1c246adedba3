// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the lines of a statement in a C or C++ source file, and the definitions and uses of macros.
#ifndef PATHPROF_PATHDUMP_COVERAGE_STATEMENTS_H
#define PATHPROF_PATHDUMP_COVERAGE_STATEMENTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pathprof {

// A range of lines, numbered from 1.
using LineRange = std::pair<uint32_t, uint32_t>; // first and last line, inclusive

class Statements {
public:
  explicit Statements(const std::string &source);

  // Returns the lines of the statement or declaration that contains the first token of the line.  Returns {0, 0} if the
  // line contains only comments and braces, or if the line is part of a preprocessor directive.  A condition in
  // parentheses, together with its keyword, is treated as a statement of its own.
  LineRange around(uint32_t line) const;

  // Returns true if the line consists only of braces and semicolons.
  bool is_bracket(uint32_t line) const;
  // Returns true if the line is part of a preprocessor directive.
  bool is_directive(uint32_t line) const;

  // Returns the name of the macro that the directive on the line defines, or an empty string if no macro is defined on
  // the line.
  std::string macro_at(uint32_t line) const;
  // Returns the names of the macros whose definitions contain the word.
  std::vector<std::string> macros_with(const std::string &word) const;
  // Returns the lines that contain the word, except lines in preprocessor directives.
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

  std::string mask_;           // source text without comments, literals and directives
  std::vector<size_t> begins_; // offset of each line
  std::vector<size_t> ends_;   // offset of the last character of each statement
  std::map<uint32_t, std::string>
      directives_; // lines of directives, with the macro that each defines, or an empty string
  std::map<std::string, std::string> definitions_; // text of each macro definition, without comments
};

} // namespace pathprof

#endif
