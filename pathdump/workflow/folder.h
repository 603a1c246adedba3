// SPDX-License-Identifier: GPL-3.0-or-later
// Declares a directory for the files that a command needs while it runs.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H
#define PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H

#include <string>

namespace pathprof {

// A directory for the files of a command. Uses the directory `kept` if given, and creates it if necessary. Otherwise,
// creates a temporary directory, which the destructor removes.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string &kept = {});
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  // Returns the path of a file in the directory.
  std::string file(const std::string &name) const { return name_ + "/" + name; }

private:
  std::string name_;
  bool is_kept_;
};

} // namespace pathprof

#endif
