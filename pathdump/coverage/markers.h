// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the markers in source files that exclude code from coverage, as defined by lcov and gcovr, or that justify that
// code is not covered.
//
// A marker that excludes code consists of a prefix (LCOV, GCOVR or GCOV), `_EXCL_`, the kind of code (nothing for
// lines, `BR_` for branches, `EXCEPTION_BR_` for exception branches) and `LINE`, `START` or `STOP`.  `LINE` excludes
// the line that contains the marker.  `START` and `STOP` exclude the lines from the line of `START` up to, but not
// including, the line of `STOP`. Excluding a line also excludes its branches.
//
// `PATHPROF_JUSTIFY(reason)` justifies the line that contains it. `PATHPROF_JUSTIFY_START(reason)` and
// `PATHPROF_JUSTIFY_STOP` justify the lines from the first to the second marker.
#ifndef PATHPROF_PATHDUMP_COVERAGE_MARKERS_H
#define PATHPROF_PATHDUMP_COVERAGE_MARKERS_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/statements.h"
#include "pathdump/describe/sources.h"

namespace pathprof {

// Lines that a marker justifies.
struct JustifiedLines {
  LineRange lines;
  std::string reason;
  std::string fault = {}; // why the marker does not apply, or empty
};

// The marked code of one source file.
struct MarkedCode {
  std::vector<LineRange> lines;
  std::vector<LineRange> branches;   // lines on which only branches are excluded
  std::vector<LineRange> exceptions; // lines on which only exception branches are excluded
  std::vector<JustifiedLines> justified;
  std::vector<std::string> faults; // messages about markers that have no effect, such as "line 3: ..."
  bool is_missing = false;         // the file was not found or cannot be read, so its markers are not known
  bool is_refused = false;         // the file may have changed since it was compiled, so its exclusions do not apply

  // Removes the exclusions, and makes the justifications invalid.  `doubt` is the reason, as in SourceFile.
  void refuse(const std::string &doubt);
  bool has_line(uint32_t line) const;
  bool has_branches(uint32_t line) const;
  bool has_exceptions(uint32_t line) const;
};

// Returns the code that the markers in the lines of a file exclude or justify.
MarkedCode find_markers(const std::vector<std::string> &lines);

// The marked code of all source files of a profile.
class Markers {
public:
  explicit Markers(Sources &sources) : sources_(sources) {}

  // Returns the marked code of a file.  `file` is an element of UnitSources::files.  If the file may have changed since
  // it was compiled, its markers have no effect, because the lines to which they apply are not known.
  const MarkedCode &of(const UnitSources &unit, const std::string &file);
  const MarkedCode &of(const Function &function, uint32_t file) {
    return of(*function.sources, (*function.files)[file]);
  }
  // Returns true if a decision of the function is excluded.
  bool has(const Function &function, const MeasuredDecision &decision);
  // Returns the marked code of the files that were requested, with the names of the files as printed.
  std::vector<std::pair<std::string, const MarkedCode *>> by_shown_name() const;
  // Prints one warning to standard error for each marker without effect in the files that were requested. Equal
  // warnings, about a file that was compiled under several names, are printed once.
  void warn() const;
  // Prints one warning to standard error for each of these files that may have changed since it was compiled.
  void warn_of_sources() const;

private:
  Sources &sources_;
  std::map<size_t, MarkedCode> files_; // by number of the source file
};

} // namespace pathprof

#endif
