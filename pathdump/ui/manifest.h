// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the list of the files that a build wrote.
//
// `pathprof build` writes the list to the file kManifest in the working directory, so that `coverage` includes the code
// of programs that were never executed.  Each line contains the name of a file, relative to the list's directory.
#ifndef PATHPROF_PATHDUMP_UI_MANIFEST_H
#define PATHPROF_PATHDUMP_UI_MANIFEST_H

#include <string>
#include <vector>

namespace pathprof {

inline const char *const kManifest = "pathprof.objects";

// Adds those of the files that contain instrumented code to the list in the working directory, and removes the others
// from it.  Also removes the entries of files that no longer exist.  Throws Failure if the list cannot be written.
void add_to_manifest_here(const std::vector<std::string> &files);

// Returns the name of the list in the working directory or in the directory of the profile, or an empty string if there
// is none.
std::string find_manifest(const std::string &profile);

// The files of a list.
struct ListedFiles {
  std::vector<std::string> existing, missing;
};

// Returns the listed files.  Throws Failure if the list cannot be read.
ListedFiles read_manifest(const std::string &manifest);

} // namespace pathprof

#endif
