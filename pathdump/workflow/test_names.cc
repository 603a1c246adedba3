// SPDX-License-Identifier: GPL-3.0-or-later
// Makes CTest, Meson, Automake's test harness and pytest set PATHPROF_TEST for each test.
#include "pathdump/workflow/test_names.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "pathdump/workflow/test_runner_files.h"

namespace pathprof {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

bool starts_with(const std::string &text, const std::string &start) {
  return text.compare(0, start.size(), start) == 0;
}

void write(const fs::path &file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

// Sets a variable of the child to `first`, followed by the separator and the variable's value in this process, if any.
void prepend(Child &child, const std::string &variable, const std::string &first, const char *separator) {
  const char *rest = std::getenv(variable.c_str());
  child.environment[variable] = rest && *rest ? first + separator + rest : first;
}

// ---- CTest ----

constexpr const char *kTestFile = "CTestTestfile.cmake";
// If this file exists, because the project uses include(CTest), CTest runs in the directory that the file names.
constexpr const char *kDashboardFile = "DartConfiguration.tcl";

bool is_own_file(const fs::path &name) {
  return name == kTestFile || name == kDashboardFile;
}

// Writes a copy of the dashboard file of `build`, if there is one, that names `run_folder` as the build directory.
void copy_dashboard_file(const fs::path &build, const fs::path &run_folder) {
  std::ifstream in(build / kDashboardFile);
  if (!in)
    return;
  std::string text;
  for (std::string line; std::getline(in, line);)
    text += (starts_with(line, "BuildDirectory:") ? "BuildDirectory: " + run_folder.string() : line) + "\n";
  write(run_folder / kDashboardFile, text);
}

// Returns the argument that contains the value of --test-dir, or `words.end()`.
Words::iterator test_directory(Words &words) {
  for (auto word = words.end(); word-- != words.begin() + 1;)
    if (*word == "--test-dir" && word + 1 != words.end())
      return word + 1;
    else if (starts_with(*word, "--test-dir="))
      return word;
  return words.end();
}

// Returns true if the command only runs the tests of one build directory. Other steps of a dashboard, such as the
// configuration, need the original directory.
bool runs_tests(const Words &words) {
  static const std::set<std::string> others = {
      "-S", "--script", "-SP", "--script-new-process", "--build-and-test", "--preset", "--launch"};
  static const std::regex steps("(-T|--test-action) (start|test)|(-D|--dashboard) ([a-z]+(start|test)|.*=.*)",
                                std::regex::icase);
  for (size_t i = 1; i < words.size(); i++) {
    bool is_step = words[i] == "-T" || words[i] == "--test-action" || words[i] == "-D" || words[i] == "--dashboard";
    if (others.count(words[i]) || starts_with(words[i], "--preset="))
      return false;
    if (is_step && (i + 1 == words.size() || !std::regex_match(words[i] + " " + words[i + 1], steps)))
      return false;
  }
  return true;
}

// ---- other test runners ----

bool is_goal_with_tests(const std::string &word) {
  return word == "check" || word == "recheck" || starts_with(word, "check-");
}

bool is_make(const std::string &name) {
  return name == "make" || name == "gmake";
}

bool is_pytest(const std::string &name, const Words &words) {
  if (starts_with(name, "python"))
    return words.size() > 2 && words[1] == "-m" && words[2] == "pytest";
  return name == "pytest" || name == "py.test" || starts_with(name, "pytest-");
}

} // namespace

TestNames::TestNames(Child &child) {
  if (std::getenv("PATHPROF_TEST"))
    return;
  const Words &words = child.words;
  std::string name = fs::path(words.front()).filename();
  if (name == "ctest")
    name_in_ctest(child);
  else if (name == "meson" && words.size() > 1 && words[1] == "test")
    name_in_meson(child);
  else if (is_make(name) && std::any_of(words.begin() + 1, words.end(), is_goal_with_tests))
    name_in_make(child);
  else if (is_pytest(name, words))
    name_in_pytest(child);
}

// Runs CTest in a directory of links to all files of the build directory except CTestTestfile.cmake and
// DartConfiguration.tcl. The parent directory contains links, too, because options of CTest can name files relative to
// the build directory.
void TestNames::name_in_ctest(Child &child) {
  auto option = test_directory(child.words);
  bool has_option = option != child.words.end(), is_joined = has_option && starts_with(*option, "--test-dir=");
  std::error_code error;
  fs::path build =
      fs::canonical(has_option ? option->substr(is_joined ? option->find('=') + 1 : 0) : std::string("."), error);
  if (error || !fs::exists(build / kTestFile, error) || !runs_tests(child.words))
    return;
  fs::create_directory(build / "Testing", error); // otherwise CTest would create it among the links
  fs::path run_folder = scratch_.file(build.filename());
  fs::create_directory(run_folder);
  links_ = {{build, run_folder}, {build.parent_path(), run_folder.parent_path()}};
  for (const auto &[from, to] : links_)
    for (const fs::directory_entry &entry : fs::directory_iterator(from, error))
      if (!is_own_file(entry.path().filename()) && !fs::exists(to / entry.path().filename()))
        fs::create_symlink(entry.path(), to / entry.path().filename());
  write(run_folder / kTestFile, fmt::format("{}subdirs([==========[\n{}]==========])\n", ctest_file, build.string()));
  copy_dashboard_file(build, run_folder);
  if (has_option) {
    *option = (is_joined ? "--test-dir=" : "") + run_folder.string();
    return;
  }
  child.folder = run_folder;
  if (child.words.front().find('/') != std::string::npos)
    child.words.front() = fs::absolute(child.words.front());
}

// Makes a module importable in the child process.
void TestNames::add_python_module(Child &child, const std::string &name, std::string_view text) {
  fs::path file = scratch_.file(name);
  write(file, text);
  prepend(child, "PYTHONPATH", file.parent_path(), ":");
}

void TestNames::name_in_meson(Child &child) {
  add_python_module(child, "sitecustomize.py", meson_file);
}

// Appends `env PATHPROF_TEST=...` to the value of the makefile variable TESTS_ENVIRONMENT, which precedes the command
// of each test. The value that the project or the user assigns can contain assignments, commands and prefixes of a
// command, all of which can precede `env`. The recipes of Automake store the name of the test in the shell variable
// `f`, or `tst` with serial-tests.
void TestNames::name_in_make(Child &child) {
  static const std::pair<const char *, const char *> harnesses[] = {{"%.log", "f"}, {"check-TESTS", "tst"}};
  for (const auto &[target, variable] : harnesses)
    child.words.insert(child.words.begin() + 1,
                       fmt::format("--eval={}: override TESTS_ENVIRONMENT += env "
                                   "PATHPROF_TEST=\"$(if $(filter-out .,$(subdir)),$(subdir)/)$${}\"",
                                   target, variable));
}

void TestNames::name_in_pytest(Child &child) {
  add_python_module(child, "pathprof_pytest.py", pytest_file);
  prepend(child, "PYTEST_ADDOPTS", "-ppathprof_pytest", " ");
}

// Copies the files that CTest created in the directories of links to the directories for which they were substituted.
TestNames::~TestNames() {
  std::error_code ignored;
  for (const auto &[to, from] : links_)
    for (const fs::directory_entry &entry : fs::directory_iterator(from, ignored))
      if (!entry.is_symlink(ignored) && !is_own_file(entry.path().filename()) && entry.path() != links_.front().second)
        fs::copy(entry.path(), to / entry.path().filename(),
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing, ignored);
}

} // namespace pathprof
