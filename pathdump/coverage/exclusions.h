// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the markers in source files that exclude code from coverage, as defined by lcov and gcovr.
//
// A marker consists of a prefix (LCOV, GCOVR or GCOV), `_EXCL_`, the kind of code (nothing for lines, `BR_` for
// branches, `EXCEPTION_BR_` for exception branches) and `LINE`, `START` or `STOP`.  `LINE` excludes the line that
// contains the marker.  `START` and `STOP` exclude the lines from the line of `START` up to, but not including, the
// line of `STOP`. Excluding a line also excludes its branches.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EXCLUSIONS_H
#define PATHPROF_PATHDUMP_COVERAGE_EXCLUSIONS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/statements.h"
#include "pathdump/describe/sources.h"

namespace pathprof {

// The excluded code of one source file.
struct ExcludedCode {
  std::vector<LineRange> lines;
  std::vector<LineRange> branches;   // lines on which only branches are excluded
  std::vector<LineRange> exceptions; // lines on which only exception branches are excluded
  std::vector<std::string> faults;   // messages about markers that have no effect, such as "line 3: ..."

  bool has_line(uint32_t line) const;
  bool has_branches(uint32_t line) const;
  bool has_exceptions(uint32_t line) const;
};

// Returns the code that the markers in the lines of a file exclude.
ExcludedCode find_exclusions(const std::vector<std::string> &lines);

// The excluded code of all source files of a profile.
class Exclusions {
public:
  explicit Exclusions(Sources &sources) : sources_(sources) {}

  // Returns the excluded code of a file.  `file` is an element of UnitSources::files.
  const ExcludedCode &of(const UnitSources &unit, const std::string &file);
  const ExcludedCode &of(const Function &function, uint32_t file) {
    return of(*function.sources, (*function.files)[file]);
  }
  // Returns true if a decision of the function is excluded.
  bool has(const Function &function, const MeasuredDecision &decision);
  // Prints one warning to standard error for each marker without effect in the files that were requested.
  void warn() const;

private:
  Sources &sources_;
  std::map<size_t, ExcludedCode> files_; // by number of the source file
};

} // namespace pathprof

#endif
