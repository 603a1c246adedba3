// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathprof build`: runs a build with the drivers and lists the programs that it linked.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/ui/command_line.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/text.h"
#include "pathdump/workflow/child.h"
#include "pathdump/workflow/drivers.h"
#include "pathdump/workflow/record.h"
#include "profile/model/plugin_arguments.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

// Returns a string that contains the first four names and the number of remaining names.
std::string few_of(const std::vector<std::string> &names) {
  return some_of(names, 4, " ");
}

// Returns the shell command that runs a program. For a program in `.libs`, the command runs the program's libtool
// wrapper script.
std::string typed(const std::string &program) {
  std::filesystem::path path(program);
  std::error_code ignored;
  if (path.parent_path().filename() == ".libs") {
    std::filesystem::path script = path.parent_path().parent_path() / path.filename();
    if (std::filesystem::is_regular_file(script, ignored))
      path = script;
  }
  return quoted_word(path.is_absolute() ? path.string() : "./" + path.string());
}

// Returns the `pathprof record` command for a program. If the name is empty, the command contains a placeholder.
std::string next_command(const std::string &program) {
  std::string command =
      "pathprof record -- " + (program.empty() ? "PROGRAM (any program that loads the library)" : typed(program));
  if (!program.empty() && is_on_demand(program))
    return "pathprof record -p PID for a running process, or " + command + " to record a whole run (switch=1)";
  return command;
}

void print_result(const std::vector<std::string> &made) {
  std::vector<std::string> instrumented, uninstrumented;
  for (const std::string &file : made)
    (has_runtime(file) ? instrumented : uninstrumented).push_back(file);
  auto program = std::find_if(instrumented.begin(), instrumented.end(), [](const std::string &file) {
    return file.find(".so", file.rfind('/') + 1) == std::string::npos;
  });
  if (!instrumented.empty())
    std::cerr << "pathprof: instrumented: " << few_of(instrumented)
              << "; next: " << next_command(program == instrumented.end() ? std::string() : *program) << "\n";
  if (!uninstrumented.empty())
    std::cerr << "pathprof: note: not instrumented: " << few_of(uninstrumented)
              << "; existing objects may have been linked, or the build may not use CC and CXX\n";
  if (made.empty())
    std::cerr << "pathprof: note: no program was linked; if everything was up to date, run 'make clean' first\n";
}

// Returns true if the command runs a configure script.
bool is_configure_script(const std::vector<std::string> &program) {
  return std::any_of(program.begin(), program.end(),
                     [](const std::string &word) { return std::filesystem::path(word).filename() == "configure"; });
}

void say_configured(const std::vector<std::string> &settings, const std::string &next) {
  std::cerr << "pathprof: configured; next: pathprof build"
            << fmt::format("{}{}", settings.empty() ? "" : " ", visible(fmt::format("{}", fmt::join(settings, " "))))
            << " -- " << next << "\n";
}

int run(const Operands &operands) {
  if (operands.program.empty())
    throw Failure(kWrongUse, "build: missing build command; usage: pathprof build [KEY=VALUE...] -- make");
  DriverNames names = driver_names_for(operands.program);
  Build build{"build", without_compilers(operands.program, names), {}};
  Compilers compilers = drivers("build", operands.settings, names);
  check_cmake(build, compilers);
  std::cerr << "pathprof: " << text_of(compilers) << ", passed in the environment and in MAKEFLAGS\n";
  FileStates before = programs_below();
  BuildOutputs outputs;
  Child child{build.program, environment_of(compilers), "", ""};
  child.environment["PATHPROF_OUTPUTS"] = outputs.list();
  Ended ended = run_child("build", child);
  if (!ended.is_good()) {
    std::cerr << "pathprof: build: '" << visible(fmt::format("{}", fmt::join(operands.program, " ")))
              << "' failed: " << ended.text() << "\n";
    return pass_on(ended);
  }
  outputs.add_to_manifest();
  std::vector<std::string> made = programs_since(before);
  for (const std::string &program : outputs.programs_elsewhere())
    made.push_back(program);
  std::string next = build_after_configuring(operands.program);
  if (made.empty() && !next.empty())
    say_configured(operands.settings, next);
  else if (made.empty() && is_configure_script(operands.program))
    say_configured(operands.settings, "make");
  else
    print_result(made);
  return kGood;
}

} // namespace

Run declare_build(Subcommand &command, const Operands &operands) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const PluginArgument &argument : plugin_arguments())
    rows.push_back({argument.key, fmt::format("{}: {}{}", argument.summary, argument.values,
                                              *argument.initial ? fmt::format(" [{}]", argument.initial) : "")});
  command.add_help_section("Plugin arguments (KEY=VALUE) with their values and [defaults]; see pathprof-plugin(7)",
                           rows);
  return [&operands] { return run(operands); };
}

} // namespace pathprof
