// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the profiles that the runtime writes next to a profile. FILE.BUILDID contains the counts of another build, or
// of another program of the same name. FILE.PID contains the counts of a process that could not be added to FILE.
#ifndef PATHPROF_PATHDUMP_UI_SIBLINGS_H
#define PATHPROF_PATHDUMP_UI_SIBLINGS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pathprof {

// The modules (programs and shared objects) whose counts a profile contains.
struct ProfileContents {
  uint64_t runs = 0;                                 // number of processes, including those that ended abruptly
  std::map<std::string, std::set<uint64_t>> modules; // keys of the builds, by name of the module
  bool has_tests = false;                            // true if the profile contains separate counts of tests

  // Returns true if both profiles contain the same module but have no build of this module in common.
  bool is_other_build_than(const ProfileContents &other) const;
  // Returns "prog, libx.so". Long lists are truncated.
  std::string names() const;
  // Returns the names of the modules that both profiles contain, but in different builds, in the same form.
  std::string names_of_other_builds(const ProfileContents &other) const;
  // Returns "3 runs of prog, libx.so".
  std::string text() const;
};

// Returns the modules in a profile and its raw files, or nothing if the file cannot be read as a profile.
std::optional<ProfileContents> contents_of(const std::string &profile);

// Returns the sorted names of all profiles FILE.BUILDID and FILE.PID, where FILE is `profile`.
std::vector<std::string> siblings_of(const std::string &profile);

// Returns FILE if the name has the form FILE.BUILDID or FILE.PID, and an empty string otherwise.
std::string profile_of_sibling(const std::string &name);

// Returns the command that merges the profiles.
std::string merge_command(const std::vector<std::string> &profiles);

// Prints a note to standard error that names the profiles returned by siblings_of(), if there are any.
void note_siblings(const std::string &profile);

} // namespace pathprof

#endif
