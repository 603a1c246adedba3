// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes and parses the positions of the source texts of conditions.
#include "profile/model/condition_texts.h"

#include <algorithm>

#include "profile/model/streams.h"

namespace pathprof {

// Flags of a source text.  The first number in the data of a source text is 0 if the text is unknown, and otherwise 1 +
// the sum of its flags.
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
    // Unless a macro is involved, the source text of the condition is the range of the branch.
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
      return "the source text of a condition refers to the unknown range of a branch";
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
