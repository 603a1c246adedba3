// SPDX-License-Identifier: GPL-3.0-or-later
// Reads tests from many profiles.  Decodes the units once for all files with the same units.
#include "pathdump/coverage/tested_paths.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "core/numbering/saturate.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/coverage/covered.h"
#include "pathdump/ui/builds.h"
#include "pathdump/model/prime.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/visible_names.h"
#include "profile/format/merge.h"
#include "profile/model/foreign.h"
#include "profile/model/tests.h"
#include "profile/model/unit_counts.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

[[noreturn]] void fail(const std::string &name, const pathprof_error &wrong, const FileBytes *bytes = nullptr) {
  LoadError error = {name, wrong.offset, wrong.reason};
  if (bytes)
    explain_foreign(bytes->data(), bytes->size(), &error);
  throw Failure(kBadData, error.message());
}

struct Input {
  std::string name;
  FileBytes bytes;
  pathprof_image image = {};
  size_t kind = 0; // index in `kinds_`
};

// A table of units. Input files with identical unit tables share one copy.
struct Kind {
  size_t first_input;
  UnitTable table;
  std::vector<size_t> places; // for each unit, its index in the profile with all units
};

// Derives the name of a test from a file name: "tests/strings" from "tests/strings.pathprof".
std::string test_name_of(const std::string &file) {
  static const std::string suffix = ".pathprof";
  bool has_suffix =
      file.size() > suffix.size() && file.compare(file.size() - suffix.size(), suffix.size(), suffix) == 0;
  return file.substr(0, file.size() - (has_suffix ? suffix.size() : 0));
}

class Reader {
public:
  Reader(const std::vector<std::string> &files, Criterion criterion, const CommonOptions &options, bool warns)
      : options_(options), criterion_(criterion), warns_(warns) {
    result_.criterion = criterion;
    Progress progress(files.size(), "profiles");
    for (size_t i = 0; i < files.size(); i++) {
      add_input(files[i], i);
      progress.advance();
    }
    if (std::string conflict = builds_.conflict(); !conflict.empty())
      throw Failure(kBadData, conflict);
  }

  TestedPaths run() {
    read_profile();
    select();
    for (const Input &input : inputs_)
      read_tests(input);
    number_paths();
    return std::move(result_);
  }

private:
  void add_input(const std::string &name, size_t order) {
    Input input{name, open_image(name), {}, 0};
    pathprof_error wrong = {};
    if (!pathprof_image_open(&input.image, input.bytes.data(), input.bytes.size(), &wrong))
      fail(name, wrong, &input.bytes);
    builds_.add(input.image, name, order);
    input.kind = kind_of(input);
    inputs_.push_back(std::move(input));
  }

  size_t kind_of(const Input &input) {
    const pathprof_cursor &units = input.image.section[PATHPROF_SECTION_UNITS];
    for (size_t kind = 0; kind < kinds_.size(); kind++) {
      const pathprof_cursor &other = inputs_[kinds_[kind].first_input].image.section[PATHPROF_SECTION_UNITS];
      if (units.end == other.end && std::memcmp(units.data, other.data, units.end) == 0)
        return kind;
    }
    pathprof_error wrong = {};
    std::optional<UnitTable> table = read_units(input.image, &wrong);
    if (!table)
      fail(input.name, wrong);
    kinds_.push_back({inputs_.size(), std::move(*table), {}});
    return kinds_.size() - 1;
  }

  // Merges one input file per distinct unit table: the first file with this table. The result contains all units.
  FileBytes united() {
    FileBytes sum = inputs_.front().bytes;
    for (size_t kind = 1; kind < kinds_.size(); kind++) {
      pathprof_image a = {}, b = inputs_[kinds_[kind].first_input].image;
      pathprof_buffer merged = {};
      pathprof_error wrong = {};
      bool in_second = false;
      pathprof_image_open(&a, sum.data(), sum.size(), &wrong);
      a.section[PATHPROF_SECTION_TESTS] = b.section[PATHPROF_SECTION_TESTS] = {};
      if (!pathprof_merge(&a, 1, &b, 1, &merged, &wrong, &in_second)) {
        pathprof_buffer_free(&merged);
        fail(inputs_[kinds_[in_second ? kind : 0].first_input].name, wrong);
      }
      sum = FileBytes::from(&merged);
    }
    return sum;
  }

  void read_profile() {
    FileBytes bytes = united();
    LoadError error;
    std::optional<Profile> profile =
        parse_with_places(inputs_.front().name, bytes.data(), bytes.size(), &places_, &error);
    if (!profile)
      throw Failure(kBadData, error.message());
    make_names_visible(*profile);
    if (warns_)
      print_warnings(*profile, inputs_.front().name);
    result_.profile = std::move(*profile);
    paths_.resize(result_.profile.functions.size());
    prime_paths_.resize(paths_.size());
    criteria_ = std::make_unique<CriteriaOfPaths>(result_.profile, inputs_.front().name);
    place_units(bytes);
  }

  void place_units(const FileBytes &bytes) {
    pathprof_image image;
    pathprof_error wrong = {};
    pathprof_image_open(&image, bytes.data(), bytes.size(), &wrong);
    std::vector<pathprof_unit_notes> all;
    pathprof_cursor cursor = image.section[PATHPROF_SECTION_UNITS];
    uint64_t num_units = pathprof_get_varint(&cursor);
    for (uint64_t i = 0; i < num_units && pathprof_cursor_ok(&cursor); i++) {
      all.emplace_back();
      pathprof_get_unit(&cursor, &all.back());
    }
    auto before = [](const pathprof_unit_notes &a, const pathprof_unit_notes &b) {
      return pathprof_compare_units(&a, &b) < 0;
    };
    for (Kind &kind : kinds_)
      for (const pathprof_unit_notes &unit : kind.table.units)
        kind.places.push_back(
            static_cast<size_t>(std::lower_bound(all.begin(), all.end(), unit, before) - all.begin()));
  }

  void select() {
    const Profile &profile = result_.profile;
    names_.emplace(options_, std::vector<const Profile *>{&profile});
    executed_.resize(profile.functions.size());
    for (const Function &function : profile.functions)
      selected_.push_back(names_->selects(function));
    for (const InterproceduralUnit &unit : profile.interprocedural_units)
      selected_programs_.push_back(std::any_of(unit.functions.begin(), unit.functions.end(),
                                               [&](size_t function) { return selected_[function] != 0; }));
    check_criterion();
  }

  void check_criterion() const {
    static const std::map<Criterion, bool (*)(const Function &)> are_measured = {
        {Criterion::Conditions, has_conditions},
        {Criterion::PrimePaths, counts_prime_paths},
        {Criterion::Lines, [](const Function &function) { return !function.in_program; }}};
    auto is_measured = are_measured.find(criterion_);
    const std::vector<Function> &functions = result_.profile.functions;
    if (is_measured == are_measured.end() || functions.empty() ||
        std::any_of(functions.begin(), functions.end(), is_measured->second))
      return;
    throw Failure(
        kWrongUse,
        criterion_ == Criterion::Lines
            ? fmt::format("tests: {} contains only interprocedural paths, for which lines per test are not computed; "
                          "use --by=paths, or compile with mode=acyclic",
                          inputs_.front().name)
        : criterion_ == Criterion::Conditions
            ? fmt::format("tests: --by=conditions: {} contains no functions that were instrumented at stage=source; "
                          "compile with -fplugin-arg-pathprof-conditions=1",
                          inputs_.front().name)
            : fmt::format("tests: --by=prime: {} contains no counts of acyclic paths; compile with mode=kipf,k=auto",
                          inputs_.front().name));
  }

  // ---- one file ----

  void read_tests(const Input &input) {
    pathprof_cursor section = input.image.section[PATHPROF_SECTION_TESTS];
    pathprof_error wrong = {};
    const Kind &kind = kinds_[input.kind];
    uint64_t in_tests = 0, num_tests = pathprof_open_tests(&section);
    if (num_tests == 0 && pathprof_cursor_ok(&section)) {
      read_whole(input);
      return;
    }
    result_.tells_apart = true;
    pathprof_test test = {};
    while (pathprof_next_test(&section, &num_tests, &test)) {
      Test &to = test_of({reinterpret_cast<const char *>(test.name.data), test.name.size});
      saturating_add(to.runs, test.runs);
      saturating_add(to.processor_time, test.processor_time);
      saturating_add(to.elapsed_time, test.elapsed_time);
      auto visit = [&](size_t unit, const UnitCounts &counts) {
        saturating_add(in_tests, add_unit(to, kind, unit, counts));
      };
      if (!visit_test(kind.table, test, visit, &wrong))
        fail(input.name, wrong);
      add_lines(to);
    }
    if (!pathprof_cursor_ok(&section))
      fail(input.name, section.error);
    uint64_t all = num_executions(input);
    saturating_add(result_.num_elsewhere, all > in_tests ? all - in_tests : 0);
  }

  void read_whole(const Input &input) {
    pathprof_cursor cursor = input.image.section[PATHPROF_SECTION_PROGRAM];
    pathprof_error wrong = {};
    pathprof_program program;
    pathprof_get_program(&cursor, &program);
    Test &to = test_of(test_name_of(input.name));
    saturating_add(to.runs, program.runs);
    const Kind &kind = kinds_[input.kind];
    auto visit = [&](size_t unit, const UnitCounts &counts) { add_unit(to, kind, unit, counts); };
    if (!visit_all(kind.table, input.image, visit, &wrong))
      fail(input.name, wrong);
    add_lines(to);
  }

  // Returns the number of path executions in the selected functions, including executions outside of tests.
  uint64_t num_executions(const Input &input) {
    uint64_t sum = 0;
    pathprof_error wrong = {};
    const Kind &kind = kinds_[input.kind];
    auto visit = [&](size_t unit, const UnitCounts &counts) {
      for_each_path(kind, unit, counts, [&](const TestedPath &, uint64_t count) { saturating_add(sum, count); });
    };
    if (!visit_all(kind.table, input.image, visit, &wrong))
      fail(input.name, wrong);
    return sum;
  }

  Test &test_of(const std::string &name) {
    auto [at, is_new] = test_places_.try_emplace(name, result_.tests.size());
    if (is_new) {
      result_.tests.emplace_back();
      result_.tests.back().name = visible(name);
    }
    return result_.tests[at->second];
  }

  template <typename See>
  void for_each_path(const Kind &kind, size_t unit, const UnitCounts &counts, See see) const {
    const UnitNotes &notes = kind.table.notes[unit];
    size_t place = kind.places[unit], program = places_.programs[place], first = first_function(notes);
    if (first && selected_programs_[program])
      for_each_program_path(notes, counts, [&](WideNumber id, uint64_t count) {
        see(TestedPath{program, id, true}, count);
      });
    for (size_t i = 0; i < notes.functions.size(); i++) {
      size_t function = places_.functions[place][i];
      if (selected_[function])
        for (const ExecutedPath &path : counts.paths[first + i])
          see(TestedPath{function, path.id, false}, path.count);
    }
  }

  template <typename See>
  static void for_each_program_path(const UnitNotes &notes, const UnitCounts &counts, See see) {
    const Forest &digits = counts.sequences.front().forest;
    if (!notes.program->is_wide())
      for (const ExecutedPath &path : counts.paths.front())
        see(path.id, path.count);
    for (size_t i = 0; notes.program->is_wide() && i < digits.size(); i++)
      if (digits[i].parent != ForestNode::kNone && digits[i].count > 0)
        see(number_at(digits, i), digits[i].count);
  }

  // Adds a unit's counts to a test and returns the number of path executions.
  uint64_t add_unit(Test &test, const Kind &kind, size_t unit, const UnitCounts &counts) {
    uint64_t sum = 0;
    std::map<uint32_t, uint64_t> covered; // for criteria other than paths, where several paths can cover one item
    for_each_path(kind, unit, counts, [&](const TestedPath &path, uint64_t count) {
      saturating_add(sum, count);
      if (criterion_ == Criterion::Paths)
        test.paths.push_back({index_of(path), count});
      else if (criterion_ == Criterion::Conditions && !path.is_of_program && count > 0)
        for (uint64_t effect : criteria_->effects(path.function, static_cast<uint64_t>(path.id)))
          saturating_add(covered[index_of({path.function, effect, false})], count);
    });
    if (criterion_ == Criterion::PrimePaths)
      add_prime_paths(covered, kind, unit, counts);
    if (criterion_ == Criterion::Lines)
      add_paths_of_lines(kind, unit, counts);
    test.paths.insert(test.paths.end(), covered.begin(), covered.end());
    return sum;
  }

  void add_prime_paths(std::map<uint32_t, uint64_t> &covered, const Kind &kind, size_t unit, const UnitCounts &counts) {
    const UnitNotes &notes = kind.table.notes[unit];
    size_t place = kind.places[unit], first = first_function(notes);
    for (size_t i = 0; i < notes.functions.size(); i++) {
      size_t function = places_.functions[place][i];
      if (!selected_[function])
        continue;
      for (const auto &[path, count] :
           criteria_->prime_paths(function, counts.paths[first + i], counts.sequences[first + i].forest))
        saturating_add(covered[index_of({function, 0, false, path})], count);
    }
  }

  // Collects the paths from which add_lines() computes lines. Code that was inlined into a function can belong to a
  // selected file even if the function does not, so the paths of all functions are collected.
  void add_paths_of_lines(const Kind &kind, size_t unit, const UnitCounts &counts) {
    const UnitNotes &notes = kind.table.notes[unit];
    for (size_t i = 0; i < notes.functions.size(); i++)
      for (const ExecutedPath &path : counts.paths[first_function(notes) + i])
        saturating_add(executed_[places_.functions[kind.places[unit]][i]][path.id], path.count);
  }

  // Adds the lines that the collected paths executed to the test, as `coverage` computes them for a profile with only
  // these paths.
  void add_lines(Test &test) {
    if (criterion_ != Criterion::Lines)
      return;
    Profile part;
    std::vector<size_t> places; // index in the profile of each function in `part`
    std::vector<std::pair<std::vector<ExecutedPath>, std::vector<ExecutedPath>>> before; // original paths
    for (size_t i = 0; i < executed_.size(); i++) {
      Function &function = result_.profile.functions[i];
      std::map<uint64_t, uint64_t> paths = std::exchange(executed_[i], {});
      if (paths.empty() || function.in_program || is_left_out(function))
        continue;
      before.push_back({std::exchange(function.paths, {}), std::exchange(function.cut_short, {})});
      for (const auto &[id, count] : paths)
        (id < function.notes.num_paths ? function.paths : function.cut_short).push_back({id, count});
      places.push_back(i);
      part.functions.push_back(std::move(function));
    }
    CoverageOptions options;
    options.only_lines = true;
    for (const auto &[name, file] : covered_files(part, inputs_.front().name, *names_, options)) {
      size_t index = file_places_.try_emplace(name, file_places_.size()).first->second;
      for (const auto &[line, count] : file.lines)
        if (count > 0)
          test.paths.push_back({index_of({index, line}), count});
    }
    for (size_t i = 0; i < places.size(); i++) {
      std::tie(part.functions[i].paths, part.functions[i].cut_short) = std::move(before[i]);
      result_.profile.functions[places[i]] = std::move(part.functions[i]);
    }
  }

  uint32_t index_of(const TestedPath &path) {
    auto next = static_cast<uint32_t>(result_.paths.size());
    auto [at, is_new] = criterion_ == Criterion::Lines ? add(lines_, std::make_pair(path.function, path.id), next)
                        : path.is_of_program ? add(program_paths_, std::make_pair(path.function, path.id), next)
                        : path.prime.empty() ? add(paths_[path.function], static_cast<uint64_t>(path.id), next)
                                             : add(prime_paths_[path.function], path.prime, next);
    if (is_new)
      result_.paths.push_back(path);
    return at;
  }

  template <typename Map, typename Key>
  static std::pair<uint32_t, bool> add(Map &map, const Key &key, uint32_t next) {
    auto [at, is_new] = map.try_emplace(key, next);
    return {at->second, is_new};
  }

  // ---- all files ----

  // Replaces the indices of the files, which are in the order of the tests, with indices in alphabetical order.
  void sort_files() {
    std::vector<size_t> sorted(file_places_.size());
    for (const auto &[name, place] : file_places_) {
      sorted[place] = result_.files.size();
      result_.files.push_back(name);
    }
    for (TestedPath &path : result_.paths)
      path.function = sorted[path.function];
  }

  // Sorts the paths, and numbers them in sorted order. If several input files contain counts for the same test and
  // path, adds these counts.
  void number_paths() {
    if (criterion_ == Criterion::Lines)
      sort_files();
    std::vector<uint32_t> order(result_.paths.size()), rank(result_.paths.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const TestedPath &x = result_.paths[a], &y = result_.paths[b];
      return std::tie(x.is_of_program, x.function, x.id, x.prime) <
             std::tie(y.is_of_program, y.function, y.id, y.prime);
    });
    std::vector<TestedPath> sorted;
    for (uint32_t i = 0; i < order.size(); i++) {
      rank[order[i]] = i;
      sorted.push_back(result_.paths[order[i]]);
    }
    result_.paths = std::move(sorted);
    for (Test &test : result_.tests)
      add_up(test.paths, rank);
    std::sort(result_.tests.begin(), result_.tests.end(), [](const Test &a, const Test &b) { return a.name < b.name; });
  }

  static void add_up(std::vector<std::pair<uint32_t, uint64_t>> &paths, const std::vector<uint32_t> &rank) {
    for (auto &[path, count] : paths)
      path = rank[path];
    std::sort(paths.begin(), paths.end());
    size_t kept = 0;
    for (const auto &[path, count] : paths)
      if (kept && paths[kept - 1].first == path)
        saturating_add(paths[kept - 1].second, count);
      else
        paths[kept++] = {path, count};
    paths.resize(kept);
    paths.shrink_to_fit();
  }

  const CommonOptions &options_;
  Criterion criterion_;
  bool warns_;
  std::unique_ptr<CriteriaOfPaths> criteria_;
  std::vector<Input> inputs_;
  Builds builds_;
  std::vector<Kind> kinds_;
  EntryPlaces places_;
  std::optional<Names> names_;
  std::vector<char> selected_, selected_programs_;
  std::vector<std::map<uint64_t, uint64_t>> executed_; // for each function, the path counts of the current test
  std::map<std::string, size_t> file_places_;          // indices of the files whose lines are items
  TestedPaths result_;
  std::map<std::string, size_t> test_places_;
  std::vector<std::unordered_map<uint64_t, uint32_t>> paths_; // for each function, the index of each path
  std::map<std::pair<size_t, WideNumber>, uint32_t> program_paths_, lines_;
  std::vector<std::map<PrimePath, uint32_t>> prime_paths_; // for each function, the index of each prime path
};

} // namespace

SetSystem TestedPaths::system() const {
  SetSystem system;
  system.num_elements = paths.size();
  for (const Test &test : tests) {
    system.sets.emplace_back();
    for (const auto &[path, count] : test.paths)
      system.sets.back().push_back(path);
  }
  return system;
}

TestedPaths read_tested_paths(const std::vector<std::string> &files, Criterion criterion,
                              const CommonOptions &options) {
  return Reader(files, criterion, options, true).run();
}

// Returns true if the profile contains counts per test, or if it cannot be read.
static bool may_have_tests(const std::string &file) {
  FileBytes bytes = open_image(file);
  pathprof_image image = {};
  pathprof_error ignored = {};
  if (!pathprof_image_open(&image, bytes.data(), bytes.size(), &ignored))
    return true;
  pathprof_cursor section = image.section[PATHPROF_SECTION_TESTS];
  return pathprof_open_tests(&section) != 0 || !pathprof_cursor_ok(&section);
}

std::optional<TestedPaths> read_tests_of(const std::string &file, const CommonOptions &options) {
  if (!may_have_tests(file))
    return std::nullopt;
  return Reader({file}, Criterion::Paths, options, false).run();
}

HotPath hot_path_of(const TestedPath &path) {
  HotPath hot = {0, 0, std::nullopt, 0, path.function, path.id};
  if (path.is_of_program)
    hot.program = path.function;
  return hot;
}

} // namespace pathprof
