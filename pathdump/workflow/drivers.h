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

// Compiler commands by environment variable: CC, CXX, FC.
using Compilers = std::map<std::string, std::string>;
// Returns the drivers with plugin arguments KEY=VALUE.  Throws Failure if the plugin rejects an argument.
Compilers drivers(const std::string &command, const std::vector<std::string> &settings);
// Returns the drivers with a driver option such as --pathprof-use=FILE.
Compilers drivers_with(const std::string &command, const std::string &option);
// Returns the compilers that the drivers run.
Compilers plain_compilers(const std::string &command);
// Returns the compilers as text, such as "CC=gcc CXX=g++ FC=gfortran".
std::string text_of(const Compilers &compilers);

// Returns the file of a program, searched for in PATH as the shell does; returns the name itself if there is none.
std::string in_path(const std::string &program);

// Returns the command that removes the previous build: the shell command `clean` if given, or `make clean` with the
// same files and directories if `program` is make.  Throws Failure otherwise.
std::vector<std::string> clean_words(const std::string &command, const std::vector<std::string> &program,
                                     const std::string &clean);

// Returns the programs and shared objects below the working directory, except those of compiler tests by CMake, Meson
// and configure.
FileStates programs_below();
// Returns the programs and shared objects that are new or changed.
std::vector<std::string> programs_since(const FileStates &before);

// Programs and shared objects that the drivers link outside of the working directory.
class LinkedElsewhere {
public:
  LinkedElsewhere();
  ~LinkedElsewhere();
  LinkedElsewhere(const LinkedElsewhere &) = delete;
  LinkedElsewhere &operator=(const LinkedElsewhere &) = delete;

  // Returns the value of PATHPROF_LINKED for the build: the file in which the drivers list their output files.
  const std::string &list() const { return list_; }
  // Returns the listed files that still exist, sorted by name.
  std::vector<std::string> programs() const;

private:
  std::string list_;
};

// Runs the clean command, if any, and the build with these compilers.  Throws Failure if either fails.
void run_build(const Build &build, const Compilers &compilers, const std::string &log = {});
// Returns the environment variables that make a build use the compilers.
std::map<std::string, std::string> environment_of(const Compilers &compilers);

// Returns the build command to run next if `program` configures a directory for CMake or Meson, or an empty string.
std::string build_after_configuring(const std::vector<std::string> &program);

bool is_cmake(const std::vector<std::string> &program);

// Throws Failure if CMake has configured the build directory for other compilers or driver arguments, because CMake
// would continue to use them.
void check_cmake(const Build &build, const Compilers &compilers);

} // namespace pathprof

#endif
