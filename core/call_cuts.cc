// temporary
#include "core/call_cuts.h"
#include "core/interprocedural.h"
namespace pathprof {
std::optional<std::vector<CutCall>> cut_calls_to_limit(Supergraph &program, const std::vector<std::vector<double>> &,
                                                       const mpz_class &limit, CallKind instead) {
  std::vector<CutCall> cut;
  for (;;) {
    SupergraphNumbering n(program);
    if (n.num_paths() <= limit) return cut;
    int bp = -1, bc = -1; mpz_class best;
    for (size_t p = 0; p < program.procedures.size(); p++)
      for (size_t c = 0; c < program.procedures[p].calls.size(); c++)
        if (program.procedures[p].calls[c].kind == CallKind::Whole) {
          mpz_class v = n.of(program.procedures[p].calls[c].callee).psi[0](1);
          if (v > best) { best = v; bp = p; bc = c; }
        }
    if (bp < 0) return std::nullopt;
    CallSite &s = program.procedures[bp].calls[bc];
    s.kind = instead; program.procedures[s.callee].begins_paths = true; cut.push_back({bp, bc});
  }
}
}
