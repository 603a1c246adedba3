// SPDX-License-Identifier: GPL-3.0-or-later
// What another tool measured, joined to paths: each position's cost goes to the blocks that are on its line, and a
// block's to the paths through it, in the proportions of their counts.
#ifndef PATHPROF_PATHDUMP_MODEL_COSTS_H
#define PATHPROF_PATHDUMP_MODEL_COSTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pathdump/ui/json.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// A place in the source, and the function (assembler or C++ name) whose code it is.
struct CostPosition {
  std::string function;
  std::string file;
  uint32_t line = 0; // 0: unknown
};

struct MeasuredCost {
  // The innermost one first: functions that were inlined, and last the one that they are in, as far as it is known.
  std::vector<CostPosition> frames;
  double cost = 0;
  std::string callee; // what was called there and is not instrumented; empty: the position's own code
};

// What a reader made of a tool's file.
struct Measurement {
  std::string tool;  // "perf", "callgrind"
  std::string file;  // as it was given
  std::string event; // "Ir", "cycles:u", "samples"
  std::vector<MeasuredCost> costs;
  double total = 0;                      // of the whole run
  std::map<std::string, double> outside; // by reason: what is not instrumented code's
};

// Costs by path of one profile.
class Costs {
public:
  // A part of the cost that no path has, and why.
  struct Rest {
    std::string reason;
    double cost = 0;
  };

  Costs(const Profile &profile, const std::string &file, const Measurement &measurement);

  const std::string &event() const { return event_; }
  const std::string &tool() const { return tool_; }
  double attributed() const { return attributed_; }

  // Of so many executions of the index-th function's path, without its context, or from its
  // block `first_block` on.
  double of(size_t function, const Path &path, uint64_t count) const;
  double of(size_t function, const Path &path, size_t first_block, uint64_t count) const;
  // The functions not instrumented that cost something when they were called on the path, the dearest first.
  std::vector<std::string> callees(size_t function, const Path &path) const;

  // Sentences without full stops: what shares are of, and what could not be attributed.
  std::vector<std::string> text() const;
  Json json() const;

private:
  friend class CostJoin;

  std::string tool_, file_, event_;
  double total_ = 0, instrumented_ = 0, attributed_ = 0;
  double near_ = 0;        // the part of attributed_ whose line no block has
  std::vector<Rest> rest_; // of instrumented code
  std::vector<Rest> outside_;
  std::vector<std::vector<double>> each_;                             // by function and block: what one execution cost
  std::vector<std::map<int, std::map<std::string, double>>> callees_; // by function and block
};

} // namespace pathprof

#endif
