// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the calls that paths go through: several choices are made in doubles, the best that fits exactly is taken.
//
// A choice is begun with all calls cut, and with no more cut than too large numbers demand.  Then calls are put back,
// in the order of the executions that this keeps per bit that it takes, as long as all fits.
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

// By site: whether paths go through the call.
using ChosenSites = std::vector<char>;

// A generous bound on the relative error by which rounding changes a total.
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

  // The sets of calls that fit the limit up to rounding, those that keep the most executions first.
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
    double kept;  // executions of the calls that paths go through
    double total; // paths
    ChosenSites choice;
  };
  static bool keeps_more(const Rated &a, const Rated &b) { return a.kept > b.kept; }

  // Steps of counting that one method to cut calls or to put them back may take: so many, each of some nanoseconds, or
  // for a huge program so many times those that count all of it.
  static constexpr size_t kMaxSteps = 20'000'000;
  static constexpr size_t kMaxCounts = 128;
  // How much more than bits frequencies matter.  Bits that a call costs grow as others are put back, so that it pays
  // to begin with the hottest; how much depends on the program.
  static constexpr double kHeats[] = {2, 5, 16};
  static constexpr double kFree = 0x1p-30; // a share of all paths that is as good as none

  // ---- choices to begin with ----

  void begin_with_nothing() {
    for (int site : candidates_)
      counter_.set_kind(site, instead_);
    counter_.count_all();
    total_ = counter_.total();
    rate();
  }

  // As many as procedures on their own allow, and then fewer for all together.
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

  // Bottom-up, of a procedure's calls those with the most executions per bit that the callee takes.
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

  // Cuts the calls that save the most bits per execution, in steps of half the bits that are too many.
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
    total_ = counter_.total(); // perhaps of a choice that was tried in vain
    return costs_.update();
  }

  // As many as have `most` bits together, at least one.
  template <typename Sites, typename Bits>
  static Sites end_of_bits(Sites first, Sites last, Bits bits, double most) {
    double sum = 0;
    auto too_many = [&](int site) { return (sum += bits(site)) > most; };
    return first == last ? last : std::find_if(first + 1, last, (too_many(*first), too_many));
  }

  // ---- putting calls back ----

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

  // Puts calls back in the order of frequency^heat per bit, some at a time, as bits have to be reckoned anew then; of
  // the last bit all that fit.
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

  // Puts back the first of these calls, and as many more as half the bits that are left allow.  False: it does not fit.
  bool put_back_some(const int *first, const int *last) {
    for (double most = std::sqrt(total_ * limit_); last - first > 1; last = first + (last - first) / 2)
      if (keep_if_few(first, last, most))
        return true;
    return keep_if_few(first, last, limit_);
  }

  void put_back_into_current() {
    put_back(cut_among(by_frequency_));
    // Where not even with all calls cut everything fits, fewer cuts may do: a callee none of whose calls is cut need
    // not begin paths.
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

  // Whether any of them could be put back.
  bool put_back(const std::vector<int> &sites) {
    return keep_most(sites, [&](const int *first, const int *last) { return keep_if_few(first, last, limit_); });
  }

  std::vector<int> cut_among(const std::vector<int> &sites) const {
    std::vector<int> cut;
    std::copy_if(sites.begin(), sites.end(), std::back_inserter(cut),
                 [&](int site) { return counter_.kind(site) != CallKind::Traversed; });
    return cut;
  }

  // Puts these calls back if there are at most `most` paths then, or fewer than before.
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

  // Counts what has changed, and what depends on that; false once there are more than `bar` paths.
  bool count_dirty(double bar) {
    bool fits = true;
    for (size_t i = std::exchange(first_dirty_, dirty_.size()); i < dirty_.size(); i++) {
      if (!std::exchange(dirty_[i], 0) || !fits)
        continue;
      int procedure = program_.callees_first[i];
      before_.push_back({procedure, counter_.psi(procedure)});
      count(procedure);
      const Psi &psi = counter_.psi(procedure);
      fits = psi.entry(1) <= bar && psi.gentry.b <= bar; // dead code, too, is numbered in registers
      if (psi.entry == before_.back().second.entry)
        continue;
      for (int site : program_.sites_into[procedure])
        if (counter_.kind(site) == CallKind::Traversed)
          dirty_[program_.position[program_.sites[site].procedure]] = 1;
    }
    return fits;
  }

  // ---- choices ----

  using Psi = CallCounter<ApproximateLinear>::Psi;

  bool is_candidate(int site) const { return program_.sites[site].kind == CallKind::Traversed; }

  // Paths through the procedure.
  double count(int procedure) {
    counter_.count(procedure);
    work_ += program_.procedures[procedure].size();
    return std::max(counter_.psi(procedure).entry(1), counter_.psi(procedure).gentry(1));
  }

  void set_kinds(const int *first, const int *last, CallKind kind) {
    for (const int *site = first; site != last; site++)
      counter_.set_kind(*site, kind);
  }

  // Calls that never run are kept rather than cut, too.
  double weight(int site) const { return frequency_[site] + never_; }

  // That a path number takes for the callee.
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

  // Notes the current choice if it fits, or is the first.
  void rate() {
    if (total_ <= limit_ || choices_.empty())
      choices_.push_back(rated());
  }

  // By decreasing key.
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

  // Offers the calls in order, each with as many after it as were kept lately.  A call that was turned down alone is
  // not offered again.
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
  size_t size_ = 0; // steps of counting all of it
  size_t max_work_ = 0;
  double limit_;
  CallKind instead_;
  CallCounter<ApproximateLinear> counter_; // of the current choice
  CallCosts costs_;
  double total_ = 0;              // its paths
  std::vector<double> frequency_; // by site
  double never_ = 0;              // the weight of a call that does not run
  std::vector<int> candidates_;
  std::vector<int> by_frequency_; // likewise, the hottest first
  std::vector<Rated> choices_;
  size_t work_ = 0;

  // While calls are put back.
  std::vector<char> dirty_; // by position in callees_first
  size_t first_dirty_ = std::numeric_limits<size_t>::max();
  std::vector<std::pair<int, Psi>> before_;
};

bool fits(const Supergraph &program, const mpz_class &limit) {
  ProgramOutline outline(program);
  CallCounter<ApproximateLinear> counter(outline);
  counter.count_all();
  return counter.total() <= to_double(limit) * (1 + kRounding) && count_paths(program) <= limit;
}

// Makes the choice that of the program, from which `outline` is; returns the calls that are cut.
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
