// SPDX-License-Identifier: GPL-3.0-or-later
// Source positions, inlined-at chains included.
#include "plugin/lines.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plugin/exits.h"

#include "plugin/gcc.h"
#include "plugin/names.h"
#include "plugin/statements.h"

namespace pathprof {

uint32_t FileTable::index_of(const char *name) {
  std::string file = name ? remap_debug_filename(name) : "";
  auto [at, is_new] = index_.try_emplace(file, static_cast<uint32_t>(unit_.files.size()));
  if (is_new)
    unit_.files.push_back(file);
  return at->second;
}

namespace {

class LineReader {
public:
  LineReader(FunctionNotes &notes, FileTable &files, location_t declaration)
      : notes_(notes), files_(files), is_exact_(notes.flags & kExactTermination),
        with_breaks_(notes.stage == Stage::Source || is_exact_), seen_{declaration} {}

  void read_block(basic_block bb) {
    block_ = &notes_.blocks[static_cast<size_t>(bb->index)];
    piece_ = 0;
    bool may_end = false; // control may not pass the statement before
    if (bb == ENTRY_BLOCK_PTR_FOR_FN(cfun)->next_bb)
      add_line({notes_.file, std::max(notes_.line, 1u), 0});
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
      gimple *statement = gsi_stmt(gsi);
      if (may_end)
        start_piece();
      may_end = with_breaks_ && !is_tail_call(statement) &&
                (is_exact_ ? may_not_return(statement) : stmt_can_terminate_bb_p(statement));
      if (may_end)
        read_.ends.push_back({statement, bb->index, static_cast<uint32_t>(block_->breaks.size())});
      block_->statements += is_code(statement);
      if ((is_gimple_call(statement) && !gimple_call_internal_p(statement)) || stmt_could_throw_p(cfun, statement))
        notes_.flags |= kCalls;
      seen_.insert(gimple_location(statement));
      add(gimple_location(statement));
      if (is_gimple_call(statement))
        read_.up_to[statement] = static_cast<uint32_t>(block_->lines.size());
    }
    location_t locus = single_succ_p(bb) ? single_succ_edge(bb)->goto_locus : UNKNOWN_LOCATION;
    if (seen_.count(locus))
      locus = UNKNOWN_LOCATION;
    bool own_piece = may_end && is_other_line(locus);
    if (!own_piece)
      add(locus);
    if (may_end)
      start_piece();
    block_->ends_in_call = may_end && !own_piece;
    if (own_piece)
      add(locus);
    if (tail_call_of(bb))
      add_returns(bb);
  }

  ReadLines result() { return std::move(read_); }

private:
  static bool is_tail_call(gimple *statement) {
    gcall *call = dyn_cast<gcall *>(statement);
    return call && gimple_call_tail_p(call);
  }

  static bool is_code(gimple *statement) {
    return gimple_code(statement) != GIMPLE_LABEL && gimple_code(statement) != GIMPLE_NOP &&
           gimple_code(statement) != GIMPLE_PREDICT && !gimple_clobber_p(statement);
  }

  void add(location_t location) {
    if (RESERVED_LOCATION_P(location))
      return;
    expanded_location where = expand_location(location);
    if (where.file && where.line > 0)
      add_line({files_.index_of(where.file), static_cast<uint32_t>(where.line), site_of(LOCATION_BLOCK(location))});
  }

  // What stands behind a call in tail position is part of what the call does.
  void add_returns(basic_block bb) {
    for (bb = single_succ(bb); bb != EXIT_BLOCK_PTR_FOR_FN(cfun); bb = single_succ(bb))
      for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
        add(gimple_location(gsi_stmt(gsi)));
  }

  void add_line(LineRef line) {
    auto &lines = block_->lines;
    if (std::find(lines.begin() + static_cast<ptrdiff_t>(piece_), lines.end(), line) == lines.end())
      lines.push_back(line);
  }

  void start_piece() {
    piece_ = block_->lines.size();
    block_->breaks.push_back(static_cast<uint32_t>(piece_));
  }

  // Whether it is not on the block's last line so far.
  bool is_other_line(location_t locus) const {
    return !RESERVED_LOCATION_P(locus) && !block_->lines.empty() &&
           block_->lines.back().line != static_cast<uint32_t>(LOCATION_LINE(locus));
  }

  // 1 + the index of the inlined call that a lexical block came from, 0 for the function itself.
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
  bool is_exact_;
  bool with_breaks_;
  BlockNotes *block_ = nullptr;
  size_t piece_ = 0;          // first line of the current piece
  std::set<location_t> seen_; // positions of statements so far
  std::map<tree, uint32_t> sites_;
  ReadLines read_;
};

} // namespace

ReadLines read_lines(FunctionNotes &notes, FileTable &files) {
  notes.blocks.assign(static_cast<size_t>(n_basic_blocks_for_fn(cfun)), {});
  LineReader reader(notes, files, DECL_SOURCE_LOCATION(cfun->decl));
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    reader.read_block(bb);
  return reader.result();
}

} // namespace pathprof
