// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the profiles that commands read.
#ifndef PATHPROF_PATHDUMP_UI_OPENING_H
#define PATHPROF_PATHDUMP_UI_OPENING_H

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns the name of the profile to read: `file` or, if `file` is empty, the only *.pathprof file in the working
// directory. Prints a note if the runtime wrote other profiles next to this profile (siblings.h).
std::string choose_profile(const std::string &file);

// Returns the warnings that apply to all data derived from the profile. Each warning is one sentence.
std::vector<std::string> warnings_of(const Profile &profile);
// Prints the warnings to standard error, each with the name of the file.
void print_warnings(const Profile &profile, const std::string &file);
// Loads the profile, including the raw files of processes that ended abruptly, and prints its warnings. Nonprintable
// characters in all names are escaped (profile/model/visible.h), except in UnitSources::names, which contains the
// original names of source files. Throws Failure if the profile cannot be read.
Profile open_profile(const std::string &file);
// Loads the profile and adds the code in object files (object_files.h). Code that the profile does not contain has no
// counts. Object files that were compiled from other versions of the profile's source files are left out, and a warning
// names these source files. The same applies to object files that were compiled in another way, with other options for
// example, if one of the files contains another build of an executed program. If `options` does not name object files,
// uses the list that `pathprof build` wrote, if there is one (manifest.h). A warning names the listed files that are
// missing or no longer contain instrumented code. If `opened` is not null, describes the object files in it and prints
// no warnings.
struct OpenedObjects {
  std::vector<std::string> files;
  std::set<std::string> changed; // source files that differ between the profile and object files, which were left out
  std::set<std::string> rebuilt; // source files of object files that were left out because a program was built again
  std::string list;              // name of the list of files, or empty
  std::vector<std::string> missing, uninstrumented; // listed files that are missing, or contain no instrumented code
};
Profile open_profile_with_objects(const std::string &file, const ObjectOptions &options,
                                  OpenedObjects *opened = nullptr);
// Reads the bytes of a profile. If `alone` is set, the raw files and parts that belong to the profile are ignored
// (profile/model/orphans.h).
FileBytes open_image(const std::string &file, bool alone = false);
// Parses the bytes of a profile, without printing warnings.
Profile parse_image(const std::string &file, const FileBytes &bytes);

// Returns the name of the profiled program for display, or the name of the profile if the program is unknown.
std::string title_of(const Profile &profile, const std::string &file);

// Rebuilds the numbering of a function. Throws Failure if the notes are inconsistent.
std::unique_ptr<Decoded> decode_or_fail(const std::string &file, const Function &function);
// Does the same for all profiled functions and discards the results, so that inconsistent data is reported before any
// output.
void decode_all_or_fail(const std::string &file, const Profile &profile);

} // namespace pathprof

#endif
