// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the statements and the source lines of paths.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_LINE_SEQUENCE_H
#define PATHPROF_PATHDUMP_DESCRIBE_LINE_SEQUENCE_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/describe/sources.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// Walks the paths of a function from branch to branch. Paths with adjacent IDs share a prefix, which is walked only
// once, so visiting all executed paths in the order of their IDs is much cheaper than decoding each path. If many paths
// were executed, one step of the walk passes several branches.
class PathWalk {
public:
  PathWalk(const Function &function, const Decoded &decoded);

  // Moves to the path with this ID, which must be less than the number of paths.
  void go_to(uint64_t id);

  // Returns the number of statements on the path, excluding its context.
  uint64_t statements() const { return steps_.back().statements; }
  bool begins_activation() const; // true if the path starts at ENTRY, without context
  bool leaves_function() const;   // true if the path ends at EXIT or in a block that does not return
  // Return the first and last blocks of the path, excluding its context. These blocks are ENTRY or EXIT only if the
  // path contains no other block.
  int first_block() const { return steps_.back().first_block; }
  int last_block() const { return graph_.block_of(graph_.edge(steps_.back().last_edge).src); }

private:
  // The part of a path from one branching node (or ENTRY) to another branching node or to EXIT. For a segment that
  // starts at ENTRY, `val` is the lowest ID of the paths that begin with this segment.
  struct Segment {
    uint64_t val = 0;
    uint64_t statements = 0; // statements of the blocks after the first edge and after the context
    bool ends_context = false;
    int first_block = PathGraph::kNoBlock;
    int first_edge = -1; // edge of the path graph
    int last_edge = -1;
    int to = kEntryBlock;
  };

  Segment segment_over(int edge, const std::vector<Segment> &rest) const;
  static Segment joined(const Segment &segment, const Segment &next);
  const std::vector<Segment> &long_segments(int node);

  const PathGraph &graph_;
  const PathNumbering &numbering_;
  size_t most_segments_;                            // limit of segments per node, unless one branch alone has more
  std::vector<std::vector<Segment>> segments_;      // segments per node, up to the next branch, sorted by val
  std::vector<std::vector<Segment>> long_segments_; // segments per node, over several branches; built on demand
  std::vector<Segment> steps_;                      // successively longer prefixes from ENTRY; the first is empty
};

// Totals of all executed paths of a function.
struct Totals {
  uint64_t calls = 0;    // executions of paths that start at ENTRY
  uint64_t finished = 0; // executions of paths that leave the function
  uint64_t executions = 0;
  unsigned __int128 statements = 0; // executed statements

  void add(const PathWalk &walk, uint64_t count);
  // Adds `count` executions of a truncated path with `path_statements` statements.
  void add_cut_short(const Path &path, uint64_t path_statements, uint64_t count);
};
Totals totals_of(const Function &function, const Decoded &decoded);

// The lines of a file from `first` to `last`, executed in this order.
struct Stretch {
  std::string file;    // file name as in the profile
  std::string inlined; // assembler name of the inlined function, or empty
  uint32_t first = 0;
  uint32_t last = 0;
  size_t contexts = 0;    // number of context parts that end after these lines
  size_t loop_visits = 0; // number of collapsed loops that the path traverses before these lines
};

// Number of lines to skip at the start of a path's first block, and number of lines to keep at the start of its last
// block.
struct LineLimits {
  size_t skipped = 0;
  size_t kept = SIZE_MAX;
};

// Returns the number of lines in the path's last block up to the call that truncated the path, or SIZE_MAX if the path
// was not truncated.
size_t lines_before_end(const Function &function, const Path &path);

std::vector<Stretch> line_sequence_of(const Function &function, const Path &path, LineLimits limits = {});
// Returns text such as "wc.c:12-14 18", or an empty string if there are no lines. `named_own_file` is true if the name
// of the function's own file has already been printed.
std::string stretches_text(const Function &function, const std::vector<Stretch> &line_sequence, const Names &names,
                           bool &named_own_file);
// Returns the prefix for a line that is inlined or in another file, such as "max@util.h:" or "table.inc:".
std::string other_place_text(const std::string &file, const std::string &inlined, const Names &names);
// Returns the line of a collapsed loop's header in braces: "{14}".
std::string loop_visit_text(const Function &function, const CollapsedLoopVisit &visit);
// Returns a path that consists only of the block at `index` in `path`.
Path single_block(const Path &path, size_t index);

// Returns text such as "wc.c:12-14 18 21-22". Lines without a file name are in the function's own file. Lines in other
// files have the file name as a prefix, as in "table.inc:3". Inlined lines have the name of the inlined function
// (without its class and parameters) and the file name as a prefix, as in "max@util.h:7". Each part of the path's
// context is in parentheses, as in "(wc.c:12-14) 18 21", or printed as "-" if it has no lines. A collapsed loop is
// printed as the line of its header in braces, as in "wc.c:12 {14} 18". If the path has no lines, its blocks are
// listed.
std::string line_sequence_text(const Function &function, const Path &path, const Names &names);

// Returns the source lines of a line sequence, indented and numbered. Lines of the context are marked with ':', other
// lines with '|'. Returns an empty string if no line can be read.
std::string source_text(const Output &out, Sources &sources, const Function &function,
                        const std::vector<Stretch> &line_sequence);

// Returns the number of statements on the path, excluding its context.
uint64_t statements_of(const Function &function, const Path &path);

} // namespace pathprof

#endif
