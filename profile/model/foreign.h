// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is that was named as a profile and is none, and which profile may be meant.
#ifndef PATHPROF_PROFILE_MODEL_FOREIGN_H
#define PATHPROF_PROFILE_MODEL_FOREIGN_H

#include <string>
#include <vector>

#include "profile/model/file.h"

namespace pathprof {

// Adds that to an error about these bytes, if they do not begin as a profile does: "; this is a program, its profile is
// prog.pathprof".
void explain_foreign(const unsigned char *data, size_t size, LoadError *error);

// The same of a file that could not be opened: a folder, or a name that no file has.
void explain_unopened(LoadError *error);

} // namespace pathprof

#endif
