// SPDX-License-Identifier: GPL-3.0-or-later
// Replays the executed paths of a function over GCC's CFG with copied blocks.
#include "plugin/rebuild/replay.h"

#include <map>
#include <utility>

#include "core/models/model.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Returns true if paths can be split at back edges into single iterations. Single iterations are not recorded for paths
// through collapsed loops.
static bool tells_iterations(const Function &function) {
  const PathModel &path_model = function.notes.model;
  const Model &model = model_of(path_model);
  return model.has(Feature::LoopIterations) && path_model.spans_iterations() &&
         model.collapsed_loops(function.notes.graph, path_model).empty();
}

namespace {

// Reads the paths of one variant.
class PathReader {
public:
  PathReader(const InputFunction::Variant &variant, MeasuredPaths &table)
      : function_(*variant.function), decoded_(*variant.decoded), table_(table),
        has_iterations_(tells_iterations(function_)) {}

  void read() {
    for (const auto *paths : {&function_.paths, &function_.cut_short})
      for (const ExecutedPath &path : *paths)
        if (path.count > 0)
          add(path);
    read_forest();
  }

private:
  void add(const ExecutedPath &executed) {
    Path path = *decoded_.regenerate(executed.id);
    if (!has_iterations_) {
      of_id_[executed.id] = table_.add(path, executed.count);
      return;
    }
    table_.add_iterations(path, function_.notes.graph, executed.count);
  }

  // Reads the path sequences. The parent of a node represents the path that was executed immediately before the node's
  // path.
  void read_forest() {
    if (function_.is_pruned)
      return;
    for (const ForestNode &node : function_.forest) {
      auto at = of_id_.find(node.id);
      if (node.parent == ForestNode::kNone || node.count == 0 || at == of_id_.end())
        continue;
      auto before = of_id_.find(function_.forest[node.parent].id);
      if (before != of_id_.end())
        table_.add_sequence(before->second, at->second, node.count);
    }
  }

  const Function &function_;
  const Decoded &decoded_;
  MeasuredPaths &table_;
  bool has_iterations_;
  std::map<uint64_t, size_t> of_id_;
};

} // namespace

// Returns one flag per block. The flag is true if the profile records, for each path that starts at the block, which
// path was executed immediately before it. With mode=kipf, the preceding paths are recorded for all blocks. With
// mode=kiter, they are recorded only for loop headers.
static std::vector<char> blocks_with_sequences(const Function &function) {
  const PathModel &model = function.notes.model;
  bool has_forest = model_of(model).has(Feature::Sequences) && model.k > 1 && !function.is_pruned;
  std::vector<char> known(static_cast<size_t>(function.notes.graph.num_blocks()), has_forest);
  if (tells_iterations(function))
    for (const LoopIterations &loop : model.loops)
      known[static_cast<size_t>(loop.head)] = loop.k > 1;
  return known;
}

// Returns one flag per block. The flag is true if all variants of the function record which path preceded each path
// that starts at the block.
static std::vector<char> blocks_with_sequences(const InputFunction &input, const FlowGraph &graph) {
  std::vector<char> known(static_cast<size_t>(graph.num_blocks()), 1);
  for (const InputFunction::Variant &variant : input.variants) {
    std::vector<char> of_variant = blocks_with_sequences(*variant.function);
    for (size_t block = 0; block < known.size(); block++)
      known[block] &= of_variant[block];
  }
  return known;
}

static std::vector<MeasuredPath> read_paths(const InputFunction &input) {
  MeasuredPaths table;
  for (const InputFunction::Variant &variant : input.variants)
    PathReader(variant, table).read();
  return table.take();
}

CopiedCfg::CopiedCfg(const PlannedFunction &function, const InputFunction &input, std::vector<uint64_t> counts)
    : copied_(function.notes.graph, std::move(counts), read_paths(input),
              blocks_with_sequences(input, function.notes.graph)),
      edges_(function.edges) {
  for (int number = 0; number < graph().num_blocks(); number++) {
    blocks_.push_back(BASIC_BLOCK_FOR_FN(cfun, number));
    numbers_[blocks_.back()] = number;
  }
  for (int e = 0; e < graph().num_edges(); e++)
    edge_numbers_[edges_[static_cast<size_t>(e)]] = e;
}

basic_block CopiedCfg::copy(edge e) {
  basic_block from = e->dest;
  gcc_assert(start_may_be_copied(from) && !single_pred_p(from));
  basic_block copy = duplicate_block(from, e, e->src);
  flush_pending_stmts(e);
  add_phi_args_after_copy(&copy, 1, NULL);
  int number = copied_.copy(edge_numbers_.at(e));
  blocks_.push_back(copy);
  numbers_[copy] = number;
  edges_.resize(static_cast<size_t>(copied_.num_edges()));
  for (unsigned i = 0; i < EDGE_COUNT(from->succs); i++) {
    edge old = EDGE_SUCC(from, i), of_copy = EDGE_SUCC(copy, i);
    gcc_assert(old->dest == of_copy->dest);
    of_copy->goto_locus = old->goto_locus;
    auto known = edge_numbers_.find(old);
    if (known == edge_numbers_.end())
      continue;
    int of_number = copied_.out_edge(number, copied_.flow_edge(known->second));
    edges_[static_cast<size_t>(of_number)] = of_copy;
    edge_numbers_[of_copy] = of_number;
  }
  return copy;
}

std::vector<edge> CopiedCfg::walk(const Path &path) const {
  std::vector<edge> edges;
  for (int e : copied_.walk(path))
    edges.push_back(edges_[static_cast<size_t>(e)]);
  return edges;
}

MeasuredEdges CopiedCfg::replay() const {
  std::vector<uint64_t> traversals = copied_.replay();
  MeasuredEdges measured;
  for (size_t e = 0; e < traversals.size(); e++)
    measured[edges_[e]] = traversals[e];
  return measured;
}

CopyScope::CopyScope(const CopiedCfg &cfg) : cfg_(cfg) {
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  initialize_original_copy_tables();
}

CopyScope::~CopyScope() {
  free_original_copy_tables();
  loop_optimizer_finalize();
  if (cfg_.num_copies() == 0)
    return;
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  update_ssa(TODO_update_ssa);
  if (!loops_for_fn(cfun))
    return;
  // A loop whose header was copied may no longer be a loop.
  loops_state_set(LOOPS_NEED_FIXUP);
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  loop_optimizer_finalize();
}

} // namespace pathprof
