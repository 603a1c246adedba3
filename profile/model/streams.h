// SPDX-License-Identifier: GPL-3.0-or-later
// How notes are laid out, for encode_notes.cc and decode_notes.cc.
//
// The index (plain bytes, which the runtime reads too) comes first, then one compressed payload of six
// streams, each holding one kind of number for all functions: numbers of a kind compress best together.
//
// A program is a function without name to those who read the index only.  Its calls are a stream more.  The last six,
// since format 1.7, are branches, the direct calls of all functions, conditions, values, the texts of conditions, and
// the couplings of conditions.  A reader of an earlier version skips them.
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
  kNumStreams
};

// Calls are a stream only where the unit has a program.  The streams behind them may be missing.
inline bool has_stream(const UnitNotes &unit, int stream) {
  return stream != kCallSites || unit.program;
}

// A reader may allocate this many times the size of compressed notes; the writer pads notes that are
// more repetitive than that.
inline constexpr uint64_t kMaxExpansion = 64;

// What the index has as the number of paths of a program whose numbers have two digits.
inline constexpr uint64_t kMaxDigit = static_cast<uint64_t>(kDigitValues);

// Numbers to a base of 62 have digits and letters.
inline constexpr int kPathsBase = 62;

// How a branch begins: 0 where nothing is known of it, else 1 more than these bits.
inline constexpr unsigned kBranchHasRange = 1, kBranchIsSwitch = 2;
inline constexpr unsigned kBranchWithConstant = 4; // of a switch: over an unsigned type
inline constexpr unsigned kBranchRelation = 8;     // the relation is multiplied by this

// How a condition begins: 0 where the block's jump is none of a decision, else 1 more than these bits.
inline constexpr unsigned kConditionIsMerged = 1;
inline constexpr unsigned kConditionIsUnknown = 2;
inline constexpr unsigned kConditionHasOthers = 4; // it is not the only one, or not one that holds over its true edge
inline constexpr unsigned kConditionHead = 8;      // heads are below this

// A decision has fewer conditions.
inline constexpr uint64_t kMaxConditions = uint64_t{1} << 30;

// Signed numbers as unsigned ones, small where they are near 0.
inline uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

inline int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

} // namespace pathprof

#endif
