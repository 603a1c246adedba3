// SPDX-License-Identifier: GPL-3.0-or-later
// Reads raw files of machines with the other byte order. Profiles have the same bytes on all machines.
#ifndef PATHPROF_PROFILE_MODEL_BYTE_ORDER_H
#define PATHPROF_PROFILE_MODEL_BYTE_ORDER_H

#include "profile/model/file.h"

namespace pathprof {

// Returns a copy of the raw file in the byte order of this machine. Returns the file itself if its header does not have
// the other byte order.
FileBytes in_own_byte_order(const FileBytes &raw);

} // namespace pathprof

#endif
