// SPDX-License-Identifier: GPL-3.0-or-later
// Maps addresses in a binary to functions and source lines with the help of debug information.
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
  // `file` is an executable or a shared object.
  explicit LineTable(const std::string &file);
  ~LineTable();
  LineTable(const LineTable &) = delete;
  LineTable &operator=(const LineTable &) = delete;

  // Returns true if the file could be read and contains symbols.
  bool is_readable() const;
  // Returns the functions and source lines at `offset` bytes from the start of the function `symbol`, which is an
  // assembler name or a C++ name. The result lists the inlined functions, innermost first, and then the function
  // itself. `address` is the address of the sample in the process. Because code is loaded at a multiple of the page
  // size, its lowest bits distinguish static functions that have the same name. The result is empty if the symbol is
  // unknown or still ambiguous. Line numbers are 0 if the debug information does not contain them.
  std::vector<CostPosition> find(const std::string &symbol, uint64_t offset, uint64_t address) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace pathprof

#endif
