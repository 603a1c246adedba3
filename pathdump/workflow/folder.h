// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for what is needed while a command works.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H
#define PATHPROF_PATHDUMP_WORKFLOW_FOLDER_H

#include <string>

namespace pathprof {

// A temporary one, which goes with the object; or one that is named, made if need be, which stays.
class ScratchFolder {
public:
  explicit ScratchFolder(const std::string &kept = {});
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  // The whole name of a file in it.
  std::string file(const std::string &name) const { return name_ + "/" + name; }

private:
  std::string name_;
  bool is_kept_;
};

} // namespace pathprof

#endif
