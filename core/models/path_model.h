// SPDX-License-Identifier: GPL-3.0-or-later
// Which paths of a function are counted, and how they are numbered: together with the function's graph all
// that the compiler plugin and the reports need to agree on.
#ifndef PATHPROF_CORE_MODELS_PATH_MODEL_H
#define PATHPROF_CORE_MODELS_PATH_MODEL_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/graph/loop.h"

namespace pathprof {

// Values are stored in the notes.
enum class Mode : uint8_t {
  Acyclic = 0,      // Ball and Larus, MICRO-29 1996
  KIter = 1,        // across k iterations of innermost loops: Roy and Srikant, CGO 2009
  Kipf = 2,         // sequences of up to k acyclic paths: D'Elia and Demetrescu, OOPSLA 2013
  IntraContext = 3, // with the path into each loop: Melski and Reps, TR 1382 (1998), section 7
  Context = 4,      // through calls, with the path that led to them: the same, sections 3 to 5
  Piecewise = 5,    // through calls, each piece of a run in one path: section 6
  Preferential = 6, // acyclic paths, some of them interesting: Vaswani, Nori and Chilimbi, POPL 2007
};
inline constexpr int kNumModes = 7;

// Values are stored in the notes.  Two names for the same k-iteration paths.
enum class Numbering : uint8_t { Register = 0, Paper = 1 };
inline constexpr int kNumNumberings = 2;

const char *to_string(Mode mode);
const char *to_string(Numbering numbering);

// A loop whose paths span iterations, by its head.
struct LoopIterations {
  int head = 0;
  uint32_t k = 1;

  bool operator==(const LoopIterations &other) const { return head == other.head && k == other.k; }
};

// The model of one function, as the notes hold it; what it means is the business of core/models/model.h.
struct PathModel {
  Mode mode = Mode::Acyclic;
  Numbering numbering = Numbering::Register;
  uint32_t k = 1; // what was asked for; 1 where the mode has none
  // By head.  Of KIter all, of IntraContext those whose paths have context, with k = 1.
  std::vector<LoopIterations> loops;

  // Whether any path goes over a back edge.
  bool spans_iterations() const {
    return std::any_of(loops.begin(), loops.end(), [](const LoopIterations &loop) { return loop.k > 1; });
  }

  bool operator==(const PathModel &other) const {
    return mode == other.mode && numbering == other.numbering && k == other.k && loops == other.loops;
  }
};

inline constexpr uint32_t kMaxIterations = 64; // of any k

// How many iterations of a loop paths should span.
struct WantedIterations {
  using OfLoop = std::function<uint32_t(const Loop &)>;
  OfLoop innermost; // of loops that paths can go around as they are
  OfLoop around;    // of loops that hold others, which are contracted if this is more than 1; none: 1
};

} // namespace pathprof

#endif
