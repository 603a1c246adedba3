// SPDX-License-Identifier: GPL-3.0-or-later
// Regenerates the paths of functions, computes their edge counts, and identifies functions that are in several units.
#include <algorithm>
#include <map>

#include "core/analysis/flow_decomposition.h"
#include "core/models/model.h"
#include "core/numbering/saturate.h"
#include "profile/format/image.h"
#include "profile/model/profile.h"
#include "profile/model/source_names.h"

namespace pathprof {

std::optional<Path> Decoded::regenerate(uint64_t id) const {
  std::optional<PrefixNumbering::Prefix> prefix = prefixes.locate(id);
  return prefix ? numbering.regenerate_prefix(prefix->sum, prefix->block, prefix->call) : numbering.regenerate(id);
}

std::unique_ptr<Decoded> Function::decode(const char **reason) const {
  auto decoded = std::make_unique<Decoded>(notes);
  *reason = nullptr;
  if (!decoded->graph.is_acyclic())
    *reason = "the path graph of a function has a cycle";
  else if (in_program)
    return decoded;
  else if (!decoded->numbering.fits() || decoded->numbering.num_paths() != notes.num_paths)
    *reason = "the graph and the notes of a function have different numbers of paths";
  else if (!paths.empty() && paths.back().id >= notes.num_paths)
    *reason = "the ID of an executed path is out of bounds";
  for (const ExecutedPath &executed : cut_short)
    if (!*reason && !decoded->regenerate(executed.id))
      *reason = "the ID of a truncated path is invalid";
  return *reason ? nullptr : std::move(decoded);
}

bool is_residual(const Function &function, uint64_t id) {
  return model_of(function.notes.model).has(Feature::InterestingPaths) && !function.notes.is_interesting(id);
}

bool has_cycles(const Function &function, const ExecutedPath &path) {
  return function.notes.measures_cycles() && path.id < function.notes.num_paths;
}

const char *storage_name(const Function &function) {
  static const char *const names[] = {"none", "array", "hash"};
  return names[function.notes.storage];
}

mpz_class num_own_paths(const Function &function) {
  bool is_known = function.notes.num_paths || !function.in_program;
  return is_known ? mpz_class(static_cast<unsigned long>(function.notes.num_paths)) : function.notes.num_paths_uncut;
}

bool is_left_out(const Function &function) {
  return !function.in_program && (!function.notes.left_out.empty() || function.notes.storage == PATHPROF_STORAGE_NONE);
}

std::string why_left_out(const Function &function) {
  return function.notes.left_out.empty() ? "no reason recorded" : function.notes.left_out;
}

// Returns the edge counts of a function.  If several unwind edges lead to the same handler, only the total count of
// these edges is known.  The total is divided among the edges in proportion to the number of times that control entered
// an edge's source block but did not leave the block through any other edge.
static std::vector<uint64_t> edge_counts_of(const Activity &activity, std::vector<double> estimate) {
  std::vector<uint64_t> counts = activity.edges.traversals(estimate);
  bool any_unwinds = false;
  for (int e = 0; e < activity.graph.num_edges(); e++) {
    if (!activity.unwinds[static_cast<size_t>(e)])
      continue;
    int src = activity.graph.edge(e).src;
    unsigned __int128 left = activity.entered[static_cast<size_t>(src)];
    for (int other : activity.graph.succs(src))
      if (!activity.unwinds[static_cast<size_t>(other)])
        left -= std::min<unsigned __int128>(left, counts[static_cast<size_t>(other)]);
    estimate[static_cast<size_t>(e)] = static_cast<double>(left);
    any_unwinds = true;
  }
  return any_unwinds ? activity.edges.traversals(estimate) : counts;
}

std::vector<ExecutedPath> paths_to_add_up(const Function &function, const Decoded &decoded) {
  std::vector<ExecutedPath> paths;
  bool are_many = function.paths.size() > static_cast<size_t>(decoded.graph.num_edges());
  if (FlowDecomposition sums(decoded.graph, decoded.numbering); are_many && sums.holds()) {
    for (const ExecutedPath &executed : function.paths)
      sums.add(executed.id, executed.count);
    for (auto [id, count] : sums.paths())
      paths.push_back({id, count, 0});
  } else {
    paths = function.paths;
  }
  paths.insert(paths.end(), function.cut_short.begin(), function.cut_short.end());
  return paths;
}

std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<ExecutedPath> &paths, const std::vector<double> &estimate) {
  EdgeCounts counts(function.notes.graph, function.notes.flags & kExactTermination);
  for (const ExecutedPath &executed : paths)
    counts.add(*decoded.regenerate(executed.id), executed.count);
  if (function.notes.flags & kFreestanding)
    return counts.least_traversals();
  return counts.traversals(estimate);
}

std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<double> &estimate) {
  if (function.activity)
    return edge_counts_of(*function.activity, estimate);
  return edge_counts(function, decoded, paths_to_add_up(function, decoded), estimate);
}

// The first path of an activation starts at the entry of the function, so a sequence whose first path starts elsewhere
// has lost its beginning.
uint64_t broken_sequences(const Function &function, const Decoded &decoded) {
  std::vector<char> is_broken(function.forest.size());
  uint64_t sum = 0;
  for (size_t i = 0; i < is_broken.size(); i++) {
    const ForestNode &node = function.forest[i];
    is_broken[i] =
        node.depth == 1 ? decoded.numbering.regenerate(node.id)->start != PathStart::Entry : is_broken[node.parent];
    if (is_broken[i] && node.depth <= 2)
      saturating_add(sum, node.count);
  }
  return sum;
}

Forest forest_of(const Function &function) {
  if (function.notes.has_forest())
    return function.forest;
  Forest roots;
  for (const ExecutedPath &path : function.paths)
    roots.push_back({ForestNode::kNone, 1, path.id, path.count});
  return roots;
}

static std::string last_part(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

// Returns the start of the function's key: the name, truncated to kMaxName bytes as in the index of the notes, followed
// by a NUL byte.
static std::string beginning_of_key(const FunctionNotes &notes) {
  static constexpr size_t kMaxName = sizeof pathprof_index().name - 1;
  return notes.name.substr(0, kMaxName) + '\0';
}

std::string name_and_path(const FunctionNotes &notes, const std::string &path) {
  bool is_last_part_enough = (notes.flags & kExternallyVisible) && is_relative_source(path);
  return beginning_of_key(notes) + (is_last_part_enough ? last_part(path) : path);
}

int64_t callee_number(const FunctionNotes &notes, const std::string &path) {
  bool is_visible = notes.flags & kExternallyVisible;
  return callee_number(beginning_of_key(notes) + (is_visible ? last_part(path) : path));
}

std::vector<int64_t> callee_numbers(const Function &function) {
  const std::string &name = function.sources->names[function.notes.file];
  return {callee_number(function.notes, function.path), callee_number(function.notes, name)};
}

std::string identity_of(const Function &function) {
  return name_and_path(function.notes, function.path) + ':' + std::to_string(function.notes.line);
}

// Returns the part of a function's key that describes its calls.  The function must be part of an interprocedural unit.
static std::string calls_of(const Function &function) {
  std::string text = function.notes.flags & kBeginsPaths ? " starts paths" : " traversed by paths";
  for (size_t i = 0; i < function.notes.calls.size(); i++) {
    const CallNotes &call = function.notes.calls[i];
    text += '\0' + std::to_string(call.block) + ' ' + std::to_string(static_cast<int>(call.kind)) +
            (call.ends_block ? "e " : " ") + to_string(call.cut) + ' ' + function.callees[i];
  }
  return text;
}

// Returns the key that the function would have with the given mode and flags.  The key includes a checksum of the edge
// flags that mark back edges and truncation points.  If `flags` contains kExactTermination, the key includes the calls,
// because the IDs of truncated paths depend on them.
static std::string model_key(const Function &function, Mode mode, uint32_t flags) {
  const FunctionNotes &notes = function.notes;
  std::string cuts;
  for (const Edge &edge : notes.graph.edges())
    cuts += static_cast<char>(edge.flags & (kBack | kCut));
  std::string model;
  for (uint64_t part :
       {uint64_t{notes.checksum()}, uint64_t{pathprof_crc32c(0, cuts.data(), cuts.size())}, notes.num_paths,
        uint64_t{flags & (kExactTermination | kCycles)}, static_cast<uint64_t>(mode),
        static_cast<uint64_t>(notes.stage), static_cast<uint64_t>(notes.model.numbering), uint64_t{notes.model.k}})
    model += '\0' + std::to_string(part);
  for (const LoopIterations &loop : notes.model.loops)
    model += '\0' + std::to_string(loop.head) + ':' + std::to_string(loop.k);
  if (flags & kExactTermination)
    for (uint32_t calls : notes.calls_by_block())
      model += ' ' + std::to_string(calls);
  if (function.in_program)
    model += calls_of(function);
  return model;
}

std::string model_key(const Function &function) {
  return model_key(function, function.notes.model.mode, function.notes.flags);
}

uint32_t positions_checksum(const Function &function) {
  auto checksum = [](uint32_t before, const std::string &text) {
    return pathprof_crc32c(before, text.data(), text.size() + 1);
  };
  std::map<uint32_t, uint32_t>
      files; // checksums of the last components of the paths: builds have different directories
  std::vector<uint32_t> values;
  for (const BlockNotes &block : function.notes.blocks) {
    values.push_back(static_cast<uint32_t>(block.lines.size()));
    for (const LineRef &line : block.lines) {
      auto [file, is_new] = files.try_emplace(line.file);
      if (is_new)
        file->second = checksum(0, last_part(function.sources->names[line.file]));
      values.push_back(line.site ? checksum(file->second, function.notes.sites[line.site - 1].function) : file->second);
      values.push_back(line.line);
    }
  }
  return pathprof_crc32c(0, values.data(), values.size() * sizeof values[0]);
}

std::string function_key(const Function &function) {
  return identity_of(function) + model_key(function) + '\0' + std::to_string(positions_checksum(function)) + '\0' +
         std::to_string(function.notes.body);
}

std::string numbers_of(const Function &function) {
  return model_key(function, model_of(function.notes.model).numbered_as(), function.notes.flags);
}

std::string numbers_of_whole_paths(const Function &function) {
  return model_key(function, model_of(function.notes.model).numbered_as(),
                   function.notes.flags & ~uint32_t{kExactTermination});
}

} // namespace pathprof
