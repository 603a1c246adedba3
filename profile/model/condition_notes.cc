// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes and parses conditions, their couplings, and the positions of their source texts.
#include "profile/model/condition_notes.h"

#include <algorithm>

#include "profile/model/streams.h"

namespace pathprof {

static void put_condition(pathprof_buffer &stream, const ConditionBlock &condition, uint32_t num_decisions) {
  bool is_whole_decision = condition.decision == num_decisions && condition.index == 0 &&
                           condition.next[0] == kOutcomeFalse && condition.next[1] == kOutcomeTrue;
  pathprof_put_varint(&stream, 1 + (condition.is_merged ? kConditionIsMerged : 0) +
                                   (condition.is_known ? 0 : kConditionIsUnknown) +
                                   (is_whole_decision ? 0 : kConditionHasOthers));
  if (is_whole_decision)
    return;
  pathprof_put_varint(&stream, num_decisions - condition.decision);
  pathprof_put_varint(&stream, condition.index);
  for (uint32_t next : condition.next)
    pathprof_put_varint(&stream, next < kFirstCondition ? next : next - condition.index);
}

// Writes the condition of each block with two successors.  A new decision is assigned the next number.
void put_conditions(pathprof_buffer &stream, const FunctionNotes &function) {
  auto condition = function.conditions.begin();
  uint32_t num_decisions = 0;
  for (int block = 0; block < function.graph.num_blocks(); block++) {
    if (function.graph.succs(block).size() != 2)
      continue;
    if (condition == function.conditions.end() || condition->block != static_cast<uint32_t>(block)) {
      pathprof_put_varint(&stream, 0);
      continue;
    }
    put_condition(stream, *condition, num_decisions);
    num_decisions = std::max(num_decisions, condition->decision + 1);
    ++condition;
  }
}

static uint32_t get_below(pathprof_cursor &stream, uint64_t limit) {
  uint64_t value = pathprof_get_varint(&stream);
  if (value < limit)
    return static_cast<uint32_t>(value);
  pathprof_cursor_fail(&stream, "a number in a unit's notes is out of range");
  return 0;
}

// Parses a condition.  The successors of a condition must have higher indices, so that no condition can be evaluated
// twice.
static ConditionBlock get_condition(pathprof_cursor &stream, uint32_t block, uint32_t head, uint32_t num_decisions) {
  ConditionBlock condition;
  condition.block = block;
  condition.is_merged = head & kConditionIsMerged;
  condition.is_known = !(head & kConditionIsUnknown);
  condition.decision = num_decisions;
  if (!(head & kConditionHasOthers))
    return condition;
  condition.decision -= get_below(stream, uint64_t{num_decisions} + 1);
  condition.index = get_below(stream, kMaxConditions);
  for (uint32_t &next : condition.next) {
    next = get_below(stream, kMaxConditions);
    if (next >= kFirstCondition)
      next += condition.index;
    if (next == kFirstCondition + condition.index)
      pathprof_cursor_fail(&stream, "a condition follows itself");
  }
  return condition;
}

const char *get_conditions(pathprof_cursor &stream, FunctionNotes &function) {
  uint32_t num_decisions = 0;
  for (int block = 0; block < function.graph.num_blocks() && pathprof_cursor_ok(&stream); block++) {
    if (function.graph.succs(block).size() != 2)
      continue;
    if (uint32_t head = get_below(stream, kConditionHead + 1)) {
      function.conditions.push_back(get_condition(stream, static_cast<uint32_t>(block), head - 1, num_decisions));
      num_decisions = std::max(num_decisions, function.conditions.back().decision + 1);
    }
  }
  return stream.error.reason;
}

bool has_couplings(const FunctionNotes &function) {
  return std::any_of(function.conditions.begin(), function.conditions.end(),
                     [](const ConditionBlock &condition) { return condition.coupled_back > 0; });
}

void put_couplings(pathprof_buffer &stream, const FunctionNotes &function) {
  for (const ConditionBlock &condition : function.conditions)
    pathprof_put_varint(&stream, uint64_t{condition.coupled_back} << 1 | condition.is_opposite);
}

const char *get_couplings(pathprof_cursor &stream, FunctionNotes &function) {
  for (ConditionBlock &condition : function.conditions) {
    uint32_t head = get_below(stream, 2 * (uint64_t{condition.index} + 1));
    condition.coupled_back = head >> 1;
    condition.is_opposite = head & 1;
    if (condition.is_opposite && !condition.coupled_back)
      return "a condition is marked as its own negation";
  }
  return stream.error.reason;
}

// ---- source texts ----

// Flags for the source text of a condition.  The first number that encodes a source text is 0 if the text is unknown,
// and otherwise 1 + the sum of its flags.
static constexpr uint64_t kIsInMacro = 1, kHasFile = 2, kIsNegated = 4, kIsRange = 8, kHasSense = 16, kIsOpposite = 32,
                          kIsBeginning = 64, kHasUse = 128, kTextHead = 256;

bool has_condition_texts(const FunctionNotes &function) {
  return std::any_of(function.branches.begin(), function.branches.end(),
                     [](const BranchNotes &branch) { return branch.text.is_known(); });
}

static uint64_t distance(uint32_t value, uint32_t from) {
  return zigzag(static_cast<int64_t>(value) - static_cast<int64_t>(from));
}

void put_condition_texts(pathprof_buffer &stream, const FunctionNotes &function) {
  for (const BranchNotes &branch : function.branches) {
    const SourceText &text = branch.text;
    if (!text.is_known()) {
      pathprof_put_varint(&stream, 0);
      continue;
    }
    // Unless a macro is involved, the range of the condition's source text is the range of the branch and is not stored
    // again.
    bool has_file = text.file != branch.at.file, is_range = !has_file && branch.range == text;
    pathprof_put_varint(&stream, 1 + (text.is_in_macro ? kIsInMacro : 0) + (has_file ? kHasFile : 0) +
                                     (text.is_negated ? kIsNegated : 0) + (is_range ? kIsRange : 0) +
                                     (text.sense != Sense::Unknown ? kHasSense : 0) +
                                     (text.sense == Sense::Opposite ? kIsOpposite : 0) +
                                     (text.is_beginning ? kIsBeginning : 0) + (text.use_line ? kHasUse : 0));
    if (text.use_line) {
      pathprof_put_varint(&stream, distance(text.use_line, branch.at.line));
      pathprof_put_varint(&stream, text.use_column);
    }
    if (is_range)
      continue;
    if (has_file)
      pathprof_put_varint(&stream, text.file);
    pathprof_put_varint(&stream, distance(text.first_line, branch.at.line));
    pathprof_put_varint(&stream, text.first_column);
    pathprof_put_varint(&stream, text.last_line - text.first_line);
    pathprof_put_varint(&stream, text.last_column);
  }
}

static uint32_t get_u32(pathprof_cursor &stream) {
  uint64_t value = pathprof_get_varint(&stream);
  if (value > UINT32_MAX)
    pathprof_cursor_fail(&stream, "a line or column in a source file is too large");
  return static_cast<uint32_t>(value);
}

const char *get_condition_texts(pathprof_cursor &stream, FunctionNotes &function, size_t num_files) {
  for (BranchNotes &branch : function.branches) {
    uint64_t head = pathprof_get_varint(&stream);
    if (head == 0)
      continue;
    if (head > kTextHead)
      return "the source text of a condition has an unknown encoding";
    SourceText &text = branch.text;
    bool is_range = (head - 1) & kIsRange;
    if (is_range && !branch.range.is_known())
      return "the source text of a condition refers to a branch whose range is unknown";
    text.is_in_macro = (head - 1) & kIsInMacro;
    text.is_negated = (head - 1) & kIsNegated;
    text.is_beginning = (head - 1) & kIsBeginning;
    if ((head - 1) & kHasSense)
      text.sense = (head - 1) & kIsOpposite ? Sense::Opposite : Sense::Same;
    if ((head - 1) & kHasUse) {
      text.use_line = branch.at.line + static_cast<uint32_t>(unzigzag(pathprof_get_varint(&stream)));
      text.use_column = get_u32(stream);
    }
    text.file = !is_range && (head - 1) & kHasFile ? get_u32(stream) : branch.at.file;
    if (is_range) {
      static_cast<SourceRange &>(text) = branch.range;
      continue;
    }
    if (text.file >= num_files)
      return "the source text of a condition is in an unknown file";
    text.first_line = branch.at.line + static_cast<uint32_t>(unzigzag(pathprof_get_varint(&stream)));
    text.first_column = get_u32(stream);
    text.last_line = text.first_line + get_u32(stream);
    text.last_column = get_u32(stream);
  }
  return stream.error.reason;
}

} // namespace pathprof
