// SPDX-License-Identifier: GPL-3.0-or-later
// Reads source locations, including chains of inlined calls.
#include "plugin/cfg/lines.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plugin/cfg/exits.h"
#include "plugin/gcc/condition_text.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/generated_code.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

namespace {

class LineReader {
public:
  LineReader(FunctionNotes &notes, FileTable &files, const ListedElsewhere &elsewhere, location_t declaration)
      : notes_(notes), files_(files), labels_(elsewhere.labels), is_exact_(notes.flags & kExactTermination),
        with_breaks_(notes.stage == Stage::Source || is_exact_),
        code_(cfun->decl), seen_{compat_position(declaration)} {
    for (auto [below, block] : labels_)
      listed_elsewhere_.insert(block);
  }

  // Reads the lines of a block. A statement that may leave the function, such as a call of exit, also ends a piece
  // of the block.
  void read_block(basic_block bb) {
    block_ = &notes_.blocks[static_cast<size_t>(bb->index)];
    piece_ = 0;
    bool may_end = false; // true if control might not continue past the previous statement
    if (listed_elsewhere_.count(bb))
      return;
    if (bb == single_succ(ENTRY_BLOCK_PTR_FOR_FN(cfun)))
      add_line({notes_.file, std::max(notes_.line, 1u), 0}, false);
    if (auto labels = labels_.find(bb); labels != labels_.end())
      add_positions(labels->second);
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
      if (may_end)
        start_piece();
      may_end = read_statement(bb, gsi_stmt(gsi));
    }
    read_jump(bb, may_end);
    if (tail_call_of(bb))
      add_returns(bb);
  }

  ReadLines result() { return std::move(read_); }

private:
  // Adds the line of the statement. Returns true if control might not continue past the statement.
  bool read_statement(basic_block bb, gimple *statement) {
    bool may_end = with_breaks_ && !is_tail_call(statement) &&
                   (is_exact_ ? may_not_return(statement) : stmt_can_terminate_bb_p(statement));
    if (may_end)
      read_.ends.push_back({statement, bb->index, static_cast<uint32_t>(block_->breaks.size())});
    block_->statements += is_code(statement);
    if ((is_gimple_call(statement) && !gimple_call_internal_p(statement)) || stmt_could_throw_p(cfun, statement))
      notes_.flags |= kCalls;
    seen_.insert(compat_position(position_of(statement)));
    add(gimple_location(statement), code_.has_written(statement));
    if (location_t member = code_.initialized_member(statement); member != UNKNOWN_LOCATION)
      add(member, true);
    if (is_gimple_call(statement))
      read_.up_to[statement] = static_cast<uint32_t>(block_->lines.size());
    return may_end;
  }

  // Adds the line of the jump at the end of the block, unless a statement has the same location as the jump. If control
  // may end at the last statement (`may_end`), a piece ends after this statement. A jump on the same line as the
  // statement belongs to this piece. A jump on a different line belongs to the next piece.
  void read_jump(basic_block bb, bool may_end) {
    location_t locus = single_succ_p(bb) ? single_succ_edge(bb)->goto_locus : UNKNOWN_LOCATION;
    if (seen_.count(compat_position(locus)) || (block_->statements == 0 && repeats_loop_at(bb, locus)))
      locus = UNKNOWN_LOCATION;
    bool own_piece = may_end && is_other_line(locus);
    if (!own_piece)
      add(locus);
    if (may_end)
      start_piece();
    block_->ends_in_call = may_end && !own_piece;
    if (own_piece)
      add(locus);
  }

  // Adds the source locations in a block that contains only labels.
  void add_positions(basic_block bb) {
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
      seen_.insert(compat_position(position_of(gsi_stmt(gsi))));
      add(gimple_location(gsi_stmt(gsi)));
    }
  }

  // Returns true if the empty block `bb` branches back to a loop header that contains a statement at this location, and
  // at least one block with statements also branches back to this header.
  static bool repeats_loop_at(basic_block bb, location_t locus) {
    if (!single_succ_p(bb) || !(single_succ_edge(bb)->flags & EDGE_DFS_BACK))
      return false;
    basic_block body = single_succ(bb);
    bool others_repeat = false;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, body->preds)
      others_repeat |= (e->flags & EDGE_DFS_BACK) && !gsi_end_p(gsi_start_nondebug_after_labels_bb(e->src));
    if (!others_repeat)
      return false;
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(body); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
      if (compat_position(position_of(gsi_stmt(gsi))) == compat_position(locus))
        return true;
    return false;
  }

  static bool is_tail_call(gimple *statement) {
    gcall *call = dyn_cast<gcall *>(statement);
    return call && (gimple_call_tail_p(call) || gimple_call_must_tail_p(call));
  }

  static bool is_code(gimple *statement) {
    return gimple_code(statement) != GIMPLE_LABEL && gimple_code(statement) != GIMPLE_NOP &&
           gimple_code(statement) != GIMPLE_PREDICT && !gimple_clobber_p(statement);
  }

  void add(location_t location) { add(location, code_.has_written(location)); }

  // Adds the line of the location. `is_written` is true if the code was written by the user, but the function was
  // generated by the compiler.
  void add(location_t location, bool is_written) {
    if (RESERVED_LOCATION_P(location))
      return;
    expanded_location where = expand_location(location);
    if (where.file && where.line > 0)
      add_line({files_.index_of(where.file), static_cast<uint32_t>(where.line), site_of(LOCATION_BLOCK(location))},
               is_written);
  }

  // Adds the lines of the statements that follow a tail call. These lines are executed as often as the call.
  void add_returns(basic_block bb) {
    for (bb = single_succ(bb); bb != EXIT_BLOCK_PTR_FOR_FN(cfun); bb = single_succ(bb))
      for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
        add(gimple_location(gsi_stmt(gsi)));
  }

  void add_line(LineRef line, bool is_written) {
    auto &lines = block_->lines;
    auto listed = std::find(lines.begin() + static_cast<ptrdiff_t>(piece_), lines.end(), line);
    auto index = static_cast<uint32_t>(listed - lines.begin());
    if (listed == lines.end())
      lines.push_back(line);
    if (auto at = std::lower_bound(block_->written.begin(), block_->written.end(), index);
        is_written && (at == block_->written.end() || *at != index))
      block_->written.insert(at, index);
  }

  void start_piece() {
    piece_ = block_->lines.size();
    block_->breaks.push_back(static_cast<uint32_t>(piece_));
  }

  // Returns true if the location is on a different line than the last location added to the block.
  bool is_other_line(location_t locus) const {
    return !RESERVED_LOCATION_P(locus) && !block_->lines.empty() &&
           block_->lines.back().line != static_cast<uint32_t>(LOCATION_LINE(locus));
  }

  // Returns 1 plus the index of the inlined call that contains the lexical block, or 0 if the block belongs to the
  // function itself.
  uint32_t site_of(tree block) {
    while (block && TREE_CODE(block) == BLOCK && !inlined_function_outer_scope_p(block))
      block = BLOCK_SUPERCONTEXT(block);
    if (!block || TREE_CODE(block) != BLOCK)
      return 0;
    auto known = sites_.find(block);
    if (known != sites_.end())
      return known->second;
    InlineSite site;
    expanded_location call = expand_location(BLOCK_SOURCE_LOCATION(block));
    site.function = name_of(block_ultimate_origin(block));
    site.file = files_.index_of(call.file);
    site.line = static_cast<uint32_t>(std::max(call.line, 0));
    site.parent = site_of(BLOCK_SUPERCONTEXT(block));
    notes_.sites.push_back(site);
    return sites_[block] = static_cast<uint32_t>(notes_.sites.size());
  }

  FunctionNotes &notes_;
  FileTable &files_;
  const ListedElsewhere::Blocks &labels_;
  std::set<basic_block> listed_elsewhere_;
  bool is_exact_;
  bool with_breaks_;
  GeneratedCode code_;
  BlockNotes *block_ = nullptr;
  size_t piece_ = 0;          // Index of the first line of the current piece
  std::set<location_t> seen_; // Locations of all statements so far
  std::map<tree, uint32_t> sites_;
  ReadLines read_;
};

// Appends the largest line number in the last piece of block `from` to block `to`. (GCC's coverage notes would list
// each piece of a block as a separate block.) If the last piece contains lines of several files, only the file that is
// listed last is considered.
void add_last_line(const BlockNotes &from, BlockNotes &to) {
  size_t piece = from.breaks.size() - from.ends_in_call;
  size_t begin = piece > 0 ? from.breaks[piece - 1] : 0;
  const LineRef *last = nullptr;
  for (size_t i = begin; i < from.lines.size(); i++)
    if (!last || from.lines[i].file != last->file || from.lines[i].line > last->line)
      last = &from.lines[i];
  if (!last)
    return;
  if (std::binary_search(from.written.begin(), from.written.end(), static_cast<uint32_t>(last - from.lines.data())))
    to.written.push_back(static_cast<uint32_t>(to.lines.size()));
  to.lines.push_back(*last);
}

} // namespace

ReadLines read_lines(FunctionNotes &notes, FileTable &files, const ListedElsewhere &elsewhere) {
  notes.blocks.assign(static_cast<size_t>(n_basic_blocks_for_fn(cfun)), {});
  LineReader reader(notes, files, elsewhere, DECL_SOURCE_LOCATION(cfun->decl));
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    reader.read_block(bb);
  for (auto [block, before] : elsewhere.before)
    add_last_line(notes.blocks[static_cast<size_t>(before->index)], notes.blocks[static_cast<size_t>(block->index)]);
  return reader.result();
}

} // namespace pathprof
