// SPDX-License-Identifier: GPL-3.0-or-later
// record: what a program runs from its start to its end, or what running processes do for a while.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "pathdump/commands/record.h"
#include "pathdump/commands/report.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "pathdump/workflow/recorder.h"

namespace pathprof {

namespace {

struct Options {
  WhatToRecord what;
  ProgramRuns runs;
  CommonOptions report;
};

// Options that would have no effect together.
void check(const CLI::App &command, const Operands &operands) {
  bool is_running = command.count("-p") || command.count("--name");
  if (command.count("-p") && command.count("--name"))
    throw Failure(kWrongUse, "record: -p and --name both say what to record; give one");
  if (is_running && !(operands.program.empty() && operands.settings.empty()))
    throw Failure(kWrongUse, "record: it is either a process that runs (-p, --name), or a program to run");
  for (const char *option : {"--runs", "--warm"})
    if (is_running && command.count(option))
      throw Failure(kWrongUse, fmt::format("record: {} is for a program to run, not for a process", option));
  for (const char *option : {"--seconds", "--json", "--color", "--no-pager"})
    if (!is_running && command.count(option))
      throw Failure(kWrongUse, fmt::format("record: {} is for a process that runs (-p, --name)", option));
  if (command.count("-p") && command["-p"]->as<int64_t>() <= 0)
    throw Failure(kWrongUse, "record: -p takes the number of a process, above 0");
  if (command.count("--seconds") && !(command["--seconds"]->as<double>() > 0))
    throw Failure(kWrongUse, "record: --seconds takes a number above 0");
}

int run(const CLI::App &command, Options &options, const Operands &operands) {
  check(command, operands);
  if (!command.count("-p") && !command.count("--name"))
    return record_program(options.runs, operands);
  options.what.file = options.runs.file;
  return report_of(record_processes(options.what), options.report);
}

} // namespace

Run declare_record(CLI::App &command, const Operands &operands) {
  auto options = std::make_shared<Options>();
  command
      .add_option("-o,--output", options->runs.file,
                  "the profile, a name or a pattern as PATHPROF_FILE; runs are added to one that is there (default: "
                  "PATHPROF_FILE, or the program's name with .pathprof). Of a process that runs: a name; one that is "
                  "there is replaced (default: the program's name with .recorded.pathprof)")
      ->type_name("FILE");
  command.add_option("-p,--pid", options->what.pid, "a process that runs, of a program that was built with switch=1")
      ->type_name("PID");
  command.add_option("--name", options->what.name, "all processes that run the program of this name")
      ->type_name("NAME");
  command
      .add_option("--seconds", options->what.seconds,
                  "switch the process on for so many seconds (default: until Ctrl-C)")
      ->type_name("S");
  command.add_option("--runs", options->runs.runs, "run it so many times, all counted in one profile (default 1)")
      ->type_name("N");
  command.add_option("--warm", options->runs.warm, "run it so many times before that, without counting (default 0)")
      ->type_name("N");
  add_common_options(command, options->report, kScreenOptions | kJsonOption);
  command.get_option("--json")->description("print the report of the process as JSON");
  return [options, &command, &operands] { return run(command, *options, operands); };
}

} // namespace pathprof
