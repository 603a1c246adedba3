// SPDX-License-Identifier: GPL-3.0-or-later
// Which builds of a program profiles are of, and which compilers made them.
#ifndef PATHPROF_PATHDUMP_UI_BUILDS_H
#define PATHPROF_PATHDUMP_UI_BUILDS_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "profile/format/image.h"

namespace pathprof {

// The builds that a number of profiles are of.  What is kept grows with the builds, not with the profiles.
class Builds {
public:
  // `order`: the profile's place among all; they may be added in any order.  The image must be whole.
  void add(const pathprof_image &image, const std::string &name, size_t order);

  // One sentence that names both versions, if two of the profiles are of one program, but of builds by different
  // compilers: their graphs, and so the numbers of their paths, have little in common, and sums would list most
  // functions twice.  Else empty.  Profiles that do not say which compiler made them, and builds by one compiler, are
  // no reason.
  std::string conflict() const;

private:
  struct Build {
    size_t order = 0; // of the first profile
    std::string name;
    std::set<std::string> compilers;
  };
  std::map<std::string, std::map<uint64_t, Build>> modules_; // by module, then by the key of its units
};

} // namespace pathprof

#endif
