// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump tests`: compares tests by the paths that they execute, selects the smallest sufficient set of
// tests, and ranks the tests.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>

#include "core/analysis/set_cover.h"
#include "core/numbering/saturate.h"
#include "pathdump/commands/commands.h"
#include "pathdump/model/basis.h"
#include "pathdump/coverage/covered.h"
#include "pathdump/coverage/find_path.h"
#include "pathdump/coverage/tested_items.h"
#include "pathdump/coverage/traceability.h"
#include "pathdump/coverage/tested_paths.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"
#include "profile/model/source_names.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> files;
  bool select = false, rank = false, redundant = false, unique = false, requirements = false;
  std::string budget, which;
  std::string by = "paths";
  std::string time = "processor";
  uint64_t limit = 20; // maximum number of paths that --unique lists
  bool has_limit = false;
};

// Converts a duration such as "90", "90s", "1.5m", "200ms" or "2h" to microseconds.
uint64_t parse_time(const std::string &text) {
  static const std::pair<const char *, double> units[] = {{"ms", 1e3},  {"s", 1e6}, {"", 1e6},
                                                          {"min", 6e7}, {"m", 6e7}, {"h", 3.6e9}};
  size_t digits = text.find_first_not_of("0123456789.");
  std::string number = text.substr(0, digits), unit = digits == std::string::npos ? "" : text.substr(digits);
  double value = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  auto known = std::find_if(std::begin(units), std::end(units), [&](const auto &one) { return unit == one.first; });
  bool is_number = !number.empty() && error == std::errc() && end == number.data() + number.size();
  if (!is_number || known == std::end(units) || value * known->second > 1e18)
    throw Failure(
        kWrongUse,
        fmt::format("tests: --budget: invalid time '{}'; expected a time such as 90s, 200ms, 1.5min or 2h", text));
  return static_cast<uint64_t>(value * known->second);
}

std::string time_text(uint64_t microseconds) {
  return microseconds ? fmt::format("{:.3f}", static_cast<double>(microseconds) / 1e6) : "-";
}

// A selected test, and the number of items that this test covers but no previously selected test covers.
struct Chosen {
  size_t test = 0;
  size_t gain = 0;
};

class Tests {
public:
  Tests(TestedPaths tested, const Options &options, const std::string &file)
      : tested_(std::move(tested)), options_(options), names_(options, {&tested_.profile}),
        view_(tested_.profile, file, names_, options), system_(tested_.system()), own_(count_own_elements(system_)) {
    for (const Function &function : tested_.profile.functions)
      if (!is_left_out(function))
        decode_or_fail(view_.file, function);
  }

  ExitStatus run() {
    if (!options_.budget.empty())
      choose_within_budget(parse_time(options_.budget));
    else if (options_.select)
      choose_fewest();
    else if (options_.rank)
      chosen_ = ranked(rank_sets(system_));
    Output out(options_);
    if (options_.json)
      out.print("{}\n", dump_indented(json()));
    else
      print(out);
    out.commit();
    return status_of_selection(options_, view_.names, tested_.profile, view_.file, kGood,
                               tested_.criterion == Criterion::Lines ? Selectable::Lines : Selectable::Functions);
  }

private:
  const Test &test(size_t i) const { return tested_.tests[i]; }
  uint64_t time_of(size_t i) const {
    return options_.time == "elapsed" ? test(i).elapsed_time : test(i).processor_time;
  }
  uint64_t time_of_all(const std::vector<Chosen> &tests) const {
    return std::accumulate(tests.begin(), tests.end(), uint64_t{0},
                           [&](uint64_t sum, const Chosen &one) { return sum + time_of(one.test); });
  }

  // ---- choices ----

  static std::vector<Chosen> ranked(const std::vector<RankedSet> &sets) {
    std::vector<Chosen> chosen;
    for (const RankedSet &set : sets)
      chosen.push_back({set.set, set.gain});
    return chosen;
  }

  // Returns the tests in `sets`, ordered so that each test covers as many additional items as possible.
  std::vector<Chosen> in_order(const std::vector<size_t> &sets) const {
    SetSystem chosen;
    chosen.num_elements = system_.num_elements;
    for (size_t set : sets)
      chosen.sets.push_back(system_.sets[set]);
    std::vector<Chosen> ordered = ranked(rank_sets(chosen));
    for (Chosen &one : ordered)
      one.test = sets[one.test];
    return ordered;
  }

  void choose_fewest() {
    SetCover cover = choose_cover(system_);
    chosen_ = in_order(cover.sets);
    bound_ = cover.least;
  }

  void choose_within_budget(uint64_t budget) {
    std::vector<uint64_t> costs;
    std::string unknown;
    for (size_t i = 0; i < tested_.tests.size(); i++) {
      costs.push_back(time_of(i));
      if (costs.back() == 0 && unknown.empty())
        unknown = test(i).name;
    }
    if (!unknown.empty())
      throw Failure(kBadData, fmt::format("tests: --budget: the run time of test '{}' is not known; run the test to "
                                          "completion with PATHPROF_TEST set",
                                          unknown));
    BudgetedCover cover = choose_within(system_, costs, budget);
    chosen_ = in_order(cover.sets);
    bound_ = cover.most;
  }

  // Returns the tests whose paths are all executed by other tests, each with a flag.  All flagged tests can be removed
  // together without losing any path.  With --select, returns only the flagged tests, which are the tests that were not
  // selected.
  std::vector<std::pair<size_t, bool>> redundant() const {
    std::vector<size_t> kept = choose_cover(system_).sets;
    std::vector<std::pair<size_t, bool>> list;
    for (size_t i = 0; i < own_.size(); i++)
      if (bool goes = !std::binary_search(kept.begin(), kept.end(), i); own_[i] == 0 && (goes || !options_.select))
        list.push_back({i, goes});
    return list;
  }

  // ---- paths ----

  // Returns the paths that exactly one test executed, ordered by test.
  std::vector<CoveredItem> own_paths() const {
    std::vector<uint32_t> times(tested_.paths.size(), 0);
    for (const Test &one : tested_.tests)
      for (const auto &[path, count] : one.paths)
        times[path]++;
    std::vector<CoveredItem> list;
    for (size_t i = 0; i < tested_.tests.size(); i++)
      for (const auto &[path, count] : test(i).paths)
        if (times[path] == 1)
          list.push_back({i, path, count});
    return list;
  }

  void print_own_paths(Output &out) {
    std::vector<CoveredItem> list = own_paths();
    size_t num_found = list.size();
    out.print("\n{} that only one test {}\n", plural(num_found, noun()), verb());
    if (list.empty())
      return;
    if (options_.limit && options_.limit < list.size())
      list.resize(options_.limit);
    out.write("\n");
    ItemTexts(tested_, view_.decoder, view_.formatter).print_table(list, out);
    if (list.size() < num_found)
      out.print("... and {} more (-n 0 shows all)\n", plural(num_found - list.size(), noun()));
    view_.formatter.print_legend(out);
  }

  // Returns the file and the number of the line given with --which, in the form of TestedPath.  Throws Failure if the
  // line has no code.
  std::pair<size_t, uint64_t> line_of_operand() const {
    CoverageOptions options;
    options.only_lines = true;
    std::map<std::string, CoveredFile> files = covered_files(tested_.profile, view_.file, view_.names, options);
    std::vector<std::string> names;
    for (const auto &[name, file] : files)
      names.push_back(name);
    auto found = find_line(names, options_.which);
    if (!found)
      throw Failure(kWrongUse,
                    fmt::format("tests: --which: no file with code matches '{}'; expected FILE:LINE", options_.which));
    const std::string &name = names[found->first];
    const CoveredFile &file = files[name];
    if (!file.lines.count(found->second))
      throw Failure(kWrongUse,
                    file.excluded_lines.count(found->second)
                        ? fmt::format("tests: --which: line {} of {} is excluded by a marker", found->second, name)
                        : fmt::format("tests: --which: line {} of {} has no code; use 'coverage --lines' or 'show' to "
                                      "list lines with code",
                                      found->second, name));
    auto place = std::lower_bound(tested_.files.begin(), tested_.files.end(), name);
    return {static_cast<size_t>(place - tested_.files.begin()), found->second};
  }

  // Returns the tests that execute the path or the line given with --which, with their execution counts.
  std::vector<std::pair<size_t, uint64_t>> tests_of_operand() const {
    auto [function, id] = tested_.criterion == Criterion::Lines
                              ? line_of_operand()
                              : find_path(tested_.profile, options_.which, view_.names, view_.file);
    std::vector<std::pair<size_t, uint64_t>> list;
    for (size_t i = 0; i < tested_.tests.size(); i++)
      for (const auto &[path, count] : test(i).paths)
        if (!tested_.paths[path].is_of_program && tested_.paths[path].function == function &&
            tested_.paths[path].id == id)
          list.push_back({i, count});
    return list;
  }

  // ---- text ----

  const char *noun() const { return noun_of(tested_.criterion); }
  const char *verb() const { return tested_.criterion == Criterion::Conditions ? "showed" : "executed"; }

  void print(Output &out) {
    std::vector<std::pair<size_t, uint64_t>>
        of_operand; // computed before anything is printed, because the path may not exist
    if (!options_.which.empty())
      of_operand = tests_of_operand();
    out.print("{}: {}, {} of {}\n", title_of(tested_.profile, view_.file), plural(tested_.tests.size(), "test"),
              plural(tested_.paths.size(), std::string("distinct ") + noun()),
              plural(num_functions(), tested_.criterion == Criterion::Lines ? "file" : "function"));
    print_counted(tested_.profile, view_.names, out);
    if (tested_.criterion == Criterion::Conditions)
      print_remark("An effect is a value (true or false) of a condition that affected the outcome of its decision",
                   out);
    if (tested_.num_elsewhere)
      out.print("{} of paths outside any test\n", plural(tested_.num_elsewhere, "execution"));
    if (!options_.which.empty())
      print_which(of_operand, out);
    else if (!options_.budget.empty() || options_.select || options_.rank)
      print_chosen(out);
    else if (options_.redundant)
      print_redundant(out);
    else if (options_.requirements)
      print_requirements(out);
    else
      print_all(out);
    if (options_.unique)
      print_own_paths(out);
  }

  size_t num_functions() const {
    size_t number = 0;
    for (size_t i = 0; i < tested_.paths.size(); i++)
      number += i == 0 || tested_.paths[i].function != tested_.paths[i - 1].function ||
                tested_.paths[i].is_of_program != tested_.paths[i - 1].is_of_program;
    return number;
  }

  std::string heading_of_time() const { return options_.time == "elapsed" ? "elapsed s" : "seconds"; }

  std::vector<Column> columns(std::vector<Column> first) const {
    first.insert(first.end(), {{"test", false, Colour::Name, 60},
                               {"runs", true},
                               {heading_of_time(), true},
                               {std::string(noun()) + "s", true},
                               {"only here", true}});
    return first;
  }
  void add(Table &table, size_t i, std::vector<std::string> first) const {
    first.insert(first.end(), {test(i).name, std::to_string(test(i).runs), time_text(time_of(i)),
                               std::to_string(test(i).paths.size()), std::to_string(own_[i])});
    table.add(std::move(first));
  }

  void print_all(Output &out) const {
    std::vector<size_t> order(tested_.tests.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return own_[a] > own_[b]; });
    out.print("Ranked by the number of {}s that no other test {}\n\n", noun(), verb());
    Table table(columns({}));
    for (size_t i : order)
      add(table, i, {});
    table.print(out);
  }

  std::string heading_of_choice() const {
    size_t all = tested_.paths.size(), number = chosen_.size(), of = tested_.tests.size();
    size_t covered = std::accumulate(chosen_.begin(), chosen_.end(), size_t{0},
                                     [](size_t sum, const Chosen &one) { return sum + one.gain; });
    if (!options_.budget.empty())
      return fmt::format("{} of {} within {}: run time {} s, {} of {} {}s covered ({:.2f}%); {}", number,
                         plural(of, "test"), options_.budget, time_text(time_of_all(chosen_)), covered, all, noun(),
                         per_cent(double(covered), double(all)),
                         covered == bound_
                             ? "no selection that fits in this time covers more"
                             : fmt::format("no selection that fits in this time covers more than {}", bound_));
    if (options_.select)
      return fmt::format("{} of {} cover all {}; {}", number, plural(of, "test"), plural(all, noun()),
                         number == bound_ ? "no smaller set of tests is sufficient"
                                          : fmt::format("at least {} tests are required", bound_));
    return fmt::format("{} of {} cover {}s that no better test covers", number, plural(of, "test"), noun());
  }

  void print_chosen(Output &out) const {
    out.print("{}\n\n", heading_of_choice());
    Table table(columns({{"rank", true}, {"adds", true, Colour::Hot}, {"cumul.", true}}));
    size_t sum = 0, rank = 0;
    for (const Chosen &one : chosen_) {
      sum += one.gain;
      add(table, one.test,
          {std::to_string(++rank), std::to_string(one.gain),
           fmt::format("{:.2f}%", per_cent(static_cast<double>(sum), static_cast<double>(tested_.paths.size())))});
    }
    table.print(out);
    if (options_.redundant)
      print_unselected(out);
    if (options_.rank && chosen_.size() < tested_.tests.size())
      out.print("{} nothing\n", tested_.tests.size() - chosen_.size() == 1
                                    ? "1 test adds"
                                    : fmt::format("{} tests add", tested_.tests.size() - chosen_.size()));
  }

  // With --select, prints the tests that are not selected.
  void print_unselected(Output &out) const {
    std::vector<std::pair<size_t, bool>> list = redundant();
    if (list.empty()) {
      out.write("\nNo test is redundant\n");
      return;
    }
    out.print("\n{} redundant; the selected tests cover all {} {}s\n\n",
              list.size() == 1 ? "1 test is" : fmt::format("{} tests are", list.size()),
              list.size() == 1 ? "its" : "their", noun());
    Table table(columns({}));
    for (const auto &[i, goes] : list)
      add(table, i, {});
    table.print(out);
  }

  void print_redundant(Output &out) const {
    std::vector<std::pair<size_t, bool>> list = redundant();
    auto together = std::count_if(list.begin(), list.end(), [](const auto &one) { return one.second; });
    out.print("{} without {} {} of {} own; {} can be removed together without losing any {}\n\n",
              plural(list.size(), "test"), tested_.criterion == Criterion::Conditions ? "an" : "a", noun(),
              list.size() == 1 ? "its" : "their", together, noun());
    if (list.empty())
      return;
    Table table(columns({{"together"}}));
    for (const auto &[i, goes] : list)
      add(table, i, {goes ? "goes" : "stays"});
    table.print(out);
  }

  void print_which(const std::vector<std::pair<size_t, uint64_t>> &list, Output &out) const {
    out.print("{} execute{} {}\n", plural(list.size(), "test"), list.size() == 1 ? "s" : "", options_.which);
    if (list.empty())
      return;
    out.write("\n");
    Table table({{"count", true}, {"test", false, Colour::Name, 60}});
    for (const auto &[i, count] : list)
      table.add({std::to_string(count), test(i).name});
    table.print(out);
  }

  void print_requirements(Output &out) const {
    std::map<std::string, TracedRequirement> requirements = trace_requirements(tested_);
    out.print("{} in the names of the tests\n", plural(requirements.size(), "requirement"));
    if (requirements.empty())
      return;
    out.write("\n");
    Table table({{"requirement", false, Colour::Name}, {"tests", true}, {std::string(noun()) + "s", true}, {"test"}});
    for (const auto &[tag, requirement] : requirements) {
      std::vector<std::string> cells = {tag, std::to_string(requirement.tests.size()),
                                        std::to_string(requirement.items.size())};
      for (size_t i : requirement.tests) { // one row per test
        cells.push_back(test(i).name);
        table.add(std::exchange(cells, {"", "", ""}));
      }
    }
    table.print(out);
    auto has_none = [](const Test &one) { return tags_of(one.name).empty(); };
    if (auto others = std::count_if(tested_.tests.begin(), tested_.tests.end(), has_none))
      out.print("{} without a requirement\n", plural(static_cast<uint64_t>(others), "test"));
  }

  // ---- JSON ----

  // Returns the requirements with their tests and with all items that these tests execute.
  Json requirements_json() {
    Json list = Json::array();
    ItemTexts texts(tested_, view_.decoder, view_.formatter);
    for (const auto &[tag, requirement] : trace_requirements(tested_)) {
      Json tests = Json::array(), items = Json::array();
      std::map<uint32_t, uint64_t> counts;
      for (size_t i : requirement.tests) {
        tests.push_back(test(i).name);
        for (const auto &[item, count] : test(i).paths)
          saturating_add(counts[item], count);
      }
      for (const auto &[item, count] : counts)
        items.push_back(texts.json({requirement.tests.front(), item, count}));
      list.push_back({{"requirement", tag}, {"tests", std::move(tests)}, {"items", std::move(items)}});
    }
    return list;
  }

  Json test_json(size_t i) const {
    return {{"name", test(i).name},
            {"runs", count_json(test(i).runs)},
            {"processor_microseconds", count_json(test(i).processor_time)},
            {"elapsed_microseconds", count_json(test(i).elapsed_time)},
            {"paths", test(i).paths.size()},
            {"only_here", own_[i]}};
  }

  Json choice_json() const {
    Json list = Json::array();
    for (const Chosen &one : chosen_)
      list.push_back({{"name", test(one.test).name}, {"adds", one.gain}});
    Json json = {{"tests", std::move(list)}};
    if (!options_.budget.empty())
      json["most_paths"] = bound_;
    else if (options_.select)
      json["least_tests"] = bound_;
    return json;
  }

  Json json() {
    Json json = {{"program", tested_.profile.program},
                 {"by", to_string(tested_.criterion)},
                 {"paths", tested_.paths.size()},
                 {"executions_elsewhere", count_json(tested_.num_elsewhere)}};
    json["counted"] = counted_json(tested_.profile, view_.names);
    json["tests"] = Json::array();
    for (size_t i = 0; i < tested_.tests.size(); i++)
      json["tests"].push_back(test_json(i));
    if (!options_.budget.empty() || options_.select)
      json["select"] = choice_json();
    else if (options_.rank)
      json["rank"] = choice_json();
    if (options_.redundant) {
      json["redundant"] = Json::array();
      for (const auto &[i, goes] : redundant())
        json["redundant"].push_back({{"name", test(i).name}, {"goes_together", goes}});
    }
    if (!options_.which.empty()) {
      json["which"] = Json::array();
      for (const auto &[i, count] : tests_of_operand())
        json["which"].push_back({{"name", test(i).name}, {"count", count_json(count)}});
    }
    if (options_.requirements)
      json["requirements"] = requirements_json();
    if (options_.unique) {
      json["unique"] = Json::array();
      ItemTexts texts(tested_, view_.decoder, view_.formatter);
      for (const CoveredItem &own : own_paths()) {
        json["unique"].push_back({{"test", test(own.test).name}});
        json["unique"].back().update(texts.json(own));
      }
    }
    return json;
  }

  TestedPaths tested_;
  const Options &options_;
  Names names_;
  ProfileView view_;
  SetSystem system_;
  std::vector<size_t> own_; // for each test, the number of paths that no other test executed
  std::vector<Chosen> chosen_;
  size_t bound_ = 0;
};

// Returns true if the name is that of a source file, such as "parse.c". Names of functions can end in a dot and a
// number.
bool is_file_name(const std::string &name) {
  std::string extension = std::filesystem::path(name).extension();
  return name.find(':') == std::string::npos && extension.size() > 1 &&
         std::isalpha(static_cast<unsigned char>(extension[1]));
}

// Returns true if the operand of --which names a line: FILE is not the name of a function, but the name of a source
// file. Throws Failure if the profile contains neither a function nor a source file of this name.
bool names_line(const Options &options, const Profile &profile) {
  std::string name = options.which.substr(0, options.which.rfind(':'));
  Names names(options, {&profile});
  bool is_line = false;
  for (const Function &function : profile.functions) {
    if (is_meant(name, function, names))
      return false;
    is_line |= std::any_of(function.files->begin(), function.files->end(),
                           [&](const std::string &file) { return is_end_of_path(name, names.file(file)); });
  }
  if (!is_line && is_file_name(name))
    throw Failure(kWrongUse,
                  fmt::format("tests: --which: no source file '{}' in the profile; use '{} coverage' to list "
                              "all source files",
                              name, program_name));
  return is_line;
}

int run(const Options &options) {
  check_lines_option(options, "tests");
  bool selects_all = options.select && options.budget.empty();
  int num_choices = (options.select || !options.budget.empty()) + options.rank + (options.redundant && !selects_all) +
                    !options.which.empty() + options.requirements;
  if (num_choices > 1)
    throw Failure(
        kWrongUse,
        "tests: use only one of --select, --rank, --redundant, --which and --requirements; only --select can be "
        "combined with --redundant or with --budget, but not with both");
  static const std::map<std::string, Criterion> criteria = {{"paths", Criterion::Paths},
                                                            {"conditions", Criterion::Conditions},
                                                            {"prime", Criterion::PrimePaths},
                                                            {"lines", Criterion::Lines}};
  Criterion criterion = criteria.at(options.by);
  if (!options.which.empty() && (criterion == Criterion::Conditions || criterion == Criterion::PrimePaths))
    throw Failure(kWrongUse,
                  "tests: --which names a path or a line and cannot be combined with --by=conditions or --by=prime");
  if (options.has_limit && !options.unique)
    throw Failure(kWrongUse, "tests: -n limits the list that --unique prints; use -n only with --unique");
  if (std::count(options.files.begin(), options.files.end(), "-") > 1)
    throw Failure(kWrongUse, "tests: standard input ('-') can be read only once");
  std::vector<std::string> files = options.files;
  if (files.empty())
    files.push_back(choose_profile(""));
  TestedPaths tested = read_tested_paths(files, criterion, options);
  if (criterion == Criterion::Paths && names_line(options, tested.profile))
    tested = read_tested_paths(files, Criterion::Lines, options);
  if (files.size() == 1 && !tested.tells_apart)
    throw Failure(kBadData, fmt::format("{}: the profile does not distinguish tests; run each test with "
                                        "PATHPROF_TEST=NAME, or give one profile per test",
                                        files.front()));
  return Tests(std::move(tested), options, files.front()).run();
}

} // namespace

Run declare_tests(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_flag("--select", options->select, "select the smallest set of tests that covers all executed paths");
  command.add_option(
      "--budget", options->budget, "TIME",
      "select the tests that cover the most paths within TIME, such as 90s, 500ms or 2min (default unit: seconds)");
  command
      .add_option("--time", options->time, "processor|elapsed",
                  "measure the run time of tests as processor time or as elapsed time (default processor)")
      .accept("time", {"processor", "elapsed"});
  command
      .add_option("--by", options->by, "paths|conditions|prime|lines",
                  "compare tests by paths, by effects of conditions, by prime paths, or by lines (default: paths)")
      .accept("criterion", {"paths", "conditions", "prime", "lines"});
  command.add_flag("--rank", options->rank,
                   "rank the tests by the number of paths that each test covers but no better test covers");
  command.add_flag("--redundant", options->redundant,
                   "list the tests whose paths are all executed by other tests; with --select, by the selected tests");
  command.add_flag("--unique", options->unique, "list the paths that only one test executed");
  command.add_flag(
      "--requirements", options->requirements,
      "list the requirements that test names mention, and the tests of each requirement; a requirement is a "
      "tag such as REQ-12, SYS-REQ-7 or REQ-1.2 with no letter or digit next to it");
  command.add_option("--which", options->which, "FUNC:PATH|FILE:LINE",
                     "list the tests that execute path PATH of function FUNC, or line LINE of FILE");
  add_number_option(command, options->limit, "list at most N paths with --unique (default 20; 0: all)");
  command.add_operand("FILE...", options->files,
                      "profiles that distinguish tests (PATHPROF_TEST), or one profile per test (default: the only "
                      "*.pathprof in the working directory)");
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions | kLinesOption);
  return [options, command] {
    options->has_limit = command.has("--number");
    return run(*options);
  };
}

} // namespace pathprof
