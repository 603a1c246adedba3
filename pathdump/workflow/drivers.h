// SPDX-License-Identifier: GPL-3.0-or-later
// Building programs with the drivers in place of the compilers.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_DRIVERS_H
#define PATHPROF_PATHDUMP_WORKFLOW_DRIVERS_H

#include <map>
#include <string>
#include <vector>

#include "pathdump/workflow/collected.h"

namespace pathprof {

// What is to be built, and how.
struct Build {
  std::string command;                                 // whose work it is, for messages
  std::vector<std::string> program;                    // "make", …
  std::vector<std::string> clean;                      // removes what was built before; empty: nothing does
  std::map<std::string, std::string> environment = {}; // variables in addition to those that name the compilers
};

// Compilers by the variables that name them: CC, CXX, FC.
using Compilers = std::map<std::string, std::string>;
// The drivers with arguments of the plugin, KEY=VALUE; throws Failure where the plugin does not take them.
Compilers drivers(const std::string &command, const std::vector<std::string> &settings);
// The drivers with an option of their own, such as --pathprof-use=FILE.
Compilers drivers_with(const std::string &command, const std::string &option);
// The compilers that the drivers run.
Compilers plain_compilers(const std::string &command);
// "CC=gcc CXX=g++ FC=gfortran".
std::string text_of(const Compilers &compilers);

// A program's file, as the shell would find it; the name itself where there is none.
std::string in_path(const std::string &program);

// How to remove what make built, if that is what builds: 'make clean' with the same files and folders.  Else `clean`,
// which the shell reads; throws Failure where there is neither.
std::vector<std::string> clean_words(const std::string &command, const std::vector<std::string> &program,
                                     const std::string &clean);

// Programs and shared objects below the working directory, without those that CMake, Meson and configure link to try
// the compiler.
FileStates programs_below();
// Those that are new or others than before.
std::vector<std::string> programs_since(const FileStates &before);

// Programs and shared objects that the drivers link outside of the working directory.
class LinkedElsewhere {
public:
  LinkedElsewhere();
  ~LinkedElsewhere();
  LinkedElsewhere(const LinkedElsewhere &) = delete;
  LinkedElsewhere &operator=(const LinkedElsewhere &) = delete;

  // Returns the value of PATHPROF_LINKED for the build: the file in which the drivers list what they link.
  const std::string &list() const { return list_; }
  // Returns those that are still there, by name.
  std::vector<std::string> programs() const;

private:
  std::string list_;
};

// Runs the build with these compilers, after the cleaning if there is one.  A build that fails throws Failure, naming
// how it ended.
void run_build(const Build &build, const Compilers &compilers, const std::string &log = {});
// The environment that makes a build use them.
std::map<std::string, std::string> environment_of(const Compilers &compilers);

// Returns the command that builds, if the command configures a folder for CMake or Meson, or an empty string.
std::string build_after_configuring(const std::vector<std::string> &program);

bool is_cmake(const std::vector<std::string> &program);

// Throws Failure where CMake has configured the folder for other compilers, or the drivers with other arguments, which
// it would go on to use.
void check_cmake(const Build &build, const Compilers &compilers);

} // namespace pathprof

#endif
