// SPDX-License-Identifier: GPL-3.0-or-later
// Exports coverage as an lcov tracefile.
#include <set>

#include "pathdump/coverage/covered.h"
#include "pathdump/export/exports.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"

namespace pathprof {

// Prints the functions, sorted by name, because lcov identifies functions by name.
static void print_functions(const CoveredFile &covered, bool has_last_lines, Output &out) {
  std::map<std::string, const CoveredFunction *> by_name;
  for (const CoveredFunction &function : covered.functions)
    by_name.emplace(function.name, &function);
  for (const auto &[name, function] : by_name)
    out.print("FN:{},{}{}\n", function->line, has_last_lines ? fmt::format("{},", function->last_line) : "", name);
  for (const auto &[name, function] : by_name)
    out.print("FNDA:{},{}\n", function->calls, name);
  out.print("FNF:{}\nFNH:{}\n", covered.functions.size(), covered.num_functions_run());
}

// Prints the branches. Branch blocks are numbered separately for each line.
static void print_branches(const CoveredFile &covered, Output &out) {
  for (const auto &[line, branches] : covered.branches)
    for (size_t block = 0; block < branches.size(); block++)
      for (size_t edge = 0; edge < branches[block].taken.size(); edge++)
        out.print("BRDA:{},{},{},{}\n", line, block, edge,
                  branches[block].has_run() ? std::to_string(branches[block].taken[edge]) : "-");
  out.print("BRF:{}\nBRH:{}\n", covered.num_edges(), covered.num_edges_taken());
}

// Combines all decisions of a line into one group if two of them have the same number of conditions, because a
// tracefile distinguishes the decisions of a line only by this number.
static std::vector<CoveredDecision> groups_of(const std::vector<CoveredDecision> &decisions) {
  std::set<size_t> sizes;
  CoveredDecision all;
  for (const CoveredDecision &decision : decisions) {
    sizes.insert(decision.conditions.size());
    all.conditions.insert(all.conditions.end(), decision.conditions.begin(), decision.conditions.end());
    all.shows_effect.insert(all.shows_effect.end(), decision.shows_effect.begin(), decision.shows_effect.end());
  }
  return sizes.size() == decisions.size() ? decisions : std::vector<CoveredDecision>{all};
}

// Prints MC/DC records, which are supported by lcov 2 and later. Earlier versions ignore these records.
static void print_conditions(const CoveredFile &covered, Output &out) {
  size_t num_found = 0, num_hit = 0;
  for (const auto &[line, decisions] : covered.decisions)
    for (const CoveredDecision &group : groups_of(decisions)) {
      for (size_t i = 0; i < group.conditions.size(); i++)
        for (size_t value : {1, 0})
          out.print("MCDC:{},{},{},{},{},{}\n", line, group.conditions.size(), value ? 't' : 'f',
                    int{group.shows_effect[i][value]}, i, group.conditions[i]);
      num_found += 2 * group.conditions.size();
      num_hit += group.num_effects();
    }
  if (num_found)
    out.print("MCF:{}\nMCH:{}\n", num_found, num_hit);
}

static void print_tracefile(const Profile &profile, const CoveredFiles &files, bool has_last_lines, Output &out) {
  for (const std::string &warning : warnings_of(profile))
    out.print("# WARNING: {}\n", warning);
  for (const auto &[name, covered] : files) {
    out.print("TN:\nSF:{}\n", name);
    print_functions(covered, has_last_lines, out);
    print_branches(covered, out);
    print_conditions(covered, out);
    for (const auto &[line, count] : covered.lines)
      out.print("DA:{},{}\n", line, count);
    out.print("LF:{}\nLH:{}\nend_of_record\n", covered.lines.size(), covered.num_lines_run());
  }
}

void export_lcov(const Profile &profile, const CoveredFiles &files, Output &out) {
  print_tracefile(profile, files, true, out);
}

void export_lcov1(const Profile &profile, const CoveredFiles &files, Output &out) {
  print_tracefile(profile, files, false, out);
}

} // namespace pathprof
