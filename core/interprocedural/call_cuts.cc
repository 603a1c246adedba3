// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for the best choice of traversed calls in double precision, and verifies the result exactly.
//
// The search starts from two choices: no traversed calls, and as many as possible.  It then restores calls as long as
// the limit permits, ordered by the executions that a call keeps per bit of the path ID.
#include "core/interprocedural/call_cuts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/interprocedural/call_cost.h"
#include "core/interprocedural/call_count.h"
#include "core/interprocedural/interprocedural.h"

namespace pathprof {

mpz_class count_paths(const Supergraph &supergraph) {
  SupergraphOutline outline(supergraph);
  CallCounter<Linear> counter(outline);
  counter.count_all();
  return counter.total();
}

namespace {

// For each call site, nonzero if paths go through the call.
using ChosenSites = std::vector<char>;

// Conservative upper bound on the relative rounding error of a total number of paths.
constexpr double kRounding = 0x1p-20;

double to_double(const mpz_class &limit) {
  constexpr double most = ApproximateLinear::kMany / 2;
  return mpz_sizeinbase(limit.get_mpz_t(), 2) > 399 ? most : limit.get_d();
}

// Consecutive elements of a list of call sites.
struct Group {
  const int *first, *last;

  static Group all_of(const std::vector<int> &sites) { return {sites.data(), sites.data() + sites.size()}; }
  const int *begin() const { return first; }
  const int *end() const { return last; }
  bool is_empty() const { return first == last; }
  ptrdiff_t size() const { return last - first; }
};

// The set of traversed calls that the search currently examines, and the supergraph's number of paths with this set.
// The calls that the search has truncated have the kind `instead`.
class CurrentChoice {
public:
  CurrentChoice(const SupergraphOutline &supergraph, CallKind instead)
      : supergraph_(supergraph), instead_(instead), counter_(supergraph), costs_(supergraph, counter_, instead),
        is_outdated_(supergraph.procedures.size(), 0) {
    for (const Outline &procedure : supergraph.procedures)
      size_ += procedure.size();
    max_work_ = std::max(kMaxSteps, kMaxCounts * size_);
  }

  bool is_traversed(int site) const { return counter_.kind(site) == CallKind::Traversed; }

  // Returns the number of path ID bits that the callee needs.
  double bits(int site) const {
    return std::max(std::log2(counter_.psi(supergraph_.sites[site].callee).entry(1)), 1e-6);
  }

  // Returns the number of paths of the supergraph, as of the last call to set(), count_all() or restore().
  double total() const { return total_; }

  void begin_work() { work_ = 0; }
  // Returns false if the number of counting steps since begin_work() has reached its limit.
  bool may_work() const { return work_ < max_work_; }

  void set(const ChosenSites &choice) {
    for (size_t site = 0; site < choice.size(); site++)
      if (supergraph_.sites[site].kind == CallKind::Traversed)
        counter_.set_kind(static_cast<int>(site), choice[site] ? CallKind::Traversed : instead_);
    count_all();
  }

  void count_all() {
    counter_.count_all();
    total_ = counter_.total();
  }

  // Changes the choice without counting.
  void choose(Group sites, bool is_chosen) {
    for (int site : sites)
      counter_.set_kind(site, is_chosen ? CallKind::Traversed : instead_);
  }

  // Counts the paths through the procedure, and returns their number.  The callees must have been counted.
  double count(int procedure) {
    counter_.count(procedure);
    work_ += supergraph_.procedures[procedure].size();
    return std::max(counter_.psi(procedure).entry(1), counter_.psi(procedure).gentry(1));
  }

  const std::vector<double> &costs() {
    work_ += 2 * size_;
    total_ = counter_.total(); // the numbers of paths from EXIT may belong to a rejected choice
    return costs_.update();
  }

  // Restores these calls if the supergraph would then have at most `most` paths, or fewer paths than it has now.
  // Returns true if the calls were restored.  Otherwise, the choice and the counts of all procedures are unchanged.
  bool restore(Group sites, double most) {
    if (sites.is_empty() || !may_work())
      return false;
    choose(sites, true);
    size_t first_outdated = is_outdated_.size();
    for (int site : sites) {
      size_t position = static_cast<size_t>(supergraph_.position[supergraph_.sites[site].procedure]);
      is_outdated_[position] = 1;
      first_outdated = std::min(first_outdated, position);
    }
    most = std::max(most, std::nextafter(total_, 0));
    if (recount(first_outdated, most)) {
      double total = counter_.total();
      work_ += supergraph_.procedures.size() + (supergraph_.is_piecewise ? supergraph_.sites.size() : 0);
      if (total <= most) {
        total_ = total;
        return true;
      }
    }
    for (auto &[procedure, psi] : replaced_)
      counter_.set_psi(procedure, std::move(psi));
    choose(sites, false);
    return false;
  }

private:
  using Psi = CallCounter<ApproximateLinear>::Psi;

  // Maximum number of counting steps per search.  It is the larger of kMaxSteps and the number of steps in kMaxCounts
  // recounts of all procedures.  A step takes a few nanoseconds.
  static constexpr size_t kMaxSteps = 20'000'000;
  static constexpr size_t kMaxCounts = 128;

  // Recounts the outdated procedures, which begin at position `first`, and each caller of a procedure whose count
  // changes.  Stores the replaced counts.  Stops and returns false if a procedure has more than `most` paths.
  // Afterwards, no procedure is marked as outdated.
  bool recount(size_t first, double most) {
    bool fits = true;
    replaced_.clear();
    for (size_t i = first; i < is_outdated_.size(); i++) { // callers are at later positions than their callees
      if (!std::exchange(is_outdated_[i], 0) || !fits)
        continue;
      int procedure = supergraph_.callees_first[i];
      replaced_.push_back({procedure, counter_.psi(procedure)});
      count(procedure);
      const Psi &psi = counter_.psi(procedure);
      fits =
          psi.entry(1) <= most && psi.gentry.b <= most; // the IDs of unreachable procedures must fit in a register, too
      if (psi.entry == replaced_.back().second.entry)
        continue;
      for (int site : supergraph_.sites_into[procedure])
        if (is_traversed(site))
          is_outdated_[supergraph_.position[supergraph_.sites[site].procedure]] = 1;
    }
    return fits;
  }

  const SupergraphOutline &supergraph_;
  CallKind instead_;
  CallCounter<ApproximateLinear> counter_;
  CallCosts costs_;
  double total_ = 0;
  size_t size_ = 0; // counting steps for the whole supergraph
  size_t work_ = 0, max_work_ = 0;
  std::vector<char> is_outdated_; // by position in `callees_first`; nonzero only during restore()
  std::vector<std::pair<int, Psi>> replaced_;
};

class CallCutter {
public:
  CallCutter(const SupergraphOutline &supergraph, const std::vector<std::vector<double>> &frequencies, double limit,
             CallKind instead)
      : supergraph_(supergraph), limit_(limit < 0x1p50 ? limit : limit * (1 - kRounding)),
        current_(supergraph, instead) {
    double hottest = 0;
    for (size_t i = 0; i < supergraph.sites.size(); i++) {
      const SupergraphOutline::Site &site = supergraph.sites[i];
      double frequency = frequencies[site.procedure][site.call];
      frequency_.push_back(frequency > 0 ? frequency : 0);
      hottest = std::max(hottest, frequency_.back());
      if (site.kind == CallKind::Traversed)
        candidates_.push_back(static_cast<int>(i));
    }
    never_ = hottest > 0 ? hottest * 1e-12 : 1;
    by_frequency_ = sorted(candidates_, [&](int site) { return frequency_[site]; });
  }

  // Returns the choices of traversed calls that satisfy the limit if rounding errors are ignored.  The choice whose
  // calls have the highest total execution frequency comes first.
  std::vector<ChosenSites> run() {
    std::vector<Rated> choices = with_calls_by_cost(initial_choices());
    add_calls_by_frequency(choices);
    std::vector<ChosenSites> result;
    for (Rated &choice : choices)
      if (choice.total <= limit_)
        result.push_back(std::move(choice.choice));
    return result;
  }

private:
  struct Rated {
    double kept;  // executions of the traversed calls
    double total; // number of paths
    ChosenSites choice;
  };

  // Values of `heat` to try.  The rank of a call is `frequency^heat / bits`.  Restoring a call increases the number of
  // bits that other calls need, so it is useful to start with the hottest calls.  The best value depends on the
  // supergraph.
  static constexpr double kHeats[] = {2, 5, 16};
  static constexpr double kFree = 0x1p-30; // minimum cost of a call, as a share of all paths

  // ---- initial choices ----

  // Returns the choice without traversed calls, followed by a choice with as many traversed calls as possible.  The
  // second choice is omitted if it exceeds the limit.
  std::vector<Rated> initial_choices() {
    std::vector<Rated> choices;
    current_.set(ChosenSites(supergraph_.sites.size(), 0));
    add_current(choices);
    for (int procedure : supergraph_.callees_first)
      restore_in(procedure);
    current_.count_all();
    truncate_to_limit();
    add_current(choices);
    return choices;
  }

  // Restores calls in one procedure, in order of decreasing executions per bit, as long as the procedure on its own
  // satisfies the limit.  The callees must already have been processed.
  void restore_in(int procedure) {
    std::vector<int> sites;
    for (int site = supergraph_.first_site[procedure]; site < supergraph_.end_site(procedure); site++)
      if (supergraph_.sites[site].kind == CallKind::Traversed)
        sites.push_back(site);
    sites = sorted(std::move(sites), [&](int site) { return weight(site) / current_.bits(site); });
    double now = current_.count(procedure);
    accept_groups(sites, [&](Group group) {
      current_.choose(group, true);
      double then = current_.count(procedure);
      bool is_accepted = then <= std::max(limit_, now);
      if (is_accepted)
        now = then;
      else
        current_.choose(group, false);
      return is_accepted;
    });
    current_.count(procedure); // the last group may have been rejected
  }

  // Truncates the calls whose truncation saves the most bits relative to the execution frequency of the call, until the
  // whole supergraph satisfies the limit.  Each step removes half of the excess bits.
  void truncate_to_limit() {
    current_.begin_work();
    while (current_.total() > limit_ && current_.may_work()) {
      const std::vector<double> &costs = current_.costs();
      double total = current_.total();
      std::vector<int> sites;
      for (int site : candidates_)
        if (current_.is_traversed(site) && costs[site] > 0)
          sites.push_back(site);
      if (sites.empty())
        return;
      auto saved_bits = [&](int site) { return -std::log2(1 - std::min(costs[site] / total, 1 - kRounding)); };
      sites = sorted(std::move(sites), [&](int site) { return saved_bits(site) / weight(site); });
      current_.choose(prefix_of_bits(Group::all_of(sites), saved_bits, std::log2(total / limit_) / 2), false);
      current_.count_all();
    }
  }

  // Returns the longest prefix of the sites that needs at most `most` bits.  The prefix contains at least one site.
  template <typename Bits>
  static Group prefix_of_bits(Group sites, Bits bits, double most) {
    double sum = bits(*sites.first);
    const int *last = sites.first + 1;
    while (last != sites.last && !((sum += bits(*last)) > most))
      last++;
    return {sites.first, last};
  }

  // ---- restoring of truncated calls ----

  // Restores truncated calls by their cost, once for each combination of an initial choice and a value of `heat`.
  // Returns the resulting choices, best first.
  std::vector<Rated> with_calls_by_cost(const std::vector<Rated> &initial) {
    std::vector<Rated> choices;
    for (const Rated &from : initial)
      for (double heat : kHeats) {
        current_.set(from.choice);
        restore_by_cost(heat);
        add_current(choices);
      }
    sort(choices);
    return choices;
  }

  // Restores truncated calls in decreasing order of `frequency^heat / bits`, where `bits` is the number of path ID bits
  // that the call needs.  All values of `bits` are recomputed after each group of calls.  If less than one bit is left,
  // all calls that still fit are restored.
  void restore_by_cost(double heat) {
    current_.begin_work();
    while (current_.total() < limit_ && current_.may_work()) {
      const std::vector<double> &costs = current_.costs();
      double total = current_.total(), bits_left = std::log2(limit_ / total);
      std::vector<int> sites;
      for (int site : candidates_)
        if (!current_.is_traversed(site) && total + costs[site] <= limit_)
          sites.push_back(site);
      auto price = [&](int site) { return std::log2(1 + std::max(costs[site] / total, kFree)); };
      sites = sorted(std::move(sites), [&](int site) { return heat * std::log(weight(site)) - std::log(price(site)); });
      if (bits_left < 1) {
        restore(sites);
        return;
      }
      Group rest = Group::all_of(sites); // no call before `rest` fits
      while (!rest.is_empty() && !restore_some(prefix_of_bits(rest, price, bits_left / 4)))
        rest.first++;
      if (rest.is_empty())
        return;
    }
  }

  // Restores a prefix of these calls.  The prefix is halved until it uses at most half of the remaining bits or
  // consists of one call.  Returns false if not even one call fits.
  bool restore_some(Group prefix) {
    for (double most = std::sqrt(current_.total() * limit_); prefix.size() > 1;
         prefix.last = prefix.first + prefix.size() / 2)
      if (current_.restore(prefix, most))
        return true;
    return current_.restore(prefix, limit_);
  }

  // Restores the most frequent calls in each of the choices, which must be sorted, and sorts the resulting choices.
  void add_calls_by_frequency(std::vector<Rated> &choices) {
    current_.begin_work();
    for (size_t i = 0; i < choices.size() && current_.may_work(); i++) {
      current_.set(choices[i].choice);
      restore_by_frequency();
      choices[i] = rated();
    }
    sort(choices);
  }

  void restore_by_frequency() {
    restore(truncated_among(by_frequency_));
    // If the limit is exceeded even though all calls are truncated, restoring calls can help: no paths start at the
    // entry of a procedure if none of the calls to it is truncated.
    double before = std::numeric_limits<double>::infinity();
    while (current_.total() > limit_ && current_.total() < before) {
      before = current_.total();
      for (const std::vector<int> &sites : supergraph_.sites_into) {
        std::vector<int> truncated = truncated_among(sites);
        current_.restore(Group::all_of(truncated), limit_);
      }
      restore(truncated_among(by_frequency_));
    }
  }

  // Restores as many of these calls as the limit permits.
  void restore(const std::vector<int> &sites) {
    accept_groups(sites, [&](Group group) { return current_.restore(group, limit_); });
  }

  std::vector<int> truncated_among(const std::vector<int> &sites) const {
    std::vector<int> truncated;
    std::copy_if(sites.begin(), sites.end(), std::back_inserter(truncated),
                 [&](int site) { return !current_.is_traversed(site); });
    return truncated;
  }

  // ---- ratings and order ----

  Rated rated() const {
    Rated current = {0, current_.total(), ChosenSites(supergraph_.sites.size(), 0)};
    for (int site : candidates_)
      if (current_.is_traversed(site)) {
        current.kept += frequency_[site];
        current.choice[site] = 1;
      }
    return current;
  }

  // Adds the current choice if it is within the limit or is the first choice.
  void add_current(std::vector<Rated> &choices) const {
    if (current_.total() <= limit_ || choices.empty())
      choices.push_back(rated());
  }

  static void sort(std::vector<Rated> &choices) {
    std::stable_sort(choices.begin(), choices.end(), [](const Rated &a, const Rated &b) { return a.kept > b.kept; });
  }

  // Returns the weight of a call.  Calls that are never executed also have a positive weight, because they should be
  // traversed if possible.
  double weight(int site) const { return frequency_[site] + never_; }

  // Returns the sites in order of decreasing key.
  template <typename Key>
  static std::vector<int> sorted(std::vector<int> sites, Key key) {
    std::vector<std::pair<double, int>> keyed;
    for (int site : sites)
      keyed.push_back({-key(site), site});
    std::sort(keyed.begin(), keyed.end());
    for (size_t i = 0; i < sites.size(); i++)
      sites[i] = keyed[i].second;
    return sites;
  }

  // Calls `accept` for groups of consecutive sites.  The group size is doubled after a group is accepted and halved
  // after a group is rejected.  A group of one site that is rejected is skipped.
  template <typename Accept>
  static void accept_groups(const std::vector<int> &sites, Accept accept) {
    size_t size = sites.size();
    for (size_t first = 0; first < sites.size();) { // the sites before `first` have been accepted or skipped
      size = std::min(size, sites.size() - first);
      if (accept(Group{sites.data() + first, sites.data() + first + size})) {
        first += size;
        size *= 2;
      } else if (size > 1) {
        size /= 2;
      } else {
        first++;
      }
    }
  }

  const SupergraphOutline &supergraph_;
  double limit_;
  CurrentChoice current_;
  std::vector<double> frequency_; // execution frequency of each call site
  double never_ = 0;              // weight of a call that is never executed
  std::vector<int> candidates_;   // calls that may be truncated
  std::vector<int> by_frequency_; // candidates by decreasing frequency
};

bool fits(const Supergraph &supergraph, const mpz_class &limit) {
  SupergraphOutline outline(supergraph);
  CallCounter<ApproximateLinear> counter(outline);
  counter.count_all();
  return counter.total() <= to_double(limit) * (1 + kRounding) && count_paths(supergraph) <= limit;
}

// Applies the choice to `supergraph`, which `outline` describes.  Returns the truncated calls.
std::vector<CutCall> apply(const ChosenSites &choice, const SupergraphOutline &outline, CallKind instead,
                           Supergraph &supergraph) {
  std::vector<CutCall> cuts;
  for (size_t p = 0; p < supergraph.procedures.size(); p++)
    supergraph.procedures[p].begins_paths = outline.begins_paths[p];
  for (size_t i = 0; i < outline.sites.size(); i++) {
    const SupergraphOutline::Site &site = outline.sites[i];
    if (site.kind != CallKind::Traversed)
      continue;
    supergraph.procedures[site.procedure].calls[site.call].kind = choice[i] ? CallKind::Traversed : instead;
    if (choice[i])
      continue;
    supergraph.procedures[site.callee].begins_paths = true;
    cuts.push_back({site.procedure, site.call});
  }
  return cuts;
}

} // namespace

std::optional<std::vector<CutCall>> cut_calls_to_limit(Supergraph &supergraph,
                                                       const std::vector<std::vector<double>> &frequencies,
                                                       const mpz_class &limit, CallKind instead) {
  if (fits(supergraph, limit))
    return std::vector<CutCall>{};
  const SupergraphOutline outline(supergraph);
  for (const ChosenSites &choice : CallCutter(outline, frequencies, to_double(limit), instead).run()) {
    std::vector<CutCall> cuts = apply(choice, outline, instead, supergraph);
    if (count_paths(supergraph) <= limit)
      return cuts;
  }
  apply(ChosenSites(outline.sites.size(), 0), outline, instead, supergraph);
  return std::nullopt;
}

} // namespace pathprof
