// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the values to profile with GCC's own function, so that they match the transformations of each GCC version.
#include "plugin/gcc/value_sites.h"

#include <optional>
#include <utility>

#include "profile/format/values.h"

#include "plugin/gcc/gcc.h"

#include "value-prof.h"

namespace pathprof {

// Returns the kind of the values that must be recorded for a histogram, or nothing if no values need to be recorded.
// Some histograms, such as the average size, can be derived from another histogram of the same statement. The time of a
// function's first execution is not recorded.
static std::optional<ValueKind> kind_of(hist_type type) {
  switch (type) {
  case HIST_TYPE_INDIR_CALL:
    return ValueKind::Callee;
  case HIST_TYPE_TOPN_VALUES:
    return ValueKind::Operand;
  case HIST_TYPE_INTERVAL:
    return ValueKind::Quotient;
  case HIST_TYPE_IOR:
    return ValueKind::Alignment;
  default:
    return std::nullopt;
  }
}

static bool follows_from_operand(hist_type type) {
  return type == HIST_TYPE_POW2 || type == HIST_TYPE_AVERAGE;
}

// Returns the operand whose value is recorded: the divisor of a division, the callee of an indirect call, or an
// argument of a memory function. For an alignment, this is the first argument (the destination). Otherwise, it is the
// last argument (the size).
tree ValueSite::operand() const {
  gcall *call = dyn_cast<gcall *>(statement);
  if (!call)
    return gimple_assign_rhs2(statement);
  if (kind == ValueKind::Callee) {
    tree callee = gimple_call_fn(call);
    return TREE_CODE(callee) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR(callee) : callee;
  }
  return gimple_call_arg(call, kind == ValueKind::Alignment ? 0 : gimple_call_num_args(call) - 1);
}

ValueHistograms::ValueHistograms() {
  histogram_values found = {};
  gimple_find_values_to_profile(&found);
  size_t operand = 0; // Site of the last histogram of kind Operand
  for (histogram_value histogram : found) {
    gimple *statement = histogram->hvalue.stmt;
    std::optional<ValueKind> kind = kind_of(histogram->type);
    if (kind && sites_.size() < PATHPROF_MAX_SITES) {
      if (*kind == ValueKind::Operand)
        operand = sites_.size();
      histograms_.push_back({histogram, sites_.size()});
      sites_.push_back({*kind, statement, sites_.size()});
    } else if (follows_from_operand(histogram->type) && operand < sites_.size() &&
               sites_[operand].kind == ValueKind::Operand && sites_[operand].statement == statement) {
      histograms_.push_back({histogram, operand});
    } else {
      free(histogram);
    }
  }
  found.release();
}

ValueHistograms::~ValueHistograms() {
  for (const Histogram &left : histograms_)
    free(left.histogram);
}

// Marks statements by attaching histograms, which GCC copies together with the statements. Each of these histograms has
// a single counter, which holds the index of the statement's site.
std::vector<ValueSite> mark_values() {
  ValueHistograms found;
  for (ValueHistograms::Histogram &at : found.histograms()) {
    if (!kind_of(at.histogram->type))
      continue;
    at.histogram->n_counters = 1;
    at.histogram->hvalue.counters = XNEWVEC(gcov_type, 1);
    at.histogram->hvalue.counters[0] = static_cast<gcov_type>(at.site);
    gimple_add_histogram_value(cfun, found.sites()[at.site].statement, std::exchange(at.histogram, nullptr));
  }
  return found.sites();
}

std::vector<ValueSite> take_marked_values() {
  std::vector<ValueSite> marked;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gimple *statement = gsi_stmt(gsi);
      for (histogram_value at = gimple_histogram_value(cfun, statement); at; at = at->hvalue.next)
        marked.push_back({*kind_of(at->type), statement, static_cast<size_t>(at->hvalue.counters[0])});
      gimple_remove_stmt_histograms(cfun, statement);
    }
  }
  return marked;
}

} // namespace pathprof
