// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathprof rebuild`: profiles a training run, builds with the profile, and compares the result with a build
// without instrumentation.
// All three builds use the same directory.  The instrumented build comes first, because the drivers list the programs
// that are linked outside of the working directory.  Copies of the programs of the other two builds are installed in
// turn for the comparison, so that the same command runs either version.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <random>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/models/model.h"
#include "pathdump/commands/commands.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/text.h"
#include "pathdump/workflow/child.h"
#include "pathdump/workflow/drivers.h"
#include "pathdump/workflow/folder.h"
#include "pathdump/workflow/record.h"
#include "profile/model/orphans.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace fs = std::filesystem;

namespace {

struct Options {
  std::vector<std::string> train;
  std::vector<std::string> measure;
  std::string clean;
  std::string profile;
  uint64_t rounds = 15;
};

void say(const std::string &text) {
  std::cerr << "pathprof: " << visible(text) << "\n";
}

// Backup copies of the programs that a build produced, from which the programs can be restored.
class Kept {
public:
  Kept(const std::vector<std::string> &files, const std::string &folder) : folder_(folder), files_(files) {
    for (const std::string &file : files_) {
      fs::create_directories(copy_of(file).parent_path());
      fs::copy_file(file, copy_of(file), fs::copy_options::overwrite_existing);
    }
  }

  // Restores the programs. Each program is replaced by renaming a copy, because the file of a running program cannot be
  // overwritten.
  void put_in_place() const {
    for (const std::string &file : files_) {
      fs::copy_file(copy_of(file), file + ".pathprof-new", fs::copy_options::overwrite_existing);
      fs::rename(file + ".pathprof-new", file);
    }
  }

  const std::vector<std::string> &files() const { return files_; }

private:
  fs::path copy_of(const std::string &file) const { return fs::path(folder_) / fs::path(file).relative_path(); }

  std::string folder_;
  std::vector<std::string> files_;
};

// Throws Failure if the plugin arguments select a stage other than early, because a rebuild can use only profiles of
// programs that were compiled with stage=early.
void check_settings(const std::vector<std::string> &settings) {
  std::map<std::string, std::string> last;
  for (const std::string &setting : settings)
    if (size_t at = setting.find('='); at != std::string::npos)
      last[setting.substr(0, at)] = setting.substr(at + 1);
  std::string why;
  if (!last["stage"].empty() && last["stage"] != "early")
    why = "stage=" + last["stage"];
  if (last["switch"] == "1" && last["stage"].empty())
    why = "switch=1 without stage=early selects stage=late";
  if (last["conditions"] == "1")
    why = "conditions=1 requires stage=source";
  for (const Model *model : all_models())
    if (last["mode"] == model->name() && !model->has(Feature::Stages))
      why = fmt::format("mode={} requires stage=source", model->name());
  if (!why.empty())
    throw Failure(kWrongUse, fmt::format("rebuild: {}, but a rebuild requires a profile with stage=early", why));
}

// Returns 0 if there are no values.
double median_of(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// A median with its 95% confidence interval.
struct Estimate {
  double median, low, high;
};

// Computes the confidence interval by bootstrap resampling. The result is deterministic.
Estimate estimate_of(const std::vector<double> &values) {
  static constexpr size_t kSamples = 2000;
  std::mt19937 random(1);
  std::vector<double> medians, sample(values.size());
  for (size_t i = 0; i < kSamples && !values.empty(); i++) {
    std::generate(sample.begin(), sample.end(), [&] { return values[random() % values.size()]; });
    medians.push_back(median_of(sample));
  }
  std::sort(medians.begin(), medians.end());
  if (medians.empty())
    return {0, 0, 0};
  return {median_of(values), medians[kSamples / 40], medians[kSamples - 1 - kSamples / 40]};
}

class Rebuild {
public:
  Rebuild(const Options &options, const Operands &operands)
      : options_(options), settings_(operands.settings),
        names_(driver_names_for(operands.program)), build_{"rebuild", without_compilers(operands.program, names_),
                                                           clean_words("rebuild", operands.program, options.clean)} {}

  int run() {
    Compilers counting = drivers("rebuild", settings_, names_), compilers = wrapped_compilers("rebuild", names_);
    check_settings(settings_);
    built(counting, "counting");
    train();
    Kept before = built(compilers, "without-profile");
    Kept after = built(drivers_with("rebuild", with_profile(), names_), "rebuilt");
    compare(before, after);
    return kGood;
  }

private:
  Kept built(const Compilers &compilers, const std::string &name) {
    say("building with " + text_of(compilers));
    Build clean = build_;
    clean.program.clear();
    run_build(clean, compilers, scratch_.file("log"));
    FileStates there = programs_below(), there_elsewhere;
    for (const std::string &program : outputs_.programs_elsewhere())
      there_elsewhere[program] = state_of(program);
    Build only = build_;
    only.clean.clear();
    only.environment["PATHPROF_OUTPUTS"] = outputs_.list();
    run_build(only, compilers, scratch_.file("log"));
    std::vector<std::string> made = programs_since(there);
    for (const std::string &program : outputs_.programs_elsewhere())
      if (auto old = there_elsewhere.find(program); old == there_elsewhere.end() || old->second != state_of(program))
        made.push_back(program);
    if (made.empty())
      throw Failure(kWrongUse, fmt::format("rebuild: '{}' did not link a program after '{}'; use --clean with a "
                                           "command that removes the previous build",
                                           fmt::join(build_.program, " "), fmt::join(build_.clean, " ")));
    return {made, scratch_.file(name)};
  }

  void train() {
    Collected collected(as_pattern(scratch_.file("profiles")) + "/%e.pathprof");
    for (const std::string &line : options_.train) {
      say("training: " + line);
      run_quietly(line, collected.environment("exit"));
    }
    std::vector<std::string> written;
    for (const WrittenProfile &profile : collected.written())
      written.push_back(profile.name);
    if (written.empty())
      throw Failure(kWrongUse, "rebuild: the training runs wrote no profile, because no instrumented program was "
                               "executed; make sure that the build uses CC and CXX");
    if (written.size() > 1)
      say(fmt::format("merging the {} profiles of the training runs", written.size()));
    profile_ = options_.profile.empty() ? fs::path(written.front()).filename().string() : options_.profile;
    profile_ = fs::absolute(profile_).string();
    if (options_.profile.empty())
      keep_earlier();
    std::vector<std::string> words = {own_program(), "merge", "-o", profile_};
    words.insert(words.end(), written.begin(), written.end());
    Ended ended = run_child("rebuild", {words, {}, "", ""});
    if (!ended.is_good())
      throw Failure(kBadData, "rebuild: cannot merge the training profiles; see the message above");
  }

  // Renames an existing profile with the default name, because it may contain counts from runs that cannot be repeated.
  // Throws Failure if raw files for this profile exist, because their counts would be added to the new profile.
  void keep_earlier() const {
    if (std::vector<std::string> raw = raw_files_of(profile_); !raw.empty())
      throw Failure(kWrongUse, fmt::format("rebuild: {} contains counts for {} from a process that was killed or is "
                                           "still running; use -o to name another profile",
                                           raw.front(), profile_));
    std::error_code ignored, failed;
    if (!fs::exists(profile_, ignored))
      return;
    std::string kept;
    for (int number = 1; kept.empty() || fs::exists(kept, ignored); number++)
      kept = fmt::format("{}.~{}~", profile_, number);
    fs::rename(profile_, kept, failed);
    if (failed)
      throw Failure(kWrongUse, fmt::format("rebuild: cannot rename {}: {}; use -o to name another profile", profile_,
                                           failed.message()));
    say(fmt::format("renamed the existing {} to {}", profile_, kept));
  }

  // Returns the driver option that selects the profile. If the name of the profile contains characters that cannot be
  // used in CC, the option contains the name of a symbolic link to the profile instead.
  std::string with_profile() const {
    auto is_carried = [](const std::string &name) { return name.find_first_of(" \t\"'\\$") == std::string::npos; };
    std::string link = scratch_.file("profile");
    if (is_carried(profile_))
      return "--pathprof-use=" + profile_;
    if (!is_carried(link))
      throw Failure(kWrongUse, fmt::format("rebuild: the names {} and {} contain a space or a special character, "
                                           "which CC cannot contain; set TMPDIR to a directory without such "
                                           "characters",
                                           profile_, link));
    std::error_code failed;
    fs::create_symlink(profile_, link, failed);
    if (failed)
      throw Failure(kWrongUse, fmt::format("rebuild: {}: {}", link, failed.message()));
    return "--pathprof-use=" + link;
  }

  Ended run_quietly(const std::string &line, const std::map<std::string, std::string> &environment) {
    Ended ended = run_child("rebuild", {shell_words(line), environment, "", scratch_.file("output")});
    stop_if_interrupted(ended);
    if (!ended.is_good())
      throw Failure(kMissed, fmt::format("rebuild: '{}' failed: {}; the programs of the last build remain installed",
                                         line, ended.text()));
    return ended;
  }

  double seconds_of(const Kept &build) {
    build.put_in_place();
    double seconds = 0;
    for (const std::string &line : options_.measure.empty() ? options_.train : options_.measure)
      seconds += run_quietly(line, {{"PATHPROF_MODE", "off"}}).seconds;
    return seconds;
  }

  // Runs the programs of both builds alternately and measures the run times. The results of the first round are
  // discarded.
  void compare(const Kept &before, const Kept &after) {
    std::vector<double> seconds_before, seconds_after, ratios;
    try {
      for (uint64_t round = 0; options_.rounds && round <= options_.rounds; round++) {
        bool before_runs_first = round % 2 == 0;
        double first = seconds_of(before_runs_first ? before : after);
        double second = seconds_of(before_runs_first ? after : before);
        if (round == 0)
          continue;
        seconds_before.push_back(before_runs_first ? first : second);
        seconds_after.push_back(before_runs_first ? second : first);
        ratios.push_back(seconds_before.back() > 0 ? seconds_after.back() / seconds_before.back() : 1);
      }
    } catch (const Failure &) {
      after.put_in_place();
      throw;
    }
    after.put_in_place();
    std::string files = visible(fmt::format("{}", fmt::join(after.files(), " ")));
    if (!ratios.empty())
      print(seconds_before, seconds_after, ratios);
    fmt::print("Built with {} and left in place: {}\n", visible(profile_), files);
  }

  static void print(const std::vector<double> &seconds_before, const std::vector<double> &seconds_after,
                    const std::vector<double> &ratios) {
    static constexpr double kShort = 0.1;   // in seconds
    static constexpr size_t kFewRounds = 6; // of fewer rounds, not even the whole range is a 95% confidence interval
    Estimate ratio = estimate_of(ratios);
    bool is_short = median_of(seconds_before) < kShort;
    fmt::print("CPU time: {:.3f} s without profile, {:.3f} s with profile (medians of {})\n"
               "Ratio with/without profile: {:.3f} (median",
               median_of(seconds_before), median_of(seconds_after), plural(ratios.size(), "round"), ratio.median);
    if (ratios.size() < kFewRounds)
      fmt::print("); a conclusion requires --rounds {} or more\n", kFewRounds);
    else
      fmt::print("; 95% confidence interval {:.3f} to {:.3f}){}\n", ratio.low, ratio.high,
                 is_short         ? ""
                 : ratio.high < 1 ? ": faster"
                 : ratio.low > 1  ? ": slower"
                                  : ": no significant difference");
    if (is_short)
      fmt::print("A run takes less than {} s, which is too short for a conclusion; use --measure with a larger input\n",
                 kShort);
  }

  const Options &options_;
  const std::vector<std::string> &settings_;
  DriverNames names_;
  Build build_;
  ScratchFolder scratch_;
  BuildOutputs outputs_;
  std::string profile_;
};

int run(const Options &options, const Operands &operands) {
  if (operands.program.empty())
    throw Failure(kWrongUse, "rebuild: missing build command; usage: pathprof rebuild --train './prog input' -- make");
  if (options.train.empty())
    throw Failure(kWrongUse, "rebuild: missing training command; usage: pathprof rebuild "
                             "--train './prog input' -- make");
  if (is_cmake(operands.program))
    throw Failure(kWrongUse, "rebuild: CMake does not change the compiler of a configured directory; configure before "
                             "each build: --clean 'rm -rf b' -- sh -c 'cmake -B b && cmake --build b'");
  return Rebuild(options, operands).run();
}

} // namespace

Run declare_rebuild(Subcommand &command, const Operands &operands) {
  auto options = std::make_shared<Options>();
  command.add_option("--train", options->train, "CMD", "run the shell command CMD as a training run; may be repeated")
      .one_value_each();
  command
      .add_option("--measure", options->measure, "CMD",
                  "measure the shell command CMD instead of the training runs; may be repeated")
      .one_value_each();
  command.add_option("--rounds", options->rounds, "N", "measure each build N times (default 15; 0: no comparison)");
  add_clean_option(command, options->clean);
  command.add_option("-o,--output", options->profile, "FILE",
                     "write the profile to FILE, replacing an existing file "
                     "(default: PROGRAM.pathprof; an existing profile with this name is renamed)");
  return [options, &operands] { return run(*options, operands); };
}

} // namespace pathprof
