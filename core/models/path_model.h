// SPDX-License-Identifier: GPL-3.0-or-later
// Defines which paths of a function are counted and how they are numbered.  The plugin and the reports must agree only
// on the model and on the function's graph.
#ifndef PATHPROF_CORE_MODELS_PATH_MODEL_H
#define PATHPROF_CORE_MODELS_PATH_MODEL_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/graph/loop.h"

namespace pathprof {

// Mode of a function.  The numeric values are stored in the notes.
enum class Mode : uint8_t {
  Acyclic = 0,      // acyclic paths: Ball and Larus, MICRO-29 1996
  KIter = 1,        // k-iteration paths: Roy and Srikant, CGO 2009
  Kipf = 2,         // sequences of up to k acyclic paths: D'Elia and Demetrescu, OOPSLA 2013
  IntraContext = 3, // intracontext paths: Melski and Reps, TR 1382 (1998), section 7
  Context = 4,      // interprocedural paths with the path that led to them: Melski and Reps, sections 3 to 5
  Piecewise = 5,    // interprocedural paths, each without the path before it: Melski and Reps, section 6
  Preferential = 6, // acyclic paths, some of which are interesting: Vaswani, Nori and Chilimbi, POPL 2007
};
inline constexpr int kNumModes = 7;

// Numberings of k-iteration paths.  The numeric values are stored in the notes.
enum class Numbering : uint8_t { Register = 0, Paper = 1 };
inline constexpr int kNumNumberings = 2;

const char *to_string(Mode mode);
const char *to_string(Numbering numbering);

// The header of a loop, and the number of iterations that a path in the loop spans.
struct LoopIterations {
  int head = 0;
  uint32_t k = 1;

  bool operator==(const LoopIterations &other) const { return head == other.head && k == other.k; }
};

// The parameters of a function's model, as stored in the notes.  Class Model (core/models/model.h) interprets them.
struct PathModel {
  Mode mode = Mode::Acyclic;
  Numbering numbering = Numbering::Register;
  uint32_t k = 1; // requested k; 1 if the mode has no k
  // Loops in order of their headers.  For IntraContext, these are the loops with context, and their k is 1.
  std::vector<LoopIterations> loops;

  // Returns true if a path can contain a back edge.
  bool spans_iterations() const {
    return std::any_of(loops.begin(), loops.end(), [](const LoopIterations &loop) { return loop.k > 1; });
  }

  bool operator==(const PathModel &other) const {
    return mode == other.mode && numbering == other.numbering && k == other.k && loops == other.loops;
  }
};

inline constexpr uint32_t kMaxIterations = 64; // upper limit of k in every mode

// Number of iterations that the paths of a loop should span.
struct WantedIterations {
  using OfLoop = std::function<uint32_t(const Loop &)>;
  OfLoop innermost; // for loops that can be iterated as they are
  OfLoop around;    // for outer loops, whose inner loops are collapsed if k > 1; without a function, k is 1
};

} // namespace pathprof

#endif
