// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an input profile and finds functions in it.
#include "plugin/options/input_profile.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "profile/model/orphans.h"
#include "profile/model/source_names.h"
#include "profile/model/visible.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

static void add_to(uint64_t &sum, uint64_t value) {
  if (__builtin_add_overflow(sum, value, &sum))
    sum = UINT64_MAX;
}

std::vector<uint64_t> InputFunction::edge_counts(const std::vector<double> &estimate) const {
  std::vector<uint64_t> sum(estimate.size(), 0);
  for (const Variant &variant : variants) {
    std::vector<uint64_t> counts = pathprof::edge_counts(*variant.function, *variant.decoded, estimate);
    for (size_t e = 0; e < sum.size(); e++)
      add_to(sum[e], counts[e]);
  }
  return sum;
}

// Reads a profile, including its raw files and parts, in the same way as pathdump.
static std::optional<Profile> read_profile(const std::string &argument, const std::string &file) {
  LoadError wrong;
  std::vector<std::string> notes;
  std::optional<Profile> profile;
  if (std::optional<FileBytes> bytes = open_with_orphans(file, &wrong, &notes, Accept::Regular))
    profile = parse_profile(file, bytes->data(), bytes->size(), &wrong);
  for (const std::string &note : notes)
    inform(UNKNOWN_LOCATION, "pathprof: argument %qs: %s", argument.c_str(), note.c_str());
  if (!profile)
    error_at(UNKNOWN_LOCATION, "pathprof: argument %qs: %s", argument.c_str(), wrong.message().c_str());
  return profile;
}

std::shared_ptr<const InputProfile> InputProfile::open(const std::string &argument, const std::string &file,
                                                       std::optional<Stage> stage) {
  std::optional<Profile> profile = read_profile(argument, file);
  if (!profile)
    return nullptr;
  std::shared_ptr<const InputProfile> input(new InputProfile(argument, file, std::move(*profile)));
  if (!stage || input->has_stage(*stage))
    return input;
  std::string other = to_string(input->profile_.functions.front().notes.stage), compile;
  if (argument != "use") // `use` works at one stage only
    compile = std::string("compile with ") + open_quote + "stage=" + other + close_quote + ", or ";
  error_at(UNKNOWN_LOCATION,
           "pathprof: argument %qs: %s was collected at stage %qs, but this compilation is at "
           "stage %qs; %scollect a profile with %<stage=%s%>",
           argument.c_str(), visible(file).c_str(), other.c_str(), to_string(*stage), compile.c_str(),
           to_string(*stage));
  return nullptr;
}

InputProfile::InputProfile(const std::string &argument, const std::string &file, Profile profile)
    : argument_(argument), file_(visible(file)), profile_(std::move(profile)) {
  for (const Function &function : profile_.functions) {
    by_path_.emplace(name_and_path(function.notes, function.path), &function);
    by_name_.emplace(name_and_path(function.notes, ""), &function);
  }
}

// Returns true if the profile contains a function that was instrumented at this stage, or if the profile contains no
// functions.
bool InputProfile::has_stage(Stage stage) const {
  const std::vector<Function> &functions = profile_.functions;
  return functions.empty() || std::any_of(functions.begin(), functions.end(),
                                          [&](const Function &function) { return function.notes.stage == stage; });
}

std::vector<const Function *> InputProfile::functions_of(const FunctionNotes &notes, const std::string &path) const {
  std::vector<const Function *> found;
  auto [first, last] = by_path_.equal_range(name_and_path(notes, path));
  for (auto at = first; at != last; ++at)
    found.push_back(at->second);
  if (!found.empty())
    return found;
  std::map<size_t, std::set<std::string>> paths; // indexed by the number of common path components
  std::tie(first, last) = by_name_.equal_range(name_and_path(notes, ""));
  for (auto at = first; at != last; ++at)
    paths[num_common_at_end(at->second->path, path)].insert(at->second->path);
  if (paths.empty() || paths.rbegin()->first == 0 || paths.rbegin()->second.size() > 1)
    return found;
  const std::string &nearest = *paths.rbegin()->second.begin();
  for (auto at = first; at != last; ++at)
    if (at->second->path == nearest)
      found.push_back(at->second);
  return found;
}

InputFunction InputProfile::find(const FunctionNotes &notes, const std::string &path) const {
  InputFunction found;
  found.why_unknown = "the function is not in the profile";
  uint32_t checksum = notes.checksum();
  std::vector<const Function *> candidates = functions_of(notes, path);
  was_asked_ = true;
  knows_any_ |= !candidates.empty();
  for (const Function *candidate : candidates) {
    const Function &function = *candidate;
    if (function.notes.stage != notes.stage)
      continue;
    if (function.notes.checksum() != checksum) {
      found.why_unknown = "the control-flow graph does not match the profile";
      found.changed = &function;
    } else if (is_left_out(function))
      found.why_unknown = "the function was left out of the profile";
    else if (std::unique_ptr<Decoded> decoded = decode(function))
      found.variants.push_back({&function, std::move(decoded)});
  }
  return found;
}

void InputProfile::warn_of_other_unit() const {
  if (was_asked_ && !knows_any_)
    warning(OPT_Wmissing_profile,
            "pathprof: the profile %qs (argument %qs) contains no functions of this translation unit", file_.c_str(),
            argument_.c_str());
}

bool InputProfile::has_values() const {
  return std::any_of(profile_.functions.begin(), profile_.functions.end(),
                     [](const Function &function) { return !function.values.empty(); });
}

bool InputProfile::has_mode(const FunctionNotes &notes, const std::string &path, Mode mode) const {
  std::vector<const Function *> functions = functions_of(notes, path);
  return std::any_of(functions.begin(), functions.end(),
                     [mode](const Function *function) { return function->notes.model.mode == mode; });
}

// Returns an upper bound on the function's edge counts. A path contains an edge at most once per iteration that the
// path spans.
static uint64_t most_possible(const Function &function) {
  uint64_t sum = 0;
  for (const auto *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &path : *paths)
      add_to(sum, path.count);
  uint64_t k = 1;
  for (const LoopIterations &loop : function.notes.model.loops)
    k = std::max<uint64_t>(k, loop.k);
  uint64_t most;
  return __builtin_mul_overflow(sum, k, &most) ? UINT64_MAX : most;
}

uint64_t InputProfile::most_traversals() const {
  std::vector<std::pair<uint64_t, const Function *>> hottest_first;
  for (const Function &function : profile_.functions)
    if (!is_left_out(function) && !function.activity)
      hottest_first.push_back({most_possible(function), &function});
  std::stable_sort(hottest_first.begin(), hottest_first.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  uint64_t most = 0;
  for (auto [possible, function] : hottest_first) {
    if (possible <= most)
      break;
    std::unique_ptr<Decoded> decoded = decode(*function);
    if (!decoded)
      break;
    for (uint64_t count :
         pathprof::edge_counts(*function, *decoded, std::vector<double>(function->notes.graph.num_edges(), 1)))
      most = std::max(most, count);
  }
  return most;
}

std::unique_ptr<Decoded> InputProfile::decode(const Function &function) const {
  const char *reason = nullptr;
  std::unique_ptr<Decoded> decoded = function.decode(&reason);
  if (!decoded)
    error_at(UNKNOWN_LOCATION, "pathprof: argument %qs: %s: function %qs: %s", argument_.c_str(), file_.c_str(),
             visible(function.notes.name).c_str(), reason);
  return decoded;
}

static std::string difference_of_graphs(const FlowGraph &now, const FlowGraph &then) {
  if (now.num_blocks() != then.num_blocks() || now.num_edges() != then.num_edges())
    return fmt::format("{} blocks and {} edges, but {} blocks and {} edges in the profile", now.num_blocks(),
                       now.num_edges(), then.num_blocks(), then.num_edges());
  for (int e = 0; e < now.num_edges(); e++) {
    const Edge &a = now.edge(e), &b = then.edge(e);
    if (a.src != b.src || a.dst != b.dst)
      return fmt::format("edge {} leads from block {} to block {}, but from block {} to block {} in the profile", e,
                         a.src, a.dst, b.src, b.dst);
  }
  return "the edge kinds differ";
}

std::string difference(const FunctionNotes &now, const Function &then) {
  std::string text = difference_of_graphs(now.graph, then.notes.graph);
  const std::string &compiler = then.sources->compiler;
  if (!compiler.empty() && compiler != version_string)
    text +=
        fmt::format("; the profile was collected with GCC {}, but this compiler is GCC {}", compiler, version_string);
  return text;
}

} // namespace pathprof
