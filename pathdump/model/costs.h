// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes costs that another tool measured to paths. The cost of a source position is divided among the blocks on
// its line, and the cost of a block among the paths through it, in proportion to their counts.
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

// A source position and the function (assembler or C++ name) that contains its code.
struct CostPosition {
  std::string function;
  std::string file;
  uint32_t line = 0; // line number, or 0 if unknown
};

struct MeasuredCost {
  // Positions in the inlined functions, innermost first, followed by the position in the function that contains their
  // code, if known.
  std::vector<CostPosition> frames;
  double cost = 0;
  std::string callee; // uninstrumented callee that caused the cost; empty for the position's own code
};

// The contents of a measuring tool's file.
struct Measurement {
  std::string tool;  // "perf", "callgrind"
  std::string file;  // file name as given by the user
  std::string event; // "Ir", "cycles:u", "samples"
  std::vector<MeasuredCost> costs;
  double total = 0;                      // total cost of the whole run
  std::map<std::string, double> outside; // costs outside instrumented code, by reason
  uint64_t num_samples = 0;              // samples in instrumented code, or 0 if the tool does not take samples
};

// The costs of the paths of a profile.
class Costs {
public:
  // A cost that was not attributed to any path, and the reason.
  struct Rest {
    std::string reason;
    double cost = 0;
  };

  Costs(const Profile &profile, const std::string &file, const Measurement &measurement);

  const std::string &event() const { return event_; }
  const std::string &tool() const { return tool_; }
  double attributed() const { return attributed_; }

  // Return the cost of `count` executions of a path. `function` is the index of the path's function. The first overload
  // excludes the path's context; the second excludes the blocks before index `first_block`.
  double of(size_t function, const Path &path, uint64_t count) const;
  double of(size_t function, const Path &path, size_t first_block, uint64_t count) const;
  // Returns the cost of all paths of a function. In an interprocedural unit, this is the cost of the function's blocks.
  double of_function(size_t function) const { return of_function_[function]; }
  // Returns the uninstrumented callees that contributed to the cost of the path, most expensive first.
  std::vector<std::string> callees(size_t function, const Path &path) const;

  // Returns sentences that state what the percentages are relative to and which costs were not attributed. The
  // sentences do not end with a full stop.
  std::vector<std::string> text() const;
  Json json() const;

private:
  friend class CostJoin;

  std::string tool_, file_, event_;
  double total_ = 0, instrumented_ = 0, attributed_ = 0;
  bool has_lines_ = false; // true if any measured position has a source line
  double near_ = 0;        // part of attributed_ on lines that no block contains
  std::vector<Rest> rest_; // unattributed costs of instrumented code
  std::vector<Rest> outside_;
  std::vector<double> of_function_;                                   // attributed cost, by function
  std::vector<std::vector<double>> each_;                             // cost of one execution, by function and block
  std::vector<std::map<int, std::map<std::string, double>>> callees_; // costs of callees, by function and block
};

} // namespace pathprof

#endif
