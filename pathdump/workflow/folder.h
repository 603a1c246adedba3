// SPDX-License-Identifier: GPL-3.0-or-later
// Declares a directory for the files that a command needs while it runs.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H
#define PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H

#include <string>

namespace pathprof {

// A directory for the files of a subcommand. If the user has specified a directory, it is created if necessary and
// kept. Otherwise, the directory is temporary, and the destructor removes it.
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
