// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the interface of the path models; each model is one object.
//
// A model defines the graph whose walks are the paths of a function, how a limit on the number of paths is met, the
// plan that counts the paths, the features that it supports, and the texts for users.  A new model is a file in this
// directory with an object that core/models/models.cc lists.  Other code queries the model instead of testing the mode.
#ifndef PATHPROF_CORE_MODELS_MODEL_H
#define PATHPROF_CORE_MODELS_MODEL_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "core/graph/loop.h"
#include "core/models/collapsed_loop.h"
#include "core/models/path_model.h"
#include "core/numbering/path_graph.h"
#include "core/plan/placement.h"
#include "core/plan/counted_loops.h"
#include "core/plan/register_counters.h"

namespace pathprof {

// Properties that distinguish the models.
enum class Feature : unsigned {
  AcyclicPaths,     // the path IDs are Ball-Larus path IDs
  Stages,           // functions can be instrumented at every stage, not only at `source`
  PathLimit,        // the user can limit the number of paths per function
  K,                // the model has a length k, in iterations or paths
  Numberings,       // several numberings exist for the same paths
  LoopIterations,   // paths span loop iterations; the number of iterations is selected per loop
  LoopContexts,     // paths start with the path that led to their loop
  RegisterCounts,   // a loop may keep its counts in registers
  Sequences,        // the model counts sequences of paths
  InterestingPaths, // some paths are interesting; the other paths are residual
  ThroughCalls,     // paths are interprocedural: they belong to a unit or program, not to a function
  Pieces,           // interprocedural paths do not include the path that led to them
  Cycles,           // the clock can be read at both ends of a path
  ExactTermination, // paths that are truncated at a call can be counted
  Switch,           // a function can have an uninstrumented body in addition to the instrumented body
  Values,           // values that functions compute can be counted in addition to paths
};

class Features {
public:
  constexpr Features(std::initializer_list<Feature> features) {
    for (Feature feature : features)
      bits_ |= 1u << static_cast<unsigned>(feature);
  }
  constexpr bool has(Feature feature) const { return bits_ >> static_cast<unsigned>(feature) & 1; }

private:
  unsigned bits_ = 0;
};

// Form of the control-flow graph whose paths a model numbers.
enum class CfgForm {
  AsIs,
  BackEdgesHaveBlocks, // if several cut edges leave a block, its back edges start in separate blocks
  Reducible,           // loops with several entries were made reducible by copying blocks
};

// Limits on the number of paths in a function.
struct PathLimits {
  uint64_t paths_max = 0;
  uint64_t array_max = 0;        // largest number of paths that an array can count
  bool skip_on_overflow = false; // exclude a function if it exceeds the limit, instead of truncating paths
  // Truncation class of each edge.  Edges of class 1 are truncated only if truncating edges of class 0 is not enough,
  // and edges of class 2 only as a last resort.  An empty vector means that all edges have class 0.
  std::vector<char> spared = {};
};

// Inputs for the plan of a function.
struct PlanInputs {
  const PathGraph &paths; // path graph of the model
  const PathModel &model;
  const std::vector<int64_t> &vals; // vals of the path graph's edges
  std::vector<Loop> loops = {};     // candidates for register counters; see plan_with_register_counters
  size_t max_counters = 0;
  PlacementOptions options = {};
  TripCounts trip_counts = {};
};

class Model {
public:
  virtual ~Model() = default;
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  Mode mode() const { return mode_; }
  const char *name() const { return to_string(mode_); }
  bool has(Feature feature) const { return features_.has(feature); }
  virtual CfgForm form() const { return CfgForm::AsIs; }
  // Returns the mode that defines the numbering of this model's paths.
  virtual Mode numbered_as() const { return mode_; }

  // Returns a user-visible description of the paths, such as "acyclic paths".
  virtual std::string paths_text(uint32_t k) const = 0;
  // Returns a user-visible description of one of the model's loops, such as "k = 2".
  virtual std::string loop_text(const LoopIterations &loop) const;
  // Returns a description of a Decision edge in a path graph of this model, such as "leaves the loop".  Returns an
  // empty string if the model has no such edges.
  virtual std::string choice_text(const FlowGraph &graph, const PathEdge &choice) const;

  // Returns the path graph of the model, whose walks from ENTRY to EXIT are the paths.  The truncation points of
  // `graph` must be marked.  Loops of the model that do not exist in `graph` are ignored.
  virtual PathGraph path_graph(const FlowGraph &graph, const PathModel &model) const;
  // Returns the loops that are collapsed into single nodes in the path graph.
  virtual std::vector<CollapsedLoop> collapsed_loops(const FlowGraph &graph, const PathModel &model) const;
  // Returns true if the path graph is small enough to build.  Without this check, a few bytes of malicious notes could
  // cause arbitrarily large memory allocations.
  virtual bool has_room(const FlowGraph &graph, const PathModel &model) const;

  // Returns the number of paths if no limit is applied.
  virtual mpz_class num_paths_uncut(const FlowGraph &graph, const PathModel &model,
                                    const WantedIterations &wanted) const;
  // Adds truncation points and selects the loops of the model such that the function satisfies `limits`.  Returns an
  // empty string on success; otherwise, returns the reason why the function cannot be instrumented.
  virtual std::string limit(FlowGraph &graph, PathModel &model, const PathLimits &limits,
                            const WantedIterations &wanted) const;

  virtual RegisterCounterPlan plan(const PlanInputs &inputs) const;

protected:
  // Returns the maximum number of paths per function that the path IDs of this model can represent, or 0 if only the
  // limits set by the user apply.
  virtual uint64_t most_named_paths() const { return 0; }

  Model(Mode mode, Features features) : mode_(mode), features_(features) {}

private:
  Mode mode_;
  Features features_;
};

// Adds truncation points to a graph with `num_paths` paths until it satisfies `limits`.  If possible, reduces the
// number of paths until they can be counted in an array, because a hash table is many times slower.  Returns an empty
// string on success; otherwise, returns the reason why the function cannot be instrumented.
std::string cut_to_limits(FlowGraph &graph, const mpz_class &num_paths, const PathLimits &limits);

// Returns all models, ordered by mode.
const std::vector<const Model *> &all_models();

const Model &model_of(Mode mode);
inline const Model &model_of(const PathModel &model) {
  return model_of(model.mode);
}

inline bool is_interprocedural(Mode mode) {
  return model_of(mode).has(Feature::ThroughCalls);
}

// Returns the path graph of the model.  For Mode::Kipf, it is the graph of the acyclic paths that make up the
// sequences.
inline PathGraph path_graph_of(const FlowGraph &graph, const PathModel &model) {
  return model_of(model).path_graph(graph, model);
}

} // namespace pathprof

#endif
