// SPDX-License-Identifier: GPL-3.0-or-later
// What each call costs that paths go through: how many paths there are more than with the call cut.
//
// The number of paths is a polynomial in what blocks and calls contribute; one pass from the callers to the callees
// finds its derivatives, and so the costs of all calls at once.  They are exact where a procedure occurs at most once
// on a path, and the exceptions that a call may throw are left out; elsewhere they are a good guess.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_COST_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_COST_H

#include <vector>

#include "core/interprocedural/call_count.h"

namespace pathprof {

class CallCosts {
public:
  // What is cut is of the kind `instead`.
  CallCosts(const ProgramOutline &program, const CallCounter<ApproximateLinear> &counter, CallKind instead)
      : program_(program), counter_(counter), instead_(instead) {}

  // By site, of calls that were traversed at first; of others 0.  The counter must have counted and made the total.
  const std::vector<double> &update();

private:
  // Derivatives of the number of paths by the two parts of a function.
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

  const ProgramOutline &program_;
  const CallCounter<ApproximateLinear> &counter_;
  CallKind instead_;
  std::vector<double> costs_;
  std::vector<Derivative> entries_; // by procedure, of ENTRY
  std::vector<double> exits_;       // piecewise, by procedure: by numUnbalRLPaths of EXIT

  // While a procedure is derived.
  int procedure_ = 0;
  Derivative starts_; // where paths start that begin inside
  std::vector<Derivative> blocks_;
  std::vector<char> started_;
};

} // namespace pathprof

#endif
