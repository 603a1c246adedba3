// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a path that a page shows one by one: of its context, and iterations.
#ifndef PATHPROF_PATHDUMP_HTML_PARTS_H
#define PATHPROF_PATHDUMP_HTML_PARTS_H

#include <cstddef>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof::html {

// Which blocks of a path an edge leads to; the edge to a contracted loop leads to none.
size_t block_behind(const Path &path, size_t edge);
// Where parts of the path begin, in blocks: behind each part of its context, and with each further iteration.
std::vector<size_t> parts_of(const FlowGraph &graph, const Path &path);
// Its blocks begin … end − 1, without edges.
Path part_of(const Path &path, size_t begin, size_t end);
// The edge over which the path ends, where that can be told; else −1.
int ending_edge(const FlowGraph &graph, const Path &path);

} // namespace pathprof::html

#endif
