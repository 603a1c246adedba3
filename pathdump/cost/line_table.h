// SPDX-License-Identifier: GPL-3.0-or-later
// From addresses in a binary to functions and lines, by its debug information.
#ifndef PATHPROF_PATHDUMP_COST_LINE_TABLE_H
#define PATHPROF_PATHDUMP_COST_LINE_TABLE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pathdump/model/costs.h"

namespace pathprof {

class LineTable {
public:
  // `file`: a program or shared object.
  explicit LineTable(const std::string &file);
  ~LineTable();
  LineTable(const LineTable &) = delete;
  LineTable &operator=(const LineTable &) = delete;

  // Whether the file could be read and has symbols.
  bool is_readable() const;
  // What is `offset` bytes behind the beginning of the function that the symbol table calls `symbol` (or whose C++ name
  // that is): the functions inlined there, the innermost one first, and the function itself, each with the line that
  // it is at.  Empty where the symbol is unknown; without lines where the debug information has none.
  std::vector<CostPosition> find(const std::string &symbol, uint64_t offset) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace pathprof

#endif
