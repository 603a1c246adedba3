// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the profiles that runs of a program have written, by the pattern in PATHPROF_FILE.
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

// Metadata of a file, used to detect whether the file has been written to.
using FileState =
    std::tuple<uint64_t, int64_t, int64_t, int64_t>; // inode, size, modification time in seconds and nanoseconds
using FileStates = std::map<std::string, FileState>;
FileState state_of(const std::string &file);

// A profile that was written.
struct WrittenProfile {
  std::string name;                        // file name; relative for a file below the working directory
  std::optional<ProfileContents> contents; // contents; empty if the file cannot be read yet
  bool was_there = false;                  // true if the profile existed and still contains its former counts
  uint64_t runs = 0;                       // number of runs that were added
  uint64_t moved = 0;                      // number of runs that were moved here from `moved_from`
  std::string moved_from;                  // profile that contained these runs before the runtime moved them
  std::string rebuilt;                     // modules whose builds differ between `contents` and `moved_from`
};

class Collected {
public:
  // `pattern` has the syntax of PATHPROF_FILE (doc/environment.md) and is relative to the working directory.
  explicit Collected(const std::string &pattern);

  // Returns the environment variables that make programs write profiles whose names match the pattern. Unless
  // PATHPROF_SWITCH is set, the variables also enable counting in programs that were built with switch=1.
  std::map<std::string, std::string> environment(const std::string &mode) const;
  // Returns the profiles that were written since this object was constructed, sorted by name. Sibling profiles from
  // other builds and profiles whose counts are still in raw files are included.
  std::vector<WrittenProfile> written() const;

private:
  // Returns the profiles that match the pattern, each with the metadata of its files.
  std::map<std::string, FileStates> find() const;

  // Returns the contents that the profile had when this object was constructed, or null.
  const ProfileContents *contents_before(const std::string &profile) const;
  // Returns the names of the profiles that have changed since this object was constructed.
  std::vector<std::string> changed() const;

  std::string pattern_, glob_;
  std::map<std::string, FileStates> before_;
  std::map<std::string, ProfileContents> contents_before_;
};

// Returns a PATHPROF_FILE pattern that expands to exactly `text`.
std::string as_pattern(const std::string &text);

// Returns true if the program or shared object contains the runtime.
bool has_runtime(const std::string &file);
// Returns true if the file contains the symbol that marks code compiled with switch=1.
bool is_on_demand(const std::string &file);

} // namespace pathprof

#endif
