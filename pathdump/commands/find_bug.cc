// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathprof find-bug`: runs passing and failing commands and shows the path that distinguishes them.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/workflow/child.h"
#include "pathdump/workflow/crash.h"
#include "pathdump/workflow/drivers.h"
#include "pathdump/workflow/folder.h"
#include "pathdump/workflow/fault_localizer.h"
#include "pathdump/workflow/record.h"
#include "profile/model/file.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  RunOptions runs;
  std::vector<std::string> tried; // commands or inputs that find-bug classifies
  std::string build, clean, keep, program, expected;
  bool is_stdin = false, is_split = false, is_longer = false;
  uint64_t limit = 5;
};

// The command or input for one run, and the directory to which the run writes its profiles.
struct Input {
  std::string text;
  bool has_failed;
  std::string name; // directory name, such as "fail-2"
  Ended ended = {0, 0};

  // Returns true if a signal terminated the run. A shell reports the signal as an exit status above 128.
  bool is_crash() const {
    static constexpr int kSignalled = 128;
    return WIFSIGNALED(ended.status) || WEXITSTATUS(ended.status) > kSignalled;
  }
};

// Path models to try if acyclic paths do not distinguish the failing runs from the passing runs.
const std::vector<std::string> longer_paths[] = {{"mode=kiter", "k=2"}, {"mode=kiter", "k=3"}, {"mode=intracontext"}};

bool has_blank(const std::string &text) {
  return text.find_first_of(" \t") != std::string::npos;
}

// Replaces {} with the input, {.} with the input without its extension, {/} with its base name, and {/.} with its base
// name without the extension.
std::string filled_in(std::string text, const std::string &input) {
  std::filesystem::path path(input);
  const std::pair<const char *, std::string> replacements[] = {
      {"{}", input}, {"{.}", path.parent_path() / path.stem()}, {"{/}", path.filename()}, {"{/.}", path.stem()}};
  for (size_t at = 0; at < text.size(); at++)
    for (const auto &[placeholder, replacement] : replacements)
      if (size_t length = std::string(placeholder).size(); text.compare(at, length, placeholder) == 0) {
        text.replace(at, length, replacement);
        at += replacement.size() - 1;
        break;
      }
  return text;
}

void say(const std::string &text) {
  std::cerr << "pathprof: " << visible(text) << "\n";
}

class Search {
public:
  Search(const Options &options, const Operands &operands)
      : options_(options), operands_(operands), scratch_(options.keep), names_(options) {
    for (bool has_failed : {false, true}) {
      size_t number = 0;
      for (const std::string &text : has_failed ? options.runs.failed : options.runs.passed)
        inputs_.push_back({text, has_failed, fmt::format("{}-{}", has_failed ? "fail" : "pass", ++number)});
    }
    for (const std::string &text : options.tried)
      inputs_.push_back({text, false, fmt::format("run-{}", inputs_.size() + 1)});
  }

  int run() {
    if (!options_.build.empty())
      clean_command(); // reports a missing --clean before the first run
    warn_of_missing_files();
    warn_of_both();
    std::string what = "paths of the existing build";
    bool is_enough = try_it("0", what) && !options_.is_longer;
    if (!is_enough && !options_.build.empty())
      what = try_longer_paths(what);
    return report(what);
  }

private:
  // Prints a note about missing input files. A program also fails if it cannot open its input, but this failure is not
  // caused by the bug.
  void warn_of_missing_files() const {
    auto is_file = [](const Input &input) { return access(input.text.c_str(), F_OK) == 0; };
    bool are_files =
        !operands_.program.empty() && !options_.is_stdin && std::any_of(inputs_.begin(), inputs_.end(), is_file);
    for (const Input &input : inputs_)
      if (are_files && !is_file(input))
        say(fmt::format("note: there is no file '{}', although other inputs are files", input.text));
  }

  // Prints a note about inputs that are given both as passing and as failing inputs. Such an input is probably a
  // mistake, unless the bug is a race condition.
  void warn_of_both() const {
    for (const std::string &text : options_.runs.passed)
      if (std::count(options_.runs.failed.begin(), options_.runs.failed.end(), text))
        say(fmt::format(
            "note: '{}' is given as both passing and failing; differences between its runs may be due to chance",
            text));
  }

  // Rebuilds the program with longer paths until a path distinguishes the runs, and restores the original build.
  // Returns the description of the paths that were compared last.
  std::string try_longer_paths(std::string what) {
    std::vector<std::string> settings = suspicious_paths_->settings();
    for (const std::vector<std::string> &model : longer_paths) {
      say(suspicious_paths_->are_apart()
              ? fmt::format("building with {} to compare longer paths", fmt::join(model, " "))
              : fmt::format("no path distinguishes the runs; building with {}", fmt::join(model, " ")));
      what = fmt::format("{}", fmt::join(model, " "));
      build(model);
      if (try_it(what, what))
        break;
    }
    say(settings.empty() ? "building again with the default arguments"
                         : fmt::format("building again with the original settings {}", fmt::join(settings, " ")));
    build(settings);
    return what;
  }

  std::vector<std::string> clean_command() const {
    return clean_words("find-bug", words_of(options_.build), options_.clean);
  }

  void build(const std::vector<std::string> &model) {
    Build all{"find-bug", shell_words(options_.build), {}};
    all.clean = clean_command();
    DriverNames names = driver_names_for(all.program);
    all.program = without_compilers(all.program, names);
    Compilers compilers = drivers("find-bug", model, names);
    check_cmake({"find-bug", words_of(options_.build), {}}, compilers);
    run_build(all, compilers, scratch_.file("log"));
  }

  // Splits a simple command line into words, as a shell does. Returns an empty list if the command line contains
  // several commands or a command substitution.
  static std::vector<std::string> words_of(const std::string &line) {
    wordexp_t expanded;
    if (wordexp(line.c_str(), &expanded, WRDE_NOCMD) != 0)
      return {};
    std::vector<std::string> words(expanded.we_wordv, expanded.we_wordv + expanded.we_wordc);
    wordfree(&expanded);
    return words;
  }

  static std::vector<std::string> split_at_blanks(const std::string &text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;)
      words.push_back(word);
    return words;
  }

  // Runs the program with all inputs. Returns true if at least one path was executed by all failing runs but by no
  // passing run.
  bool try_it(const std::string &folder, const std::string &what) {
    folder_ = folder;
    std::map<std::string, std::vector<std::string>> profiles; // profiles by program, in the order of the inputs
    for (Input &input : inputs_) {
      std::set<std::string> programs = run(input);
      for (const std::string &program : programs)
        profiles[program].push_back(profile_of(input, program));
      if (programs.empty() && may_build()) {
        say(fmt::format("'{}' wrote no profile; building the program first", input.text));
        build({});
        return try_it("1", what);
      }
      if (programs.empty())
        throw Failure(kBadData, fmt::format("find-bug: '{}' wrote no profile, because the program is not instrumented; "
                                            "build it with 'pathprof build -- make', or use --build 'make'",
                                            input.text));
    }
    program_ = choose(profiles);
    if (!options_.tried.empty())
      classify();
    suspicious_paths_ = std::make_unique<FaultLocalizer>(names_, PathFormatter::form_of(options_));
    for (const Input &input : inputs_)
      suspicious_paths_->add(profile_of(input, program_), input.has_failed);
    return suspicious_paths_->are_apart();
  }

  // Returns true if the output of the run differs from the expected output, or if a signal terminated the run.
  bool differs(const Input &input) const {
    std::string file = filled_in(options_.expected, input.text);
    LoadError wrong;
    std::optional<TextFile> expected = read_text_file(file, &wrong);
    if (!expected)
      throw Failure(kWrongUse, "find-bug: --output-differs: " + wrong.message());
    std::optional<TextFile> output = read_text_file(scratch_.file(folder_ + "/" + input.name + "/output"), &wrong);
    if (!output)
      throw Failure(kBadData, "find-bug: " + wrong.message());
    return input.is_crash() || output->text != expected->text;
  }

  // Determines which runs failed (option --output-differs).
  void classify() {
    std::vector<std::string> failed;
    for (Input &input : inputs_)
      if ((input.has_failed = differs(input)))
        failed.push_back(input.text);
    if (failed.empty() || failed.size() == inputs_.size())
      throw Failure(kWrongUse,
                    fmt::format("find-bug: {} {}; add inputs for which the program {}",
                                inputs_.size() == 1 ? "the only run" : fmt::format("all {} runs", inputs_.size()),
                                failed.empty() ? "passed" : "failed", failed.empty() ? "fails" : "passes"));
    static constexpr size_t kMost = 5;
    bool are_many = failed.size() > kMost;
    std::string number = fmt::format("{} of {} runs failed", failed.size(), inputs_.size());
    failed.resize(std::min(failed.size(), kMost));
    say(fmt::format("{}: {}{}", number, fmt::join(failed, ", "), are_many ? ", ..." : ""));
  }

  // Returns true if `find-bug` can build the program and has not built it yet.
  bool may_build() const { return folder_ == "0" && !options_.build.empty(); }

  std::string profile_of(const Input &input, const std::string &program) const {
    return scratch_.file(folder_ + "/" + input.name + "/" + program);
  }

  // Selects the profile to compare, and returns its name. All runs must have written this profile.
  std::string choose(const std::map<std::string, std::vector<std::string>> &profiles) const {
    if (!options_.program.empty()) {
      std::string wanted = options_.program + ".pathprof";
      auto at = profiles.find(wanted);
      if (at == profiles.end() || at->second.size() != inputs_.size())
        throw Failure(kWrongUse, fmt::format("find-bug: not all runs wrote a profile of program {}", options_.program));
      return wanted;
    }
    std::vector<std::string> common;
    for (const auto &[program, files] : profiles)
      if (files.size() == inputs_.size())
        common.push_back(program.substr(0, program.rfind('.')));
    if (common.size() == 1)
      return common.front() + ".pathprof";
    if (common.empty())
      throw Failure(kWrongUse, "find-bug: no instrumented program was executed in every run");
    throw Failure(
        kWrongUse,
        fmt::format("find-bug: the runs wrote profiles of several programs; use --program to select one of: {}",
                    fmt::join(common, ", ")));
  }

  Child child_of(const Input &input) const {
    Child child;
    if (operands_.program.empty()) {
      child.words = shell_words(input.text);
      return child;
    }
    bool is_used = options_.is_stdin;
    std::vector<std::string> split = split_at_blanks(input.text);
    for (std::string word : operands_.program) {
      if (options_.is_split && word == "{}") {
        child.words.insert(child.words.end(), split.begin(), split.end());
        is_used = true;
        continue;
      }
      for (size_t at = 0; !options_.is_stdin && (at = word.find("{}", at)) != std::string::npos;
           at += input.text.size()) {
        word.replace(at, 2, input.text);
        is_used = true;
      }
      child.words.push_back(word);
    }
    if (!is_used && options_.is_split)
      child.words.insert(child.words.end(), split.begin(), split.end());
    else if (!is_used)
      child.words.push_back(input.text);
    if (options_.is_stdin)
      child.input = input.text;
    return child;
  }

  // Runs the program with one input and returns the names of the profiles that the run wrote. Returns an empty list if
  // the program does not exist yet but can be built.
  std::set<std::string> run(Input &input) {
    Collected collected(as_pattern(scratch_.file(folder_ + "/" + input.name)) + "/%e.pathprof");
    Child child = child_of(input);
    if (may_build() && !is_executable(child.words.front()))
      return {};
    std::filesystem::create_directories(scratch_.file(folder_ + "/" + input.name));
    child.output = scratch_.file(folder_ + "/" + input.name + "/output");
    if (!options_.tried.empty())
      child.errors = scratch_.file(folder_ + "/" + input.name + "/errors");
    child.environment = collected.environment("continuous");
    Ended ended = run_child("find-bug", child);
    stop_if_interrupted(ended);
    if (operands_.program.empty() && WIFEXITED(ended.status) &&
        (WEXITSTATUS(ended.status) == 127 || WEXITSTATUS(ended.status) == 126)) {
      if (may_build())
        return {};
      throw Failure(kWrongUse,
                    fmt::format("find-bug: the shell cannot run '{}'; quote each command with its arguments: --pass "
                                "'./prog right' --fail './prog wrong'; or name inputs: --pass right --fail wrong -- "
                                "./prog {{}}",
                                input.text));
    }
    input.ended = ended;
    if (options_.tried.empty() && !input.has_failed && WIFSIGNALED(ended.status))
      say(fmt::format("note: '{}' is given as passing, but was terminated by {}", input.text, ended.text()));
    std::set<std::string> names;
    for (const WrittenProfile &profile : collected.written())
      if (profile_of_sibling(profile.name).empty())
        names.insert(std::filesystem::path(profile.name).filename());
    return names;
  }

  // Prints a note if an input that consists of several words was passed as one argument, and the program probably
  // rejected it: a passing run has a nonzero exit status, or the paths do not distinguish the runs.
  void note_blanks() const {
    bool can_be_split = !operands_.program.empty() && !options_.is_stdin && !options_.is_split;
    for (const Input &input : inputs_) {
      bool is_bad = (!input.has_failed && !input.ended.is_good()) || !suspicious_paths_->are_apart();
      if (can_be_split && is_bad && has_blank(input.text) && access(input.text.c_str(), F_OK) != 0)
        return say(fmt::format("note: '{}' was passed to the program as one argument; use --split to pass its words as "
                               "separate arguments",
                               input.text));
    }
  }

  // If a failing run crashed, repeats the run to find its last paths.
  void find_last_paths() {
    auto is_crash = [](const Input &input) { return input.has_failed && input.is_crash(); };
    auto crashed = std::find_if(inputs_.begin(), inputs_.end(), is_crash);
    if (crashed == inputs_.end())
      return;
    std::string run = fmt::format("'{}' ({})", crashed->text, crashed->ended.text());
    if (!can_find_last_paths())
      return say(fmt::format("note: install gdb to see the last paths of {}", run));
    Child child = child_of(*crashed);
    child.environment = Collected(as_pattern(scratch_.file("last")) + "/%e.pathprof").environment("off");
    std::vector<LastPath> paths = last_paths(std::move(child), scratch_.file("debugger"));
    if (paths.empty())
      say(fmt::format("note: the last paths of {} are unknown; they are recorded in programs that are built without "
                      "optimisation or with termination=exact",
                      run));
    suspicious_paths_->set_last_paths(run, profile_of(*crashed, program_), std::move(paths));
  }

  int report(const std::string &what) {
    note_blanks();
    find_last_paths();
    Output out(options_);
    bool is_found = suspicious_paths_->print(out, what);
    bool is_ranked = is_found && num_rows() != 1, is_in_file = options_.output != "-";
    if (is_ranked && is_in_file) {
      std::string file = scratch_.file("ranking");
      rank({"-o", file});
      LoadError wrong;
      std::optional<TextFile> ranking = read_text_file(file, &wrong);
      if (!ranking)
        throw Failure(kBadData, "find-bug: " + wrong.message());
      out.write(ranking->text);
      std::filesystem::remove(file);
    }
    out.commit();
    if (is_ranked && !is_in_file)
      rank({});
    if (!is_found || !suspicious_paths_->are_apart())
      say(options_.build.empty()
              ? "no path distinguishes all failing runs from all passing runs; use --build 'make' to try longer paths"
              : "no path distinguishes all failing runs from all passing runs, not even a longer path");
    return is_found && suspicious_paths_->are_apart() ? kGood : kMissed;
  }

  // Returns the number of rows in the ranking, which contains all paths with the highest score unless these are many.
  uint64_t num_rows() const {
    static constexpr uint64_t kMostTies = 20;
    return options_.limit ? std::max(options_.limit, std::min(suspicious_paths_->num_ties() + 1, kMostTies)) : 0;
  }

  // Prints the ranking by running 'pathdump diff'.
  void rank(const std::vector<std::string> &more) const {
    std::vector<std::string> words = {own_program(), "diff",        "-n", std::to_string(num_rows()),
                                      "--color",     options_.color};
    for (const std::string &prefix : options_.source_prefixes)
      words.insert(words.end(), {"--source-prefix", prefix});
    if (options_.no_demangle)
      words.push_back("--no-demangle");
    if (options_.codes)
      words.push_back("--codes");
    words.insert(words.end(), more.begin(), more.end());
    for (bool has_failed : {false, true}) {
      words.push_back(has_failed ? "--fail" : "--pass");
      for (const Input &input : inputs_)
        if (input.has_failed == has_failed)
          words.push_back(profile_of(input, program_));
    }
    Ended ended = run_child("find-bug", {words, {}, "", ""});
    if (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGPIPE)
      throw ClosedPipe();
    if (!ended.is_good())
      throw Failure(kBadData, "find-bug: cannot rank the paths; see the message above");
  }

  const Options &options_;
  const Operands &operands_;
  ScratchFolder scratch_;
  Names names_;
  std::vector<Input> inputs_;
  std::string folder_, program_;
  std::unique_ptr<FaultLocalizer> suspicious_paths_;
};

int run(Options options, const Operands &operands) {
  if (options.tried.empty() != options.expected.empty())
    throw Failure(kWrongUse, "find-bug: --runs and --output-differs must be given together: pathprof find-bug --runs "
                             "INPUT... --output-differs EXPECTED -- ./prog {}");
  if (options.tried.empty())
    options.runs.check("find-bug", "pathprof find-bug --pass './prog right' --fail './prog wrong'");
  else if (options.runs.are_given())
    throw Failure(kWrongUse, "find-bug: --runs cannot be combined with --pass and --fail");
  if (options.is_split && (operands.program.empty() || options.is_stdin))
    throw Failure(kWrongUse,
                  "find-bug: --split requires a program that takes the inputs as arguments: find-bug --split "
                  "--pass '1 2' --fail '3 4' -- ./prog {}");
  if (options.is_longer && options.build.empty())
    options.build = "make";
  if (options.is_stdin && operands.program.empty())
    throw Failure(kWrongUse, "find-bug: --stdin requires a program that reads the inputs: find-bug --stdin --pass "
                             "FILE... --fail FILE... -- ./prog");
  if (!options.clean.empty() && options.build.empty())
    throw Failure(kWrongUse, "find-bug: --clean requires --build");
  return Search(options, operands).run();
}

} // namespace

Run declare_find_bug(Subcommand &command, const Operands &operands) {
  auto options = std::make_shared<Options>();
  add_run_options(command, options->runs, "CMD...",
                  "passing commands to run, each in quotes, or passing inputs for the program that follows '--'",
                  "failing commands to run, each in quotes, or failing inputs for the program that follows '--'");
  command.add_option("--runs", options->tried, "CMD...",
                     "commands or inputs that --output-differs classifies as passing or failing");
  command.add_option("--output-differs", options->expected, "EXPECTED",
                     "a run of --runs fails if its standard output differs from the file EXPECTED, in which {} stands "
                     "for the input and {.} for the input without its extension");
  command.add_flag("--stdin", options->is_stdin, "pass each input to the program as standard input");
  command.add_flag("--split", options->is_split, "split each input at blanks into several arguments");
  command.add_option("--program", options->program, "NAME",
                     "compare the profiles of program NAME if the commands run several programs");
  command.add_option("--build", options->build, "CMD",
                     "build the program with CMD, and try longer paths if acyclic paths do not distinguish the runs");
  add_clean_option(command, options->clean);
  command.add_flag(
      "--longer", options->is_longer,
      "build with longer paths even if acyclic paths distinguish the runs; the default of --build is make");
  command.add_option("--keep", options->keep, "FOLDER",
                     "keep the profiles and output of the runs in a new directory FOLDER");
  add_number_option(command, options->limit, "list at most N paths in the ranking (default 5; 0: all)");
  add_common_options(command, *options, kNameOptions | kCodesOption);
  return [options, &operands] { return run(*options, operands); };
}

} // namespace pathprof
