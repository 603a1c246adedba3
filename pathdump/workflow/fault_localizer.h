// SPDX-License-Identifier: GPL-3.0-or-later
// Declares FaultLocalizer, which finds the path that best distinguishes failing from passing runs.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_FAULT_LOCALIZER_H
#define PATHPROF_PATHDUMP_WORKFLOW_FAULT_LOCALIZER_H

#include <optional>
#include <string>
#include <vector>

#include "pathdump/describe/decisions.h"
#include "pathdump/model/fault_localization.h"
#include "pathdump/model/fault_spectrum.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/selection.h"
#include "pathdump/workflow/crash.h"

namespace pathprof {

class FaultLocalizer {
public:
  // `form` is the form in which paths are printed.
  FaultLocalizer(const Names &names, PathFormatter::Form form);

  // Adds the profile of one run.
  void add(const std::string &file, bool has_failed);

  // Returns true if at least one path, or one outcome of a decision, was executed by all failing runs but by no passing
  // run.
  bool are_apart();
  // Returns the plugin arguments, as KEY=VALUE, with which the program was compiled.
  std::vector<std::string> settings() const;
  // Makes print() start with the paths that a crashing run executed last, innermost first. `what` describes the run,
  // and `file` is its profile.
  void set_last_paths(std::string what, std::string file, std::vector<LastPath> paths) {
    crash_ = std::move(what);
    crashed_file_ = std::move(file);
    last_paths_ = std::move(paths);
  }
  // Prints the most suspicious path, its source code, and the decision that distinguishes it from the paths of passing
  // runs. `what` is the text in the output that describes the compared paths. Returns false if there is no suspicious
  // path.
  bool print(Output &out, const std::string &what);

  // Returns the number of paths that have the same score as the most suspicious path, without this path.
  uint64_t num_ties() {
    rank();
    return num_ties_;
  }

private:
  // Ranks the paths of all added runs on the first call.
  void rank();
  // Selects the path to print, given the ranking.
  void choose(const std::vector<SuspiciousPath> &ranking);
  std::string decision(const SuspiciousPath &suspect, PathFormatter &formatter) const;
  std::string outcomes(const SuspiciousPath &suspect, PathFormatter &formatter) const;
  std::string failing_lines(const Function &function) const;
  void print_last_paths(Output &out) const;
  void print_head(Output &out) const;
  void print_path(Output &out, const SuspiciousPath &suspect);

  const Names &names_;
  PathFormatter::Form form_;
  CommonOptions everything_;
  Selection selection_;
  Runs runs_{true};
  std::optional<FaultSpectrum> spectrum_;
  bool is_ranked_ = false;
  std::optional<SuspiciousPath> first_;
  uint64_t num_ties_ = 0;
  std::string crash_, crashed_file_;
  std::vector<LastPath> last_paths_;
};

} // namespace pathprof

#endif
