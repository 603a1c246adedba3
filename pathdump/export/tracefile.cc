// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage as a tracefile of lcov.
#include "pathdump/export/covered.h"
#include "pathdump/export/exports.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"

namespace pathprof {

// Functions of one name in a file are one there: the line of the first, and the sum of the calls.
static void print_functions(const CoveredFile &covered, Output &out) {
  std::map<std::string, CoveredFunction> by_name;
  for (const CoveredFunction &function : covered.functions) {
    auto [at, is_new] = by_name.try_emplace(function.name, function);
    if (!is_new)
      at->second.calls += function.calls;
  }
  size_t num_run = 0;
  for (const auto &[name, function] : by_name)
    out.print("FN:{},{}\n", function.line, name);
  for (const auto &[name, function] : by_name) {
    out.print("FNDA:{},{}\n", function.calls, name);
    num_run += function.calls > 0;
  }
  out.print("FNF:{}\nFNH:{}\n", by_name.size(), num_run);
}

// Blocks are numbered line by line.
static void print_branches(const CoveredFile &covered, Output &out) {
  for (const auto &[line, branches] : covered.branches)
    for (size_t block = 0; block < branches.size(); block++)
      for (size_t edge = 0; edge < branches[block].taken.size(); edge++)
        out.print("BRDA:{},{},{},{}\n", line, block, edge,
                  branches[block].has_run() ? std::to_string(branches[block].taken[edge]) : "-");
  out.print("BRF:{}\nBRH:{}\n", covered.num_edges(), covered.num_edges_taken());
}

void export_lcov(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  for (const auto &[name, covered] : covered_files(profile, file, names)) {
    out.print("TN:\nSF:{}\n", name);
    print_functions(covered, out);
    print_branches(covered, out);
    for (const auto &[line, count] : covered.lines)
      out.print("DA:{},{}\n", line, count);
    out.print("LF:{}\nLH:{}\nend_of_record\n", covered.lines.size(), covered.num_lines_run());
  }
}

} // namespace pathprof
