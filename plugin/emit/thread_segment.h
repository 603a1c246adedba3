// SPDX-License-Identifier: GPL-3.0-or-later
// Makes accesses to counters relative to the base of a segment register (x86-64).
//
// Until registers are allocated, GCC regards these accesses as accesses to the counter section. All optimisations
// therefore have the same effect as with counters that all threads share. Afterwards, the accesses get the address space
// of the segment register, which adds a prefix to their instructions.
#ifndef PATHPROF_PLUGIN_EMIT_THREAD_SEGMENT_H
#define PATHPROF_PLUGIN_EMIT_THREAD_SEGMENT_H

namespace pathprof {

void register_thread_segment_passes(const char *plugin_name);

} // namespace pathprof

#endif
