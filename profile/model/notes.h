// SPDX-License-Identifier: GPL-3.0-or-later
// The notes of a translation unit: for each function its control-flow graph, source lines and model
// parameters.  The plugin encodes them, the reader decodes them; doc/format.md describes the bytes.
#ifndef PATHPROF_PROFILE_MODEL_NOTES_H
#define PATHPROF_PROFILE_MODEL_NOTES_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "core/analysis/decisions.h"
#include "core/graph/flow_graph.h"
#include "core/models/model.h"
#include "core/interprocedural/supergraph.h"
#include "core/numbering/wide.h"
#include "profile/format/bytes.h"
#include "profile/format/storage.h"

namespace pathprof {

// Values are stored in the notes.
enum class Stage : uint8_t { Source = 0, Early = 1, Late = 2 };
inline constexpr int kNumStages = 3;
const char *to_string(Stage stage);

// A call that was inlined: `function` was called at file:line of the function around it.
struct InlineSite {
  std::string function;
  uint32_t file = 0; // index into UnitNotes::files
  uint32_t line = 0;
  uint32_t parent = 0; // 1 + index of the site around it, 0: the function itself
};

// A source position inside a block.
struct LineRef {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t site = 0; // 1 + index into FunctionNotes::sites, 0: not inlined

  bool operator==(const LineRef &o) const { return file == o.file && line == o.line && site == o.site; }
};

struct BlockNotes {
  uint32_t statements = 0;
  std::vector<LineRef> lines; // in statement order; in a piece each position once
  // Where the block's statements fall into pieces: the number of lines before each break.  A break stands
  // behind each call that may not return (at stage source, and under exact termination).
  std::vector<uint32_t> breaks;
  bool ends_in_call = false; // no statement follows the last break
};

// A value, or a range of values, of a switch, and where its label is in the file of the switch; 0: not known.
struct CaseLabel {
  int64_t low = 0; // of a switch over an unsigned type these are to be read as unsigned
  int64_t high = 0;
  uint32_t line = 0;
  uint32_t column = 0;

  bool operator==(const CaseLabel &o) const {
    return low == o.low && high == o.high && line == o.line && column == o.column;
  }
};

// The labels that an edge of a switch stands for.
struct CaseLabels {
  bool has_default = false;
  std::vector<CaseLabel> labels;

  bool operator==(const CaseLabels &o) const { return has_default == o.has_default && labels == o.labels; }
};

// What the true edge of a condition means.  Values are stored in the notes.
// Holds and Fails: of a value that is true or false already.
enum class Relation : uint8_t { None = 0, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Holds, Fails };
inline constexpr unsigned kNumRelations = 9;

// Whether the true edge of a branch is taken where the condition's text holds, or where it does not.
enum class Sense : uint8_t { Unknown, Same, Opposite };
inline Sense opposite(Sense sense) {
  return sense == Sense::Unknown ? sense : sense == Sense::Same ? Sense::Opposite : Sense::Same;
}

// A piece of a source file.  Columns count bytes from 1; both ends are included.
struct SourceText {
  uint32_t file = 0; // index into UnitNotes::files
  uint32_t first_line = 0, first_column = 0, last_line = 0, last_column = 0;
  bool is_in_macro = false;  // in the definition of a macro
  bool is_negated = false;   // the condition is the opposite: a ! stands in front of the macro
  bool is_beginning = false; // only the first word of the condition is known
  Sense sense = Sense::Unknown;
  uint32_t use_line = 0, use_column = 0; // where the branch's file uses that macro; 0: not known

  bool is_known() const { return first_line != 0; }
  bool operator==(const SourceText &o) const {
    return file == o.file && first_line == o.first_line && first_column == o.first_column && last_line == o.last_line &&
           last_column == o.last_column && is_in_macro == o.is_in_macro && is_negated == o.is_negated &&
           is_beginning == o.is_beginning && sense == o.sense && use_line == o.use_line && use_column == o.use_column;
  }
};

// The statement that decides where control goes from a block with several successors, a condition or a switch for
// instance.  Columns count bytes from 1; 0: not known.
struct BranchNotes {
  uint32_t block = 0;
  LineRef at; // one of the block's lines; line 0: not known
  uint32_t column = 0;
  // From the first to the last byte of the expression, both included; first_line 0: not known.
  uint32_t first_line = 0, first_column = 0, last_line = 0, last_column = 0;
  Relation relation = Relation::None;
  bool with_constant = false; // the right side of the comparison is one
  SourceText text;            // of the condition that the branch was made of
  bool is_switch = false;
  bool is_unsigned = false;      // a switch over an unsigned type
  std::vector<CaseLabels> cases; // of a switch: for each of the block's successors

  bool operator==(const BranchNotes &o) const;
};

// Why paths do not go through a call.  Values are stored in the notes.
enum class CallCut : uint8_t {
  None = 0,       // they do
  Recursive = 1,  // the call closes a circle of calls
  Indirect = 2,   // what it calls is known at run time only
  Unsuitable = 3, // call or callee cannot take further parameters
  Strategy = 4,   // hybrid=static, file, leaf or all ([MR] 8)
  Limit = 5,      // the numbers would not fit
};
inline constexpr int kNumCallCuts = 6;
const char *to_string(CallCut cut);

// A call in a function of an interprocedural model: a direct one of another such function, an indirect one, or under
// exact termination an external one: of another function, which may not return.
struct CallNotes {
  static constexpr uint32_t kUnknown = UINT32_MAX;
  uint32_t block = 0;
  uint32_t callee = kUnknown; // index into UnitNotes::functions; unknown: indirect, external
  CallKind kind = CallKind::SteppedOver;
  CallCut cut = CallCut::None;
  bool ends_block = false; // as in CallSite
  uint32_t line = 0;       // in the function's file; 0: unknown
  uint32_t num_lines = 0;  // how many of its block's lines are before it, or its own
};

// A call whose callee is named, in a function of any model: what its callers are found by.
struct DirectCall {
  uint32_t block = 0;
  uint32_t line = 0; // in the function's file, of the outermost call where functions were inlined; 0: unknown
  std::shared_ptr<const std::string> callee; // assembler name, which calls share
};

// What is counted at a place of a function beside its paths (values=1).  Values are stored in the notes.
enum class ValueKind : uint8_t {
  Callee = 0,    // what an indirect call calls: the number that callee_number gives a function
  Operand = 1,   // a divisor, or the size of a string operation
  Quotient = 2,  // of a remainder: 0, 1, or 2 where it is more
  Alignment = 3, // of what a string operation writes to, in bytes: a power of two, at most kMostAlignment
};
inline constexpr unsigned kNumValueKinds = 4;
inline constexpr int64_t kMostAlignment = 4096;

struct ValueNotes {
  ValueKind kind = ValueKind::Operand;
  uint32_t line = 0; // in the function's file, of the outermost call where functions were inlined; 0: unknown
};

// The flags are stored in the notes.
enum FunctionFlag : uint32_t {
  kExternallyVisible = 1u << 0, // other units may know the name
  kCalls = 1u << 1,             // has calls, or other statements that throw: frames may stay unfinished
  kExactTermination = 1u << 2,  // paths that were cut short at a call are counted as such
  kCycles = 1u << 3,            // the cycles spent on each whole path are added up
  kBeginsPaths = 1u << 4,       // of an interprocedural model: a path begins at its entry
  kUpdateSingle = 1u << 5,      // counts of threads that race are lost (since format 1.6)
  kArtificial = 1u << 6,        // the compiler made it up, such as an implicit constructor (since format 1.6)
  kOptimised = 1u << 7,         // compiled at -O1 or above (since format 1.6)
  kSwitched = 1u << 8,          // switch=1: paths are counted that begin while it is on (since format 1.7)
};

// A path that is interesting (Feature::InterestingPaths), and how often it ran when it was found to be; 0: not known.
struct InterestingPath {
  uint64_t id = 0;
  uint64_t count = 0;

  bool operator==(const InterestingPath &o) const { return id == o.id && count == o.count; }
};

struct FunctionNotes {
  std::string name; // assembler name
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t flags = 0;
  PathModel model;
  Stage stage = Stage::Source;
  pathprof_storage storage = PATHPROF_STORAGE_NONE;
  // Of the cut graph; 0 where the function is left out.  Of a program's function: below 2^62, or 0 where its own
  // paths are more.
  uint64_t num_paths = 0;
  mpz_class num_paths_uncut;      // before cutting to the limit
  std::string left_out;           // why nothing is counted; empty where something is
  FlowGraph graph;                // with its cuts marked; gaps in the block numbers have no edges
  std::vector<BlockNotes> blocks; // one per block of the graph
  std::vector<InlineSite> sites;
  std::vector<CallNotes> calls; // of an interprocedural model, by block and in the order of execution
  // By increasing block: of blocks with several successors, where something is known (since format 1.7).
  std::vector<BranchNotes> branches;
  std::vector<ConditionBlock> conditions; // by increasing block; of stage source, none before format 1.7
  std::vector<DirectCall> direct_calls;   // by block and in the order of execution; none before format 1.7
  std::vector<ValueNotes> values;         // in the order of the statements (since format 1.7)
  // Of a model with interesting paths.  Where the storage is an array and num_slots is not 0, counters are those of
  // core/numbering/preferential.h, so many, and a table is beside them for paths that have none there.  Else paths are
  // counted by their Ball-Larus numbers, in an array or a table, as acyclic ones are.
  std::vector<InterestingPath> interesting; // by increasing id
  uint64_t num_slots = 0;

  uint32_t checksum() const; // CRC-32C over blocks and edges, without the cuts
  int num_cuts() const;      // edges cut for another reason than a back or abnormal edge
  // What decides where control goes from a block; null: not known.
  const BranchNotes *branch_at(int block) const;
  // Under exact termination, at how many calls of each block a path may be cut short; else zeros.
  std::vector<uint32_t> calls_by_block() const;
  // Whether the function has a table for paths that were cut short, beside what `storage` says.
  bool counts_prefixes() const;
  // Whether it has a table beside what `storage` says, for these, for residual paths or for values.
  bool has_second_table() const { return counts_prefixes() || num_slots > 0 || !values.empty(); }
  // Of an array, without those of cycles.
  uint64_t num_counters() const { return num_slots > 0 ? num_slots : num_paths; }
  // The numbers of interesting paths, for core/numbering/preferential.h; and whether a path is one of them.
  std::vector<uint64_t> interesting_ids() const;
  bool is_interesting(uint64_t id) const;
  // Whether it has a sum of cycles beside each count.
  bool measures_cycles() const;
  // Whether its table is a forest of path sequences: where activations run through more than one path.  Elsewhere
  // the counts of paths are all that there is to know.
  bool has_forest() const;
};

// The interprocedural model of a unit: its functions of that mode that are not left out have no paths of their own
// (their storage is none), but those of this program (core/interprocedural/interprocedural.h).  The numbers of
// functions' own paths are num_paths and num_paths_uncut all the same.
struct ProgramNotes {
  Mode mode = Mode::Context;
  pathprof_storage storage = PATHPROF_STORAGE_NONE;
  mpz_class num_paths; // at most 2^124

  // Whether its numbers have two digits (core/numbering/wide.h).  Its table is a forest then: below a higher digit the
  // lower ones that go with it.
  bool is_wide() const { return num_paths > exact(kDigitValues); }
};

struct UnitNotes {
  std::string source; // main source file
  std::vector<std::string> files;
  // By file: CRC-32C of its bytes when it was compiled, 0: not known; fewer than files: of the others not known.
  std::vector<uint32_t> checksums;
  std::string folder;   // that relative names of files belong to; empty: not known, or there are none
  std::string compiler; // the version of GCC that compiled it; empty: not known
  std::vector<FunctionNotes> functions;
  std::optional<ProgramNotes> program;
};

// Whether the unit's program goes through this function.
bool is_in_program(const UnitNotes &unit, const FunctionNotes &function);

// A unit's program, and which of its functions each procedure is.
struct UnitProgram {
  Supergraph supergraph;
  std::vector<uint32_t> functions;
};
UnitProgram program_of(const UnitNotes &unit);

// CRC-32C over what its numbering depends on beside the functions' graphs: mode, beginnings and calls.
uint32_t program_checksum(const UnitNotes &unit);

// Sorts the functions by name: counters are handed out in that order, after those of the program.
void normalise(UnitNotes &unit);

// Bytes of a normalised unit's notes.
std::vector<unsigned char> encode_notes(const UnitNotes &unit);

// Reads notes of `size` bytes that lie at `base` in a file.  Nothing with *error filled where they are
// malformed; never allocates more than a bounded multiple of `size`.
std::optional<UnitNotes> decode_notes(const unsigned char *data, size_t size, uint64_t base, pathprof_error *error);

} // namespace pathprof

#endif
