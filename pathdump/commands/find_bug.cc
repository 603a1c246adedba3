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

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/workflow/child.h"
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
  std::string build, clean, keep, program;
  bool is_stdin = false;
  uint64_t limit = 5;
};

// The command or input for one run, and the directory to which the run writes its profiles.
struct Input {
  std::string text;
  bool has_failed;
  std::string name; // directory name, such as "fail-2"
};

// Path models to try if acyclic paths do not distinguish the failing runs from the passing runs.
const std::vector<std::string> longer_paths[] = {{"mode=kiter", "k=2"}, {"mode=kiter", "k=3"}, {"mode=intracontext"}};

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
  }

  int run() {
    warn_of_missing_files();
    warn_of_both();
    std::string what = "paths of the existing build";
    if (!try_it("0", what) && !options_.build.empty()) {
      for (const std::vector<std::string> &model : longer_paths) {
        what = fmt::format("{}", fmt::join(model, " "));
        say(fmt::format("no path distinguishes the runs; building with {}", what));
        build(model);
        if (try_it(what, what))
          break;
      }
      say(fmt::format("the program is now built with {}", what));
    }
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

  void build(const std::vector<std::string> &model) {
    Build all{"find-bug", shell_words(options_.build), {}};
    all.clean = clean_words("find-bug", words_of(options_.build), options_.clean);
    DriverNames names = driver_names_for(all.program);
    all.program = without_compilers(all.program, names);
    Compilers compilers = drivers("find-bug", model, names);
    check_cmake({"find-bug", words_of(options_.build), {}}, compilers);
    run_build(all, compilers, scratch_.file("log"));
  }

  // Splits a simple command line into words. Returns an empty list if only a shell can interpret the command line.
  static std::vector<std::string> words_of(const std::string &line) {
    std::vector<std::string> words;
    if (line.find_first_of("|&;<>()$`\"'\\") != std::string::npos)
      return words;
    std::istringstream stream(line);
    for (std::string word; stream >> word;)
      words.push_back(word);
    return words;
  }

  // Runs the program with all inputs. Returns true if at least one path was executed by all failing runs but by no
  // passing run.
  bool try_it(const std::string &folder, const std::string &what) {
    folder_ = folder;
    std::map<std::string, std::vector<std::string>> profiles; // profiles by program, in the order of the inputs
    for (const Input &input : inputs_) {
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
    suspicious_paths_ = std::make_unique<FaultLocalizer>(names_);
    for (const Input &input : inputs_)
      suspicious_paths_->add(profile_of(input, program_), input.has_failed);
    return suspicious_paths_->are_apart();
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
    for (std::string word : operands_.program) {
      for (size_t at = 0; !options_.is_stdin && (at = word.find("{}", at)) != std::string::npos;
           at += input.text.size()) {
        word.replace(at, 2, input.text);
        is_used = true;
      }
      child.words.push_back(word);
    }
    if (!is_used)
      child.words.push_back(input.text);
    if (options_.is_stdin)
      child.input = input.text;
    return child;
  }

  // Runs the program with one input and returns the names of the profiles that the run wrote. Returns an empty list if
  // the program does not exist yet but can be built.
  std::set<std::string> run(const Input &input) {
    Collected collected(as_pattern(scratch_.file(folder_ + "/" + input.name)) + "/%e.pathprof");
    Child child = child_of(input);
    if (may_build() && access(in_path(child.words.front()).c_str(), X_OK) != 0)
      return {};
    std::filesystem::create_directories(scratch_.file(folder_ + "/" + input.name));
    child.output = scratch_.file(folder_ + "/" + input.name + "/output");
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
    if (!input.has_failed && WIFSIGNALED(ended.status))
      say(fmt::format("note: '{}' is given as passing, but was terminated by {}", input.text, ended.text()));
    std::set<std::string> names;
    for (const WrittenProfile &profile : collected.written())
      if (profile_of_sibling(profile.name).empty())
        names.insert(std::filesystem::path(profile.name).filename());
    return names;
  }

  int report(const std::string &what) {
    Output out(options_);
    bool is_found = suspicious_paths_->print(out, what);
    bool is_ranked = is_found && options_.limit != 1, is_in_file = options_.output != "-";
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

  // Prints the ranking by running 'pathdump diff'.
  void rank(const std::vector<std::string> &more) const {
    std::vector<std::string> words = {own_program(), "diff",        "-n", std::to_string(options_.limit),
                                      "--color",     options_.color};
    for (const std::string &prefix : options_.source_prefixes)
      words.insert(words.end(), {"--source-prefix", prefix});
    if (options_.no_demangle)
      words.push_back("--no-demangle");
    words.insert(words.end(), more.begin(), more.end());
    for (bool has_failed : {false, true}) {
      words.push_back(has_failed ? "--fail" : "--pass");
      for (const Input &input : inputs_)
        if (input.has_failed == has_failed)
          words.push_back(profile_of(input, program_));
    }
    if (!run_child("find-bug", {words, {}, "", ""}).is_good())
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

int run(const Options &options, const Operands &operands) {
  options.runs.check("find-bug", "pathprof find-bug --pass './prog right' --fail './prog wrong'");
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
  command.add_flag("--stdin", options->is_stdin, "pass each input to the program as standard input");
  command.add_option("--program", options->program, "NAME",
                     "compare the profiles of program NAME if the commands run several programs");
  command.add_option("--build", options->build, "CMD",
                     "build the program with CMD, and try longer paths if acyclic paths do not distinguish the runs");
  add_clean_option(command, options->clean);
  command.add_option("--keep", options->keep, "FOLDER",
                     "keep the profiles and output of the runs in a new directory FOLDER");
  add_number_option(command, options->limit, "list at most N paths in the ranking (default 5; 0: all)");
  add_common_options(command, *options, kNameOptions);
  return [options, &operands] { return run(*options, operands); };
}

} // namespace pathprof
