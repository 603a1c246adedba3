// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies files of other formats that a user specified as a profile, and suggests the right profile.
#ifndef PATHPROF_PROFILE_MODEL_FOREIGN_H
#define PATHPROF_PROFILE_MODEL_FOREIGN_H

#include <string>
#include <vector>

#include "profile/model/file.h"

namespace pathprof {

// Appends a description of the file type and a remedy to an error, for example "; the file is a program; its profile is
// prog.pathprof".  Does nothing if the data begins with the magic of a profile or raw file.
void explain_foreign(const unsigned char *data, size_t size, LoadError *error);

// Appends a remedy to an error about a directory.
void explain_unopened(LoadError *error);

} // namespace pathprof

#endif
