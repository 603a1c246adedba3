// SPDX-License-Identifier: GPL-3.0-or-later
// Exports control-flow graphs with counts for Graphviz.
#include <algorithm>

#include "core/numbering/saturate.h"
#include "pathdump/export/exports.h"
#include "pathdump/model/lines.h"
#include "pathdump/describe/branches.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

// Returns the text as a Graphviz string literal.
std::string dot_string(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + '"';
}

class Drawing {
public:
  Drawing(const Function &function, const Decoded &decoded, const Names &names, Sources &sources)
      : function_(function), graph_(function.notes.graph), names_(names), branches_(function, names, &sources),
        calls_(totals_of(function, decoded).calls) {
    counts_ = count_edges(function, decoded);
    for (int block = 0; block < graph_.num_blocks(); block++)
      most_ = std::max(most_, count_of(block));
  }

  void print(Output &out) const {
    std::string title = fmt::format("{} ({}:{}), called {}", names_.full(function_.notes.name),
                                    names_.file(function_.file), function_.notes.line, plural(calls_, "time"));
    out.print("digraph {} {{\n  label={}; labelloc=t; fontname=\"sans-serif\";\n", dot_string(function_.notes.name),
              dot_string(title));
    out.write("  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=10];\n"
              "  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (int block = 0; block < graph_.num_blocks(); block++)
      if (!graph_.succs(block).empty() || !graph_.preds(block).empty())
        print_block(block, out);
    for (int e = 0; e < graph_.num_edges(); e++)
      print_edge(e, out);
    out.write("}\n");
  }

private:
  // Returns the execution count of the block.
  uint64_t count_of(int block) const {
    if (block == kEntryBlock)
      return calls_;
    uint64_t sum = 0;
    for (int e : graph_.preds(block))
      saturating_add(sum, counts_[static_cast<size_t>(e)]);
    return sum;
  }

  void print_block(int block, Output &out) const {
    uint64_t count = count_of(block);
    std::string title = block == kEntryBlock ? "ENTRY" : block == kExitBlock ? "EXIT" : fmt::format("block {}", block);
    Path path;
    path.blocks = {block};
    std::string lines = function_.notes.blocks[static_cast<size_t>(block)].lines.empty()
                            ? std::string()
                            : "\n" + line_sequence_text(function_, path, names_);
    out.print("  {} [label={}, fillcolor={}{}];\n", block, dot_string(fmt::format("{}{}\n{}", title, lines, count)),
              dot_string(fill(count)), block <= kExitBlock ? ", shape=oval" : "");
  }

  // Returns the fill colour as hue, saturation and value: more saturated red for higher counts, grey for unexecuted
  // blocks.
  std::string fill(uint64_t count) const {
    if (count == 0)
      return "0 0 0.93";
    return fmt::format("0.05 {:.2f} 1", static_cast<double>(count) / static_cast<double>(most_) * 0.6);
  }

  void print_edge(int e, Output &out) const {
    const Edge &edge = graph_.edge(e);
    std::string label = std::to_string(counts_[static_cast<size_t>(e)]);
    if (const std::string &outcome = branches_.outcome(e); !outcome.empty())
      label = fmt::format("{}\n{}", outcome, label);
    out.print("  {} -> {} [label={}{}{}];\n", edge.src, edge.dst, dot_string(label),
              edge.is_cut() ? ", style=dashed" : "",
              counts_[static_cast<size_t>(e)] == 0 ? ", color=gray60, fontcolor=gray60" : "");
  }

  const Function &function_;
  const FlowGraph &graph_;
  const Names &names_;
  Branches branches_;
  std::vector<uint64_t> counts_; // edge counts, by edge
  uint64_t calls_ = 0, most_ = 0;
};

} // namespace

void export_dot(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  Sources sources(names, file);
  for (const Function &function : profile.functions)
    if (!is_left_out(function) && names.selects(function))
      Drawing(function, *decode_or_fail(file, function), names, sources).print(out);
}

} // namespace pathprof
