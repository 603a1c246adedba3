// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program in gdb and parses the output of the command `pathprof-last`.
#include "pathdump/workflow/crash.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "pathdump/workflow/drivers.h"

namespace pathprof {

// Returns the name of the script that defines `pathprof-last`.
static std::string script() {
  return own_folder() + "/../share/pathprof/pathprof-gdb.py";
}

bool can_find_last_paths() {
  return access(script().c_str(), R_OK) == 0 && is_executable("gdb");
}

std::vector<LastPath> last_paths(Child child, const std::string &file) {
  // The program can be a child process of a shell.
  std::vector<std::string> words = {"gdb", "-batch", "-nx"};
  for (const std::string &command : {std::string("set follow-fork-mode child"), "source " + script(),
                                     std::string("run"), std::string("pathprof-last")})
    words.insert(words.end(), {"-ex", command});
  words.push_back("--args");
  words.insert(words.end(), child.words.begin(), child.words.end());
  child.words = words;
  child.output = file;
  stop_if_interrupted(run_child("find-bug", child));
  std::vector<LastPath> paths;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream stream(line);
    std::string number, function, word, path;
    if (!(stream >> number >> function >> word >> path) || number.front() != '#' || word != "in" || path != "path")
      continue;
    if (uint64_t id = 0; stream >> id)
      paths.push_back({function, id});
  }
  return paths;
}

} // namespace pathprof
