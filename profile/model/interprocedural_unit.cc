// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes interprocedural paths, and adds up their executions per function.
#include <algorithm>

#include "core/numbering/saturate.h"
#include "profile/model/profile.h"

namespace pathprof {

// Limits for untrusted files.  The path IDs of a valid program are less than 2^124, but numbers computed for procedures
// that no path reaches can be larger.  The length of a path depends on how deeply its calls are nested.
static constexpr size_t kMaxBits = 192;
static constexpr size_t kMaxNodes = size_t{1} << 20;

// ---------------------------------------------------------------------------------------------------
// Decoding.

const char *InterproceduralUnit::decode() {
  numbering = std::make_unique<SupergraphNumbering>(*supergraph, kMaxBits);
  if (!numbering->is_acyclic())
    return "the path graph of an interprocedural unit has a cycle";
  if (!numbering->fits() || numbering->num_paths() != num_paths)
    return "the graph and the notes of an interprocedural unit have different numbers of paths";
  return nullptr;
}

std::optional<InterproceduralPath> InterproceduralUnit::regenerate(WideNumber id) const {
  return numbering->regenerate(exact(id), kMaxNodes);
}

size_t InterproceduralUnit::num_bits() const {
  return num_paths > 1 ? mpz_sizeinbase(mpz_class(num_paths - 1).get_mpz_t(), 2) : 0;
}

size_t InterproceduralUnit::num_cut_calls() const {
  size_t number = 0;
  for (const Procedure &procedure : supergraph->procedures)
    number += static_cast<size_t>(std::count_if(procedure.calls.begin(), procedure.calls.end(),
                                                [](const CallSite &call) { return call.kind != CallKind::Traversed; }));
  return number;
}

std::string model_key(const Profile &profile, const InterproceduralUnit &unit) {
  std::string model = to_string(unit.mode);
  for (size_t function : unit.functions)
    model += '\0' + profile.functions[function].notes.name + model_key(profile.functions[function]);
  return model;
}

std::vector<size_t> open_steps(const InterproceduralPath &path, size_t at) {
  std::vector<size_t> open;
  for (size_t i = 0; i <= at; i++) {
    PathStep::From from = path.steps[i].from;
    if (from == PathStep::From::Return) {
      open.resize(open.size() - std::min<size_t>(open.size(), 2));
      open.push_back(i);
    } else if (from == PathStep::From::Restart) {
      open.back() = i;
    } else {
      open.push_back(i);
    }
  }
  return open;
}

bool goes_on_behind_call(const PathStep &step) {
  return step.from != PathStep::From::Call && step.call >= 0;
}

// ---------------------------------------------------------------------------------------------------
// Executions of a function in interprocedural paths.

static constexpr unsigned kUnwinding = kEh | kAbnormal;

// Returns one flag per edge.  The flag is true if the edge is an unwind edge of a call whose kind is not SteppedOver.
static std::vector<char> unwinding_edges(const FunctionNotes &notes) {
  std::vector<char> unwinds(static_cast<size_t>(notes.graph.num_edges()), 0);
  for (const CallNotes &call : notes.calls)
    if (call.ends_block && call.kind != CallKind::SteppedOver)
      for (int e : notes.graph.succs(static_cast<int>(call.block)))
        unwinds[static_cast<size_t>(e)] = (notes.graph.edge(e).flags & kUnwinding) != 0;
  return unwinds;
}

static FlowGraph with_cuts(FlowGraph graph, const std::vector<char> &cut) {
  for (int e = 0; e < graph.num_edges(); e++)
    if (cut[static_cast<size_t>(e)])
      graph.edge(e).flags |= kCut;
  return graph;
}

Activity::Activity(const FunctionNotes &notes)
    : unwinds(unwinding_edges(notes)), graph(with_cuts(notes.graph, unwinds)),
      edges(graph, notes.flags & kExactTermination, unwinds), entered(notes.blocks.size(), 0),
      opened(notes.calls.size(), 0), resumed(notes.calls.size(), 0) {}

// Returns the index of the call at which a path ends in this step: the next call whose kind is not SteppedOver.
// Returns -1 if there is no such call.
static int ending_call(const Procedure &procedure, const PathStep &step) {
  bool is_behind = goes_on_behind_call(step) && step.edges.empty();
  int first = is_behind ? step.call + 1 : 0;
  for (int call = first; call < static_cast<int>(procedure.calls.size()); call++)
    if (procedure.calls[call].kind != CallKind::SteppedOver &&
        (is_behind ? procedure.calls[call].block == procedure.calls[step.call].block
                   : procedure.calls[call].block == step.blocks.back()))
      return call;
  return -1;
}

Path piece_of(const InterproceduralUnit &unit, const InterproceduralPath &path, size_t at) {
  const PathStep &step = path.steps[at];
  Path piece;
  if (step.from == PathStep::From::Return)
    piece.blocks.push_back(unit.supergraph->procedures[step.procedure].calls[step.call].block);
  piece.blocks.insert(piece.blocks.end(), step.blocks.begin(), step.blocks.end());
  piece.edges = step.edges;
  if (at == path.prefix_len && !goes_on_behind_call(step))
    piece.start = path.start;
  if (at + 1 == path.steps.size())
    piece.end = path.end;
  return piece;
}

namespace {

// Adds the execution counts of a unit's paths to Function::activity of the functions that the paths visit.
class Adder {
public:
  Adder(const InterproceduralUnit &unit, std::vector<Function> &functions) : unit_(unit) {
    for (size_t function : unit.functions)
      functions_.push_back(&functions[function]);
  }

  void add(const InterproceduralPath &path, uint64_t count) {
    std::vector<Function *> passed;
    for (size_t i = path.prefix_len; i < path.steps.size(); i++) {
      add_step(path, i, count);
      passed.push_back(functions_[path.steps[i].procedure]);
    }
    if (path.end == PathEnd::NoReturn)
      for (size_t open : open_steps(path, path.steps.size() - 1))
        saturating_add(activity(path.steps[open]).finished, count);
    std::sort(passed.begin(), passed.end());
    passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
    for (Function *function : passed) {
      function->activity->num_paths++;
      saturating_add(function->activity->executions, count);
    }
  }

private:
  Activity &activity(const PathStep &step) { return *functions_[step.procedure]->activity; }

  void add_step(const InterproceduralPath &path, size_t at, uint64_t count) {
    const PathStep &step = path.steps[at];
    Activity &sums = activity(step);
    bool is_last = at + 1 == path.steps.size(), is_behind = goes_on_behind_call(step);
    Path piece = piece_of(unit_, path, at);
    sums.edges.add(piece, count);
    for (size_t i = is_behind; i < piece.blocks.size(); i++) {
      int block = piece.blocks[i];
      sums.entered[static_cast<size_t>(block)] += count;
      if (block != kEntryBlock && block != kExitBlock)
        sums.statements += static_cast<unsigned __int128>(count) * statements(step, block);
    }
    if (is_behind)
      sums.resumed[static_cast<size_t>(step.call)] += count;
    else if (piece.blocks.front() == kEntryBlock)
      saturating_add(sums.calls, count);
    if (is_last ? path.end == PathEnd::Exit : path.steps[at + 1].from == PathStep::From::Return)
      saturating_add(sums.finished, count);
    int call = -1;
    if (!is_last && path.steps[at + 1].from == PathStep::From::Call)
      call = path.steps[at + 1].call;
    else if (is_last && path.end == PathEnd::Call)
      call = ending_call(unit_.supergraph->procedures[step.procedure], step);
    if (call >= 0)
      sums.opened[static_cast<size_t>(call)] += count;
  }

  uint64_t statements(const PathStep &step, int block) const {
    return functions_[step.procedure]->notes.blocks[static_cast<size_t>(block)].statements;
  }

  const InterproceduralUnit &unit_;
  std::vector<Function *> functions_; // the function of each procedure
};

} // namespace

const char *add_activity(const InterproceduralUnit &unit, std::vector<Function> &functions) {
  for (size_t function : unit.functions)
    if (!functions[function].activity)
      functions[function].activity = std::make_unique<Activity>(functions[function].notes);
  Adder adder(unit, functions);
  for (const ExecutedProgramPath &executed : unit.paths) {
    std::optional<InterproceduralPath> path = unit.regenerate(executed.id);
    if (!path)
      return "an interprocedural path is too long, or its ID is out of bounds";
    adder.add(*path, executed.count);
  }
  return nullptr;
}

} // namespace pathprof
