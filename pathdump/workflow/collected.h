// SPDX-License-Identifier: GPL-3.0-or-later
// The profiles that runs leave, found by the pattern that PATHPROF_FILE is.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_COLLECTED_H
#define PATHPROF_PATHDUMP_WORKFLOW_COLLECTED_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace pathprof {

// What tells whether a file was written since.
using FileState = std::tuple<uint64_t, int64_t, int64_t, int64_t>; // inode, size, seconds and nanoseconds of its change
using FileStates = std::map<std::string, FileState>;
FileState state_of(const std::string &file);

class Collected {
public:
  // `pattern` as the runtime reads it (doc/environment.md); relative to the working directory, as there.
  explicit Collected(const std::string &pattern);

  // For programs that run in whatever folder.
  const std::string &pattern() const { return pattern_; }
  // Profiles that were written since this object was made, also those that are only in raw files yet; by name, relative
  // where they are below the working directory.
  std::vector<std::string> written() const;
  // Whether a profile of that name was there at that time.
  bool was_there(const std::string &profile) const { return before_.count(profile) != 0; }

private:
  // Profiles, each with the states of its files.
  std::map<std::string, FileStates> find() const;

  std::string pattern_, glob_;
  std::map<std::string, FileStates> before_;
};

// What the runtime reads as this text itself.
std::string as_pattern(const std::string &text);

// Whether a program, or a shared object, has the runtime in it.
bool has_runtime(const std::string &file);

} // namespace pathprof

#endif
