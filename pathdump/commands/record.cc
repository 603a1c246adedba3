// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the command `record`: runs a program, or records a running process for a limited time.
#include <memory>

#include <fmt/format.h>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "pathdump/workflow/recorder.h"
#include "pathdump/workflow/record.h"

namespace pathprof {

namespace {

struct Options {
  WhatToRecord what;
  ProgramRuns runs;
  CommonOptions report;
};

// Throws Failure if an option would have no effect in combination with the other options.
void check(const Subcommand &command, const Options &options, const Operands &operands) {
  bool is_running = command.has("-p") || command.has("--name");
  if (command.has("-p") && command.has("--name"))
    throw Failure(kWrongUse, "record: -p and --name cannot be combined");
  if (is_running && !(operands.program.empty() && operands.settings.empty()))
    throw Failure(kWrongUse,
                  "record: -p and --name record a running process and cannot be combined with a program to run");
  for (const char *option : {"--runs", "--warm", "--no-test-names", "--cost"})
    if (is_running && command.has(option))
      throw Failure(
          kWrongUse,
          fmt::format("record: {} applies only to a program that record starts; omit it with -p and --name", option));
  for (const char *option : {"--seconds", "--json", "--color", "--no-pager"})
    if (!is_running && command.has(option))
      throw Failure(kWrongUse,
                    fmt::format("record: {} applies only to a running process; use it with -p or --name", option));
  if (command.has("-p") && options.what.pid <= 0)
    throw Failure(kWrongUse, "record: -p: invalid process ID; expected a number above 0");
  if (command.has("--seconds") && !(options.what.seconds > 0))
    throw Failure(kWrongUse, "record: --seconds: invalid duration; expected a number above 0");
}

int run(const Subcommand &command, Options &options, const Operands &operands) {
  check(command, options, operands);
  if (!command.has("-p") && !command.has("--name"))
    return record_program(options.runs, operands);
  options.what.file = options.runs.file;
  return report_of(record_processes(options.what), options.report);
}

} // namespace

Run declare_record(Subcommand &command, const Operands &operands) {
  auto options = std::make_shared<Options>();
  command.add_option("-o,--output", options->runs.file, "FILE",
                     "add the counts to the profile FILE, which is a name or a pattern as in PATHPROF_FILE "
                     "(default: PATHPROF_FILE, or PROGRAM.pathprof); with -p or --name, replace an existing file "
                     "(default: PROGRAM.recorded.pathprof)");
  command.add_option("-p,--pid", options->what.pid, "PID",
                     "record the running process PID; its program must be built with switch=1");
  command.add_option("--name", options->what.name, "NAME",
                     "record all processes that run the program NAME, and add up their counts");
  command.add_option("--seconds", options->what.seconds, "S",
                     "record the process for S seconds (default: until Ctrl-C)");
  command.add_option("--runs", options->runs.runs, "N",
                     "run the program N times and add all counts to the profile (default 1)");
  command.add_option("--warm", options->runs.warm, "N",
                     "before the counted runs, run the program N times without counting (default 0)");
  command
      .add_option(
          "--cost", options->runs.cost, "[TOOL]",
          "measure the cost of the counted runs and store it with the profile, in FILE.cost: perf (with the cycle "
          "counter or, if there is none, the software clock), callgrind (slow, but exact) or cycles (perf with "
          "the cycle counter); without TOOL, perf if it can be used, and otherwise callgrind")
      .accept("tool", {"perf", "callgrind", "cycles", kDefaultCost});
  command.add_flag("--no-test-names", options->runs.no_test_names,
                   "do not record each test separately if the program is ctest, meson test, make check or pytest");
  add_common_options(command, options->report, kScreenOptions | kJsonOption);
  command.option("--json").description("with -p or --name, print the report as JSON");
  return [options, command, &operands] { return run(command, *options, operands); };
}

} // namespace pathprof
