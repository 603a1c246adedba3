// SPDX-License-Identifier: GPL-3.0-or-later
// Opening the profiles that commands are given.
#ifndef PATHPROF_PATHDUMP_UI_OPENING_H
#define PATHPROF_PATHDUMP_UI_OPENING_H

#include <memory>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns the profile that a command reads: the file itself, or the only *.pathprof in the working directory if `file`
// is empty.  Prints a note if other profiles of the runtime are next to it (siblings.h).
std::string choose_profile(const std::string &file);

// What whoever reads anything that is made from the profile must know, a sentence each.
std::vector<std::string> warnings_of(const Profile &profile);
// Prints that on standard error, each with the file's name.
void print_warnings(const Profile &profile, const std::string &file);
// The loaded profile, with what processes left that ended suddenly; prints the warnings.  All names in it are fit to be
// shown (profile/model/visible.h), in whatever format: what a file is called on disk only UnitSources::names says.
// Throws Failure.
Profile open_profile(const std::string &file);
// Its bytes; and the profile that they are, without warnings.  `alone`: without raw files and parts next to it.
FileBytes open_image(const std::string &file, bool alone = false);
Profile parse_image(const std::string &file, const FileBytes &bytes);

// What the profile is of, as shown: the program, or the profile's file where that is not known.
std::string title_of(const Profile &profile, const std::string &file);

// A function's rebuilt numbering.  Throws Failure where the notes contradict themselves.
std::unique_ptr<Decoded> decode_or_fail(const std::string &file, const Function &function);

} // namespace pathprof

#endif
