// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the operations of a procedure for interprocedural paths, and interprets such plans.
#include "core/interprocedural/procedure_plan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/plan/placement.h"

namespace pathprof {

// Construction of a procedure plan.

namespace {

// Marks traversed calls as truncation points.  The partial path ID must be known before such a call, and the register
// is set after the call.  The operations around the call can therefore be placed like those at a truncation point.
FlowGraph cut_at_calls(const Procedure &procedure, const SplitGraph &split) {
  FlowGraph graph = split.graph;
  for (size_t call = 0; call < procedure.calls.size(); call++)
    if (procedure.calls[call].kind == CallKind::Traversed)
      graph.edge(split.edge_of[call]).flags |= kCut;
  return graph;
}

// Edge values for the path graph in which paths are split at traversed calls.
struct Vals {
  std::vector<WideNumber> constants, factors;

  Vals(const ProcedureNumbering &numbering, const PathGraph &pieces)
      : constants(pieces.num_edges(), 0), factors(pieces.num_edges(), 0) {
    std::map<int, const Linear *> of_real, of_start, of_end;
    const PathGraph &paths = numbering.paths;
    for (int e = 0; e < paths.num_edges(); e++) {
      const PathEdge &edge = paths.edge(e);
      if (edge.kind == PathEdgeKind::Real)
        of_real[edge.via.front()] = &numbering.rho[e];
      else if (edge.kind == PathEdgeKind::Start)
        of_start[edge.dst] = &numbering.rho[e];
      else
        of_end[edge.src] = &numbering.rho[e];
    }
    for (int e = 0; e < pieces.num_edges(); e++) {
      const PathEdge &edge = pieces.edge(e);
      const auto &table = edge.kind == PathEdgeKind::Real    ? of_real
                          : edge.kind == PathEdgeKind::Start ? of_start
                                                             : of_end;
      auto found = table.find(edge.kind == PathEdgeKind::Real    ? edge.via.front()
                              : edge.kind == PathEdgeKind::Start ? edge.dst
                                                                 : edge.src);
      if (found == table.end())
        continue; // call edges have no val
      constants[e] = wide(found->second->b);
      factors[e] = wide(found->second->a);
    }
  }
};

// Converts placed operations to procedure operations.  The values of the placed operations are indices into `amounts`.
std::vector<ProcedureOps> with_amounts(const std::vector<Ops> &placed, const std::vector<Amount> &amounts) {
  auto procedure_op = [&](const Op &op) -> ProcedureOp {
    if (auto *set = std::get_if<op::Set>(&op))
      return {ProcedureOp::Set, amounts[static_cast<size_t>(set->value)]};
    if (auto *add = std::get_if<op::Add>(&op))
      return {ProcedureOp::Add, amounts[static_cast<size_t>(add->delta)]};
    return {ProcedureOp::CountAt, amounts[static_cast<size_t>(std::get<op::CountAt>(op).offset)]};
  };
  std::vector<ProcedureOps> result(placed.size());
  for (size_t place = 0; place < placed.size(); place++)
    std::transform(placed[place].begin(), placed[place].end(), std::back_inserter(result[place]), procedure_op);
  return result;
}

// Replaces the operations that count and start paths at calls and at EXIT with operations that pass IDs between
// procedures.
class Rewriter {
public:
  Rewriter(const Procedure &procedure, const SplitGraph &split, ProcedurePlan &plan)
      : procedure_(procedure), split_(split), graph_(plan.graph), plan_(plan) {}

  void run() {
    for (int e = 0; e < graph_.num_edges(); e++)
      rewrite_edge(e);
    for (int block = 0; block < graph_.num_blocks(); block++) {
      if (split_.ends_in_whole_call(procedure_, block))
        replace(plan_.before_end[block], ProcedureOp::CountAt, ProcedureOp::Pass);
      begin_with(plan_.at_start[block], ProcedureOp::Restart);
    }
    for (size_t call = 0; call < procedure_.calls.size(); call++)
      if (procedure_.calls[call].kind == CallKind::Ended)
        count_before(split_.edge_of[call]);
  }

private:
  void rewrite_edge(int e) {
    ProcedureOps &ops = plan_.on_edge[e];
    const Edge &edge = graph_.edge(e);
    if (split_.ends_in_whole_call(procedure_, edge.src)) {
      ProcedureOps end = take(ops, ProcedureOp::CountAt);
      if (split_.is_call(e)) {
        replace(end, ProcedureOp::CountAt, ProcedureOp::Pass);
        ProcedureOps &before = plan_.before_end[edge.src];
        before.insert(before.end(), end.begin(), end.end());
      }
      begin_with(ops, split_.is_call(e) ? ProcedureOp::Resume : ProcedureOp::Restart);
    } else if (edge.is_cut()) {
      begin_with(ops, ProcedureOp::Restart);
    } else if (edge.dst == kExitBlock) {
      replace(ops, ProcedureOp::CountAt, ProcedureOp::Return);
    }
  }

  // For a call at which a path ends, moves the counting operation from the call edge to the position before the call.
  // Otherwise, the path would not be counted if the callee does not return.  Also removes the counting operations from
  // the exception edges, because these edges also leave the call.
  void count_before(int call_edge) {
    int block = graph_.edge(call_edge).src;
    ProcedureOps end;
    for (int e : graph_.succs(block)) {
      ProcedureOps counts = take(plan_.on_edge[e], ProcedureOp::CountAt);
      if (e == call_edge)
        end = counts;
    }
    ProcedureOps &before = plan_.before_end[block];
    before.insert(before.end(), end.begin(), end.end());
  }

  static ProcedureOps take(ProcedureOps &from, ProcedureOp::Kind kind) {
    ProcedureOps taken;
    for (const ProcedureOp &op : from)
      if (op.kind == kind)
        taken.push_back(op);
    from.erase(std::remove_if(from.begin(), from.end(), [&](const ProcedureOp &op) { return op.kind == kind; }),
               from.end());
    return taken;
  }

  static void replace(ProcedureOps &ops, ProcedureOp::Kind kind, ProcedureOp::Kind by) {
    for (ProcedureOp &op : ops)
      if (op.kind == kind)
        op.kind = by;
  }

  // Inserts an operation that sets the base.  It is placed between the count that ends the previous path and the
  // operation that sets r for the new path.
  static void begin_with(ProcedureOps &ops, ProcedureOp::Kind kind) {
    auto counts =
        std::find_if(ops.rbegin(), ops.rend(), [](const ProcedureOp &op) { return op.kind == ProcedureOp::CountAt; });
    auto set =
        std::find_if(counts.base(), ops.end(), [](const ProcedureOp &op) { return op.kind == ProcedureOp::Set; });
    if (set != ops.end())
      ops.insert(set, {kind, {}});
  }

  const Procedure &procedure_;
  const SplitGraph &split_;
  const FlowGraph &graph_;
  ProcedurePlan &plan_;
};

} // namespace

ProcedurePlan plan_procedure(const Procedure &procedure, const ProcedureNumbering &numbering) {
  FlowGraph graph = cut_at_calls(procedure, numbering.split);
  PathGraph pieces(graph);
  Vals vals(numbering, pieces);
  std::vector<char> tree = maximum_spanning_tree(pieces);
  std::vector<WideNumber> constants = chord_increments(pieces, tree, vals.constants).of_edge;
  std::vector<WideNumber> factors = chord_increments(pieces, tree, vals.factors).of_edge;
  std::vector<Amount> amounts(1);                     // the first amount is zero
  std::vector<int64_t> index_of(constants.size(), 0); // index in `amounts` for each edge
  for (size_t e = 0; e < constants.size(); e++)
    if (constants[e] != 0 || factors[e] != 0) {
      index_of[e] = static_cast<int64_t>(amounts.size());
      amounts.push_back({constants[e], factors[e]});
    }
  PlacementOptions options;
  options.at_ends = true; // prevents the addition of increments, which are indices here
  Plan plan = place(pieces, tree, index_of, options);
  ProcedurePlan result{std::move(graph), with_amounts(plan.on_edge, amounts), with_amounts(plan.at_start, amounts),
                       with_amounts(plan.before_end, amounts)};
  Rewriter(procedure, numbering.split, result).run();
  return result;
}

// Implementation of the plan interpreter.

void SupergraphInterpreter::begin(int procedure, int call, WideNumber on_entry, WideNumber from_exit) {
  activations_.push_back({procedure, call, on_entry, from_exit, on_entry, {}, 0, false});
}

void SupergraphInterpreter::enter(int procedure) {
  begin(procedure, -1, wide(numbering_.of(procedure).entry_value), 1);
}

void SupergraphInterpreter::call(int call) {
  const ProcedureNumbering &numbering = numbering_.of(here().procedure);
  perform(plan().before_end[plan().graph.edge(numbering.split.edge_of[call]).src]);
  if (numbering_.supergraph().procedures[here().procedure].calls[call].kind != CallKind::Traversed)
    return;
  const Linear &completions = numbering.psi_return[call];
  begin(numbering_.supergraph().procedures[here().procedure].calls[call].callee, call, here().number,
        wide(completions.a) * here().from_exit + wide(completions.b));
}

void SupergraphInterpreter::traverse(int edge, bool in_call) {
  const Edge &traversed = plan().graph.edge(edge);
  if (!in_call)
    perform(plan().before_end[traversed.src]);
  perform(plan().on_edge[edge]);
  perform(plan().at_start[traversed.dst]);
}

void SupergraphInterpreter::end(int block) {
  perform(plan().before_end[block]);
}

void SupergraphInterpreter::leave() {
  Activation callee = here();
  activations_.pop_back();
  if (callee.call_in_caller < 0) {
    counts_[callee.number]++;
    return;
  }
  returned_call_ = callee.call_in_caller;
  callee_restarted_ = callee.restarted;
  here().number = callee.number;
  go_on_behind(returned_call_);
}

void SupergraphInterpreter::go_on_behind(int call) {
  perform(plan().on_edge[numbering_.of(here().procedure).split.edge_of[call]]);
}

void SupergraphInterpreter::perform(const ProcedureOps &ops) {
  for (const ProcedureOp &op : ops)
    perform(op);
}

// Returns base + r + `more`.
WideNumber SupergraphInterpreter::sum(const Amount &more) {
  Activation &at = here();
  return at.base + at.r.constant + more.constant + (at.r.factor + more.factor) * at.from_exit;
}

void SupergraphInterpreter::perform(const ProcedureOp &op) {
  switch (op.kind) {
  case ProcedureOp::Set:
    here().r = op.amount;
    break;
  case ProcedureOp::Add:
    here().r.constant += op.amount.constant;
    here().r.factor += op.amount.factor;
    break;
  case ProcedureOp::CountAt:
    counts_[sum(op.amount)]++;
    break;
  case ProcedureOp::Pass:
  case ProcedureOp::Return:
    here().number = sum(op.amount);
    break;
  case ProcedureOp::Resume:
    resume();
    break;
  case ProcedureOp::Restart:
    restart();
    break;
  }
}

// If the path started inside the callee, the increment of the return edge depends on the call (section 6.1.2).
void SupergraphInterpreter::resume() {
  const ProcedureNumbering &numbering = numbering_.of(here().procedure);
  here().base = here().number;
  if (!callee_restarted_)
    return;
  here().base += wide(numbering.return_value[returned_call_]);
  here().from_exit = wide(numbering.num_from_exit);
  here().restarted = true;
}

void SupergraphInterpreter::restart() {
  const ProcedureNumbering &numbering = numbering_.of(here().procedure);
  here().base = here().on_entry;
  if (!numbering_.is_piecewise())
    return;
  here().base = wide(numbering.gentry_value);
  here().from_exit = wide(numbering.num_from_exit);
  here().restarted = true;
}

} // namespace pathprof
