// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target (libFuzzer): whatever the tools read from files that strangers made.
//
// An input is a profile, a raw file, or two profiles one behind the other, which are merged.  A reader may refuse what
// it is given; it must not crash, leak, run for long or take memory that the file does not justify.  Of what it accepts
// more is asked:
//
// - every executed path of a function whose notes decode has its blocks;
// - a raw file that converts is an image;
// - two profiles that can be read have a sum that is the same in either order.
//
// Checksums would keep every mutation from going further than the header: mutate.cc repairs them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "profile/format/image.h"
#include "profile/format/merge.h"
#include "profile/model/profile.h"
#include "profile/model/tests.h"
#include "profile/format/raw.h"
#include "profile/format/raw_convert.h"
#include "testsuite/fuzz/input.h"

using namespace pathprof;
using namespace pathprof::fuzz;

namespace {

void demand(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// What pathdump's commands ask of a function.
void use(const Function &function) {
  function_key(function);
  numbers_of(function);
  why_left_out(function);
  if (is_left_out(function))
    return;
  const char *reason = nullptr;
  std::unique_ptr<Decoded> decoded = function.decode(&reason);
  demand((decoded == nullptr) == (reason != nullptr), "what cannot be decoded has a reason");
  if (!decoded)
    return;
  for (const auto *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &path : *paths) {
      demand(decoded->regenerate(path.id).has_value(), "an executed path has blocks");
      is_residual(function, path.id);
    }
  edge_counts(function, *decoded, std::vector<double>(static_cast<size_t>(function.notes.graph.num_edges()), 1.0));
  broken_sequences(function, *decoded);
  forest_of(function);
}

void use(const Profile &profile, const InterproceduralUnit &unit) {
  model_key(profile, unit);
  unit.num_bits();
  unit.num_cut_calls();
  for (const ExecutedProgramPath &executed : unit.paths) {
    std::optional<InterproceduralPath> path = unit.regenerate(executed.id);
    demand(path.has_value(), "an executed path of a program has steps");
    for (size_t i = path->prefix_len; i < path->steps.size(); i++)
      piece_of(unit, *path, i);
    if (!path->steps.empty())
      open_steps(*path, path->steps.size() - 1);
  }
}

// The tests' counts may contradict the notes, which only this finds.
void read_tests(const unsigned char *data, size_t size) {
  pathprof_image image;
  pathprof_error error = {};
  pathprof_test test = {};
  pathprof_image_open(&image, data, size, &error);
  std::optional<UnitTable> table = read_units(image, &error);
  demand(table.has_value(), "units that were read once can be read again");
  pathprof_cursor section = image.section[PATHPROF_SECTION_TESTS];
  for (uint64_t left = pathprof_open_tests(&section); pathprof_next_test(&section, &left, &test);) {
    bool good = visit_test(
        *table, test, [](size_t, const UnitCounts &) {}, &error);
    demand(good || error.reason, "a test that is refused has a reason");
  }
}

bool read(const unsigned char *data, size_t size) {
  LoadError error;
  std::optional<Profile> profile = parse_profile("input", data, size, &error);
  demand(profile.has_value() || !error.reason.empty(), "what is refused has a reason");
  if (!profile)
    return false;
  for (const Function &function : profile->functions)
    use(function);
  for (const InterproceduralUnit &unit : profile->interprocedural_units)
    use(*profile, unit);
  read_tests(data, size);
  return true;
}

bool merge(const pathprof_image &a, uint64_t weight, const pathprof_image &b, pathprof_buffer *sum) {
  pathprof_error error = {};
  bool in_second = false;
  bool good = pathprof_merge(&a, weight, &b, 1, sum, &error, &in_second);
  demand(good || error.reason, "what is not merged has a reason");
  return good;
}

void read_two(const unsigned char *data, size_t first, size_t size) {
  pathprof_image a, b;
  pathprof_error error = {};
  bool good_a = read(data, first), good_b = size == first || read(data + first, size - first);
  if (!pathprof_image_open(&a, data, first, &error) ||
      !pathprof_image_open(&b, size == first ? data : data + first, size == first ? first : size - first, &error))
    return;
  Buffer ab, ba;
  if (!good_a || !good_b) {
    merge(a, 1000, b, &ab);
    return;
  }
  demand(merge(a, 1, b, &ab) && merge(b, 1, a, &ba), "profiles that can be read can be merged");
  demand(ab.size == ba.size && std::equal(ab.data, ab.data + ab.size, ba.data), "a merge's order does not matter");
  pathprof_image sum;
  demand(pathprof_image_open(&sum, ab.data, ab.size, &error), "the sum of two profiles is an image");
}

void read_raw(const unsigned char *data, size_t size) {
  Buffer image;
  pathprof_error error = {};
  pathprof_raw_is_settled(data, size, -1);
  if (!pathprof_raw_convert(data, size, &image, &error))
    return demand(error.reason, "what is not converted has a reason");
  pathprof_image opened;
  demand(pathprof_image_open(&opened, image.data, image.size, &error), "a converted raw file is an image");
  read(image.data, image.size);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (pathprof_is_raw(data, size))
    read_raw(data, size);
  else
    read_two(data, size_of_first(data, size), size);
  return 0;
}
