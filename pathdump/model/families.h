// SPDX-License-Identifier: GPL-3.0-or-later
// Groups functions with the parts and clones that GCC made of them.
//
// GCC splits functions (f.part.0, which the rest of f calls) and clones them for some of their callers (f.isra.0,
// f.constprop.0). All parts and clones have the source line of the original function. An activation of the original
// function can begin in any part or clone. But if the function itself calls its part, the activation continues in the
// part.
#ifndef PATHPROF_PATHDUMP_MODEL_FAMILIES_H
#define PATHPROF_PATHDUMP_MODEL_FAMILIES_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns true if the function is a part or a clone of another function.
bool is_of_another(const Function &function);

class Families {
public:
  // Keeps pointers to the functions of the profile.
  Families(const Profile &profile, const std::string &file);

  // Returns the head of the function's family: the original function or, if GCC emitted no body for it, the first part
  // or clone.
  const Function &head(const Function &function) const;

  // Returns the call count of the function. For the head of a family, the count includes calls from other functions to
  // parts and clones in the family. `own` is the number of activations that began in the function itself.
  uint64_t calls(const Function &function, uint64_t own) const;

private:
  struct Family {
    std::vector<const Function *> members;
    const Function *head = nullptr;
    uint64_t calls = 0;
  };
  using Key = std::tuple<std::string, std::string, uint32_t>; // name of the original, path, line

  static Key key_of(const Function &function);
  void count(Family &family, const std::string &file) const;

  std::map<Key, Family> families_; // families with parts or clones
};

} // namespace pathprof

#endif
