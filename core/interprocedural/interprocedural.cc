// SPDX-License-Identifier: GPL-3.0-or-later
// Computes psi and rho, and decodes interprocedural path IDs.
#include "core/interprocedural/interprocedural.h"

#include <algorithm>
#include <utility>

#include "core/models/model.h"

namespace pathprof {

SupergraphNumbering::SupergraphNumbering(const Supergraph &supergraph, size_t max_bits)
    : supergraph_(&supergraph), max_bits_(max_bits), callers_(supergraph.procedures.size()) {
  for (const Procedure &procedure : supergraph.procedures)
    procedures_.push_back(std::make_unique<ProcedureNumbering>(procedure));
  std::vector<int> order = callees_first(supergraph);
  for (int procedure : order)
    if (fits_)
      number_edges(procedure);
  if (!fits_)
    return;
  std::reverse(order.begin(), order.end());
  for (int procedure : order)
    if (supergraph.procedures[procedure].begins_paths)
      entries_.push_back(procedure);
  number_entries();
  if (is_piecewise())
    number_returns(order);
}

bool SupergraphNumbering::is_piecewise() const {
  return model_of(supergraph_->mode).has(Feature::Pieces);
}

bool SupergraphNumbering::is_acyclic() const {
  return std::all_of(procedures_.begin(), procedures_.end(),
                     [](const auto &procedure) { return procedure->paths.is_acyclic(); });
}

static bool has_at_most(const Linear &function, size_t bits) {
  return mpz_sizeinbase(function.a.get_mpz_t(), 2) <= bits && mpz_sizeinbase(function.b.get_mpz_t(), 2) <= bits;
}

// Computes psi and rho by equations (19) to (22) and (24), processing successors in the order of the path graph.
// core/interprocedural/call_count.h explains why CallCounter implements the same equations.
void SupergraphNumbering::number_edges(int procedure) {
  ProcedureNumbering &numbering = *procedures_[procedure];
  const Procedure &source = supergraph_->procedures[procedure];
  const PathGraph &paths = numbering.paths;
  numbering.psi.resize(paths.num_nodes());
  numbering.rho.resize(paths.num_edges());
  numbering.psi_return.resize(source.calls.size());
  numbering.return_value.resize(source.calls.size());
  numbering.psi[kExitBlock] = {1, 0};
  const Linear to_gexit{0, 1};
  for (int node : paths.reverse_topological()) {
    if (node == kExitBlock)
      continue;
    Linear sum, from_gentry;
    for (int e : paths.succs(node)) {
      const PathEdge &edge = paths.edge(e);
      Linear &total = edge.kind == PathEdgeKind::Start && is_piecewise() ? from_gentry : sum;
      numbering.rho[e] = total;
      int call = edge.kind == PathEdgeKind::Real ? numbering.split.call_on[edge.via.front()] : -1;
      if (call >= 0) {
        numbering.psi_return[call] = numbering.psi[edge.dst];
        total += procedures_[source.calls[call].callee]->psi[kEntryBlock].after(numbering.psi[edge.dst]);
      } else {
        total += edge.kind == PathEdgeKind::End ? to_gexit : numbering.psi[edge.dst];
      }
    }
    numbering.psi[node] = sum;
    fits_ = has_at_most(sum, max_bits_) && has_at_most(from_gentry, max_bits_);
    if (!fits_)
      return;
    if (node == kEntryBlock)
      numbering.psi_gentry = from_gentry;
  }
}

// Assigns entry values (section 5.3).
void SupergraphNumbering::number_entries() {
  num_paths_ = 0;
  for (int procedure : entries_) {
    procedures_[procedure]->entry_value = num_paths_;
    num_paths_ += procedures_[procedure]->psi[kEntryBlock](1);
  }
}

// Assigns values to the return edges by equations (33) to (35).  The first edge out of EXIT leads to EXIT_global.
void SupergraphNumbering::number_returns(const std::vector<int> &callers_first) {
  for (int procedure : callers_first) {
    ProcedureNumbering &numbering = *procedures_[procedure];
    mpz_class sum = supergraph_->procedures[procedure].begins_paths ? 1 : 0;
    for (auto [caller, call] : callers_[procedure]) {
      ProcedureNumbering &of_caller = *procedures_[caller];
      of_caller.return_value[call] = sum;
      sum += of_caller.psi_return[call](of_caller.num_from_exit);
    }
    numbering.num_from_exit = sum;
    fits_ = has_at_most({0, sum}, max_bits_);
    if (!fits_) {
      num_paths_ = 0;
      return;
    }
    const std::vector<CallSite> &calls = supergraph_->procedures[procedure].calls;
    for (size_t call = 0; call < calls.size(); call++)
      if (calls[call].kind == CallKind::Traversed)
        callers_[calls[call].callee].push_back({procedure, static_cast<int>(call)});
    numbering.gentry_value = num_paths_;
    num_paths_ += numbering.psi_gentry(sum);
    gentries_.push_back(procedure);
  }
}

// Decoding of interprocedural path IDs.

// Walks along a path, subtracting the increment of each edge from the path ID.
class SupergraphWalk {
public:
  SupergraphWalk(const SupergraphNumbering &numbering, const mpz_class &id) : numbering_(numbering), rest_(id) {}

  std::optional<InterproceduralPath> run(size_t max_nodes) {
    begin();
    for (size_t nodes = 1; go_on(); nodes++)
      if (nodes > max_nodes)
        return std::nullopt;
    path_.start = start_;
    return std::move(path_);
  }

private:
  struct Frame {
    int procedure;
    int call; // call at which the frame waits
    mpz_class from_exit;
  };

  const ProcedureNumbering &here() const { return numbering_.of(procedure_); }

  PathStep &begin_step(PathStep::From from, int call) {
    path_.steps.push_back({from, procedure_, call, {}, {}});
    return path_.steps.back();
  }

  // Returns the last of `procedures` whose value does not exceed the remaining ID, and subtracts that value from the
  // ID.
  template <typename Value>
  int last_of(const std::vector<int> &procedures, Value value) {
    auto after = std::upper_bound(procedures.begin(), procedures.end(), rest_,
                                  [&](const mpz_class &rest, int p) { return rest < value(p); });
    int procedure = *(after - 1);
    rest_ -= value(procedure);
    return procedure;
  }

  void begin() {
    auto gentry_value = [&](int p) -> const mpz_class & { return numbering_.of(p).gentry_value; };
    if (numbering_.is_piecewise() && rest_ >= gentry_value(numbering_.gentries_.front())) {
      procedure_ = last_of(numbering_.gentries_, gentry_value);
      from_exit_ = here().num_from_exit;
      is_open_ = false;
      begin_step(PathStep::From::Begin, -1);
      start_inside();
      return;
    }
    procedure_ = last_of(numbering_.entries_, [&](int p) -> const mpz_class & { return numbering_.of(p).entry_value; });
    from_exit_ = 1;
    begin_step(PathStep::From::Begin, -1).blocks.push_back(kEntryBlock);
  }

  // Takes an edge of GENTRY.
  void start_inside() { take(choose(true)); }

  // Returns the next edge of the path.  With mode=piecewise, the last out-edges of ENTRY, on which paths start inside
  // the procedure, belong to GENTRY.  If `of_gentry` is true, selects one of these edges; otherwise, selects one of the
  // other edges.
  int choose(bool of_gentry) {
    const std::vector<int> &succs = here().paths.succs(node_);
    auto first = succs.begin(), last = succs.end();
    if (numbering_.is_piecewise() && node_ == kEntryBlock) {
      auto starts =
          std::partition_point(first, last, [&](int e) { return here().paths.edge(e).kind != PathEdgeKind::Start; });
      (of_gentry ? first : last) = starts;
    }
    auto after = std::upper_bound(first, last, rest_,
                                  [&](const mpz_class &rest, int e) { return rest < here().rho[e](from_exit_); });
    int e = *(after - 1);
    rest_ -= here().rho[e](from_exit_);
    return e;
  }

  // Advances to the next node.  Returns false at the end of the path.
  bool go_on() {
    if (node_ == kExitBlock)
      return leave();
    return take(choose(false));
  }

  bool take(int e) {
    const PathEdge &edge = here().paths.edge(e);
    if (edge.kind == PathEdgeKind::End) {
      path_.end = is_call(edge) ? PathEnd::Call : here().paths.end_of(edge);
      return false;
    }
    if (edge.kind == PathEdgeKind::Start) {
      if (node_ == kEntryBlock &&
          !(path_.steps.back().from == PathStep::From::Begin && path_.steps.back().blocks.empty()))
        begin_step(PathStep::From::Restart, -1);
      path_.prefix_len = path_.steps.size() - 1;
      start_ = start_of(edge);
      if (is_call(edge))
        path_.steps.back().call = here().split.call_on[edge.via.front()];
      arrive(edge.dst);
      return true;
    }
    int flow_edge = edge.via.front(), call = here().split.call_on[flow_edge];
    if (call >= 0) {
      enter(call, edge.dst);
      return true;
    }
    path_.steps.back().edges.push_back(flow_edge);
    arrive(edge.dst);
    return true;
  }

  // Returns true if the surrogate edge represents a path-ending call, at which one path ends and another starts.
  bool is_call(const PathEdge &edge) const {
    return std::any_of(edge.via.begin(), edge.via.end(), [&](int e) { return here().split.is_call(e); });
  }

  // Returns the reason why the path starts.  A path also starts at a handler if an exception leaves a call.
  PathStart start_of(const PathEdge &edge) const {
    PathStart start = here().paths.start_of(edge);
    bool handles =
        std::any_of(edge.via.begin(), edge.via.end(), [&](int e) { return here().split.graph.edge(e).flags & kEh; });
    return start == PathStart::Cut && handles ? PathStart::Handler : start;
  }

  // Advances to `node`.  If the node is part of a block that was split at its calls, records the original block.
  void arrive(int node) {
    node_ = node;
    if (node != kExitBlock)
      path_.steps.back().blocks.push_back(here().split.block_of[node]);
  }

  void enter(int call, int return_site) {
    frames_.push_back({procedure_, call, from_exit_});
    from_exit_ = here().psi[return_site](from_exit_);
    procedure_ = numbering_.supergraph().procedures[procedure_].calls[call].callee;
    node_ = kEntryBlock;
    begin_step(PathStep::From::Call, call).blocks.push_back(kEntryBlock);
  }

  bool leave() {
    if (!frames_.empty()) {
      Frame frame = frames_.back();
      frames_.pop_back();
      return_to(frame.procedure, frame.call, frame.from_exit);
      return true;
    }
    if (is_open_)
      return false;
    const std::vector<std::pair<int, int>> &callers = numbering_.callers_[procedure_];
    auto value = [&](const std::pair<int, int> &caller) -> const mpz_class & {
      return numbering_.of(caller.first).return_value[caller.second];
    };
    auto after = std::upper_bound(callers.begin(), callers.end(), rest_,
                                  [&](const mpz_class &rest, const std::pair<int, int> &c) { return rest < value(c); });
    if (after == callers.begin())
      return false; // the path continues to EXIT_global
    auto [caller, call] = *(after - 1);
    rest_ -= value({caller, call});
    return_to(caller, call, numbering_.of(caller).num_from_exit);
    return true;
  }

  void return_to(int procedure, int call, const mpz_class &from_exit) {
    procedure_ = procedure;
    from_exit_ = from_exit;
    const SplitGraph &split = here().split;
    node_ = split.graph.edge(split.edge_of[call]).dst;
    begin_step(PathStep::From::Return, call);
  }

  const SupergraphNumbering &numbering_;
  mpz_class rest_;
  InterproceduralPath path_;
  PathStart start_ = PathStart::Entry;
  std::vector<Frame> frames_;
  int procedure_ = 0;
  int node_ = kEntryBlock;
  mpz_class from_exit_; // number of valid completions from the procedure's EXIT
  bool is_open_ = true; // true if the path started at a procedure's entry
};

std::optional<InterproceduralPath> SupergraphNumbering::regenerate(const mpz_class &id, size_t max_nodes) const {
  if (id < 0 || id >= num_paths_)
    return std::nullopt;
  return SupergraphWalk(*this, id).run(max_nodes);
}

} // namespace pathprof
