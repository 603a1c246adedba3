// SPDX-License-Identifier: GPL-3.0-or-later
// Merges any number of profiles in bounded memory.
#include "pathdump/ui/merging.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

#include "pathdump/ui/builds.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/visible_names.h"
#include "profile/format/merge.h"
#include "profile/model/foreign.h"

namespace pathprof {

namespace {

// A profile in memory, and the weight by which its counts still have to be multiplied.
struct Part {
  std::string name;
  std::shared_ptr<FileBytes> file; // owner of the bytes of `image`, unless `buffer` owns them
  MergedImage buffer;
  pathprof_image image = {};
  uint64_t weight = 1;
  int level = 0; // the profile is the sum of at most 2^level inputs
};

[[noreturn]] void fail(const std::string &name, const pathprof_error &error, const FileBytes *bytes = nullptr) {
  LoadError wrong = {name, error.offset, error.reason};
  if (bytes)
    explain_foreign(bytes->data(), bytes->size(), &wrong);
  throw Failure(kBadData, wrong.message());
}

Part open_part(const std::string &name, uint64_t weight, const std::string &target) {
  std::error_code is_missing;
  bool alone = !target.empty() && std::filesystem::equivalent(name, target, is_missing);
  auto bytes = std::make_shared<FileBytes>(open_image(name, alone));
  Part part{name, bytes, nullptr, {}, weight};
  pathprof_error wrong = {};
  if (!pathprof_image_open(&part.image, bytes->data(), bytes->size(), &wrong))
    fail(name, wrong, bytes.get());
  return part;
}

MergedImage merge(const Part &a, const Part &b, uint64_t weight_b) {
  MergedImage buffer(new pathprof_buffer{}, [](pathprof_buffer *old) {
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
  MergedImage buffer = merge(a, b, b.weight);
  Part part{"merged profile", nullptr, buffer, {}, 1, std::max(a.level, b.level) + 1};
  pathprof_error wrong = {};
  if (!pathprof_image_open(&part.image, buffer->data, buffer->size, &wrong))
    fail(part.name, wrong);
  return part;
}

// Replaces the last two partial sums with their sum.
void fold(std::vector<Part> &parts) {
  Part sum = sum_of(parts[parts.size() - 2], parts.back());
  parts.resize(parts.size() - 2);
  parts.push_back(std::move(sum));
}

// The input files, which are read by several threads.
struct Inputs {
  const std::vector<std::string> &files;
  const std::vector<uint64_t> &weights;
  const std::string &target;
  Progress progress;
  Builds builds;
  std::mutex mutex; // protects `builds`

  Part open(size_t i) {
    Part part = open_part(files[i], weights[i], target);
    std::lock_guard lock(mutex);
    builds.add(part.image, files[i], i);
    return part;
  }
};

// Returns the sum of the files from `first` to `last` − 1. Partial sums are combined like the bits of a binary counter:
// if the last two sums cover the same number of inputs, they are replaced with their sum. For n inputs, each count is
// copied at most log2(n) times, and at most log2(n) partial sums are in memory.
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

} // namespace

// The files are divided among several threads, and each thread sums its share.
MergedImage merge_profiles(const std::vector<std::string> &files, const std::vector<uint64_t> &weights,
                           const std::string &target) {
  static constexpr size_t kLeastShare = 4; // files per thread
  size_t num_shares =
      std::clamp<size_t>(files.size() / kLeastShare, 1, std::max(1u, std::thread::hardware_concurrency()));
  Inputs inputs{files, weights, target, Progress(files.size(), "profiles"), {}, {}};
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
  // A single input file is merged with a copy of itself that has weight 0, so that its weight is applied and its
  // representation is normalized.
  const Part &sum = parts.front();
  return sum.buffer ? sum.buffer : merge(sum, sum, 0);
}

Profile open_merged(const std::vector<std::string> &files) {
  MergedImage merged = merge_profiles(files, std::vector<uint64_t>(files.size(), 1));
  LoadError error;
  std::optional<Profile> profile = parse_profile("merged profile", merged->data, merged->size, &error);
  if (!profile)
    throw Failure(kBadData, error.message());
  make_names_visible(*profile);
  return std::move(*profile);
}

} // namespace pathprof
