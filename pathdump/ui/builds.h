// SPDX-License-Identifier: GPL-3.0-or-later
// Detects profiles of the same program that were built by different compilers.
#ifndef PATHPROF_PATHDUMP_UI_BUILDS_H
#define PATHPROF_PATHDUMP_UI_BUILDS_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "profile/format/image.h"

namespace pathprof {

// Collects the builds that produced a set of profiles. Memory use grows with the number of builds, not with the number
// of profiles.
class Builds {
public:
  // Adds the builds that are listed in a valid profile image. `order` is the position of the profile in the list of
  // inputs; profiles can be added in any order.
  void add(const pathprof_image &image, const std::string &name, size_t order);

  // If two profiles come from builds of the same program by different compilers, returns an error message that names
  // both compiler versions. Otherwise, returns an empty string. Graphs and path IDs from different compilers have
  // little in common, so the sum of such profiles would list most functions twice. Builds by the same compiler, and
  // profiles without a compiler version, do not cause an error.
  std::string conflict() const;

private:
  struct Build {
    size_t order = 0; // position of the first profile of this build
    std::string name;
    std::set<std::string> compilers;
  };
  std::map<std::string, std::map<uint64_t, Build>> modules_; // by name of the module, then by key of its units
};

} // namespace pathprof

#endif
