// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathprof record` for programs: runs a program and prints the names of the profiles that it wrote.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "pathdump/cost/stored_cost.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/siblings.h"
#include "pathdump/ui/text.h"
#include "pathdump/workflow/child.h"
#include "pathdump/workflow/collected.h"
#include "pathdump/workflow/cost_meter.h"
#include "pathdump/workflow/drivers.h"
#include "pathdump/workflow/record.h"
#include "pathdump/workflow/test_names.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

// Returns the pattern for profile names: the value of -o if given, otherwise PATHPROF_FILE or, if that is not set, the
// runtime's default.
std::string pattern_of(const ProgramRuns &options) {
  if (!options.file.empty())
    return options.file;
  const char *variable = std::getenv("PATHPROF_FILE");
  return variable && *variable ? variable : "%e.pathprof";
}

void check(const ProgramRuns &options, const Operands &operands) {
  if (!operands.settings.empty())
    throw Failure(kWrongUse, fmt::format("record: '{}' is a plugin argument; use it with 'pathprof build'",
                                         operands.settings.front()));
  if (operands.program.empty())
    throw Failure(kWrongUse, "record: missing program to run; usage: pathprof record -- PROGRAM ARGUMENT...");
  if (options.runs == 0)
    throw Failure(kWrongUse, "record: --runs 0: the number of runs must be at least 1");
  const char *mode = std::getenv("PATHPROF_MODE");
  if (mode && std::string(mode) == "off")
    throw Failure(kWrongUse, "record: the environment variable PATHPROF_MODE=off disables counting; unset it");
}

// Describes the contents of a profile, as in "3 runs of prog added", or "2 runs of another build of libx.so, moved from
// prog.pathprof, and 1 run that preceded the first run of the new build".
std::string text_of(const WrittenProfile &profile) {
  if (!profile.contents)
    return "counts of a process that is still running";
  if (!profile.moved)
    return fmt::format("{} of {}{}", plural(profile.runs, "run"), profile.contents->names(),
                       profile.was_there ? " added" : "");
  return fmt::format(
      "{} of another build of {}, moved from {}{}", plural(profile.moved, "run"), profile.rebuilt,
      visible(profile.moved_from),
      profile.runs ? fmt::format(", and {} that preceded the first run of the new build", plural(profile.runs, "run"))
                   : "");
}

// A program that does not use the library that was rebuilt cannot detect that the profile is from an earlier build. If
// such a program runs first, it adds its counts to the old profile, which is later renamed with these counts.
void note_moved_run(const WrittenProfile &profile) {
  if (profile.moved && profile.runs)
    std::cerr << fmt::format("pathprof: note: {} does not include {} of this command, made before "
                             "the first run of the rebuilt {}; run the command again\n",
                             visible(profile.moved_from), plural(profile.runs, "run"), profile.rebuilt);
}

// Returns a command that reports on the profile or, if the profile has tests, a command that compares the tests in all
// profiles.
std::string next_command(const WrittenProfile &profile, const std::vector<WrittenProfile> &all) {
  if (!profile.contents || !profile.contents->has_tests)
    return fmt::format("pathprof report {}{}", has_stored_cost(profile.name) ? "--cost " : "",
                       quoted_word(profile.name));
  std::string command = "pathprof tests";
  for (const WrittenProfile &one : all)
    if (one.contents && one.contents->has_tests)
      command += " " + quoted_word(one.name);
  return command;
}

// Prints the names and contents of the profiles, and suggests the next command. Each process whose counts were added is
// one run.
void print_written(const std::vector<WrittenProfile> &written) {
  auto has_runs = [](const WrittenProfile &profile) { return profile.runs > 0; };
  auto first = std::find_if(written.begin(), written.end(), has_runs);
  const WrittenProfile &next = first == written.end() ? written.front() : *first;
  uint64_t runs = 0;
  for (const WrittenProfile &profile : written)
    runs += profile.runs;
  if (written.size() == 1 && !next.contents) {
    std::cerr << fmt::format("pathprof: {}: {}; next: {}\n", visible(next.name), text_of(next),
                             next_command(next, written));
    return;
  }
  if (written.size() == 1) {
    bool are_several = next.contents && next.contents->modules.size() > 1;
    std::cerr << fmt::format("pathprof: {} {} {}{}; next: {}\n", plural(runs, "run"),
                             next.was_there ? "added to" : "counted in", visible(next.name),
                             are_several ? " (" + next.contents->names() + ")" : "", next_command(next, written));
    return;
  }
  static constexpr size_t kMostInCommand = 20;
  std::vector<std::string> names;
  std::cerr << fmt::format("pathprof: {} counted; {} profiles were written:\n", plural(runs, "run"), written.size());
  for (const WrittenProfile &profile : written) {
    std::cerr << "pathprof:   " << visible(profile.name) << ": " << text_of(profile) << "\n";
    names.push_back(profile.name);
  }
  std::for_each(written.begin(), written.end(), note_moved_run);
  std::cerr << "pathprof: next: " << next_command(next, written);
  if (names.size() <= kMostInCommand)
    std::cerr << "; '" << merge_command(names) << "' adds them up";
  std::cerr << "\n";
}

[[nodiscard]] int say_nothing_written(const std::string &program, const Ended &ended) {
  std::string path = in_path(program);
  std::cerr << "pathprof: record: "
            << (has_runtime(path)
                    ? fmt::format("{} is instrumented but wrote no profile: {}", visible(program),
                                  ended.is_good()
                                      ? "see the 'pathrt:' messages above"
                                      : ended.text() + "; see the messages above, in particular those from 'pathrt:'")
                    : fmt::format("no profile was written, because {} is not instrumented; build it with 'pathprof "
                                  "build -- make', or with pathprof-gcc instead of gcc",
                                  visible(program)))
            << "\n";
  return ended.is_good() ? kBadData : pass_on(ended);
}

} // namespace

// Gives each run the same standard input, if it is a file. A note states that only the first run can read a pipe.
class RepeatedInput {
public:
  explicit RepeatedInput(uint64_t num_runs) : begin_(num_runs > 1 ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1) {
    struct stat input;
    if (num_runs > 1 && fstat(STDIN_FILENO, &input) == 0 && (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode)))
      std::cerr << "pathprof: record: note: standard input is a pipe, so only the first run can read it; redirect it "
                   "from a file\n";
  }

  void rewind() const {
    if (begin_ >= 0)
      lseek(STDIN_FILENO, begin_, SEEK_SET);
  }

private:
  off_t begin_;
};

// Runs the child process `options.runs` times, but stops after a run that a signal terminated. Returns the result of
// the first run that failed or, if no run failed, of the last run.
static Ended run_repeatedly(const ProgramRuns &options, Child child, CostMeter *meter, const RepeatedInput &input) {
  std::optional<TestNames> names;
  if (!options.no_test_names)
    names.emplace(child);
  Ended first_bad = {0, 0};
  for (uint64_t i = 0; i < options.runs; i++) {
    Child run = child;
    if (meter)
      run.words = meter->measured(child.words);
    input.rewind();
    Ended ended = run_child("record", run);
    if (first_bad.is_good())
      first_bad = ended;
    if (WIFSIGNALED(ended.status))
      break;
  }
  return first_bad;
}

// Stores the measured cost with each profile to which the runs have added counts. If this fails, prints a message and
// returns false.
static bool store_costs(CostMeter &meter, const std::vector<WrittenProfile> &written) {
  try {
    for (const WrittenProfile &profile : written) {
      if (!profile.contents || profile.runs == 0)
        continue;
      Measurement measurement = meter.read(parse_image(profile.name, open_image(profile.name)));
      std::string measured = fmt::format("{} by {}", measurement.event, measurement.tool);
      uint64_t num_samples = measurement.num_samples;
      bool is_replaced = add_to_stored_cost(profile.name, std::move(measurement));
      std::cerr << fmt::format("pathprof: cost measured in {} and stored in {}{}\n", measured,
                               visible(cost_file_of(profile.name)),
                               is_replaced ? ", in place of the cost in another unit" : "");
      // The standard error of a share of 10 % is then more than 2 %.
      if (num_samples && num_samples < 200)
        std::cerr << fmt::format("pathprof: record: only {} in instrumented code, so the ranking by cost is uncertain; "
                                 "use --runs N or --cost=callgrind\n",
                                 plural(num_samples, "sample"));
    }
    return true;
  } catch (const Failure &failure) {
    std::cerr << "pathprof: record: no cost was stored: " << visible(failure.what()) << "\n";
    return false;
  }
}

int record_program(const ProgramRuns &options, const Operands &operands) {
  check(options, operands);
  std::optional<CostMeter> meter;
  if (!options.cost.empty())
    meter.emplace(options.cost);
  Child child{operands.program, {{"PATHPROF_MODE", "off"}}, "", ""};
  RepeatedInput input(options.warm + options.runs);
  for (uint64_t i = 0; i < options.warm; i++) {
    input.rewind();
    stop_if_interrupted(run_child("record", child));
  }
  Collected collected(pattern_of(options));
  // In continuous mode, the counts are preserved even if a program crashes or is killed.
  const char *mode = std::getenv("PATHPROF_MODE");
  child.environment = collected.environment(mode ? mode : "continuous");
  Ended first_bad = run_repeatedly(options, child, meter ? &*meter : nullptr, input);
  std::vector<WrittenProfile> written = collected.written();
  if (written.empty())
    return say_nothing_written(operands.program.front(), first_bad);
  bool is_stored = !meter || store_costs(*meter, written);
  print_written(written);
  return is_stored || !first_bad.is_good() ? pass_on(first_bad) : kBadData;
}

} // namespace pathprof
