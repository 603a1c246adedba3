// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs the functions of two profiles and compares their paths.
#include "pathdump/model/compare.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "core/numbering/saturate.h"
#include "pathdump/model/costs.h"
#include "pathdump/model/matching.h"
#include "pathdump/model/path_cursor.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/text.h"
#include "profile/model/visible.h"

namespace pathprof {

const char *to_string(ChangeKind kind) {
  static const char *const names[kNumChangeKinds] = {"new", "gone", "hotter", "colder"};
  return names[static_cast<size_t>(kind)];
}

static uint64_t distance(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

bool PathChange::operator<(const PathChange &other) const {
  return std::make_tuple(other.size(), distance(other.count[0], other.count[1]), order, id) <
         std::make_tuple(size(), distance(count[0], count[1]), other.order, other.id);
}

HotPath PathChange::hot_path() const {
  size_t index = function[side()];
  return {weight[1], count[1], std::nullopt, statements, index, id, is_of_program ? index : HotPath::kNoProgram};
}

void Overlap::add(const Overlap &other) {
  common += other.common;
  shared += other.shared;
  for (int side : {0, 1}) {
    paths[side] += other.paths[side];
    saturating_add(executions[side], other.executions[side]);
    saturating_add(common_executions[side], other.common_executions[side]);
    weight[side] += other.weight[side];
    common_weight[side] += other.common_weight[side];
  }
}

namespace {

bool has_run(const Function &function) {
  return !function.paths.empty() || !function.cut_short.empty();
}

// Returns a description of the first difference between two functions with the same name.
std::string difference(const FunctionNotes &a, const FunctionNotes &b) {
  auto differ = [](const char *what, const std::string &x, const std::string &y) {
    return fmt::format("{} {} in A, {} in B", what, x, y);
  };
  auto counted = [](const FunctionNotes &notes) { return notes.left_out.empty() ? "counted" : "left out"; };
  if (a.left_out.empty() != b.left_out.empty())
    return fmt::format("{} in A, {} in B", counted(a), counted(b));
  if (a.stage != b.stage)
    return differ("stage", to_string(a.stage), to_string(b.stage));
  if (a.model.mode != b.model.mode)
    return differ("mode", to_string(a.model.mode), to_string(b.model.mode));
  if (a.model.k != b.model.k)
    return differ("k", std::to_string(a.model.k), std::to_string(b.model.k));
  if (a.checksum() != b.checksum())
    return "the control flow differs";
  if (conditions_of(a) != conditions_of(b))
    return "the conditions differ";
  if (a.num_paths != b.num_paths)
    return differ("paths", std::to_string(a.num_paths), std::to_string(b.num_paths));
  return "the instrumentation differs";
}

std::string difference(const InterproceduralUnit &a, const InterproceduralUnit &b) {
  if (a.mode != b.mode)
    return fmt::format("mode {} in A, {} in B", to_string(a.mode), to_string(b.mode));
  if (a.functions.size() != b.functions.size())
    return fmt::format("paths go through {} in A, {} in B", plural(a.functions.size(), "function"), b.functions.size());
  return "the control flow or the calls differ";
}

// The executed paths of a function or interprocedural unit, sorted by path ID. The paths of a function are generated on
// demand because there can be very many.
class SidePaths {
public:
  SidePaths() = default;
  SidePaths(const Function &function, size_t index, std::unique_ptr<Decoded> decoded, const Ranking &ranking)
      : decoded_(std::move(decoded)), cursor_(std::make_unique<PathCursor>(function, index, *decoded_, ranking)) {
    advance();
  }
  explicit SidePaths(std::vector<HotPath> paths) : paths_(std::move(paths)) { advance(); }

  // Returns the current path, or null after the last path.
  const HotPath *at() const { return at_; }
  void advance() {
    do
      at_ = cursor_ ? cursor_->next() : next_ < paths_.size() ? &paths_[next_++] : nullptr;
    while (at_ && !at_->count);
  }

private:
  std::unique_ptr<Decoded> decoded_;
  std::unique_ptr<PathCursor> cursor_;
  std::vector<HotPath> paths_; // paths of an interprocedural unit
  size_t next_ = 0;            // index of the next element of paths_
  const HotPath *at_ = nullptr;
};

class Comparer {
public:
  Comparer(const Side &a, const Side &b, const Names &names, uint64_t limit, const ChangeThreshold &threshold,
           const ChangeFilter &wanted)
      : names_(names), limit_(limit), threshold_(threshold), wanted_(wanted) {
    result_.sides[0] = a;
    result_.sides[1] = b;
    result_.scale = {a.profile->runs, b.profile->runs};
  }

  // Compares the profiles. Computes the total weight of all paths first, because the threshold is relative to this
  // weight.
  Comparison run() {
    for (Side &side : result_.sides)
      add_up(side);
    std::vector<Pair> pairs = match_functions(*result_.sides[0].profile, *result_.sides[1].profile, names_);
    std::vector<Pair> programs = match_programs(*result_.sides[0].profile, *result_.sides[1].profile, names_);
    pairs.insert(pairs.end(), programs.begin(), programs.end());
    warn_of_strangers(pairs);
    Progress progress(pairs.size(), "functions");
    for (size_t order = 0; order < pairs.size(); order++, progress.advance())
      if (is_selected(pairs[order])) {
        const Pair &pair = pairs[order];
        result_.overlaps.push_back({{pair.function[0], pair.function[1]}, pair.is_program});
        pair.has_changed ? add_changed(pair) : add_paths(pair, order);
      }
    keep_best(result_.changes, limit_);
    std::sort(result_.changes.begin(), result_.changes.end());
    std::stable_sort(result_.changed.begin(), result_.changed.end(),
                     [](const ChangedFunction &x, const ChangedFunction &y) {
                       return std::max(x.weight[0], x.weight[1]) > std::max(y.weight[0], y.weight[1]);
                     });
    return std::move(result_);
  }

private:
  const Function *function(const Pair &pair, int side) const {
    return pair.function[side] == kNoFunction ? nullptr : &result_.sides[side].profile->functions[pair.function[side]];
  }

  // Warns if the profiles have no functions in common. Prints no warning if functions were selected, because the
  // selected functions may occur in only one of the profiles.
  void warn_of_strangers(const std::vector<Pair> &pairs) const {
    bool are_all = std::all_of(pairs.begin(), pairs.end(), [this](const Pair &pair) { return is_named(pair); });
    bool has_common = std::any_of(pairs.begin(), pairs.end(), [](const Pair &pair) {
      return pair.function[0] != kNoFunction && pair.function[1] != kNoFunction;
    });
    if (are_all && !has_common && !pairs.empty())
      std::cerr << program_name << ": warning: " << visible(result_.sides[0].file) << " and "
                << visible(result_.sides[1].file)
                << " have no functions in common; check that they are profiles of the same program\n";
  }

  const InterproceduralUnit &unit(const Pair &pair, int side) const {
    return result_.sides[side].profile->interprocedural_units[pair.function[side]];
  }

  template <typename Holds>
  bool is_any(const Pair &pair, Holds &&holds) const {
    const Function *a = function(pair, 0), *b = function(pair, 1);
    return (a && holds(*a)) || (b && holds(*b));
  }

  // Returns true if the pair is selected. Pairs of interprocedural units are always selected; their paths are selected
  // later by the functions that the paths go through.
  bool is_named(const Pair &pair) const {
    return pair.is_program || is_any(pair, [this](const Function &one) { return names_.selects(one); });
  }

  bool is_selected(const Pair &pair) const { return pair.is_program || (is_named(pair) && is_any(pair, has_run)); }

  void add_up(Side &side) {
    for (const Function &function : side.profile->functions) {
      if (is_left_out(function) || !has_run(function))
        continue;
      Totals totals = totals_of(function, *decode_or_fail(side.file, function));
      side.functions++;
      side.paths += function.paths.size() + function.cut_short.size();
      saturating_add(side.executions, totals.executions);
      side.weight += side.costs ? 0 : totals.statements;
    }
    if (side.costs)
      side.weight = static_cast<Weight>(std::llround(side.costs->attributed()));
    for (const Function &function : side.profile->functions)
      side.functions += function.activity && function.activity->executions > 0;
    for (size_t i = 0; i < side.profile->interprocedural_units.size(); i++) {
      side.paths += side.profile->interprocedural_units[i].paths.size();
      saturating_add(side.executions, for_each_path(*side.profile, i, [&](const HotPath &hot, const ShownPath &) {
                       side.weight += side.costs ? 0 : hot.weight;
                     }));
    }
  }

  SidePaths paths_of(const Pair &pair, int side) const {
    const Profile &profile = *result_.sides[side].profile;
    size_t index = pair.function[side];
    if (!pair.is_program) {
      const Function *one = function(pair, side);
      bool is_there = one && !is_left_out(*one) && has_run(*one) && !one->in_program;
      return is_there ? SidePaths(*one, index, decode_or_fail(result_.sides[side].file, *one),
                                  {false, result_.sides[side].costs})
                      : SidePaths();
    }
    std::vector<HotPath> paths;
    if (index != kNoFunction)
      for_each_path(
          profile, index,
          [&](const HotPath &hot, const ShownPath &path) {
            if (path.is_selected(names_))
              paths.push_back(hot);
          },
          result_.sides[side].costs);
    return SidePaths(std::move(paths));
  }

  void add_changed(const Pair &pair) {
    ChangedFunction changed;
    changed.function[0] = pair.function[0];
    changed.function[1] = pair.function[1];
    changed.is_program = pair.is_program;
    changed.why = pair.is_program ? difference(unit(pair, 0), unit(pair, 1))
                                  : difference(function(pair, 0)->notes, function(pair, 1)->notes);
    for (int side : {0, 1})
      for (SidePaths paths = paths_of(pair, side); paths.at(); paths.advance()) {
        changed.weight[side] += paths.at()->weight;
        side ? add_overlap(nullptr, paths.at()) : add_overlap(paths.at(), nullptr);
      }
    if (!pair.is_program)
      compare_lines(changed);
    result_.changed.push_back(std::move(changed));
    if (pair.is_program)
      add_functions_of_changed_program(pair);
  }

  void compare_lines(ChangedFunction &changed) const {
    const Function *functions[2];
    std::unique_ptr<Decoded> decoded[2];
    for (int side : {0, 1}) {
      functions[side] = &result_.sides[side].profile->functions[changed.function[side]];
      if (is_left_out(*functions[side]))
        return;
      decoded[side] = decode_or_fail(result_.sides[side].file, *functions[side]);
    }
    changed.is_compared = true;
    changed.lines = line_changes(*functions[0], *decoded[0], *functions[1], *decoded[1], result_.scale);
  }

  // Returns the weight of a function in an interprocedural unit.
  static Weight weight_of(const Side &side, size_t function) {
    return side.costs ? static_cast<Weight>(std::llround(side.costs->of_function(function)))
                      : side.profile->functions[function].activity->statements;
  }

  // Adds to the changed functions all functions that are in both versions of a changed interprocedural unit. Functions
  // are matched by name.
  void add_functions_of_changed_program(const Pair &pair) {
    std::map<std::string, size_t> in_a;
    for (size_t i : unit(pair, 0).functions)
      in_a.emplace(result_.sides[0].profile->functions[i].notes.name, i);
    for (size_t i : unit(pair, 1).functions) {
      const Function &function = result_.sides[1].profile->functions[i];
      auto at = in_a.find(function.notes.name);
      if (at == in_a.end() || !names_.selects(function))
        continue;
      ChangedFunction changed;
      changed.function[0] = at->second;
      changed.function[1] = i;
      changed.why = "the interprocedural paths through the function have changed";
      for (int side : {0, 1})
        changed.weight[side] = weight_of(result_.sides[side], changed.function[side]);
      compare_lines(changed);
      if (!changed.lines.empty())
        result_.changed.push_back(std::move(changed));
    }
  }

  void add_paths(const Pair &pair, size_t order) {
    SidePaths a = paths_of(pair, 0), b = paths_of(pair, 1);
    while (a.at() || b.at()) {
      bool in_a = a.at() && (!b.at() || a.at()->id <= b.at()->id);
      bool in_b = b.at() && (!a.at() || b.at()->id <= a.at()->id);
      add_overlap(in_a ? a.at() : nullptr, in_b ? b.at() : nullptr);
      add_path(pair, order, in_a ? a.at() : nullptr, in_b ? b.at() : nullptr);
      if (in_a)
        a.advance();
      if (in_b)
        b.advance();
    }
  }

  // Adds a path to the overlap of the last pair. `a` is null if the path was not executed on side A, and `b` is null if
  // it was not executed on side B.
  void add_overlap(const HotPath *a, const HotPath *b) {
    Overlap &overlap = result_.overlaps.back();
    const HotPath *paths[] = {a, b};
    double least = 100;
    for (int side : {0, 1}) {
      if (!paths[side])
        continue;
      overlap.paths[side]++;
      saturating_add(overlap.executions[side], paths[side]->count);
      overlap.weight[side] += paths[side]->weight;
      if (!a || !b)
        continue;
      saturating_add(overlap.common_executions[side], paths[side]->count);
      overlap.common_weight[side] += paths[side]->weight;
      least = std::min(
          least, per_cent(static_cast<double>(paths[side]->weight), static_cast<double>(result_.sides[side].weight)));
    }
    overlap.common += a && b;
    overlap.shared += a && b ? least : 0;
  }

  // Returns true if the path is hotter in B: if its cost is higher or, without measured costs, if its count is higher.
  bool is_hotter(const HotPath &a, const HotPath &b) const {
    Weight weight[] = {scaled(a.weight, 0), scaled(b.weight, 1)};
    return a.cost && b.cost && weight[0] != weight[1] ? weight[1] > weight[0] : scaled(b.count, 1) > scaled(a.count, 0);
  }

  Weight scaled(Weight value, int side) const { return result_.scale.scaled(value, side); }

  void add_path(const Pair &pair, size_t order, const HotPath *a, const HotPath *b) {
    static constexpr size_t kBatch = 65536;
    Weight weight[] = {a ? a->weight : 0, b ? b->weight : 0};
    if (a && b && scaled(a->count, 0) == scaled(b->count, 1) && scaled(weight[0], 0) == scaled(weight[1], 1)) {
      result_.num_equal++;
      return;
    }
    const HotPath &either = b ? *b : *a;
    PathChange change = {ChangeKind::New,
                         {a ? a->count : 0, b ? b->count : 0},
                         {weight[0], weight[1]},
                         {scaled(weight[0], 0), scaled(weight[1], 1)},
                         either.statements,
                         {pair.function[0], pair.function[1]},
                         pair.is_program,
                         either.id,
                         order};
    if (a)
      change.kind = !b ? ChangeKind::Gone : is_hotter(*a, *b) ? ChangeKind::Hotter : ChangeKind::Colder;
    if (wanted_ && !wanted_(change))
      return;
    result_.num_of_kind[static_cast<size_t>(change.kind)]++;
    auto longer = static_cast<double>(std::max(result_.scaled_weight(0), result_.scaled_weight(1)));
    bool is_spared = threshold_.spares_new_and_gone && !(a && b);
    if (!is_spared && per_cent(static_cast<double>(change.size()), longer) < threshold_.per_cent) {
      result_.num_below_threshold++;
      return;
    }
    result_.changes.push_back(change);
    if (limit_ && result_.changes.size() / 2 > limit_ + kBatch)
      keep_best(result_.changes, limit_);
  }

  const Names &names_;
  uint64_t limit_;
  ChangeThreshold threshold_;
  const ChangeFilter &wanted_;
  Comparison result_;
};

} // namespace

double Comparison::share(Weight weight, int side) const {
  return per_cent(static_cast<double>(weight), static_cast<double>(sides[side].weight));
}

Comparison compare(const Side &a, const Side &b, const Names &names, uint64_t limit, const ChangeThreshold &threshold,
                   const ChangeFilter &wanted) {
  return Comparer(a, b, names, limit, threshold, wanted).run();
}

} // namespace pathprof
