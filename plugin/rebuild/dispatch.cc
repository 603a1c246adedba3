// SPDX-License-Identifier: GPL-3.0-or-later
// Duplicates the dispatch of an interpreter. In the loop
//
//   for (;;) switch (*pc++) { case ADD: ...; break; case LOAD: ...; break; ... }
//
// the handler of LOAD becomes, if ADD usually follows LOAD,
//
//   case LOAD: ...; next = *pc++; if (next == ADD) goto add; switch (next) { ... }
#include "plugin/rebuild/dispatch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "plugin/gcc/copying.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// The following limits were chosen based on the experiments in doc/rebuild.md.
static constexpr int kBudget = 3200;       // maximum total size of the copies in a function
static constexpr size_t kMostShared = 3;   // maximum number of shared blocks before the loop header
static constexpr double kLeastShare = 0.6; // minimum share of the likeliest case

// Returns the minimum share of a function's dispatches that the copies must predict correctly.
double least_foreseen(DispatchStep step) {
  return step == DispatchStep::IfMuchIsForeseen ? 0.3 : 0.6;
}

namespace {

// A path that starts at a loop header, goes through a switch, and returns to the loop header. The first blocks of the
// path belong only to this path, and the last blocks are shared with other paths.
struct LoopPath {
  size_t path;
  size_t own_edges; // number of edges up to the last block that belongs only to this path
  int exit;         // flow edge from this block, to the first shared block or to the loop header
};

class Dispatch {
public:
  Dispatch(CopiedCfg &cfg, uint64_t hot) : cfg_(cfg), hot_(hot) {}
  DispatchForecast run(DispatchStep step);

private:
  // Counts of the paths that were executed immediately after a path in `loop_paths`. All paths in `loop_paths` have the
  // same exit.
  struct Successors {
    std::vector<LoopPath> loop_paths;
    uint64_t total = 0;
    std::map<int, uint64_t> cases; // counts, indexed by the edge out of the switch
    std::map<size_t, uint64_t> paths;
  };

  // The flow edges that lead to the blocks to be copied, in path order.
  struct Plan {
    std::vector<int> edges;
    int cost = 0;
    uint64_t foreseen = 0; // number of dispatches to the likeliest case
  };

  int switch_on(const Path &path) const;
  std::optional<LoopPath> loop_path(size_t index) const;
  void count_successors();
  std::vector<Plan> choose();
  bool make_plan(const Successors &successors, Plan &plan) const;
  void carry_out(const Plan &plan);
  bool destination_may_be_copied(edge e) const;

  const MeasuredPath &path(size_t index) const { return cfg_.paths()[index]; }

  CopiedCfg &cfg_;
  uint64_t hot_;
  std::map<int, Successors> successors_; // indexed by LoopPath::exit
  DispatchForecast forecast_;
};

// Returns the index of the first block on the path that ends in a switch. Returns -1 if the path does not start at a
// loop header or if none of its first kMostShared + 1 blocks ends in a switch.
int Dispatch::switch_on(const Path &path) const {
  if (path.start != PathStart::Loop || path.context_blocks > 0)
    return -1;
  for (size_t i = 0; i < path.edges.size() && i <= kMostShared; i++) {
    gimple *last = compat_last_stmt(cfg_.block(path.blocks[i]));
    if (last && gimple_code(last) == GIMPLE_SWITCH)
      return static_cast<int>(i);
  }
  return -1;
}

// Returns the path with this index as a loop path. Returns nothing if it is not a loop path, if it has more than
// kMostShared shared blocks, or if the switch itself leads to a shared block.
std::optional<LoopPath> Dispatch::loop_path(size_t index) const {
  const Path &walked = path(index).path;
  int at = switch_on(walked), back = cfg_.cut_edge_of(walked);
  if (at < 0 || back < 0 || cfg_.graph().edge(back).dst != walked.blocks.front())
    return std::nullopt;
  auto is_shared = [&](size_t block) { return !single_pred_p(cfg_.block(walked.blocks[block])); };
  size_t last = walked.edges.size(), after_switch = static_cast<size_t>(at) + 1, own = last;
  while (own > after_switch && last - own < kMostShared && is_shared(own)) // All blocks after `own` are shared.
    own--;
  if (is_shared(own))
    return std::nullopt;
  return LoopPath{index, own, own == last ? back : walked.edges[own]};
}

// Counts the paths and switch cases that were executed after each loop path.
void Dispatch::count_successors() {
  std::vector<Successors *> of_path(cfg_.paths().size(), nullptr);
  for (size_t index = 0; index < cfg_.paths().size(); index++)
    if (std::optional<LoopPath> found = loop_path(index)) {
      of_path[index] = &successors_[found->exit];
      of_path[index]->loop_paths.push_back(*found);
    }
  for (size_t index = 0; index < cfg_.paths().size(); index++) {
    int at = switch_on(path(index).path);
    forecast_.dispatches += at < 0 ? 0 : path(index).count;
    for (auto [before, count] : path(index).after) {
      Successors *successors = of_path[before];
      if (!successors)
        continue;
      successors->total += count;
      if (at < 0)
        continue;
      successors->cases[path(index).path.edges[static_cast<size_t>(at)]] += count;
      successors->paths[index] += count;
    }
  }
}

bool Dispatch::destination_may_be_copied(edge e) const {
  return cfg_.start_may_be_copied(e->dest) && !(e->flags & EDGE_COMPLEX) && !(e->dest->flags & BB_IRREDUCIBLE_LOOP) &&
         !cfg_.is_copy(e->dest) && can_be_copied(e->dest);
}

template <typename Counts>
static auto likeliest(const Counts &counts) {
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto &a, const auto &b) { return a.second < b.second; })
      ->first;
}

// Fills in `plan`. Returns false if a block of the path cannot be copied.
bool Dispatch::make_plan(const Successors &successors, Plan &plan) const {
  const LoopPath &loop_path = successors.loop_paths.front(); // the hottest, because paths are sorted by count
  const Path &walked = path(loop_path.path).path;
  const Path &next = path(likeliest(successors.paths)).path;
  plan.edges.assign(walked.edges.begin() + static_cast<ptrdiff_t>(loop_path.own_edges), walked.edges.end());
  plan.edges.push_back(cfg_.cut_edge_of(walked));
  plan.edges.insert(plan.edges.end(), next.edges.begin(), next.edges.begin() + switch_on(next));
  plan.foreseen = successors.cases.at(likeliest(successors.cases));
  basic_block from = cfg_.block(cfg_.graph().edge(plan.edges.front()).src);
  for (int flow_edge : plan.edges) {
    edge e = cfg_.out_edge(from, flow_edge);
    if (!destination_may_be_copied(e))
      return false;
    from = e->dest;
    plan.cost += std::max(size_of(from), 1);
  }
  return true;
}

// Returns the plans whose copies fit in the budget. Plans for frequent dispatches are considered first.
std::vector<Dispatch::Plan> Dispatch::choose() {
  std::vector<const Successors *> hottest_first;
  for (const auto &[exit, successors] : successors_)
    if (successors.total >= hot_ && !successors.cases.empty())
      hottest_first.push_back(&successors);
  std::stable_sort(hottest_first.begin(), hottest_first.end(),
                   [](const Successors *a, const Successors *b) { return a->total > b->total; });
  std::vector<Plan> plans;
  int spent = 0;
  for (const Successors *successors : hottest_first) {
    Plan plan;
    if (!make_plan(*successors, plan) || spent + plan.cost > kBudget ||
        static_cast<double>(plan.foreseen) < kLeastShare * static_cast<double>(successors->total))
      continue;
    spent += plan.cost;
    plans.push_back(std::move(plan));
  }
  return plans;
}

// Copies the blocks of a plan. If only one predecessor of a block remains, the block itself is used instead of a copy.
void Dispatch::carry_out(const Plan &plan) {
  basic_block at = cfg_.block(cfg_.graph().edge(plan.edges.front()).src);
  for (int flow_edge : plan.edges) {
    edge e = cfg_.out_edge(at, flow_edge);
    at = single_pred_p(e->dest) ? e->dest : cfg_.copy(e);
  }
  forecast_.switches.push_back(at);
}

DispatchForecast Dispatch::run(DispatchStep step) {
  count_successors();
  std::vector<Plan> plans = choose();
  for (const Plan &plan : plans) {
    forecast_.foreseen += plan.foreseen;
    forecast_.size += plan.cost;
  }
  forecast_.is_worth_it = !plans.empty() && forecast_.share() >= least_foreseen(step);
  if (forecast_.is_worth_it)
    for (const Plan &plan : plans)
      carry_out(plan);
  return forecast_;
}

} // namespace

DispatchForecast copy_dispatch(CopiedCfg &cfg, uint64_t hot, DispatchStep step) {
  return Dispatch(cfg, hot).run(step);
}

// If the switch takes the edge for exactly one case value, returns this value. Otherwise returns null.
static tree only_value_of(gswitch *choice, edge e) {
  tree value = NULL_TREE;
  for (unsigned i = 0; i < gimple_switch_num_labels(choice); i++) {
    tree label = gimple_switch_label(choice, i);
    if (label_to_block(cfun, CASE_LABEL(label)) != e->dest)
      continue;
    if (!CASE_LOW(label) || CASE_HIGH(label) || value)
      return NULL_TREE;
    value = CASE_LOW(label);
  }
  return value;
}

static edge likeliest_edge(basic_block bb) {
  edge likeliest = EDGE_SUCC(bb, 0), e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->probability > likeliest->probability)
      likeliest = e;
  return likeliest;
}

// Adjusts the probabilities of a switch after its likeliest case has been peeled. `others` is the combined probability
// of the other cases.
static void leave_out(basic_block bb, edge tested, profile_probability others) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e != tested && !(others == profile_probability::never()))
      e->probability = e->probability / others;
  tested->probability = profile_probability::never();
}

static void peel_likely_case(basic_block bb) {
  gswitch *choice = safe_dyn_cast<gswitch *>(compat_last_stmt(bb));
  edge likely = choice ? likeliest_edge(bb) : nullptr;
  tree value = likely ? only_value_of(choice, likely) : NULL_TREE;
  if (!value || !bb->count.nonzero_p())
    return;
  tree index = gimple_switch_index(choice);
  profile_probability probability = likely->probability;
  gimple_stmt_iterator gsi = gsi_for_stmt(choice);
  gsi_prev(&gsi);
  edge otherwise = gsi_end_p(gsi) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(gsi));
  basic_block test = otherwise->src, rest = otherwise->dest;
  gcond *is_likely = gimple_build_cond(EQ_EXPR, index, fold_convert(TREE_TYPE(index), value), NULL_TREE, NULL_TREE);
  gimple_set_location(is_likely, gimple_location(choice));
  gsi = gsi_last_bb(test);
  gsi_insert_after(&gsi, is_likely, GSI_NEW_STMT);
  otherwise->flags = (otherwise->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  edge to_likely = make_edge(test, likely->dest, EDGE_TRUE_VALUE);
  for (gphi_iterator phi = gsi_start_phis(likely->dest); !gsi_end_p(phi); gsi_next(&phi))
    add_phi_arg(phi.phi(), PHI_ARG_DEF_FROM_EDGE(phi.phi(), likely), to_likely,
                gimple_phi_arg_location_from_edge(phi.phi(), likely));
  to_likely->probability = probability;
  otherwise->probability = probability.invert();
  rest->count = otherwise->count();
  leave_out(rest, likely, otherwise->probability);
}

void peel_likely_cases(const std::vector<basic_block> &switches) {
  for (basic_block bb : switches)
    peel_likely_case(bb);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
}

} // namespace pathprof
