// SPDX-License-Identifier: GPL-3.0-or-later
// Builds programs with the pathprof drivers in place of the compilers.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_DRIVERS_H
#define PATHPROF_PATHDUMP_WORKFLOW_DRIVERS_H

#include <map>
#include <string>
#include <vector>

#include "pathdump/workflow/collected.h"

namespace pathprof {

// A build: its commands and environment.
struct Build {
  std::string command;                                 // name of the subcommand, for messages
  std::vector<std::string> program;                    // build command and its arguments, such as "make"
  std::vector<std::string> clean;                      // command that removes the previous build; may be empty
  std::map<std::string, std::string> environment = {}; // additional environment variables
};

// The parts of the drivers' names that depend on the compiler, such as "aarch64-linux-gnu-" and "-12" in
// aarch64-linux-gnu-pathprof-gcc-12. Both parts are empty for the default compiler.
struct DriverNames {
  std::string target, version;
};
// Returns the names of the drivers for the cross compiler that CC names, in a word of the build command
// (make CC=aarch64-linux-gnu-gcc) or in the environment. Returns empty parts if CC is not a cross compiler with
// drivers.
DriverNames driver_names_for(const std::vector<std::string> &program);
// Returns the build command without the definitions of CC, CXX and FC, which would override the drivers. The command is
// unchanged if `names` are those of the default compiler.
std::vector<std::string> without_compilers(const std::vector<std::string> &program, const DriverNames &names);

// Maps the environment variables CC, CXX and FC to compiler commands.
using Compilers = std::map<std::string, std::string>;
// Returns driver commands that pass the KEY=VALUE settings to the plugin. Throws Failure if the plugin rejects an
// argument.
Compilers drivers(const std::string &command, const std::vector<std::string> &settings, const DriverNames &names);
// Returns the driver commands with a driver option, such as --pathprof-use=FILE, appended to each command.
Compilers drivers_with(const std::string &command, const std::string &option, const DriverNames &names);
// Returns the compilers that the drivers invoke.
Compilers wrapped_compilers(const std::string &command, const DriverNames &names);
// Returns the compiler commands as text, such as "CC=gcc CXX=g++ FC=gfortran".
std::string text_of(const Compilers &compilers);

// Searches PATH for a program, as the shell does. Returns the path of the file, or the name itself if nothing was
// found.
std::string in_path(const std::string &program);
// Returns true if the program exists and can be executed.
bool is_executable(const std::string &program);

// Returns the command that removes the previous build. If `clean` is not empty, returns this shell command. Otherwise,
// if `program` is make, returns `make clean` with the options and variable definitions of the build, except -j. Throws
// Failure if `clean` is empty and `program` is not make.
std::vector<std::string> clean_words(const std::string &command, const std::vector<std::string> &program,
                                     const std::string &clean);

// Returns the programs and shared objects in the working directory and its subdirectories. Excludes the binaries that
// CMake, Meson and configure build to test the compiler.
FileStates programs_below();
// Returns the programs and shared objects that are new or have changed since `before`.
std::vector<std::string> programs_since(const FileStates &before);

// The files that the drivers write during a build.
class BuildOutputs {
public:
  BuildOutputs();
  ~BuildOutputs();
  BuildOutputs(const BuildOutputs &) = delete;
  BuildOutputs &operator=(const BuildOutputs &) = delete;

  // Returns the value of PATHPROF_OUTPUTS for the build: the name of the file in which the drivers list their output
  // files.
  const std::string &list() const { return list_; }
  // Returns the programs and shared objects in this list that still exist outside the working directory, sorted by
  // name.
  std::vector<std::string> programs_elsewhere() const;
  // Adds the objects, programs and shared objects in this list that still exist to the manifest in the working
  // directory (pathdump/ui/manifest.h).
  void add_to_manifest() const;

private:
  std::vector<std::string> existing() const;

  std::string list_;
};

// Runs the clean command, if any, and then the build command with these compilers. Throws Failure if either command
// fails.
void run_build(const Build &build, const Compilers &compilers, const std::string &log = {});
// Returns the environment variables that make a build use the compilers.
std::map<std::string, std::string> environment_of(const Compilers &compilers);

// If `program` configures a build directory for CMake or Meson, returns the command that runs the build in that
// directory. Otherwise returns an empty string.
std::string build_after_configuring(const std::vector<std::string> &program);

bool is_cmake(const std::vector<std::string> &program);

// Throws Failure if CMake has already configured the build directory for other compilers or driver arguments, because
// CMake would continue to use them.
void check_cmake(const Build &build, const Compilers &compilers);

} // namespace pathprof

#endif
