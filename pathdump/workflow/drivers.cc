// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the compilers for a build, runs the build, and finds the programs that it links.
#include "pathdump/workflow/drivers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/manifest.h"
#include "pathdump/ui/text.h"
#include "pathdump/workflow/child.h"

namespace pathprof {

namespace fs = std::filesystem;

namespace {

const std::pair<const char *, const char *> languages[] = {
    {"CC", "pathprof-gcc"}, {"CXX", "pathprof-g++"}, {"FC", "pathprof-gfortran"}};

std::string full_name(const DriverNames &names, const std::string &driver) {
  return names.target + driver + names.version;
}

bool defines_compiler(const std::string &word) {
  return std::any_of(std::begin(languages), std::end(languages), [&word](const auto &language) {
    return word.compare(0, strlen(language.first) + 1, std::string(language.first) + "=") == 0;
  });
}

// Returns the value of CC in a word of the build command, or else in the environment.
std::string compiler_in(const std::vector<std::string> &program) {
  for (auto word = program.rbegin(); word != program.rend(); ++word)
    if (word->compare(0, 3, "CC=") == 0)
      return word->substr(3);
  const char *compiler = std::getenv("CC");
  return compiler ? compiler : "";
}

// A temporary file that the destructor removes.
class Scratch {
public:
  Scratch() : name_(fs::temp_directory_path() / "pathprof-XXXXXX") { close(mkstemp(name_.data())); }
  ~Scratch() { unlink(name_.c_str()); }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  const std::string &name() const { return name_; }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(name_).rdbuf();
    return text.str();
  }

private:
  std::string name_;
};

// Returns the command for a driver: its name if the shell finds the driver in PATH, and its path otherwise.
std::string driver(const std::string &command, const std::string &name) {
  std::string path = own_folder() + "/" + name;
  if (access(path.c_str(), X_OK) != 0)
    throw Failure(kWrongUse, fmt::format("{}: cannot find the driver {} next to pathprof", command, path));
  std::error_code ignored;
  if (fs::equivalent(in_path(name), path, ignored))
    return name;
  if (path.find_first_of(" \t") != std::string::npos)
    throw Failure(kWrongUse, fmt::format("{}: the path {} contains a space, which make and configure do not support; "
                                         "add the driver's directory to PATH",
                                         command, path));
  return path;
}

// Escapes characters that are special in MAKEFLAGS, such as the spaces between definitions.
std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == ' ' || c == '\\')
      result += '\\';
    result += c == '$' ? "$$" : std::string(1, c);
  }
  return result;
}

bool is_make(const std::string &program) {
  std::string name = fs::path(program).filename();
  return name == "make" || name == "gmake";
}

} // namespace

std::string in_path(const std::string &program) {
  if (program.find('/') != std::string::npos)
    return program;
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + "/" + program;
    if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file))
      return file;
  }
  return program;
}

bool is_executable(const std::string &program) {
  return access(in_path(program).c_str(), X_OK) == 0;
}

DriverNames driver_names_for(const std::vector<std::string> &program) {
  static const std::regex kCrossCompiler("(?:.*[ /])?([^ /]+?-)(?:pathprof-)?gcc(-[0-9]+)?");
  std::smatch parts;
  std::string compiler = compiler_in(program);
  if (!std::regex_match(compiler, parts, kCrossCompiler))
    return {};
  DriverNames names = {parts[1], parts[2]};
  bool has_driver = access((own_folder() + "/" + full_name(names, "pathprof-gcc")).c_str(), X_OK) == 0;
  return has_driver ? names : DriverNames{};
}

std::vector<std::string> without_compilers(const std::vector<std::string> &program, const DriverNames &names) {
  std::vector<std::string> words;
  std::copy_if(program.begin(), program.end(), std::back_inserter(words),
               [&names](const std::string &word) { return names.target.empty() || !defines_compiler(word); });
  return words;
}

Compilers drivers_with(const std::string &command, const std::string &option, const DriverNames &names) {
  Compilers compilers;
  for (const auto &[variable, name] : languages)
    compilers[variable] = driver(command, full_name(names, name)) + (option.empty() ? "" : " " + option);
  return compilers;
}

Compilers drivers(const std::string &command, const std::vector<std::string> &settings, const DriverNames &names) {
  std::string options;
  for (const std::string &setting : settings) {
    if (setting.find_first_of(" \t\"'\\") != std::string::npos)
      throw Failure(kWrongUse,
                    fmt::format("{}: '{}' contains a space, a quote or a backslash, which CC cannot contain; "
                                "write such arguments to a file and use scheme=FILE",
                                command, setting));
    options += (options.empty() ? "" : " ") + ("-fplugin-arg-pathprof-" + setting);
  }
  Compilers compilers = drivers_with(command, options, names);
  Scratch messages;
  Child child{
      shell_words(compilers.at("CC") + " -O1 -fsyntax-only -xc /dev/null"), {{"LC_ALL", "C"}}, "", messages.name()};
  if (!run_child(command, child).is_good()) {
    std::string text = messages.text();
    size_t error = text.find("error: ");
    std::string line = text.substr(error == std::string::npos ? 0 : error + 7);
    if (line.compare(0, 10, "pathprof: ") == 0) // prefix of the plugin's messages
      line.erase(0, 10);
    throw Failure(kWrongUse, fmt::format("{}: {}", command, line.substr(0, line.find('\n'))));
  }
  return compilers;
}

Compilers wrapped_compilers(const std::string &command, const DriverNames &names) {
  static const std::string kName = "COLLECT_GCC=";
  Compilers compilers;
  for (const auto &[variable, name] : languages) {
    Scratch messages;
    Child child{{own_folder() + "/" + full_name(names, name), "-###", "-xc", "/dev/null"},
                {{"LC_ALL", "C"}},
                "",
                messages.name()};
    run_child(command, child);
    std::istringstream lines(messages.text());
    for (std::string line; std::getline(lines, line);)
      if (line.compare(0, kName.size(), kName) == 0)
        compilers[variable] = line.substr(kName.size());
  }
  if (!compilers.count("CC"))
    throw Failure(
        kWrongUse,
        fmt::format("{}: pathprof-gcc cannot find a compiler; 'pathprof-gcc --version' prints the reason", command));
  return compilers;
}

std::string text_of(const Compilers &compilers) {
  std::string text;
  for (const auto &[variable, name] : languages)
    if (auto at = compilers.find(variable); at != compilers.end()) {
      bool has_blank = at->second.find(' ') != std::string::npos;
      text +=
          fmt::format("{}{}={}", text.empty() ? "" : " ", variable, has_blank ? "'" + at->second + "'" : at->second);
    }
  return text;
}

std::vector<std::string> clean_words(const std::string &command, const std::vector<std::string> &program,
                                     const std::string &clean) {
  static const std::string kShortWithValue = "CfIoW";
  if (!clean.empty())
    return shell_words(clean);
  if (program.empty() || !is_make(program.front()))
    throw Failure(
        kWrongUse,
        fmt::format("{}: missing --clean COMMAND option to remove the previous build (default for make: 'make clean')",
                    command));
  std::vector<std::string> words = {program.front()};
  for (size_t i = 1; i < program.size(); i++) {
    const std::string &word = program[i];
    if (word.find('=') != std::string::npos || (word.size() > 1 && word[0] == '-' && word[1] != 'j'))
      words.push_back(word);
    if (word.size() == 2 && word[0] == '-' && kShortWithValue.find(word[1]) != std::string::npos &&
        i + 1 < program.size())
      words.push_back(program[++i]);
  }
  words.push_back("clean");
  return words;
}

// Returns true if the file was created by one of the compiler tests of CMake, Meson or configure.
static bool is_of_compiler_test(const fs::path &path) {
  return path.stem() == "conftest" || std::any_of(path.begin(), path.end(), [](const fs::path &part) {
           return part == "CMakeFiles" || part == "meson-private";
         });
}

static bool is_program(const std::string &name) {
  bool is_shared = name.find(".so", name.rfind('/') + 1) != std::string::npos;
  if (!is_shared && access(name.c_str(), X_OK) != 0)
    return false;
  std::array<char, 4> magic = {};
  std::ifstream(name, std::ios::binary).read(magic.data(), magic.size());
  return std::equal(magic.begin(), magic.end(), "\177ELF");
}

FileStates programs_below() {
  FileStates found;
  std::error_code error;
  fs::recursive_directory_iterator at(".", fs::directory_options::skip_permission_denied, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && (at->path().filename() == ".git" || is_of_compiler_test(at->path().filename())))
      at.disable_recursion_pending();
    if (at->is_symlink(ignored) || !at->is_regular_file(ignored))
      continue;
    std::string name = at->path().lexically_normal().string();
    if (is_program(name) && !is_of_compiler_test(name))
      found[name] = state_of(name);
  }
  return found;
}

std::vector<std::string> programs_since(const FileStates &before) {
  std::vector<std::string> names;
  for (const auto &[name, state] : programs_below()) {
    auto at = before.find(name);
    if (at == before.end() || at->second != state)
      names.push_back(name);
  }
  return names;
}

BuildOutputs::BuildOutputs() : list_(fs::temp_directory_path() / "pathprof-XXXXXX") {
  close(mkstemp(list_.data()));
}

BuildOutputs::~BuildOutputs() {
  unlink(list_.c_str());
}

// Returns the canonical names of the listed files that still exist, sorted by name.
std::vector<std::string> BuildOutputs::existing() const {
  std::set<std::string> found;
  std::error_code ignored;
  std::ifstream list(list_);
  for (std::string line; std::getline(list, line);)
    if (fs::path name = fs::canonical(line, ignored); !name.empty() && fs::is_regular_file(name, ignored))
      found.insert(name);
  return {found.begin(), found.end()};
}

std::vector<std::string> BuildOutputs::programs_elsewhere() const {
  std::vector<std::string> found;
  std::error_code ignored;
  fs::path here = fs::canonical(fs::current_path(), ignored);
  for (const std::string &output : existing()) {
    fs::path name = output;
    bool is_below = std::mismatch(here.begin(), here.end(), name.begin(), name.end()).first == here.end();
    if (!is_below && is_program(name) && !is_of_compiler_test(name))
      found.push_back(name);
  }
  return found;
}

void BuildOutputs::add_to_manifest() const {
  // CMake does not delete the test programs that it compiles to identify the compiler.
  auto is_of_build = [](const std::string &name) {
    fs::path path(name);
    return path.stem() != "conftest" && std::none_of(path.begin(), path.end(), [](const fs::path &part) {
             return part == "meson-private" || part.string().compare(0, 10, "CompilerId") == 0;
           });
  };
  std::vector<std::string> outputs = existing();
  outputs.erase(std::partition(outputs.begin(), outputs.end(), is_of_build), outputs.end());
  add_to_manifest_here(outputs);
}

std::map<std::string, std::string> environment_of(const Compilers &compilers) {
  std::map<std::string, std::string> environment(compilers.begin(), compilers.end());
  const char *flags = std::getenv("MAKEFLAGS");
  std::string all = flags ? flags : "";
  if (all.find(" -- ") == std::string::npos && all.compare(0, 3, "-- ") != 0)
    all += all.empty() ? "-- " : " -- ";
  for (const auto &[variable, compiler] : compilers)
    all += fmt::format(" {}={}", variable, escaped(compiler));
  environment["MAKEFLAGS"] = all;
  environment["PATHPROF_MODE"] = "off"; // programs that the build itself executes are not counted
  return environment;
}

bool is_cmake(const std::vector<std::string> &program) {
  return !program.empty() && fs::path(program.front()).filename() == "cmake";
}

static std::string cmake_folder(const std::vector<std::string> &program) {
  std::string folder = ".";
  for (size_t i = 1; i < program.size(); i++) {
    if ((program[i] == "-B" || program[i] == "--build") && i + 1 < program.size())
      folder = program[i + 1];
    else if (program[i].compare(0, 2, "-B") == 0)
      folder = program[i].substr(2);
  }
  return folder;
}

// Returns the directory that a `meson setup` command configured, or an empty string for any other command.
static std::string meson_folder(const std::vector<std::string> &program) {
  static const std::set<std::string> kOtherCommands = {"compile",    "configure", "devenv",      "dist", "install",
                                                       "introspect", "rewrite",   "subprojects", "test", "wrap"};
  if (program.size() < 2 || fs::path(program.front()).filename() != "meson" || kOtherCommands.count(program[1]))
    return {};
  auto folder = std::find_if(program.begin() + 1, program.end(),
                             [](const std::string &word) { return fs::is_directory(word + "/meson-private"); });
  return folder != program.end() ? *folder : fs::is_directory("meson-private") ? "." : "";
}

std::string build_after_configuring(const std::vector<std::string> &program) {
  if (std::string folder = meson_folder(program); !folder.empty())
    return "meson compile -C " + quoted_word(folder);
  bool is_configuring = is_cmake(program) && std::none_of(program.begin(), program.end(), [](const std::string &word) {
                          return word == "--build" || word == "--install" || word == "-E" || word == "-P";
                        });
  return is_configuring ? "cmake --build " + quoted_word(cmake_folder(program)) : std::string();
}

// Returns a map from names to values for the NAME:TYPE=VALUE entries of a CMakeCache.txt file. The map is empty if the
// file does not exist.
static std::map<std::string, std::string> cached_by_cmake(const std::string &name) {
  std::map<std::string, std::string> entries;
  std::ifstream file(name);
  for (std::string line; std::getline(file, line);)
    if (size_t type = line.find(':'), value = line.find('='); type < value && value != std::string::npos)
      entries[line.substr(0, type)] = line.substr(value + 1);
  return entries;
}

void check_cmake(const Build &build, const Compilers &compilers) {
  if (!is_cmake(build.program))
    return;
  std::string file = cmake_folder(build.program) + "/CMakeCache.txt";
  std::map<std::string, std::string> cache = cached_by_cmake(file);
  for (const auto &[variable, language] : {std::pair("CC", "C"), std::pair("CXX", "CXX"), std::pair("FC", "Fortran")}) {
    const std::string &known = cache[fmt::format("CMAKE_{}_COMPILER", language)];
    const std::string &arguments = cache[fmt::format("CMAKE_{}_COMPILER_ARG1", language)];
    auto at = compilers.find(variable);
    if (known.empty() || at == compilers.end())
      continue;
    size_t end = std::min(at->second.find(' '), at->second.size());
    std::error_code ignored;
    if (fs::equivalent(known, in_path(at->second.substr(0, end)), ignored) && arguments == at->second.substr(end))
      continue;
    throw Failure(
        kWrongUse,
        fmt::format("{}: {} is configured for '{}{}', and CMake cannot change the compiler to {}; configure in a new "
                    "directory (pathprof build [KEY=VALUE]... -- cmake -B FOLDER), or remove the file",
                    build.command, file, known, arguments, text_of({{variable, at->second}})));
  }
}

void run_build(const Build &build, const Compilers &compilers, const std::string &log) {
  Child child{build.clean, environment_of(compilers), "", log};
  child.environment.insert(build.environment.begin(), build.environment.end());
  for (const std::vector<std::string> *words : {&build.clean, &build.program}) {
    if (words->empty())
      continue;
    child.words = *words;
    Ended ended = run_child(build.command, child);
    stop_if_interrupted(ended);
    if (ended.is_good())
      continue;
    if (!log.empty()) {
      Child print{{"sh", "-c", "tail -n 20 \"$0\" >&2", log}, {}, "", ""};
      run_child(build.command, print);
    }
    const char *way_out =
        words == &build.clean ? "; use --clean CMD to remove the previous build with a different command" : "";
    throw Failure(kMissed, fmt::format("{}: '{}' failed: {}, with {}{}", build.command, fmt::join(*words, " "),
                                       ended.text(), text_of(compilers), way_out));
  }
}

} // namespace pathprof
