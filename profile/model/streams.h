// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the layout of notes, for encode_notes.cc and decode_notes.cc.
//
// The index comes first.  The index is not compressed, because the runtime also reads it.  A single compressed payload
// of streams follows.  Each stream contains one kind of number for all functions, because similar numbers compress best
// together.
//
// A program looks like a function without a name to readers that read only the index.  Its calls form an additional
// stream.  The last seven streams, since format 1.7, contain branches, direct calls, conditions, values, condition
// texts, couplings and written lines; readers of earlier versions skip them.
#ifndef PATHPROF_PROFILE_MODEL_STREAMS_H
#define PATHPROF_PROFILE_MODEL_STREAMS_H

#include <cstdint>

#include "core/numbering/wide.h"
#include "profile/model/notes.h"

namespace pathprof {

enum Stream {
  kStrings,
  kFunctions,
  kEdges,
  kEdgeFlags,
  kStatements,
  kLines,
  kCallSites,
  kBranches,
  kDirectCalls,
  kConditions,
  kValues,
  kConditionTexts,
  kCouplings,
  kWrittenLines,
  kNumStreams
};

// Returns true if the unit has this stream.  Only units with a program have a kCallSites stream.  The streams after
// kCallSites are optional.
inline bool has_stream(const UnitNotes &unit, int stream) {
  return stream != kCallSites || unit.program;
}

// Maximum compression ratio of notes, which bounds the memory that a reader allocates.  The writer pads notes that
// would compress better.
inline constexpr uint64_t kMaxExpansion = 64;

// Value that replaces the number of paths in the index entry of interprocedural paths with wide IDs.
inline constexpr uint64_t kMaxDigit = static_cast<uint64_t>(kDigitValues);

// Base in which large numbers of paths are written.  The digits are 0 to 9 and the letters.
inline constexpr int kPathsBase = 62;

// Flags of a branch.  The first number in a branch's data is 0 if the branch is unknown, and otherwise 1 + the sum of
// its flags.
inline constexpr unsigned kBranchHasRange = 1, kBranchIsSwitch = 2;
inline constexpr unsigned kBranchWithConstant = 4; // for a switch: the type is unsigned
inline constexpr unsigned kBranchRelation = 8;     // factor by which the relation is multiplied

// Flags of a condition.  The first number in a condition's data is 0 if the block's jump does not belong to a decision,
// and otherwise 1 + the sum of the flags.
inline constexpr unsigned kConditionIsMerged = 1;
inline constexpr unsigned kConditionIsUnknown = 2;
inline constexpr unsigned kConditionHasOthers = 4; // more numbers follow; otherwise, the condition is the decision
inline constexpr unsigned kConditionHead = 8;      // upper bound on the sum of a condition's flags

// Upper bound on the number of conditions in a decision.
inline constexpr uint64_t kMaxConditions = uint64_t{1} << 30;

// Maps a signed number to an unsigned number.  Numbers close to 0 are mapped to small numbers.
inline uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

inline int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

} // namespace pathprof

#endif
