// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the notes of a translation unit, which contain the control-flow graph, the source lines and the model
// parameters of each function.  The plugin encodes notes and the reader decodes them.  The layout is specified in
// doc/format.md.
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

// The stages of instrumentation.  The notes store the values of the enumerators.
enum class Stage : uint8_t { Source = 0, Early = 1, Late = 2 };
inline constexpr int kNumStages = 3;
const char *to_string(Stage stage);

// A call to `function` that was inlined at file:line in the enclosing function.
struct InlineSite {
  std::string function;
  uint32_t file = 0; // index in UnitNotes::files
  uint32_t line = 0;
  uint32_t parent = 0; // 1 + index of the enclosing site, or 0 for the function itself
};

// A source position of one or more statements in a block.
struct LineRef {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t site = 0; // 1 + index in FunctionNotes::sites, or 0 if not inlined

  bool operator==(const LineRef &o) const { return file == o.file && line == o.line && site == o.site; }
};

struct BlockNotes {
  uint32_t statements = 0;
  std::vector<LineRef> lines; // in statement order; each position occurs once between two breaks
  // Positions in the block at which a path can end, after calls that might not return.  Each position is stored as the
  // number of preceding elements of `lines`.  The positions are recorded at stage source and, with exact termination,
  // at every stage.
  std::vector<uint32_t> breaks;
  bool ends_in_call = false; // true if no statement follows the last break
  // For a function with the flag kArtificial: indices of the elements of `lines` that contain code which the user
  // wrote, in increasing order (since format 1.7).
  std::vector<uint32_t> written;
};

// A value or a range of values in a switch, with the position of the case label in the file that contains the switch.
// The line or column is 0 if it is unknown.
struct CaseLabel {
  int64_t low = 0; // `low` and `high` are unsigned for a switch over an unsigned type
  int64_t high = 0;
  uint32_t line = 0;
  uint32_t column = 0;

  bool operator==(const CaseLabel &o) const {
    return low == o.low && high == o.high && line == o.line && column == o.column;
  }
};

// The labels of an edge of a switch.
struct CaseLabels {
  bool has_default = false;
  std::vector<CaseLabel> labels;

  bool operator==(const CaseLabels &o) const { return has_default == o.has_default && labels == o.labels; }
};

// The comparison that is true on the true edge of a condition.  The notes store the values of the enumerators.  If a
// condition is not a comparison, Holds means that it is true, and Fails means that it is false.
enum class Relation : uint8_t { None = 0, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Holds, Fails };
inline constexpr unsigned kNumRelations = 9;

// On the true edge of a branch, the condition as written in the source is either true (Same) or false (Opposite).
enum class Sense : uint8_t { Unknown, Same, Opposite };
inline Sense opposite(Sense sense) {
  return sense == Sense::Unknown ? sense : sense == Sense::Same ? Sense::Opposite : Sense::Same;
}

// A range in a source file, including both ends.  Columns are counted in bytes, starting at 1.
struct SourceRange {
  uint32_t first_line = 0, first_column = 0, last_line = 0, last_column = 0;

  bool is_known() const { return first_line != 0; }
  bool operator==(const SourceRange &o) const {
    return first_line == o.first_line && first_column == o.first_column && last_line == o.last_line &&
           last_column == o.last_column;
  }
};

// The source text of a condition.
struct SourceText : SourceRange {
  uint32_t file = 0;         // index in UnitNotes::files
  bool is_in_macro = false;  // the text is in the definition of a macro
  bool is_negated = false;   // the condition is inverted because a ! precedes the macro
  bool is_beginning = false; // only the first word of the condition is known
  Sense sense = Sense::Unknown;
  uint32_t use_line = 0, use_column = 0; // position at which the branch's file uses the macro, or 0 if unknown

  bool operator==(const SourceText &o) const {
    return SourceRange::operator==(o) && file == o.file && is_in_macro == o.is_in_macro && is_negated == o.is_negated &&
           is_beginning == o.is_beginning && sense == o.sense && use_line == o.use_line && use_column == o.use_column;
  }
};

// The statement that selects the successor at the end of a block with several successors, such as a condition or a
// switch.  Columns are counted in bytes, starting at 1.  Column 0 means that the column is unknown.
struct BranchNotes {
  uint32_t block = 0;
  LineRef at; // position of the branch among the block's lines; its line is 0 if unknown
  uint32_t column = 0;
  SourceRange range; // range of the expression, or an unknown range
  Relation relation = Relation::None;
  bool with_constant = false; // true if the right side of the comparison is a constant
  SourceText text;            // source text of the branch's condition
  bool is_switch = false;
  bool is_unsigned = false;      // true if the type of the switch is unsigned
  std::vector<CaseLabels> cases; // for a switch: labels per successor of the block

  bool operator==(const BranchNotes &o) const;
};

// Reasons why paths do not continue through a call.  The notes store the values of the enumerators.
enum class CallCut : uint8_t {
  None = 0,       // paths continue through the callee of the call
  Recursive = 1,  // the call closes a cycle of calls
  Indirect = 2,   // the callee is known only at run time
  Unsuitable = 3, // the call or the callee cannot pass further parameters
  Strategy = 4,   // excluded by hybrid=static, file, leaf or all ([MR] 8)
  Limit = 5,      // the path IDs of the program would exceed the limit
};
inline constexpr int kNumCallCuts = 6;
const char *to_string(CallCut cut);

// A call in a function with an interprocedural mode: a direct call to a function of the program, an indirect call or,
// with exact termination, an external call.  An external call is a call to a function outside the program that might
// not return.
struct CallNotes {
  static constexpr uint32_t kUnknown = UINT32_MAX;
  uint32_t block = 0;
  uint32_t callee = kUnknown; // index in UnitNotes::functions; kUnknown for indirect and external calls
  CallKind kind = CallKind::SteppedOver;
  CallCut cut = CallCut::None;
  bool ends_block = false; // true if no statement of the block follows the call
  uint32_t line = 0;       // line in the file of the function, or 0 if unknown
  uint32_t num_lines = 0;  // number of lines of the block that precede the call or belong to it
};

// A direct call.  The notes contain the direct calls of functions with any mode, so that readers can find the callers
// of a function.
struct DirectCall {
  uint32_t block = 0;
  uint32_t line = 0; // line in the function's file (of the outermost call if inlined), or 0 if unknown
  std::shared_ptr<const std::string> callee; // assembler name of the callee, shared by its calls
};

// The kinds of values that are counted in addition to paths (values=1).  The notes store the values of the enumerators.
enum class ValueKind : uint8_t {
  Callee = 0,    // callee of an indirect call, as the result of callee_number
  Operand = 1,   // divisor, or size of a string operation
  Quotient = 2,  // quotient of a remainder operation: 0, 1, or 2 for larger quotients
  Alignment = 3, // alignment in bytes of the destination of a string operation: a power of two, at most kMostAlignment
};
inline constexpr unsigned kNumValueKinds = 4;
inline constexpr int64_t kMostAlignment = 4096;

struct ValueNotes {
  ValueKind kind = ValueKind::Operand;
  uint32_t line = 0; // line in the function's file (of the outermost call if inlined), or 0 if unknown
};

// Flags that the notes store for a function.
enum FunctionFlag : uint32_t {
  kExternallyVisible = 1u << 0, // other units can reference the function
  kCalls = 1u << 1,             // contains calls or other statements that can throw, so activations might never finish
  kExactTermination = 1u << 2,  // truncated paths are counted separately
  kCycles = 1u << 3,            // the cycles of each whole path are added up
  kBeginsPaths = 1u << 4,       // in an interprocedural model, paths start at the entry of the function
  kUpdateSingle = 1u << 5,      // races between threads can lose counts (since format 1.6)
  kArtificial = 1u << 6,        // generated by the compiler, such as an implicit constructor (since format 1.6)
  kOptimised = 1u << 7,         // compiled at -O1 or above (since format 1.6)
  kSwitched = 1u << 8,          // switch=1: paths are counted only while counting is switched on (since format 1.7)
  kWeak = 1u << 9,              // the linker can replace it with a definition in another unit (since format 1.7)
  kFreestanding = 1u << 10,     // target=freestanding: a path is counted after its last call (since format 1.7)
  kCounters32 = 1u << 11,       // counters=32: counts saturate at 2^32 - 1 (since format 1.7)
  kCoverageOnly = 1u << 12,     // counters=bit: a count is 1 if the path was executed (since format 1.7)
};

// An interesting path (Feature::InterestingPaths) and its execution count in the input profile, or 0 if unknown.
struct InterestingPath {
  uint64_t id = 0;
  uint64_t count = 0;

  bool operator==(const InterestingPath &o) const { return id == o.id && count == o.count; }
};

struct FunctionNotes {
  std::string name; // assembler name of the function
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t flags = 0;
  uint32_t body = 0; // checksum of the statements, or 0 if it is unknown (since format 1.7)
  PathModel model;
  Stage stage = Stage::Source;
  pathprof_storage storage = PATHPROF_STORAGE_NONE;
  // Number of paths of the graph after truncation, or 0 if the function is left out.  For a function in an
  // interprocedural unit, the number of acyclic paths inside the function, or 0 if there are 2^62 or more.
  uint64_t num_paths = 0;
  mpz_class num_paths_uncut;      // number of paths before truncation to the limit
  std::string left_out;           // reason why nothing is counted; empty if the function is counted
  FlowGraph graph;                // graph with marked cuts; unused block numbers have no edges
  std::vector<BlockNotes> blocks; // notes of each block of the graph
  std::vector<InlineSite> sites;
  std::vector<CallNotes> calls; // calls of an interprocedural model, sorted by block number and execution order
  // Known branches of blocks with several successors, sorted by block number (since format 1.7).
  std::vector<BranchNotes> branches;
  std::vector<ConditionBlock> conditions; // conditions sorted by block number, only at stage source (since format 1.7)
  std::vector<DirectCall> direct_calls;   // direct calls sorted by block number and execution order (since format 1.7)
  std::vector<ValueNotes> values;         // value sites in the order of the statements (since format 1.7)
  // The interesting paths of the function, if its model distinguishes them.  If the storage is an array and num_slots
  // is not 0, the array contains one counter per slot (core/numbering/preferential.h), and a second table counts all
  // paths without slots.  Otherwise, paths are counted by Ball-Larus ID in an array or a table, as with mode=acyclic.
  std::vector<InterestingPath> interesting; // interesting paths by increasing path ID
  uint64_t num_slots = 0;

  uint32_t checksum() const; // CRC-32C of the blocks and edges, without the cuts
  int num_cuts() const;      // number of edges that are cut, except back edges and abnormal edges
  // Returns true if the user wrote code at the i-th position of the block. The block must belong to this function.
  // Generated functions also have positions at which only the compiler generated code.
  bool is_written(const BlockNotes &block, size_t i) const;
  // Returns the branch at the end of a block, or null if the branch is unknown.
  const BranchNotes *branch_at(int block) const;
  // Returns, for each block, the number of calls at which a path can be truncated.  Without exact termination, all
  // numbers are 0.
  std::vector<uint32_t> calls_by_block() const;
  // Returns true if the function has a table for truncated paths in addition to its storage.
  bool counts_prefixes() const;
  // Returns true if the function has a table for truncated paths, residual paths or values in addition to its storage.
  bool has_second_table() const { return counts_prefixes() || num_slots > 0 || !values.empty(); }
  // Returns the number of counters in the array, not including the counters for cycles.
  uint64_t num_counters() const { return num_slots > 0 ? num_slots : num_paths; }
  // Returns the IDs of the interesting paths, as input for core/numbering/preferential.h.
  std::vector<uint64_t> interesting_ids() const;
  bool is_interesting(uint64_t id) const;
  // Returns true if the function stores the total cycles of each path in addition to the path's count.
  bool measures_cycles() const;
  // Returns true if the function's table is a forest of path sequences.  If no activation can have more than one path,
  // there is no forest, because path counts contain the same information.
  bool has_forest() const;
};

// The interprocedural model of a unit.  Profiled functions with this mode have the storage `none`, because only the
// paths of the program are counted (core/interprocedural/interprocedural.h).  Their fields num_paths and
// num_paths_uncut still contain the numbers of the functions' own paths.
struct ProgramNotes {
  Mode mode = Mode::Context;
  pathprof_storage storage = PATHPROF_STORAGE_NONE;
  mpz_class num_paths; // number of paths of the program, at most 2^124

  // Returns true if path IDs have two digits (core/numbering/wide.h).  The table of the program is then a forest, in
  // which each higher digit is the parent of its lower digits.
  bool is_wide() const { return num_paths > exact(kDigitValues); }
};

struct UnitNotes {
  std::string source; // name of the main source file
  std::vector<std::string> files;
  // For each file, the CRC-32C of its contents at compile time, or 0 if unknown.  Trailing checksums can be missing.
  std::vector<uint32_t> checksums;
  std::string folder;   // compilation directory, or empty if it is unknown or if no file name is relative
  std::string compiler; // version of GCC that compiled the unit, or empty if unknown
  // The target of the compiler, followed by the options with which the unit was compiled, without names of directories
  // and output files. Empty if unknown.
  std::vector<std::string> options;
  std::vector<FunctionNotes> functions;
  std::optional<ProgramNotes> program;
};

// Returns true if the unit's interprocedural paths can go through the function.
bool is_in_program(const UnitNotes &unit, const FunctionNotes &function);

// The supergraph of the interprocedural paths of a unit, and the function index of each procedure.
struct UnitProgram {
  Supergraph supergraph;
  std::vector<uint32_t> functions;
};
UnitProgram program_of(const UnitNotes &unit);

// Returns the CRC-32C of the data on which the numbering of interprocedural paths depends, except the functions'
// graphs.  This data consists of the mode, the functions at whose entries paths start, and the calls.
uint32_t program_checksum(const UnitNotes &unit);

// Sorts the functions by name.  Their counters are allocated in this order, after the counters of interprocedural
// paths.
void normalise(UnitNotes &unit);

// Returns the serialized notes of a normalized unit.
std::vector<unsigned char> encode_notes(const UnitNotes &unit);

// Parses `size` bytes of notes, located at offset `base` in a file.  Returns nothing and sets `*error` if the notes are
// malformed.  Allocates at most a constant multiple of `size`.
std::optional<UnitNotes> decode_notes(const unsigned char *data, size_t size, uint64_t base, pathprof_error *error);

} // namespace pathprof

#endif
