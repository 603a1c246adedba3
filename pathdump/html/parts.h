// SPDX-License-Identifier: GPL-3.0-or-later
// Splits a path into the parts that a page displays separately: the parts of its context, and iterations.
#ifndef PATHPROF_PATHDUMP_HTML_PARTS_H
#define PATHPROF_PATHDUMP_HTML_PARTS_H

#include <cstddef>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof::html {

// Returns the index of the block to which the edge leads or, if the edge leads to a collapsed loop, the index of the
// block after the loop.
size_t block_behind(const Path &path, size_t edge);
// Returns the indices of the blocks at which the parts of the path begin. The first part begins at the start of the
// path. Another part begins after each part of the context and at each further iteration.
std::vector<size_t> parts_of(const FlowGraph &graph, const Path &path);
// Returns the part of the path from block `begin` to block `end` − 1, without edges.
Path part_of(const Path &path, size_t begin, size_t end);
// Returns the edge at which the path ends, or −1 if the edge is ambiguous or unknown.
int ending_edge(const FlowGraph &graph, const Path &path);

} // namespace pathprof::html

#endif
