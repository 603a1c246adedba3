// SPDX-License-Identifier: GPL-3.0-or-later
// The papers' figures as data.
#ifndef PATHPROF_TESTSUITE_GOLDEN_H
#define PATHPROF_TESTSUITE_GOLDEN_H

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

namespace pathprof::testing {

// A file of testsuite/golden, which PATHPROF_GOLDEN names.
inline nlohmann::json golden_file(const std::string &name) {
  const char *folder = getenv("PATHPROF_GOLDEN");
  std::ifstream file(std::string(folder ? folder : ".") + "/" + name);
  if (!file)
    throw std::runtime_error("PATHPROF_GOLDEN must name the folder with " + name);
  return nlohmann::json::parse(file);
}

} // namespace pathprof::testing

#endif
