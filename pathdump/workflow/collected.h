// SPDX-License-Identifier: GPL-3.0-or-later
// The profiles that runs leave, found by the pattern that PATHPROF_FILE is.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_COLLECTED_H
#define PATHPROF_PATHDUMP_WORKFLOW_COLLECTED_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "pathdump/ui/siblings.h"

namespace pathprof {

// What tells whether a file was written since.
using FileState = std::tuple<uint64_t, int64_t, int64_t, int64_t>; // inode, size, seconds and nanoseconds of its change
using FileStates = std::map<std::string, FileState>;
FileState state_of(const std::string &file);

// A profile that was written.
struct WrittenProfile {
  std::string name;                        // relative if the file is below the working directory
  std::optional<ProfileContents> contents; // nothing if the file cannot be read yet
  bool was_there = false;                  // and still holds what it held before
  uint64_t runs = 0;                       // that were added
  uint64_t moved = 0;                      // runs that `moved_from` held before
  std::string moved_from;                  // the profile of another build, whose place the runtime needed
};

class Collected {
public:
  // `pattern` as the runtime reads it (doc/environment.md); relative to the working directory, as there.
  explicit Collected(const std::string &pattern);

  // Returns the environment in which programs write these profiles.  Programs that were built with switch=1 are
  // switched on, unless PATHPROF_SWITCH is set.
  std::map<std::string, std::string> environment(const std::string &mode) const;
  // Returns the profiles that were written since this object was made, including those of other builds next to them
  // and those that are only in raw files yet, by name.
  std::vector<WrittenProfile> written() const;

private:
  // Profiles, each with the states of its files.
  std::map<std::string, FileStates> find() const;

  // Returns the contents that the profile had when this object was made, or null.
  const ProfileContents *contents_before(const std::string &profile) const;
  // Returns the names of profiles that changed since then.
  std::vector<std::string> changed() const;

  std::string pattern_, glob_;
  std::map<std::string, FileStates> before_;
  std::map<std::string, ProfileContents> contents_before_;
};

// What the runtime reads as this text itself.
std::string as_pattern(const std::string &text);

// Returns true if a program or a shared object has the runtime in it.
bool has_runtime(const std::string &file);
// Returns true if its symbol table says that code in it was compiled with switch=1.
bool is_on_demand(const std::string &file);

} // namespace pathprof

#endif
