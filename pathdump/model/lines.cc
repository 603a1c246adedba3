// SPDX-License-Identifier: GPL-3.0-or-later
// Computes line counts from path counts.
#include "pathdump/model/lines.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/models/model.h"
#include "pathdump/ui/names.h"

namespace pathprof {

// Returns equal weights for all edges.
static std::vector<double> estimate(const Function &function) {
  return std::vector<double>(static_cast<size_t>(function.notes.graph.num_edges()), 1);
}

std::vector<uint64_t> count_edges(const Function &function, const Decoded &decoded) {
  return edge_counts(function, decoded, estimate(function));
}

using Amount = unsigned __int128;

void LineCount::add(const LineCount &other) {
  listed_ += other.listed_;
  continued_ += other.continued_;
  own_ += other.own_;
}

uint64_t LineCount::count() const {
  Amount count = own_ ? own_ : listed_ ? listed_ : continued_;
  return static_cast<uint64_t>(std::min<Amount>(count, UINT64_MAX));
}

namespace {

struct Arc {
  int src;
  int dst;
  Amount count;
  Amount left; // part of the count that does not belong to a cycle yet
};

// A flow graph whose blocks are split into pieces after calls, and the counts of its pieces and arcs.
class Pieces {
public:
  Pieces(const Function &function, const Decoded &decoded) : function_(function) {
    number();
    if (function.activity) {
      count_pieces(*function.activity);
      add_arcs(count_edges(function, decoded));
    } else {
      std::vector<ExecutedPath> paths = paths_to_add_up(function, decoded);
      count_pieces(decoded, paths);
      add_arcs(edge_counts(function, decoded, paths, estimate(function)));
    }
    std::stable_sort(arcs_.begin(), arcs_.end(), [](const Arc &a, const Arc &b) {
      return std::make_pair(a.src, a.dst) < std::make_pair(b.src, b.dst);
    });
    from_.resize(counts_.size());
    into_.resize(counts_.size());
    for (size_t i = 0; i < arcs_.size(); i++) {
      from_[static_cast<size_t>(arcs_[i].src)].push_back(i);
      into_[static_cast<size_t>(arcs_[i].dst)].push_back(i);
    }
    mark_.assign(counts_.size(), 0);
    seen_.assign(counts_.size(), 0);
  }

  int entered_first() const {
    const FlowGraph &graph = function_.notes.graph;
    return first_[graph.edge(graph.succs(kEntryBlock).front()).dst];
  }
  // Return the first and last piece of a block. The block must have edges.
  int first(int block) const { return first_[block]; }
  int last(int block) const { return last_[block]; }
  int num_pieces() const { return static_cast<int>(counts_.size()); }
  Amount count(int piece) const { return counts_[static_cast<size_t>(piece)]; }
  bool has(int block) const { return first_[block] >= 0; }

  // Returns the execution count of a line. `pieces` are the pieces that belong to the line, in increasing order. If
  // `with_entry` is false, executions that begin with the edge from ENTRY are not counted.
  Amount executions(const std::vector<int> &pieces, bool with_entry) {
    ++line_;
    for (int piece : pieces)
      mark_[static_cast<size_t>(piece)] = line_;
    Amount sum = 0;
    for (int piece : pieces)
      for (size_t arc : into_[static_cast<size_t>(piece)]) {
        if (mark_[static_cast<size_t>(arcs_[arc].src)] != line_ &&
            (with_entry || arcs_[arc].src != first_[kEntryBlock]))
          sum += arcs_[arc].count;
        arcs_[arc].left = arcs_[arc].count;
      }
    for (int piece : pieces)
      sum += turns_through(piece);
    return sum;
  }

private:
  void number() {
    const FlowGraph &graph = function_.notes.graph;
    first_.assign(static_cast<size_t>(graph.num_blocks()), -1);
    last_ = first_;
    int total = 0;
    for (int block = 0; block < graph.num_blocks(); block++) {
      if (block != kEntryBlock && block != kExitBlock && graph.succs(block).empty() && graph.preds(block).empty())
        continue;
      const BlockNotes &notes = function_.notes.blocks[block];
      int num_breaks = static_cast<int>(notes.breaks.size());
      first_[block] = total;
      last_[block] = total + std::max(num_breaks - notes.ends_in_call, 0);
      total = last_[block] + 1;
    }
    counts_.assign(static_cast<size_t>(total), 0);
  }

  // Counts the executions of pieces on executed paths. The last block of a truncated path was executed only up to the
  // call. The context of a path is excluded because it was counted as part of earlier paths.
  void count_pieces(const Decoded &decoded, const std::vector<ExecutedPath> &paths) {
    std::vector<Amount> whole(first_.size(), 0);
    for (const ExecutedPath &executed : paths) {
      Path path = *decoded.regenerate(executed.id);
      size_t num_whole = path.blocks.size() - (path.end == PathEnd::Call);
      for (size_t i = path.context_blocks; i < num_whole; i++)
        whole[static_cast<size_t>(path.blocks[i])] += executed.count;
      if (num_whole == path.blocks.size())
        continue;
      int from = first_[path.blocks.back()];
      int to = std::min(from + static_cast<int>(path.call), last_[path.blocks.back()]);
      for (int piece = from; piece <= to; piece++)
        counts_[static_cast<size_t>(piece)] += executed.count;
    }
    for (size_t block = 0; block < whole.size(); block++)
      for (int piece = first_[block]; piece >= 0 && piece <= last_[block]; piece++)
        counts_[static_cast<size_t>(piece)] += whole[block];
  }

  // Computes the counts of pieces from the counts of blocks and calls in `activity`. The code after a call was executed
  // as often as the call returned (twice per call to fork).
  void count_pieces(const Activity &activity) {
    for (size_t block = 0; block < first_.size(); block++)
      for (int piece = first_[block]; piece >= 0 && piece <= last_[block]; piece++)
        counts_[static_cast<size_t>(piece)] = activity.entered[block];
    for (size_t call = 0; call < activity.opened.size(); call++) {
      const CallNotes &site = function_.notes.calls[call];
      Amount lost = activity.opened[call] - std::min(activity.opened[call], activity.resumed[call]);
      Amount gained = activity.resumed[call] - std::min(activity.opened[call], activity.resumed[call]);
      const std::vector<uint32_t> &breaks = function_.notes.blocks[site.block].breaks;
      auto behind = std::lower_bound(breaks.begin(), breaks.end(), site.num_lines);
      if (behind == breaks.end())
        continue;
      int first_behind = first_[site.block] + static_cast<int>(behind - breaks.begin()) + 1;
      for (int piece = first_behind; piece <= last_[site.block]; piece++)
        counts_[static_cast<size_t>(piece)] += gained - std::min(counts_[static_cast<size_t>(piece)], lost);
    }
  }

  void add_arc(int src, int dst, Amount count) { arcs_.push_back({src, dst, count, 0}); }

  // Returns the block that followed ENTRY before the plugin inserted a block for the function's own line.
  int first_block_of_gcc() const {
    const FlowGraph &graph = function_.notes.graph;
    int block = graph.edge(graph.succs(kEntryBlock).front()).dst;
    const auto &leaving = graph.succs(block);
    const BlockNotes &notes = function_.notes.blocks[static_cast<size_t>(block)];
    bool is_own_line = notes.statements == 0 && notes.lines.size() <= 1 && leaving.size() == 1;
    return is_own_line ? graph.edge(leaving.front()).dst : block;
  }

  // Adds the arcs between pieces. gcov ignores abnormal edges. If abnormal edges lead to a block, GCC adds a fake edge
  // from ENTRY (branch_prob in profile.cc) for the executions to which no ordinary edge led. A block with a call of
  // setjmp also gets a fake edge to EXIT. Only one of the two fake edges can be in the spanning tree from which gcov
  // infers its counts; without optimization, when GCC guesses no frequencies, the tree contains the edge to EXIT. The
  // first block has a real edge from ENTRY and gets no fake edge. In these cases gcov ignores that setjmp returned
  // again.
  void add_arcs(const std::vector<uint64_t> &counts) {
    const FlowGraph &graph = function_.notes.graph;
    bool is_optimised = (function_.notes.flags & kOptimised) != 0;
    int first_block = first_block_of_gcc();
    std::set<int> jumped_to;
    std::map<int, Amount> by_cut_edges;
    for (int e = 0; e < graph.num_edges(); e++) {
      const Edge &edge = graph.edge(e);
      if (edge.flags & kAbnormal) {
        jumped_to.insert(edge.dst);
        continue;
      }
      if (edge.is_cut())
        by_cut_edges[edge.dst] += counts[static_cast<size_t>(e)];
      add_arc(last_[edge.src], first_[edge.dst], counts[static_cast<size_t>(e)]);
    }
    for (int block : jumped_to) {
      auto cut = by_cut_edges.find(block);
      Amount &all = counts_[static_cast<size_t>(first_[block])];
      Amount ordinary = cut == by_cut_edges.end() ? 0 : std::min(cut->second, all);
      if ((is_optimised && block != first_block) || cut == by_cut_edges.end() ||
          function_.notes.blocks[static_cast<size_t>(block)].statements == 0)
        add_arc(first_[kEntryBlock], first_[block], all - ordinary);
      else if (first_[block] < last_[block])
        all = ordinary;
    }
    for (size_t block = 0; block < first_.size(); block++)
      for (int piece = first_[block]; piece >= 0 && piece < last_[block]; piece++)
        add_arc(piece, piece + 1, counts_[static_cast<size_t>(piece) + 1]);
  }

  // Returns the number of iterations of all cycles that consist of the line's pieces and whose lowest piece is `start`.
  // Cycles are processed in the order of their arcs. Each cycle is counted as often as the remaining counts of its arcs
  // allow, and these counts are reduced accordingly. The result is the same as that of gcov's enumeration of all
  // cycles, but is computed faster.
  Amount turns_through(int start) {
    Amount sum = 0;
    const auto &arcs = into_[static_cast<size_t>(start)];
    bool is_possible = std::any_of(arcs.begin(), arcs.end(), [&](size_t arc) {
      return mark_[static_cast<size_t>(arcs_[arc].src)] == line_ && arcs_[arc].src >= start && arcs_[arc].left > 0;
    });
    while (is_possible && find_cycle(start)) {
      Amount turns = arcs_[cycle_.front()].left;
      for (size_t arc : cycle_)
        turns = std::min(turns, arcs_[arc].left);
      for (size_t arc : cycle_)
        arcs_[arc].left -= turns;
      sum += turns;
    }
    return sum;
  }

  // Searches depth-first for a cycle. The search is not recursive because a line can have very many pieces.
  bool find_cycle(int start) {
    ++search_;
    cycle_.clear();
    std::vector<std::pair<int, size_t>> stack{{start, 0}};
    while (!stack.empty()) {
      auto &[piece, next] = stack.back();
      const std::vector<size_t> &leaving = from_[static_cast<size_t>(piece)];
      if (next == leaving.size()) {
        stack.pop_back();
        if (!cycle_.empty())
          cycle_.pop_back();
        continue;
      }
      size_t index = leaving[next++];
      const Arc &arc = arcs_[index];
      auto to = static_cast<size_t>(arc.dst);
      if (mark_[to] != line_ || arc.dst < start || arc.left == 0)
        continue;
      if (arc.dst == start) {
        cycle_.push_back(index);
        return true;
      }
      if (std::exchange(seen_[to], search_) == search_)
        continue;
      cycle_.push_back(index);
      stack.push_back({arc.dst, 0});
    }
    return false;
  }

  const Function &function_;
  std::vector<int> first_, last_; // pieces per block, or −1 if the block number is unused
  std::vector<Amount> counts_;
  std::vector<Arc> arcs_;
  std::vector<std::vector<size_t>> from_, into_; // arcs per piece
  std::vector<uint64_t> mark_, seen_;            // last line and last search that reached each piece
  uint64_t line_ = 0, search_ = 0;
  std::vector<size_t> cycle_;
};

// Returns true if gcov mistakes the last block of this graph for EXIT. This applies at stage=source, and at stage=early
// if the code is not optimized and no blocks were duplicated.
bool ends_in_exit_of_gcov(const FunctionNotes &notes) {
  bool is_optimised = (notes.flags & kOptimised) != 0,
       may_have_copies = model_of(notes.model).form() == CfgForm::Reducible;
  return notes.stage == Stage::Source || (notes.stage == Stage::Early && !is_optimised && !may_have_copies);
}

// Returns the positions in the block. Their lines are 0 where the code is not selected.
std::vector<LineRef> selected_lines(const FunctionNotes &notes, const BlockNotes &block, Code code) {
  std::vector<LineRef> lines = block.lines;
  for (size_t i = 0; i < lines.size() && code == Code::Written; i++)
    if (!notes.is_written(block, i))
      lines[i].line = 0;
  return lines;
}

// Adds the positions [begin, end) of a block as one piece. If `owns_lines` is false, the piece belongs to no line. If
// `continued` is not null, an execution of the piece counts as part of an earlier execution of the line `*continued`.
void add_piece(const std::vector<LineRef> &positions, size_t begin, size_t end, int piece, Amount count,
               bool owns_lines, const Line *continued, std::map<Line, LineCount> &lines,
               std::map<Line, std::vector<int>> &pieces_of) {
  while (begin < end) {
    uint32_t file = positions[begin].file;
    std::set<uint32_t> numbers;
    for (; begin < end && positions[begin].file == file; begin++)
      if (positions[begin].line)
        numbers.insert(positions[begin].line);
    if (numbers.empty())
      continue;
    for (uint32_t number : numbers) {
      Line line{file, number};
      if (continued && line == *continued)
        lines[line].add_continued(count);
      else
        lines[line].add_listed(count);
    }
    std::vector<int> &pieces = pieces_of[{file, *numbers.rbegin()}];
    if (owns_lines && (pieces.empty() || pieces.back() != piece))
      pieces.push_back(piece);
  }
}

} // namespace

std::map<Line, LineCount> count_lines(const Function &function, const Decoded &decoded, Code code) {
  std::map<Line, LineCount> lines;
  std::map<Line, std::vector<int>> pieces_of; // pieces that belong to each line
  Pieces pieces(function, decoded);
  // A part that GCC split off from a function has the position of that function. The count of the function's line
  // already includes the call to the part.
  Line declaration{function.notes.file, function.notes.line};
  bool is_split_off = is_part(function.notes.name);
  int exit_piece = ends_in_exit_of_gcov(function.notes) ? pieces.num_pieces() - 1 : -1;
  for (int block = 0; block < function.notes.graph.num_blocks(); block++) {
    if (!pieces.has(block))
      continue;
    const BlockNotes &notes = function.notes.blocks[block];
    std::vector<LineRef> positions = selected_lines(function.notes, notes, code);
    for (int piece = pieces.first(block); piece <= pieces.last(block); piece++) {
      auto part = static_cast<size_t>(piece - pieces.first(block));
      size_t begin = part ? notes.breaks[part - 1] : 0;
      size_t end = part < notes.breaks.size() ? notes.breaks[part] : notes.lines.size();
      add_piece(positions, begin, end, piece, pieces.count(piece), piece != exit_piece,
                is_split_off && piece == pieces.entered_first() ? &declaration : nullptr, lines, pieces_of);
    }
  }
  for (const auto &[line, own] : pieces_of) {
    // If some activations did not finish their paths, an arc that leads to an unexecuted piece can have a nonzero
    // count, and the count of an arc that leads to an executed piece can be smaller than the count of the piece.
    Amount most = 0;
    for (int piece : own)
      most = std::max(most, pieces.count(piece));
    bool with_entry = !(is_split_off && line == declaration);
    if (Amount count = most ? pieces.executions(own, with_entry) : 0; most)
      lines[line].add_own(with_entry && (function.notes.flags & kFreestanding) ? std::max(count, most) : count);
  }
  return lines;
}

// Returns the position of the branch at the end of a block. It is the position with the greatest line in the last group
// of the block's last piece. The block must have positions.
static LineRef position_of_branch(const BlockNotes &block, const std::vector<LineRef> &lines) {
  size_t num_breaks = block.breaks.size() - (block.breaks.empty() ? 0 : size_t{block.ends_in_call});
  size_t begin = num_breaks ? block.breaks[num_breaks - 1] : 0;
  LineRef greatest = lines.back();
  for (size_t i = lines.size(); i > begin && lines[i - 1].file == greatest.file; i--)
    if (lines[i - 1].line > greatest.line)
      greatest = lines[i - 1];
  return greatest;
}

// Returns true if the user wrote the branch at the end of a block of a generated function: the text of the condition or
// the position of a case label is known.
static bool is_written_branch(const FunctionNotes &notes, int block) {
  const BranchNotes *branch = notes.branch_at(block);
  if (!branch || branch->text.is_beginning)
    return false;
  bool has_label = std::any_of(branch->cases.begin(), branch->cases.end(), [](const CaseLabels &edge) {
    return std::any_of(edge.labels.begin(), edge.labels.end(), [](const CaseLabel &label) { return label.line != 0; });
  });
  return branch->text.is_known() || (branch->is_switch && has_label);
}

std::vector<BranchCount> count_branches(const Function &function, const Decoded &decoded, Code code) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<uint64_t> counts = count_edges(function, decoded);
  std::vector<BranchCount> branches;
  bool is_restricted = code == Code::Written && (function.notes.flags & kArtificial);
  for (int block = 0; block < graph.num_blocks(); block++) {
    const BlockNotes &notes = function.notes.blocks[static_cast<size_t>(block)];
    std::vector<LineRef> lines = selected_lines(function.notes, notes, code);
    BranchCount branch{block, {}, {}};
    for (int e : graph.succs(block))
      if (!(graph.edge(e).flags & kAbnormal) && !(is_restricted && (graph.edge(e).flags & kEh)))
        branch.edges.push_back({e, counts[static_cast<size_t>(e)], (graph.edge(e).flags & kEh) != 0});
    if (branch.edges.size() < 2 || lines.empty() || (is_restricted && !is_written_branch(function.notes, block)))
      continue;
    branch.position = position_of_branch(notes, lines);
    branches.push_back(std::move(branch));
  }
  return branches;
}

} // namespace pathprof
