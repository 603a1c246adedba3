// SPDX-License-Identifier: GPL-3.0-or-later
// pathprof record: runs a program, and says where its profile is.
#include <cstdlib>
#include <iostream>

#include <sys/wait.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/text.h"
#include "pathdump/workflow/child.h"
#include "pathdump/workflow/collected.h"
#include "pathdump/workflow/drivers.h"
#include "pathdump/workflow/workflow.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

// -o, or what the environment says, or the runtime's own default.
std::string pattern_of(const ProgramRuns &options) {
  if (!options.file.empty())
    return options.file;
  const char *variable = std::getenv("PATHPROF_FILE");
  return variable && *variable ? variable : "%e.pathprof";
}

void check(const ProgramRuns &options, const Operands &operands) {
  if (!operands.settings.empty())
    throw Failure(kWrongUse, fmt::format("record: '{}' is an argument of the plugin, for 'pathprof build'",
                                         operands.settings.front()));
  if (operands.program.empty())
    throw Failure(kWrongUse, "record: the program to run is missing: pathprof record -- PROGRAM ARGUMENT...");
  if (options.runs == 0)
    throw Failure(kWrongUse, "record: --runs 0 runs nothing; it is the number of runs to count, at least 1");
  const char *mode = std::getenv("PATHPROF_MODE");
  if (mode && std::string(mode) == "off")
    throw Failure(kWrongUse,
                  "record: PATHPROF_MODE=off is in the environment, so that nothing would be counted; unset it");
}

// One line: where the profiles are, and what to do with them.
void say_where(const std::vector<std::string> &written, const Collected &collected, uint64_t runs) {
  std::cerr << "pathprof: " << plural(runs, "run") << " "
            << (written.size() == 1 && collected.was_there(written.front()) ? "added to " : "counted in ");
  if (written.size() > 1)
    std::cerr << written.size() << " profiles: ";
  std::cerr << visible(fmt::format("{}", fmt::join(written, " "))) << "; next: pathprof report "
            << quoted_word(written.front()) << "\n";
}

[[nodiscard]] int say_nothing_written(const std::string &program, const Ended &ended) {
  std::string path = in_path(program);
  std::cerr << "pathprof: record: "
            << (has_runtime(path)
                    ? fmt::format("{} is instrumented, but wrote no profile: {}", visible(program),
                                  ended.is_good()
                                      ? "lines with 'pathrt:' say why"
                                      : ended.text() + ", and lines above may say why, such as those with 'pathrt:'")
                    : fmt::format(
                          "no profile was written: {} is not instrumented; build it with 'pathprof build -- make', "
                          "or with pathprof-gcc in place of gcc",
                          visible(program)))
            << "\n";
  return ended.is_good() ? kBadData : pass_on(ended);
}

} // namespace

int record_program(const ProgramRuns &options, const Operands &operands) {
  check(options, operands);
  Child child{operands.program, {{"PATHPROF_MODE", "off"}}, "", ""};
  for (uint64_t i = 0; i < options.warm; i++)
    stop_if_interrupted(run_child("record", child));
  Collected collected(pattern_of(options));
  child.environment = {{"PATHPROF_FILE", collected.pattern()}};
  // What is killed or crashes leaves its counts, too.
  if (!std::getenv("PATHPROF_MODE"))
    child.environment["PATHPROF_MODE"] = "continuous";
  Ended first_bad = {0, 0};
  uint64_t runs = 0;
  while (runs < options.runs) {
    Ended ended = run_child("record", child);
    runs++;
    if (first_bad.is_good())
      first_bad = ended;
    if (WIFSIGNALED(ended.status))
      break;
  }
  std::vector<std::string> written = collected.written();
  if (written.empty())
    return say_nothing_written(operands.program.front(), first_bad);
  say_where(written, collected, runs);
  return pass_on(first_bad);
}

} // namespace pathprof
