// SPDX-License-Identifier: GPL-3.0-or-later
// The path models behind one interface, an object each.
//
// A model says which graph has the paths of a function as its walks, how the function is kept within a number of
// paths, how its counting is planned, what it goes with, and what people read of it.  A new one is a file in this
// folder with an object that core/models/models.cc lists; nothing else asks which of the modes a function has.
#ifndef PATHPROF_CORE_MODELS_MODEL_H
#define PATHPROF_CORE_MODELS_MODEL_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "core/graph/loop.h"
#include "core/models/contracted_loop.h"
#include "core/models/path_model.h"
#include "core/numbering/path_graph.h"
#include "core/plan/placement.h"
#include "core/plan/counted_loops.h"
#include "core/plan/register_counters.h"

namespace pathprof {

// What some models have and others do not.
enum class Feature : unsigned {
  AcyclicPaths,     // paths have the numbers that Ball and Larus give them
  Stages,           // it can be instrumented at every stage of compilation, not only on the source's graph
  PathLimit,        // the number of a function's paths is kept below a limit that the user sets
  K,                // it has a length k: of iterations, or of paths
  Numberings,       // there are several numberings for the same paths
  LoopIterations,   // paths span iterations, so many for each loop
  LoopContexts,     // paths begin with the path that led to their loop
  RegisterCounts,   // what a loop counts may be held in registers while it runs
  Sequences,        // it counts which paths follow one another
  InterestingPaths, // some paths are interesting, the others are residual
  ThroughCalls,     // paths go from one function to another: they belong to a unit or program, not to a function
  Pieces,           // through calls, without the path that led to them
  Cycles,           // the clock can be read at both ends of a path
  ExactTermination, // paths that a call cuts short can be counted
  Switch,           // a function can have a plain body beside the instrumented one
  Values,           // values that functions compute can be counted beside their paths
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

// The form of the control-flow graph that a model's paths are numbered over.
enum class CfgForm {
  AsIs,
  BackEdgesHaveBlocks, // where several cut edges leave a block, the back edges among them begin in blocks of their own
  Reducible,           // loops that control enters at several blocks have been copied
};

// As many paths as a function may have.
struct PathLimits {
  uint64_t paths_max = 0;
  uint64_t array_max = 0;        // up to here an array can hold the counters
  bool skip_on_overflow = false; // a function with more is left out, not cut
  // By edge: 0 may be cut; 1 as far as cutting those is not enough; 2 if that is not enough either.  Empty: all may.
  std::vector<char> spared = {};
};

// What a function's counting is planned from.
struct PlanInputs {
  const PathGraph &paths; // by the model
  const PathModel &model;
  const std::vector<int64_t> &vals; // of the paths' edges
  std::vector<Loop> loops = {};     // that may count in registers; see plan_with_register_counters
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
  // The mode whose paths have the same numbers.
  virtual Mode numbered_as() const { return mode_; }

  // Texts for people.  "acyclic paths":
  virtual std::string paths_text(uint32_t k) const = 0;
  // "k = 2": what paths do in a loop of the model.
  virtual std::string loop_text(const LoopIterations &loop) const;
  // "goes around": what a path does that takes this edge, of kind Choice, in a path graph of the model; empty of a
  // model without such edges.
  virtual std::string choice_text(const FlowGraph &graph, const PathEdge &choice) const;

  // The graph whose walks are the paths; `graph` must have its cuts marked.  Loops of the model that the graph does not
  // have are ignored.
  virtual PathGraph path_graph(const FlowGraph &graph, const PathModel &model) const;
  // The loops that are single nodes in it.
  virtual std::vector<ContractedLoop> contracted_loops(const FlowGraph &graph, const PathModel &model) const;
  // Whether the path graph has a size that memory has room for: notes of a few bytes could ask for any.
  virtual bool has_room(const FlowGraph &graph, const PathModel &model) const;

  // The number of paths before anything gives way to a limit.
  virtual mpz_class num_paths_uncut(const FlowGraph &graph, const PathModel &model,
                                    const WantedIterations &wanted) const;
  // Keeps a function within limits: marks further cuts, and chooses the loops of the model.  Returns why the function
  // is left out, or an empty string.
  virtual std::string limit(FlowGraph &graph, PathModel &model, const PathLimits &limits,
                            const WantedIterations &wanted) const;

  virtual RegisterCounterPlan plan(const PlanInputs &inputs) const;

protected:
  // Where paths are kept by their numbers, however many there could be: how many of a function a number can name.  0:
  // the limits that the user sets hold.
  virtual uint64_t most_named_paths() const { return 0; }

  Model(Mode mode, Features features) : mode_(mode), features_(features) {}

private:
  Mode mode_;
  Features features_;
};

// Cuts a graph with so many paths until there are as many as the limits say: where it loses paths anyway, until an
// array can hold the rest if that is possible, as counting in a table costs many times more.  Returns why the function
// is left out, or an empty string.
std::string cut_to_limits(FlowGraph &graph, const mpz_class &num_paths, const PathLimits &limits);

// All models, in the order of their modes.
const std::vector<const Model *> &all_models();

const Model &model_of(Mode mode);
inline const Model &model_of(const PathModel &model) {
  return model_of(model.mode);
}

inline bool is_interprocedural(Mode mode) {
  return model_of(mode).has(Feature::ThroughCalls);
}

// Of Mode::Kipf: the paths that its sequences are made of.
inline PathGraph path_graph_of(const FlowGraph &graph, const PathModel &model) {
  return model_of(model).path_graph(graph, model);
}

} // namespace pathprof

#endif
