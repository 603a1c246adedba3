// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences about activations that never finished.
#ifndef PATHPROF_PATHDUMP_UI_UNFINISHED_H
#define PATHPROF_PATHDUMP_UI_UNFINISHED_H

#include <string>

#include "profile/model/unfinished.h"

namespace pathprof {

// How many activations are known never to have finished, and in which functions.  Empty if counts are not affected.
std::string evidence_text(const Profile &profile, const Unfinished &unfinished);
// The same, with which functions' counts may be wrong, how, and the option that helps.
std::string unfinished_text(const Profile &profile, const Unfinished &unfinished);

} // namespace pathprof

#endif
