// SPDX-License-Identifier: GPL-3.0-or-later
// Walks paths and formats them as source lines.
#include "pathdump/describe/line_sequence.h"

#include "core/numbering/saturate.h"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

namespace pathprof {

// -------------------------------------------------------------------------------------------------
// Statements of all executed paths

// Precomputing the segments of a node pays off only if, on average, at least `kPathsPerSegment` paths use each segment.
// More than `kMostSegments` segments per node would save little additional time.
constexpr size_t kPathsPerSegment = 16, kMostSegments = 64;

// `rest[node]` is the segment from a node to the next node with several successors. The segment is empty if the node
// itself has several successors.
PathWalk::PathWalk(const Function &function, const Decoded &decoded)
    : graph_(decoded.graph), numbering_(decoded.numbering),
      most_segments_(std::min(kMostSegments, function.paths.size() / kPathsPerSegment)),
      segments_(static_cast<size_t>(graph_.num_nodes())), long_segments_(segments_.size()) {
  std::vector<Segment> rest(segments_.size());
  for (int node : graph_.reverse_topological()) {
    const std::vector<int> &succs = graph_.succs(node);
    if (succs.size() == 1 && node != kEntryBlock) {
      rest[node] = segment_over(succs.front(), rest);
    } else {
      rest[node].to = node;
      for (int e : succs)
        segments_[node].push_back(segment_over(e, rest));
      std::stable_sort(segments_[node].begin(), segments_[node].end(),
                       [](const Segment &a, const Segment &b) { return a.val < b.val; });
    }
    int block = graph_.block_of(node);
    bool has_statements = block > kExitBlock;
    if (rest[node].ends_context)
      continue;
    if (has_statements)
      rest[node].statements += function.notes.blocks[block].statements;
    if (block >= 0)
      rest[node].first_block = block;
  }
  steps_.emplace_back();
}

PathWalk::Segment PathWalk::segment_over(int edge, const std::vector<Segment> &rest) const {
  Segment segment = rest[graph_.edge(edge).dst];
  segment.ends_context |= graph_.edge(edge).ends_context;
  segment.val = static_cast<uint64_t>(numbering_.val(edge));
  segment.first_edge = edge;
  if (segment.last_edge < 0)
    segment.last_edge = edge;
  return segment;
}

PathWalk::Segment PathWalk::joined(const Segment &segment, const Segment &next) {
  Segment both = next;
  both.val += segment.val;
  if (!next.ends_context) {
    both.statements += segment.statements;
    both.ends_context = segment.ends_context;
    if (segment.first_block != PathGraph::kNoBlock)
      both.first_block = segment.first_block;
  }
  if (segment.first_edge >= 0)
    both.first_edge = segment.first_edge;
  return both;
}

const std::vector<PathWalk::Segment> &PathWalk::long_segments(int node) {
  std::vector<Segment> &segments = long_segments_[node];
  if (!segments.empty())
    return segments;
  segments = segments_[node];
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    std::vector<Segment> longer;
    for (size_t i = 0; i < segments.size(); i++) {
      const std::vector<Segment> &next = segments_[segments[i].to];
      if (next.empty() || longer.size() + next.size() + (segments.size() - i - 1) > most_segments_) {
        longer.push_back(segments[i]);
        continue;
      }
      for (const Segment &segment : next)
        longer.push_back(joined(segments[i], segment));
      has_grown = true;
    }
    segments = std::move(longer);
  }
  return segments;
}

// Returns the last segment whose `val` is at most `value`; the first segment always qualifies. The search is
// branchless, so it cannot cause mispredictions.
template <typename Segment>
static const Segment &segment_for(const std::vector<Segment> &segments, uint64_t value) {
  const Segment *segment = segments.data();
  for (size_t left = segments.size(); left > 1; left -= left / 2)
    segment += segment[left / 2].val <= value ? left / 2 : 0;
  return *segment;
}

void PathWalk::go_to(uint64_t id) {
  while (id < steps_.back().val || id - steps_.back().val >= numbering_.num_paths_from(steps_.back().to))
    steps_.pop_back();
  while (steps_.back().to != kExitBlock) {
    const Segment step = steps_.back();
    steps_.push_back(joined(step, segment_for(long_segments(step.to), id - step.val)));
  }
}

bool PathWalk::begins_activation() const {
  return graph_.edge(steps_.back().first_edge).kind != PathEdgeKind::Start && !steps_.back().ends_context;
}

bool PathWalk::leaves_function() const {
  const PathEdge &last = graph_.edge(steps_.back().last_edge);
  return last.kind != PathEdgeKind::End || last.via.empty();
}

void Totals::add(const PathWalk &walk, uint64_t count) {
  saturating_add(executions, count);
  if (walk.begins_activation())
    saturating_add(calls, count);
  if (walk.leaves_function())
    saturating_add(finished, count);
  statements += static_cast<unsigned __int128>(count) * walk.statements();
}

void Totals::add_cut_short(const Path &path, uint64_t path_statements, uint64_t count) {
  saturating_add(executions, count);
  saturating_add(finished, count);
  if (path.begins_activation())
    saturating_add(calls, count);
  statements += static_cast<unsigned __int128>(count) * path_statements;
}

Totals totals_of(const Function &function, const Decoded &decoded) {
  if (const Activity *activity = function.activity.get())
    return {activity->calls, activity->finished, activity->executions, activity->statements};
  Totals totals;
  PathWalk walk(function, decoded);
  for (const ExecutedPath &path : function.paths) {
    walk.go_to(path.id);
    totals.add(walk, path.count);
  }
  for (const ExecutedPath &executed : function.cut_short) {
    Path path = *decoded.regenerate(executed.id);
    totals.add_cut_short(path, statements_of(function, path), executed.count);
  }
  return totals;
}

uint64_t statements_of(const Function &function, const Path &path) {
  uint64_t sum = 0;
  for (size_t i = path.context_blocks; i < path.blocks.size(); i++)
    if (path.blocks[i] != kEntryBlock && path.blocks[i] != kExitBlock)
      sum += function.notes.blocks[path.blocks[i]].statements;
  return sum;
}

// -------------------------------------------------------------------------------------------------
// Line sequences

size_t lines_before_end(const Function &function, const Path &path) {
  if (path.end != PathEnd::Call || path.blocks.empty())
    return SIZE_MAX;
  const std::vector<uint32_t> &breaks = function.notes.blocks[static_cast<size_t>(path.blocks.back())].breaks;
  return path.call < breaks.size() ? breaks[path.call] : SIZE_MAX;
}

static std::vector<LineRef> lines_of(const Function &function, const Path &path, size_t index, LineLimits limits) {
  const BlockNotes &block = function.notes.blocks[path.blocks[index]];
  bool is_last = index + 1 == path.blocks.size();
  if (is_last && limits.kept == SIZE_MAX)
    limits.kept = lines_before_end(function, path);
  size_t end = is_last ? std::min(limits.kept, block.lines.size()) : block.lines.size();
  size_t begin = index == 0 ? std::min(limits.skipped, end) : 0;
  return {block.lines.begin() + static_cast<ptrdiff_t>(begin), block.lines.begin() + static_cast<ptrdiff_t>(end)};
}

// Returns the number of context parts that end after the block at `index`.
static size_t contexts_behind(const Path &path, size_t index) {
  return static_cast<size_t>(path.contexts.end() - std::upper_bound(path.contexts.begin(), path.contexts.end(), index));
}

static size_t loop_visits_before(const Path &path, size_t index) {
  return static_cast<size_t>(std::count_if(path.loop_visits.begin(), path.loop_visits.end(),
                                           [&](const CollapsedLoopVisit &visit) { return visit.blocks <= index; }));
}

std::vector<Stretch> line_sequence_of(const Function &function, const Path &path, LineLimits limits) {
  std::vector<Stretch> line_sequence;
  LineRef previous;
  for (size_t i = 0; i < path.blocks.size(); i++) {
    size_t contexts = contexts_behind(path, i);
    size_t loop_visits = loop_visits_before(path, i);
    for (const LineRef &line : lines_of(function, path, i, limits)) {
      bool same_place = !line_sequence.empty() && line.file == previous.file && line.site == previous.site &&
                        line_sequence.back().contexts == contexts && line_sequence.back().loop_visits == loop_visits;
      bool goes_on = same_place && (line.line == previous.line || line.line == previous.line + 1);
      if (line.line == 0)
        continue;
      if (goes_on)
        line_sequence.back().last = line.line;
      else
        line_sequence.push_back({(*function.files)[line.file],
                                 line.site ? function.notes.sites[line.site - 1].function : std::string(), line.line,
                                 line.line, contexts, loop_visits});
      previous = line;
    }
  }
  return line_sequence;
}

Path single_block(const Path &path, size_t index) {
  Path part;
  part.blocks = {path.blocks[index]};
  if (index + 1 == path.blocks.size()) {
    part.end = path.end;
    part.call = path.call;
  }
  return part;
}

// Returns 1 for a closing bracket, -1 for an opening bracket, and 0 for any other character.
static int closes(char c) {
  return c == '>' || c == ')' || c == '}' ? 1 : c == '<' || c == '(' || c == '{' ? -1 : 0;
}

// Removes trailing template arguments from a name, unless the angle brackets belong to the operator at `operator_at`.
static void drop_arguments(std::string &name, size_t operator_at) {
  static const size_t kWord = std::string("operator").size();
  int depth = 0;
  for (size_t i = name.size(); i-- > 1 && name.back() == '>';) {
    depth += closes(name[i]);
    if (depth == 0 && (operator_at == std::string::npos || i > operator_at + kWord))
      name.erase(name.find_last_not_of(' ', i - 1) + 1);
  }
}

// Shortens "void std::vector<int>::push_back<long>(int)" to "push_back". The full names of C++ library functions would
// be longer than the line sequence.
static std::string last_name(const std::string &demangled) {
  std::string name = without_parameters(demangled);
  size_t operator_at = name.rfind("operator");
  drop_arguments(name, operator_at);
  int depth = 0;
  for (size_t i = std::min(operator_at, name.size()); i-- > 0;) {
    depth += closes(name[i]);
    if (depth == 0 && (name[i] == ':' || name[i] == ' '))
      return name.substr(i + 1);
  }
  return name;
}

std::string other_place_text(const std::string &file, const std::string &inlined, const Names &names) {
  std::string text = names.short_file(file) + ":";
  return inlined.empty() ? text : last_name(names.full(inlined)) + "@" + text;
}

// Returns the file name to print before a range of lines, or an empty string if none is needed.
static std::string place_text(const Function &function, const Stretch &stretch, const Names &names,
                              bool &named_own_file) {
  bool is_own = stretch.inlined.empty() && stretch.file == function.file;
  return is_own && std::exchange(named_own_file, true) ? "" : other_place_text(stretch.file, stretch.inlined, names);
}

static std::string stretch_text(const Function &function, const Stretch &stretch, const Names &names,
                                bool &named_own_file) {
  std::string text = place_text(function, stretch, names, named_own_file) + std::to_string(stretch.first);
  return stretch.last == stretch.first ? text : text + "-" + std::to_string(stretch.last);
}

std::string stretches_text(const Function &function, const std::vector<Stretch> &line_sequence, const Names &names,
                           bool &named_own_file) {
  std::string text;
  for (const Stretch &stretch : line_sequence)
    text += (text.empty() ? "" : " ") + stretch_text(function, stretch, names, named_own_file);
  return text;
}

// Returns the blocks of a path, with each part of the context in parentheses: "(0 2) 5 6".
static std::string blocks_text(const Path &path) {
  std::string text = "blocks";
  size_t from = 0;
  for (size_t end : path.contexts) {
    text += fmt::format(" ({})", fmt::join(path.blocks.begin() + static_cast<std::ptrdiff_t>(from),
                                           path.blocks.begin() + static_cast<std::ptrdiff_t>(end), " "));
    from = end;
  }
  return text +
         fmt::format(" {}", fmt::join(path.blocks.begin() + static_cast<std::ptrdiff_t>(from), path.blocks.end(), " "));
}

std::string loop_visit_text(const Function &function, const CollapsedLoopVisit &visit) {
  for (const LineRef &at : function.notes.blocks[visit.head].lines)
    if (at.line != 0)
      return fmt::format("{{{}}}", at.line);
  return "{}";
}

std::string line_sequence_text(const Function &function, const Path &path, const Names &names) {
  std::vector<Stretch> line_sequence = line_sequence_of(function, path);
  if (line_sequence.empty())
    return blocks_text(path);
  std::vector<std::string> parts(path.contexts.size() + 1);
  auto append = [&](size_t contexts, const std::string &text) {
    std::string &part = parts[path.contexts.size() - contexts];
    part += (part.empty() ? "" : " ") + text;
  };
  size_t passed = 0;
  auto append_loop_visits = [&](size_t up_to) {
    for (; passed < up_to; passed++)
      append(contexts_behind(path, path.loop_visits[passed].blocks - 1),
             loop_visit_text(function, path.loop_visits[passed]));
  };
  bool named_own_file = false;
  for (const Stretch &stretch : line_sequence) {
    append_loop_visits(stretch.loop_visits);
    append(stretch.contexts, stretch_text(function, stretch, names, named_own_file));
  }
  append_loop_visits(path.loop_visits.size());
  std::string text;
  for (size_t i = 0; i < parts.size(); i++) {
    const std::string &part = parts[i].empty() ? "-" : parts[i];
    text += i + 1 < parts.size() ? "(" + part + ") " : part;
  }
  return text;
}

std::string source_text(const Output &out, Sources &sources, const Function &function,
                        const std::vector<Stretch> &line_sequence) {
  std::string text;
  for (const Stretch &stretch : line_sequence)
    for (uint64_t number = stretch.first; number <= stretch.last; number++)
      if (const std::string *line = sources.line(function, stretch.file, static_cast<uint32_t>(number)))
        text += fmt::format("{} {}\n",
                            paint(out, Colour::Faint, fmt::format("{:>10} {}", number, stretch.contexts ? ':' : '|')),
                            *line);
  return text;
}

} // namespace pathprof
