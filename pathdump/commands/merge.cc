// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump merge`: writes the weighted sum of profiles.
#include <algorithm>
#include <charconv>
#include <iostream>
#include <sstream>

#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/stored_cost.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/merging.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "profile/format/image.h"
#include "profile/format/saturate.h"
#include "profile/model/orphans.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> files;
  std::vector<std::string> weights;
};

std::vector<uint64_t> parse_weights(const Options &options) {
  std::vector<uint64_t> weights;
  std::istringstream list(fmt::format("{}", fmt::join(options.weights, ",")));
  for (std::string text; std::getline(list, text, ',');) {
    uint64_t weight = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
    if (error == std::errc::result_out_of_range || weight == PATHPROF_SUBTRACTED)
      throw Failure(kWrongUse, fmt::format("merge: weight '{}' is too large; the maximum is {}", text, UINT64_MAX - 1));
    if (error != std::errc() || end != text.data() + text.size())
      throw Failure(kWrongUse, fmt::format("merge: invalid weight '{}'; expected a non-negative integer", text));
    weights.push_back(weight);
  }
  if (weights.size() <= 1)
    weights.resize(options.files.size(), weights.empty() ? 1 : weights.front());
  if (weights.size() != options.files.size())
    throw Failure(kWrongUse, fmt::format("merge: {} given for {}; give one weight for all files or one per file",
                                         plural(weights.size(), "weight"), plural(options.files.size(), "file")));
  return weights;
}

// Prints warnings about the merged profile.  Parses the whole profile only if a profiled process had several threads.
// Otherwise, reads only the list of modules and the thread flag, which can be read without parsing the profile.
void warn(const pathprof_buffer &merged, const std::string &file) {
  pathprof_image image;
  pathprof_error ignored = {};
  if (!pathprof_image_open(&image, merged.data, merged.size, &ignored))
    return;
  for (const auto &[name, keys] : modules_of(image))
    if (keys.size() > 1)
      std::cerr << program_name << ": note: " << (file == "-" ? "the merged profile" : visible(file))
                << " contains counts of several builds of " << visible(name)
                << ", or of several programs with that name; "
                   "a function that differs between builds is listed once per build\n";
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(&cursor, &program);
  pathprof_module module;
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);)
    ; // skips the modules to reach the fields after them
  pathprof_program_more more;
  pathprof_get_program_more(&cursor, &more);
  if (!pathprof_cursor_ok(&cursor) || !more.threaded)
    return;
  LoadError error;
  if (std::optional<Profile> profile = parse_profile(file, merged.data, merged.size, &error))
    print_warnings(*profile, file);
}

int run(const Options &options) {
  std::vector<uint64_t> weights = parse_weights(options);
  if (std::count(options.files.begin(), options.files.end(), "-") > 1)
    throw Failure(kWrongUse, "merge: standard input ('-') can be read only once");
  StoredCosts costs = stored_costs_of(options.files); // read first, because an input can also be the output
  MergedImage merged = merge_profiles(options.files, weights, options.output);
  Output out(options);
  out.write({reinterpret_cast<const char *>(merged->data), merged->size});
  out.commit();
  if (options.output != "-")
    if (std::string reason = store_merged_cost(options.output, options.files, weights, costs); !reason.empty())
      std::cerr << program_name << ": note: no cost is stored with " << visible(options.output) << ": " << reason
                << "\n";
  warn(*merged, options.output);
  return kGood;
}

} // namespace

Run declare_merge(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command
      .add_option(
          "-w,--weight", options->weights, "W[,W...]",
          "multiply the counts by the integer W; give one weight for all files, or one per file in the same order "
          "(default 1)")
      .one_value_each();
  command.add_operand("FILE...", options->files, "profiles to merge ('-': standard input)").required();
  add_common_options(command, *options, 0);
  command.option("--output").required();
  return [options] { return run(*options); };
}

} // namespace pathprof
