// SPDX-License-Identifier: GPL-3.0-or-later
// From a path's number to its statements and to the trail of source lines that a reader can follow.
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

// Walks a function's paths from branch to branch.  Neighbours by number share a prefix, which is
// not walked again: looking at all executed paths in order costs a fraction of decoding each.  Where many were
// executed a step goes over several branches at once.
class PathWalk {
public:
  PathWalk(const Function &function, const Decoded &decoded);

  // `id` must be below the number of paths.
  void go_to(uint64_t id);

  // Statements behind the path's context.
  uint64_t statements() const { return steps_.back().statements; }
  bool begins_activation() const; // starts at ENTRY, without context
  bool leaves_function() const;   // through EXIT, or in a block that does not return
  // The blocks between which the path runs, behind its context; ENTRY and EXIT only where it has no others.
  int first_block() const { return steps_.back().first_block; }
  int last_block() const { return graph_.block_of(graph_.edge(steps_.back().last_edge).src); }

private:
  // A part of paths, from a branching node (or ENTRY) to another one, or to EXIT.  From ENTRY, `val` is the lowest
  // number of the paths that begin like this.
  struct Segment {
    uint64_t val = 0;
    uint64_t statements = 0; // of the blocks after the first edge, and behind the context
    bool ends_context = false;
    int first_block = PathGraph::kNoBlock;
    int first_edge = -1; // of the path graph
    int last_edge = -1;
    int to = kEntryBlock;
  };

  Segment segment_over(int edge, const std::vector<Segment> &rest) const;
  static Segment joined(const Segment &segment, const Segment &next);
  const std::vector<Segment> &long_segments(int node);

  const PathGraph &graph_;
  const PathNumbering &numbering_;
  size_t most_segments_;                       // from a node, where one branch has no more
  std::vector<std::vector<Segment>> segments_; // to the next branch, by increasing val
  std::vector<std::vector<Segment>>
      long_segments_;          // over as many branches as most_segments_ allows; made when they are needed
  std::vector<Segment> steps_; // from ENTRY: an empty one, and each time further
};

// What the executed paths of a function add up to.
struct Totals {
  uint64_t calls = 0;    // paths that start at ENTRY
  uint64_t finished = 0; // paths that leave the function
  uint64_t executions = 0;
  unsigned __int128 statements = 0; // executed

  void add(const PathWalk &walk, uint64_t count);
  // A path that was cut short, of `path_statements`: it ends its activation.
  void add_cut_short(const Path &path, uint64_t path_statements, uint64_t count);
};
Totals totals_of(const Function &function, const Decoded &decoded);

// Lines first … last of one file, passed in order.
struct Stretch {
  std::string file;    // as the profile has it
  std::string inlined; // the inlined function's assembler name, or empty
  uint32_t first = 0;
  uint32_t last = 0;
  size_t contexts = 0;    // how many parts of the path's context end behind it
  size_t loop_visits = 0; // how many contracted loops the path passes before it
};

// Of a part of a path: how many lines of its first block are left out, and how many of its last one's there are.
struct LineLimits {
  size_t skipped = 0;
  size_t kept = SIZE_MAX;
};

// Of a path that was cut short in a call, how many lines of its last block come before its end; of any other SIZE_MAX.
size_t lines_before_end(const Function &function, const Path &path);

std::vector<Stretch> line_sequence_of(const Function &function, const Path &path, LineLimits limits = {});
// "wc.c:12-14 18", or nothing.  `named_own_file`: whether the function's own file was named before.
std::string stretches_text(const Function &function, const std::vector<Stretch> &line_sequence, const Names &names,
                           bool &named_own_file);
// What comes before a line that is not in the function's own file, or was inlined: "table.inc:", "max@util.h:".
std::string other_place_text(const std::string &file, const std::string &inlined, const Names &names);
// "{14}"
std::string loop_visit_text(const Function &function, const ContractedLoopVisit &visit);
// Part of a path: one block.
Path single_block(const Path &path, size_t index);

// "wc.c:12-14 18 21-22".  Lines without a file are in the function's own; inlined ones and those of
// other files are "max@util.h:7" (without class and parameters) and "table.inc:3".  Without lines,
// the blocks.  Each part of a path's context is in parentheses: "(wc.c:12-14) 18 21"; a part without lines is "-".
// Of a contracted loop that the path passes there is the head's line, in braces: "wc.c:12 {14} 18".
std::string line_sequence_text(const Function &function, const Path &path, const Names &names);

// Returns the source lines of a line sequence, each with its number and indented (those of context marked ':', others
// '|'); empty where none can be read.
std::string source_text(const Output &out, Sources &sources, const Function &function,
                        const std::vector<Stretch> &line_sequence);

// Statements of a path's blocks behind its context.
uint64_t statements_of(const Function &function, const Path &path);

} // namespace pathprof

#endif
