// SPDX-License-Identifier: GPL-3.0-or-later
// Attaches profiled values to GCC's value histograms.
#include "plugin/rebuild/values.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/numbering/saturate.h"
#include "plugin/cfg/candidates.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/names.h"

#include "profile.h"
#include "value-prof.h"

namespace pathprof {

// Computes the ID of an externally visible function in the same way as GCC's coverage_compute_profile_id.
static int64_t id_of_visible(const std::string &name) {
  constexpr unsigned mask = 0x7fffffff;
  unsigned id = crc32_string(0, name.c_str()) & mask;
  return id ? id : 1;
}

CalleeIds::CalleeIds(const InputProfile &profile, FileTable &files) {
  for (const Function &function : profile.functions())
    if (function.notes.flags & kExternallyVisible)
      for (int64_t number : callee_numbers(function))
        ids_[number] = id_of_visible(function.notes.name);
  init_node_map(true);
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    if (!has_own_body(node))
      continue;
    FunctionNotes notes;
    notes.name = name_of(node->decl);
    notes.flags = TREE_PUBLIC(node->decl) ? kExternallyVisible : 0u;
    std::string path = files.path(files.index_of(LOCATION_FILE(DECL_SOURCE_LOCATION(node->decl))));
    for (const Function *function : profile.functions_of(notes, path))
      for (int64_t number : callee_numbers(*function))
        ids_[number] = static_cast<int64_t>(node->profile_id);
    ids_[callee_number(notes, path)] = static_cast<int64_t>(node->profile_id);
  }
}

CalleeIds::~CalleeIds() {
  del_node_map();
}

int64_t CalleeIds::id_of(int64_t callee) const {
  auto at = ids_.find(callee);
  return at == ids_.end() ? 0 : at->second;
}

namespace {

using Pairs = std::vector<std::pair<int64_t, uint64_t>>; // value and count

gcov_type to_gcc(uint64_t count) {
  return static_cast<gcov_type>(std::min<uint64_t>(count, INT64_MAX / 2));
}

void fill(histogram_value histogram, const std::vector<gcov_type> &counters) {
  histogram->n_counters = static_cast<unsigned>(counters.size());
  histogram->hvalue.counters = XNEWVEC(gcov_type, counters.size());
  std::copy(counters.begin(), counters.end(), histogram->hvalue.counters);
}

// Value of GCOV_TOPN_MAXIMUM_TRACKED_VALUES. The plugin headers of GCC 11 do not define this macro.
constexpr size_t kMostTrackedValues = 32;

// Returns the counters of a GCC histogram: the total count, the number of listed values, and the most common values
// with their counts, sorted by decreasing count.
std::vector<gcov_type> most_common(Pairs pairs, uint64_t all) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  pairs.resize(std::min(pairs.size(), kMostTrackedValues));
  std::vector<gcov_type> counters = {to_gcc(all), static_cast<gcov_type>(pairs.size())};
  for (auto [value, count] : pairs)
    counters.insert(counters.end(), {value, to_gcc(count)});
  return counters;
}

// The values that were counted at one value site.
class Values {
public:
  void add(const CountedValue &value) {
    saturating_add(all_, value.count);
    if (value.is_exact)
      exact_.push_back({value.value, value.count});
    sum_ += static_cast<double>(value.value) * static_cast<double>(value.count) * (value.is_exact ? 1 : middle);
  }

  bool any() const { return all_ > 0; }

  // Returns the counters for a GCC histogram of this type.
  std::vector<gcov_type> counters(hist_type type, const CalleeIds &callees) const {
    switch (type) {
    case HIST_TYPE_INDIR_CALL:
      return most_common(callees_of(callees), all_);
    case HIST_TYPE_TOPN_VALUES:
      return most_common(exact_, all_);
    case HIST_TYPE_POW2: {
      uint64_t powers = count_if([](int64_t value) { return value > 0 && (value & (value - 1)) == 0; });
      return {to_gcc(all_ - powers), to_gcc(powers)};
    }
    case HIST_TYPE_INTERVAL: {
      uint64_t zeros = count_if([](int64_t value) { return value == 0; });
      uint64_t ones = count_if([](int64_t value) { return value == 1; });
      return {to_gcc(zeros), to_gcc(ones), to_gcc(all_ - zeros - ones), 0};
    }
    case HIST_TYPE_AVERAGE:
      return {static_cast<gcov_type>(std::clamp(sum_, 0.0, static_cast<double>(INT64_MAX / 4))), to_gcc(all_)};
    case HIST_TYPE_IOR: {
      gcov_type bits = 0;
      for (auto [value, count] : exact_)
        bits |= value;
      return {bits};
    }
    default:
      gcc_unreachable();
    }
  }

private:
  static constexpr double middle = 1.5; // mean of the values between two powers of two, relative to the lower

  template <typename Predicate>
  uint64_t count_if(Predicate predicate) const {
    uint64_t sum = 0;
    for (auto [value, count] : exact_)
      if (predicate(value))
        saturating_add(sum, count);
    return sum;
  }

  Pairs callees_of(const CalleeIds &callees) const {
    Pairs pairs;
    for (auto [value, count] : exact_)
      if (int64_t id = callees.id_of(value))
        pairs.push_back({id, count});
    return pairs;
  }

  Pairs exact_;
  uint64_t all_ = 0;
  double sum_ = 0;
};

bool are_of_sites(const FunctionNotes &notes, const std::vector<ValueSite> &sites) {
  return std::equal(notes.values.begin(), notes.values.end(), sites.begin(), sites.end(),
                    [](const ValueNotes &a, const ValueSite &b) { return a.kind == b.kind; });
}

uint64_t count_of(gimple *statement) {
  profile_count count = gimple_bb(statement)->count.ipa();
  return count.initialized_p() ? static_cast<uint64_t>(count.to_gcov_type()) : 0;
}

// Returns value * to / from, saturated.
gcov_type scaled(gcov_type value, uint64_t to, uint64_t from) {
  unsigned __int128 product = static_cast<unsigned __int128>(value) * to;
  return from ? to_gcc(static_cast<uint64_t>(std::min<unsigned __int128>(product / from, UINT64_MAX))) : 0;
}

// Scales the counts in a histogram to the number of executions of its statement. Histograms of averages and of
// alignments are not changed.
void scale(histogram_value histogram, uint64_t executions) {
  gcov_type *counters = histogram->hvalue.counters;
  switch (histogram->type) {
  case HIST_TYPE_INDIR_CALL:
  case HIST_TYPE_TOPN_VALUES: {
    constexpr unsigned first = 3, step = 2; // indices of the counts of pairs
    uint64_t all = static_cast<uint64_t>(counters[0]);
    // If the called function does not report its identity, the call is executed but its target is not counted.
    bool is_partial = histogram->type == HIST_TYPE_INDIR_CALL && all < executions;
    counters[0] = to_gcc(executions);
    for (unsigned i = first; i < histogram->n_counters && !is_partial; i += step)
      counters[i] = scaled(counters[i], executions, all);
    break;
  }
  case HIST_TYPE_POW2:
  case HIST_TYPE_INTERVAL: {
    uint64_t all = 0, rest = executions;
    for (unsigned i = 0; i < histogram->n_counters; i++)
      all += static_cast<uint64_t>(counters[i]);
    for (unsigned i = 0; i < histogram->n_counters; i++)
      rest -= static_cast<uint64_t>(counters[i] = scaled(counters[i], executions, all));
    counters[histogram->type == HIST_TYPE_POW2 ? 0 : 2] += static_cast<gcov_type>(rest);
    break;
  }
  default:
    break;
  }
}

} // namespace

bool attach_values(ValueHistograms &found, const InputFunction &input, const CalleeIds &callees) {
  std::vector<Values> values(found.sites().size());
  for (const InputFunction::Variant &variant : input.variants)
    if (are_of_sites(variant.function->notes, found.sites()))
      for (const CountedValue &value : variant.function->values)
        values[value.site].add(value);
  bool any = false;
  for (ValueHistograms::Histogram &at : found.histograms()) {
    gimple *statement = found.sites()[at.site].statement;
    if (!values[at.site].any() || count_of(statement) == 0)
      continue;
    fill(at.histogram, values[at.site].counters(at.histogram->type, callees));
    gimple_add_histogram_value(cfun, statement, std::exchange(at.histogram, nullptr));
    any = true;
  }
  return any;
}

void transform_by_values() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      for (histogram_value at = gimple_histogram_value(cfun, gsi_stmt(gsi)); at; at = at->hvalue.next)
        scale(at, count_of(gsi_stmt(gsi)));
  // Block counts are rounded if paths were truncated. With flag_profile_correction, GCC does not report the resulting
  // inconsistency as an error.
  int corrects = std::exchange(flag_profile_correction, 1);
  if (flag_value_profile_transformations)
    gimple_value_profile_transformations();
  flag_profile_correction = corrects;
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
}

} // namespace pathprof
