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

mpz_class count_paths(const Supergraph &program) {
  ProgramOutline outline(program);
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

class CallCutter {
public:
  CallCutter(const ProgramOutline &program, const std::vector<std::vector<double>> &frequencies, double limit,
             CallKind instead)
      : program_(program), limit_(limit < 0x1p50 ? limit : limit * (1 - kRounding)), instead_(instead),
        counter_(program), costs_(program, counter_, instead), dirty_(program.procedures.size(), 0) {
    double hottest = 0;
    for (const ProgramOutline::Site &site : program.sites) {
      double frequency = frequencies[site.procedure][site.call];
      frequency_.push_back(frequency > 0 ? frequency : 0);
      hottest = std::max(hottest, frequency_.back());
    }
    for (const Outline &procedure : program.procedures)
      size_ += procedure.size();
    max_work_ = std::max(kMaxSteps, kMaxCounts * size_);
    never_ = hottest > 0 ? hottest * 1e-12 : 1;
    for (size_t site = 0; site < program.sites.size(); site++)
      if (program.sites[site].kind == CallKind::Traversed)
        candidates_.push_back(static_cast<int>(site));
    by_frequency_ = sorted(candidates_, [&](int site) { return frequency_[site]; });
  }

  // Returns the choices of traversed calls that satisfy the limit if rounding errors are ignored.  The choice whose
  // calls have the highest total execution frequency comes first.
  std::vector<ChosenSites> run() {
    begin_with_nothing();
    begin_with_much();
    put_back_into_all();
    std::stable_sort(choices_.begin(), choices_.end(), keeps_more);
    std::vector<ChosenSites> result;
    for (Rated &choice : choices_)
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
  static bool keeps_more(const Rated &a, const Rated &b) { return a.kept > b.kept; }

  // Maximum number of counting steps per search.  It is the larger of kMaxSteps and the number of steps that kMaxCounts
  // complete counts take.  A step takes a few nanoseconds.
  static constexpr size_t kMaxSteps = 20'000'000;
  static constexpr size_t kMaxCounts = 128;
  // Values of `heat` to try.  The rank of a call is `frequency^heat / bits`.  Restoring a call increases the number of
  // bits that other calls need, so it is useful to start with the hottest calls.  The best value depends on the
  // program.
  static constexpr double kHeats[] = {2, 5, 16};
  static constexpr double kFree = 0x1p-30; // minimum cost of a call, as a share of all paths

  // Initial choices of traversed calls.

  void begin_with_nothing() {
    for (int site : candidates_)
      counter_.set_kind(site, instead_);
    counter_.count_all();
    total_ = counter_.total();
    rate();
  }

  // Restores calls as long as each procedure on its own satisfies the limit, and then truncates calls until the whole
  // program satisfies it.
  void begin_with_much() {
    keep_below(limit_);
    total_ = counter_.total();
    cut_to_fit();
    rate();
  }

  void keep_below(double threshold) {
    for (int site : candidates_)
      counter_.set_kind(site, instead_);
    for (int procedure : program_.callees_first)
      keep_below(procedure, threshold);
  }

  // Restores calls in one procedure, in order of decreasing executions per bit.  The callees must already have been
  // processed.
  void keep_below(int procedure, double threshold) {
    std::vector<int> sites;
    for (int site = program_.first_site[procedure]; site < program_.end_site(procedure); site++)
      if (is_candidate(site))
        sites.push_back(site);
    sites = sorted(std::move(sites), [&](int site) { return weight(site) / bits(site); });
    double now = count(procedure);
    keep_most(sites, [&](const int *first, const int *last) {
      set_kinds(first, last, CallKind::Traversed);
      double then = count(procedure);
      if (then <= std::max(threshold, now)) {
        now = then;
        return true;
      }
      set_kinds(first, last, instead_);
      return false;
    });
    count(procedure);
  }

  // Repeatedly truncates the calls whose truncation saves the most bits per execution.  Each step removes half of the
  // excess bits.
  void cut_to_fit() {
    work_ = 0;
    while (total_ > limit_ && work_ < max_work_) {
      const std::vector<double> &costs = update_costs();
      std::vector<int> whole;
      for (int site : candidates_)
        if (counter_.kind(site) == CallKind::Traversed && costs[site] > 0)
          whole.push_back(site);
      if (whole.empty())
        return;
      auto saving = [&](int site) { return -std::log2(1 - std::min(costs[site] / total_, 1 - kRounding)); };
      whole = sorted(std::move(whole), [&](int site) { return saving(site) / weight(site); });
      whole.erase(end_of_bits(whole.begin(), whole.end(), saving, std::log2(total_ / limit_) / 2), whole.end());
      set_kinds(whole.data(), whole.data() + whole.size(), instead_);
      counter_.count_all();
      total_ = counter_.total();
    }
  }

  const std::vector<double> &update_costs() {
    work_ += 2 * size_;
    total_ = counter_.total(); // the previous value may belong to a rejected choice
    return costs_.update();
  }

  // Returns the end of the longest prefix of sites that needs at most `most` bits.  The prefix contains at least one
  // site.
  template <typename Sites, typename Bits>
  static Sites end_of_bits(Sites first, Sites last, Bits bits, double most) {
    double sum = 0;
    auto too_many = [&](int site) { return (sum += bits(site)) > most; };
    return first == last ? last : std::find_if(first + 1, last, (too_many(*first), too_many));
  }

  // Restoring of truncated calls.

  void put_back_into_all() {
    std::vector<Rated> begun = std::move(choices_);
    choices_.clear();
    for (const Rated &from : begun)
      for (double heat : kHeats) {
        restore(from.choice);
        work_ = 0;
        put_back_by_costs(heat);
        rate();
      }
    std::stable_sort(choices_.begin(), choices_.end(), keeps_more);
    work_ = 0;
    for (size_t i = 0; i < choices_.size() && work_ < max_work_; i++) {
      restore(choices_[i].choice);
      put_back_into_current();
      choices_[i] = rated();
    }
  }

  // Restores calls in order of decreasing frequency^heat per bit.  The number of bits that each call needs is
  // recomputed after each group of calls.  If less than one bit is left, all calls that still fit are restored.
  void put_back_by_costs(double heat) {
    while (total_ < limit_ && work_ < max_work_) {
      const std::vector<double> &costs = update_costs();
      std::vector<int> cut;
      for (int site : candidates_)
        if (counter_.kind(site) != CallKind::Traversed && total_ + costs[site] <= limit_)
          cut.push_back(site);
      auto price = [&](int site) { return std::log2(1 + std::max(costs[site] / total_, kFree)); };
      cut = sorted(std::move(cut), [&](int site) { return heat * std::log(weight(site)) - std::log(price(site)); });
      double left = std::log2(limit_ / total_);
      if (left < 1) {
        put_back(cut);
        return;
      }
      const int *first = cut.data(), *end = first + cut.size();
      while (first != end && !put_back_some(first, end_of_bits(first, end, price, left / 4)))
        first++;
      if (first == end)
        return;
    }
  }

  // Restores a prefix of these calls.  The prefix is halved until it uses at most half of the remaining bits or
  // consists of one call.  Returns false if not even one call fits.
  bool put_back_some(const int *first, const int *last) {
    for (double most = std::sqrt(total_ * limit_); last - first > 1; last = first + (last - first) / 2)
      if (keep_if_few(first, last, most))
        return true;
    return keep_if_few(first, last, limit_);
  }

  void put_back_into_current() {
    put_back(cut_among(by_frequency_));
    // If the limit is exceeded even though all calls are truncated, restoring calls can help: no paths start at the
    // entry of a procedure if none of the calls to it is truncated.
    for (bool again = total_ > limit_; again;) {
      double before = total_;
      for (const std::vector<int> &sites : program_.sites_into) {
        std::vector<int> cut = cut_among(sites);
        keep_if_few(cut.data(), cut.data() + cut.size(), limit_);
      }
      put_back(cut_among(by_frequency_));
      again = total_ > limit_ && total_ < before;
    }
  }

  // Restores as many calls as possible.  Returns true if at least one call was restored.
  bool put_back(const std::vector<int> &sites) {
    return keep_most(sites, [&](const int *first, const int *last) { return keep_if_few(first, last, limit_); });
  }

  std::vector<int> cut_among(const std::vector<int> &sites) const {
    std::vector<int> cut;
    std::copy_if(sites.begin(), sites.end(), std::back_inserter(cut),
                 [&](int site) { return counter_.kind(site) != CallKind::Traversed; });
    return cut;
  }

  // Restores these calls if the program then has at most `most` paths, or at least fewer paths than before.  Returns
  // true if the calls were restored.
  bool keep_if_few(const int *first, const int *last, double most) {
    if (first == last || work_ >= max_work_)
      return false;
    set_kinds(first, last, CallKind::Traversed);
    for (const int *site = first; site != last; site++)
      mark_dirty(program_.sites[*site].procedure);
    double bar = std::max(most, std::nextafter(total_, 0));
    before_.clear();
    if (count_dirty(bar)) {
      double then = counter_.total();
      work_ += program_.procedures.size() + (program_.is_piecewise ? program_.sites.size() : 0);
      if (then <= bar) {
        total_ = then;
        return true;
      }
    }
    for (auto &[procedure, psi] : before_)
      counter_.set_psi(procedure, std::move(psi));
    set_kinds(first, last, instead_);
    return false;
  }

  void mark_dirty(int procedure) {
    dirty_[program_.position[procedure]] = 1;
    first_dirty_ = std::min(first_dirty_, static_cast<size_t>(program_.position[procedure]));
  }

  // Recounts the changed procedures and their callers.  Returns false if any of these procedures has more than `bar`
  // paths.
  bool count_dirty(double bar) {
    bool fits = true;
    for (size_t i = std::exchange(first_dirty_, dirty_.size()); i < dirty_.size(); i++) {
      if (!std::exchange(dirty_[i], 0) || !fits)
        continue;
      int procedure = program_.callees_first[i];
      before_.push_back({procedure, counter_.psi(procedure)});
      count(procedure);
      const Psi &psi = counter_.psi(procedure);
      fits =
          psi.entry(1) <= bar && psi.gentry.b <= bar; // the IDs of unreachable procedures must fit in a register, too
      if (psi.entry == before_.back().second.entry)
        continue;
      for (int site : program_.sites_into[procedure])
        if (counter_.kind(site) == CallKind::Traversed)
          dirty_[program_.position[program_.sites[site].procedure]] = 1;
    }
    return fits;
  }

  // Bookkeeping of choices.

  using Psi = CallCounter<ApproximateLinear>::Psi;

  bool is_candidate(int site) const { return program_.sites[site].kind == CallKind::Traversed; }

  // Counts the paths through the procedure, and returns their number.
  double count(int procedure) {
    counter_.count(procedure);
    work_ += program_.procedures[procedure].size();
    return std::max(counter_.psi(procedure).entry(1), counter_.psi(procedure).gentry(1));
  }

  void set_kinds(const int *first, const int *last, CallKind kind) {
    for (const int *site = first; site != last; site++)
      counter_.set_kind(*site, kind);
  }

  // Returns the weight of a call.  The weight is positive even if the call is never executed, because such calls should
  // also be traversed if possible.
  double weight(int site) const { return frequency_[site] + never_; }

  // Returns the number of path ID bits that the callee needs.
  double bits(int site) const { return std::max(std::log2(counter_.psi(program_.sites[site].callee).entry(1)), 1e-6); }

  ChosenSites choice() const {
    ChosenSites choice(program_.sites.size(), 0);
    for (int site : candidates_)
      choice[site] = counter_.kind(site) == CallKind::Traversed;
    return choice;
  }

  void restore(const ChosenSites &choice) {
    for (int site : candidates_)
      counter_.set_kind(site, choice[site] ? CallKind::Traversed : instead_);
    counter_.count_all();
    total_ = counter_.total();
  }

  Rated rated() const {
    double kept = 0;
    for (int site : candidates_)
      if (counter_.kind(site) == CallKind::Traversed)
        kept += frequency_[site];
    return {kept, total_, choice()};
  }

  // Records the current choice if it satisfies the limit or if it is the first choice.
  void rate() {
    if (total_ <= limit_ || choices_.empty())
      choices_.push_back(rated());
  }

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

  // Calls `keep` for groups of consecutive sites.  The group size is doubled after a group is accepted and halved after
  // a group is rejected.  A group of one site that is rejected is skipped.  Returns true if any group was accepted.
  template <typename Keep>
  static bool keep_most(const std::vector<int> &sites, Keep keep) {
    size_t number = sites.size();
    bool any = false;
    for (size_t first = 0; first < sites.size();) {
      number = std::min(number, sites.size() - first);
      if (keep(sites.data() + first, sites.data() + first + number)) {
        any = true;
        first += number;
        number *= 2;
      } else if (number > 1) {
        number /= 2;
      } else {
        first++;
      }
    }
    return any;
  }

  const ProgramOutline &program_;
  size_t size_ = 0; // counting steps for the whole program
  size_t max_work_ = 0;
  double limit_;
  CallKind instead_;
  CallCounter<ApproximateLinear> counter_; // counter for the current choice
  CallCosts costs_;
  double total_ = 0;              // number of paths of the current choice
  std::vector<double> frequency_; // execution frequency of each call site
  double never_ = 0;              // weight of a call that is never executed
  std::vector<int> candidates_;
  std::vector<int> by_frequency_; // candidates by decreasing frequency
  std::vector<Rated> choices_;
  size_t work_ = 0;

  // State while calls are restored.
  std::vector<char> dirty_; // nonzero for each procedure to recount, by position in `callees_first`
  size_t first_dirty_ = std::numeric_limits<size_t>::max();
  std::vector<std::pair<int, Psi>> before_;
};

bool fits(const Supergraph &program, const mpz_class &limit) {
  ProgramOutline outline(program);
  CallCounter<ApproximateLinear> counter(outline);
  counter.count_all();
  return counter.total() <= to_double(limit) * (1 + kRounding) && count_paths(program) <= limit;
}

// Applies the choice to `program`, which `outline` describes.  Returns the truncated calls.
std::vector<CutCall> apply(const ChosenSites &choice, const ProgramOutline &outline, CallKind instead,
                           Supergraph &program) {
  std::vector<CutCall> cuts;
  for (size_t p = 0; p < program.procedures.size(); p++)
    program.procedures[p].begins_paths = outline.begins_paths[p];
  for (size_t i = 0; i < outline.sites.size(); i++) {
    const ProgramOutline::Site &site = outline.sites[i];
    if (site.kind != CallKind::Traversed)
      continue;
    program.procedures[site.procedure].calls[site.call].kind = choice[i] ? CallKind::Traversed : instead;
    if (choice[i])
      continue;
    program.procedures[site.callee].begins_paths = true;
    cuts.push_back({site.procedure, site.call});
  }
  return cuts;
}

} // namespace

std::optional<std::vector<CutCall>> cut_calls_to_limit(Supergraph &program,
                                                       const std::vector<std::vector<double>> &frequencies,
                                                       const mpz_class &limit, CallKind instead) {
  if (fits(program, limit))
    return std::vector<CutCall>{};
  const ProgramOutline outline(program);
  for (const ChosenSites &choice : CallCutter(outline, frequencies, to_double(limit), instead).run()) {
    std::vector<CutCall> cuts = apply(choice, outline, instead, program);
    if (count_paths(program) <= limit)
      return cuts;
  }
  apply(ChosenSites(outline.sites.size(), 0), outline, instead, program);
  return std::nullopt;
}

} // namespace pathprof
