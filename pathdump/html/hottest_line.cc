// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up the statements of a path by line.
#include "pathdump/html/hottest_line.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace pathprof::html {

namespace {

class Lines {
public:
  void add(const Function &function, int block) {
    const BlockNotes &notes = function.notes.blocks[static_cast<size_t>(block)];
    auto number = std::count_if(notes.lines.begin(), notes.lines.end(), [](const LineRef &at) { return at.line != 0; });
    for (const LineRef &at : notes.lines)
      if (at.line)
        add(function, at, static_cast<double>(notes.statements) / static_cast<double>(number));
  }

  std::optional<SourceLine> hottest() const {
    if (lines_.empty())
      return std::nullopt;
    // The line that declares the function does not characterize a path, so this line ranks last.
    auto rank = [](const Line &line) { return std::pair(!is_heading(line), line.statements); };
    const Line &best = *std::max_element(lines_.begin(), lines_.end(),
                                         [&](const Line &a, const Line &b) { return rank(a) < rank(b); });
    return SourceLine{best.function, (*best.function->files)[best.file], best.line};
  }

private:
  struct Line {
    const Function *function;
    uint32_t file, line;
    double statements;
  };

  static bool is_heading(const Line &line) {
    return line.line == line.function->notes.line && (*line.function->files)[line.file] == line.function->file;
  }

  void add(const Function &function, const LineRef &at, double statements) {
    auto known = std::find_if(lines_.begin(), lines_.end(), [&](const Line &line) {
      return std::tie(line.line, line.file) == std::tie(at.line, at.file) && line.function == &function;
    });
    if (known == lines_.end())
      lines_.push_back({&function, at.file, at.line, statements});
    else
      known->statements += statements;
  }

  std::vector<Line> lines_; // in the order of execution
};

} // namespace

std::optional<SourceLine> hottest_line(const Function &function, const Path &path) {
  Lines lines;
  for (size_t i = path.context_blocks; i < path.blocks.size(); i++)
    lines.add(function, path.blocks[i]);
  return lines.hottest();
}

std::optional<SourceLine> hottest_line(const ShownPath &path) {
  Lines lines;
  for (size_t step = path.path().prefix_len; step < path.path().steps.size(); step++)
    for (int block : piece_of(path.interprocedural_unit(), path.path(), step).blocks)
      lines.add(path.function_of(step), block);
  return lines.hottest();
}

} // namespace pathprof::html
