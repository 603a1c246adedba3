// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the cost of each traversed call: the number of paths that exist only because the call is not truncated.
//
// The number of paths is a polynomial in the contributions of blocks and calls.  One pass from callers to callees
// computes its derivatives, and thus the costs of all calls at once.  The costs are exact if a procedure occurs at most
// once on a path and calls do not throw; otherwise, they are good estimates.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_COST_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_COST_H

#include <vector>

#include "core/interprocedural/call_count.h"

namespace pathprof {

class CallCosts {
public:
  // Truncated calls have the kind `instead`.
  CallCosts(const SupergraphOutline &supergraph, const CallCounter<ApproximateLinear> &counter, CallKind instead)
      : supergraph_(supergraph), counter_(counter), instead_(instead) {}

  // Returns the cost of each call site.  The cost of a call that was not traversed originally is 0.  The counter must
  // already have counted all procedures and computed the total.
  const std::vector<double> &update();

private:
  // Derivatives of the supergraph's number of paths with respect to the coefficients a and b of one of the functions
  // psi(x) = a * x + b (core/interprocedural/call_count.h).
  struct Derivative {
    double by_a = 0;
    double by_b = 0;

    void add(double a, double b);
    void add(const Derivative &other) { add(other.by_a, other.by_b); }
    double times(const ApproximateLinear &psi) const { return by_a * psi.a + by_b * psi.b; }
  };

  void derive_exits();
  void derive_procedure(int procedure);
  void derive_node(const Outline &outline, const Outline::Node &node);
  Derivative derive_call(int site, const Derivative &before);
  double cost(int site, const Derivative &before) const;
  void start_at(int block);

  const SupergraphOutline &supergraph_;
  const CallCounter<ApproximateLinear> &counter_;
  CallKind instead_;
  std::vector<double> costs_;
  std::vector<Derivative> entries_; // derivatives for ENTRY, by procedure
  std::vector<double> exits_;       // piecewise: derivatives for numUnbalRLPaths of EXIT, by procedure

  // State while a procedure is processed.
  int procedure_ = 0;
  Derivative starts_; // derivatives for the starts of paths inside the procedure
  std::vector<Derivative> blocks_;
  std::vector<char> started_;
};

} // namespace pathprof

#endif
