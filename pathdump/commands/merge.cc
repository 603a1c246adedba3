// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump merge: the weighted sum of profiles.
#include <algorithm>
#include <charconv>
#include <future>
#include <mutex>
#include <sstream>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/model/builds.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/text.h"
#include "profile/format/image.h"
#include "profile/format/merge.h"
#include "profile/model/foreign.h"

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
    if (error == std::errc::result_out_of_range)
      throw Failure(kWrongUse, fmt::format("merge: weight '{}' is too large; at most {}", text, UINT64_MAX));
    if (error != std::errc() || end != text.data() + text.size())
      throw Failure(kWrongUse,
                    fmt::format("merge: weight '{}' is not a whole number above 0 (or 0, which counts nothing)", text));
    weights.push_back(weight);
  }
  if (weights.size() <= 1)
    weights.resize(options.files.size(), weights.empty() ? 1 : weights.front());
  if (weights.size() != options.files.size())
    throw Failure(kWrongUse, fmt::format("merge: {} for {}; give one for each or one for all",
                                         plural(weights.size(), "weight"), plural(options.files.size(), "file")));
  return weights;
}

using Buffer = std::shared_ptr<pathprof_buffer>;

// A profile in memory, to be multiplied by its weight.
struct Part {
  std::string name;
  std::shared_ptr<FileBytes> file; // the image lies in this, or in the buffer
  Buffer buffer;
  pathprof_image image = {};
  uint64_t weight = 1;
  int level = 0; // up to 2^level inputs are in it
};

[[noreturn]] void fail(const std::string &name, const pathprof_error &error, const FileBytes *bytes = nullptr) {
  LoadError wrong = {name, error.offset, error.reason};
  if (bytes)
    explain_foreign(bytes->data(), bytes->size(), &wrong);
  throw Failure(kBadData, wrong.message());
}

Part open_part(const std::string &name, uint64_t weight) {
  auto bytes = std::make_shared<FileBytes>(open_image(name));
  Part part{name, bytes, nullptr, {}, weight};
  pathprof_error wrong = {};
  if (!pathprof_image_open(&part.image, bytes->data(), bytes->size(), &wrong))
    fail(name, wrong, bytes.get());
  return part;
}

Buffer merge(const Part &a, const Part &b, uint64_t weight_b) {
  Buffer buffer(new pathprof_buffer{}, [](pathprof_buffer *old) {
    pathprof_buffer_free(old);
    delete old;
  });
  pathprof_error wrong = {};
  bool in_second = false;
  if (!pathprof_merge(&a.image, a.weight, &b.image, weight_b, buffer.get(), &wrong, &in_second))
    fail(in_second ? b.name : a.name, wrong);
  return buffer;
}

Part sum_of(const Part &a, const Part &b) {
  Buffer buffer = merge(a, b, b.weight);
  Part part{"merged profile", nullptr, buffer, {}, 1, std::max(a.level, b.level) + 1};
  pathprof_error wrong = {};
  if (!pathprof_image_open(&part.image, buffer->data, buffer->size, &wrong))
    fail(part.name, wrong);
  return part;
}

// Adds the last two parts.
void fold(std::vector<Part> &parts) {
  Part sum = sum_of(parts[parts.size() - 2], parts.back());
  parts.resize(parts.size() - 2);
  parts.push_back(std::move(sum));
}

// What is read, by several threads.
struct Inputs {
  const std::vector<std::string> &files;
  const std::vector<uint64_t> &weights;
  Progress progress;
  Builds builds;
  std::mutex mutex; // of builds

  Part open(size_t i) {
    Part part = open_part(files[i], weights[i]);
    std::lock_guard lock(mutex);
    builds.add(part.image, files[i], i);
    return part;
  }
};

// The sum of files first … last − 1.  Sums are formed like a binary counter's: no count is copied more often than the
// logarithm of the number of inputs, and only as many sums are in memory.
Part sum_of(Inputs &inputs, size_t first, size_t last) {
  std::vector<Part> parts;
  for (size_t i = first; i < last; i++) {
    parts.push_back(inputs.open(i));
    while (parts.size() > 1 && parts[parts.size() - 2].level == parts.back().level)
      fold(parts);
    inputs.progress.advance();
  }
  while (parts.size() > 1)
    fold(parts);
  return std::move(parts.front());
}

// Each processor adds up its share of the files.
Buffer merge_all(const std::vector<std::string> &files, const std::vector<uint64_t> &weights) {
  static constexpr size_t kLeastShare = 4; // files
  size_t num_shares =
      std::clamp<size_t>(files.size() / kLeastShare, 1, std::max(1u, std::thread::hardware_concurrency()));
  Inputs inputs{files, weights, Progress(files.size(), "profiles"), {}, {}};
  std::vector<std::future<Part>> shares;
  for (size_t share = 0; share < num_shares; share++)
    shares.push_back(std::async(num_shares > 1 ? std::launch::async : std::launch::deferred, [&, share] {
      return sum_of(inputs, files.size() * share / num_shares, files.size() * (share + 1) / num_shares);
    }));
  std::vector<Part> parts;
  for (std::future<Part> &share : shares) {
    parts.push_back(share.get());
    if (parts.size() > 1)
      fold(parts);
  }
  if (std::string conflict = inputs.builds.conflict(); !conflict.empty())
    throw Failure(kBadData, conflict);
  // A single input is summed with itself taken no times: that applies its weight and its normal
  // form.
  const Part &sum = parts.front();
  return sum.buffer ? sum.buffer : merge(sum, sum, 0);
}

// The notes are looked at only where there may be something to warn of: whether processes had threads is beside them.
void warn(const pathprof_buffer &merged, const std::string &file) {
  pathprof_image image;
  pathprof_error ignored = {};
  if (!pathprof_image_open(&image, merged.data, merged.size, &ignored))
    return;
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(&cursor, &program);
  pathprof_module module;
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);)
    ; // what follows them is wanted
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
  Buffer merged = merge_all(options.files, weights);
  Output out(options);
  out.write({reinterpret_cast<const char *>(merged->data), merged->size});
  out.commit();
  warn(*merged, options.output);
  return kGood;
}

} // namespace

Run declare_merge(CLI::App &command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("-w,--weight", options->weights,
                  "multiply counts: one whole number for all files, or one for each, in their order")
      ->type_name("W[,W...]")
      ->allow_extra_args(false);
  command.add_option("FILE...", options->files, "the profiles ('-': standard input)")->required();
  add_common_options(command, *options, 0);
  command.get_option("--output")->required();
  return [options] { return run(*options); };
}

} // namespace pathprof
