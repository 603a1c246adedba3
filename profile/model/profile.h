// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the profile that the tools use: functions with their graphs and executed paths.
#ifndef PATHPROF_PROFILE_MODEL_PROFILE_H
#define PATHPROF_PROFILE_MODEL_PROFILE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/edge_counts.h"
#include "core/models/forest.h"
#include "core/interprocedural/interprocedural.h"
#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"
#include "core/numbering/prefix.h"
#include "core/numbering/wide.h"
#include "profile/format/bytes.h"
#include "profile/model/file.h"
#include "profile/model/notes.h"
#include "profile/model/values.h"

namespace pathprof {

struct ExecutedPath {
  uint64_t id = 0;
  uint64_t count = 0;
  uint64_t cycles = 0; // total cycles of all executions, or 0 if the cycles are not measured
};

// An executed interprocedural path.
struct ExecutedProgramPath {
  WideNumber id = 0;
  uint64_t count = 0;
};

// The path graph and the numberings of a function, rebuilt from its notes.
class Decoded {
public:
  explicit Decoded(const FunctionNotes &notes)
      : graph(path_graph_of(notes.graph, notes.model)), numbering(graph),
        prefixes(numbering.num_paths(), notes.calls_by_block()) {}

  // Returns the path with this ID, which can be a truncated path, or nothing if there is no such path.
  std::optional<Path> regenerate(uint64_t id) const;

  PathGraph graph;
  PathNumbering numbering;
  PrefixNumbering prefixes;
};

// The executions of a function as part of interprocedural paths (InterproceduralUnit), not including the contexts of
// these paths.
struct Activity {
  explicit Activity(const FunctionNotes &notes);
  Activity(const Activity &) = delete; // a copy would be wrong, because `edges` refers to `graph`

  std::vector<char> unwinds; // per edge: true if it is an unwind edge of a call that paths continue through or end at
  FlowGraph graph;           // graph of the function, in which the unwind edges are cut
  EdgeCounts edges;
  std::vector<unsigned __int128> entered; // per block: number of times that control reached its start
  // For each call that paths do not step over, how often control reached the call (`opened`) and how often it continued
  // after the call (`resumed`).
  std::vector<unsigned __int128> opened, resumed;
  uint64_t num_paths = 0;  // number of paths that visit the function
  uint64_t executions = 0; // total execution count of these paths
  uint64_t calls = 0;      // number of activations that started
  uint64_t finished = 0;   // number of activations that finished
  unsigned __int128 statements = 0;
};

// The source files of a unit.  Each source position of the unit is in one of these files.
struct UnitSources {
  // Display names, which are unique in a profile (profile/model/source_names.h).  LineRef::file and InlineSite::file
  // are indices into this list and the next two lists.
  std::vector<std::string> files;
  std::vector<std::string> names;   // file names as compiled and as stored in the notes
  std::vector<std::string> paths;   // normalized paths, which identify the files
  std::vector<uint32_t> checksums;  // checksums of the files, as in UnitNotes::checksums
  std::string folder;               // compilation directory, as in UnitNotes::folder
  std::string compiler;             // version of GCC, as in UnitNotes::compiler
  std::vector<std::string> options; // target and options, as in UnitNotes::options
};

struct Function {
  FunctionNotes notes;
  std::string file;                                // display name of the source file, from UnitSources::files
  std::string path;                                // path of the source file, from UnitSources::paths
  const UnitSources *sources = nullptr;            // sources of the function's unit
  const std::vector<std::string> *files = nullptr; // &sources->files
  std::vector<ExecutedPath> paths;                 // executed paths by increasing path ID
  std::vector<ExecutedPath>
      cut_short; // truncated paths; their IDs are above those of all whole paths, and they have no cycles
  std::vector<CountedValue> values; // counted values by increasing ID; empty if no values were collected
  // Path sequences: a k-slab forest in preorder, in which the leaves have counts.  Empty if every activation has only
  // one path (FunctionNotes::has_forest).
  Forest forest;
  bool is_pruned = false;        // true if some sequences were restarted because the forest was full
  uint64_t num_stray_cycles = 0; // number of paths with cycles but without a count
  // Cost of measuring the cycles of the paths.  The cycles do not include this cost.  0 if nothing was measured or if
  // an earlier version wrote the profile.
  uint64_t measuring = 0;
  // True if the function belongs to an interprocedural unit, so its own paths are not counted.
  bool in_program = false;
  std::vector<std::string> callees; // assembler name of each call's callee, or empty if unknown
  std::unique_ptr<Activity> activity;

  // Rebuilds the numbering of the function.  Returns null and sets `*reason` if the notes are inconsistent: the path
  // graph has a cycle, the number of paths differs from the stored number, or an executed path ID is invalid.
  std::unique_ptr<Decoded> decode(const char **reason) const;
};

// A translation unit or, with -flto, a program, with its interprocedural paths.
struct InterproceduralUnit {
  std::string source; // display name of the unit's main source file, unique like UnitSources::files
  std::string path;   // path of the main source file, which identifies the unit
  Mode mode = Mode::Context;
  Stage stage = Stage::Source;
  mpz_class num_paths;
  std::unique_ptr<Supergraph> supergraph;
  std::vector<size_t> functions;                  // index of each procedure in Profile::functions
  std::vector<ExecutedProgramPath> paths;         // executed paths by increasing path ID
  std::unique_ptr<SupergraphNumbering> numbering; // numbering of the paths, which refers to `supergraph`

  // Builds the numbering of the paths.  Returns null on success, or an error message if the unit is invalid.
  const char *decode();
  // Returns the path with this ID, or nothing if there is no such path.
  std::optional<InterproceduralPath> regenerate(WideNumber id) const;
  size_t num_bits() const;      // number of bits of the largest path ID
  size_t num_cut_calls() const; // number of calls that paths do not continue through
};

// Returns the most recent step of each activation that is open at step `at`, from the outermost to the innermost
// activation.
std::vector<size_t> open_steps(const InterproceduralPath &path, size_t at);
// Returns true if the step starts after a call in its procedure.  The call itself belongs to an earlier step or to
// another path.
bool goes_on_behind_call(const PathStep &step);
// Converts a step to a path of the step's function.  If the step continues after a call, the path starts with the block
// that contains the call.
Path piece_of(const InterproceduralUnit &unit, const InterproceduralPath &path, size_t at);

// Adds the executions of the unit's paths to the functions that the paths visit (Function::activity).  Returns null
// on success, or an error message if a path is invalid.
const char *add_activity(const InterproceduralUnit &unit, std::vector<Function> &functions);

// Returns true if the path is residual, that is, not interesting (Feature::InterestingPaths).
bool is_residual(const Function &function, uint64_t id);

// Returns true if the cycles of the path were measured.
bool has_cycles(const Function &function, const ExecutedPath &path);

// Returns the number of sequences that do not begin with the first path of an activation.  A sequence can be restarted,
// or its activation can start before a fork or a reset.  `decoded` is the decoded form of `function`.
uint64_t broken_sequences(const Function &function, const Decoded &decoded);

// Returns the k-slab forest of a function that counts sequences.  If every activation has only one path, each path of
// the function is a root.
Forest forest_of(const Function &function);

// Returns "array" or "hash", or "none" for a function whose paths are interprocedural.
const char *storage_name(const Function &function);
// Returns the number of the function's own paths after truncation.
mpz_class num_own_paths(const Function &function);

// Returns true if the function was not profiled.
bool is_left_out(const Function &function);
// Returns the reason why the function was not profiled.
std::string why_left_out(const Function &function);

// Returns the number of traversals of each edge of the function's graph (core/analysis/edge_counts.h).  `decoded` is
// the decoded form of `function`, and `estimate` contains one value per edge.  For functions of freestanding programs,
// returns lower bounds, because paths that a call truncates are not counted.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<double> &estimate);
// Returns the executed paths of the function, followed by its truncated paths.  A very large number of whole (not
// truncated) paths is replaced with fewer paths that result in the same edge counts
// (core/analysis/flow_decomposition.h).  `decoded` is the decoded form of `function`.
std::vector<ExecutedPath> paths_to_add_up(const Function &function, const Decoded &decoded);
// Returns the edge counts of a function that counts its own paths, computed from `paths`.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<ExecutedPath> &paths, const std::vector<double> &estimate);

// Returns a key that identifies a function in all builds of its source: the assembler name and the path of the source
// file.  If the compilation directory is unknown, the key of an externally visible function contains only the last
// component of the path, because units in different directories use different names for the same header.
std::string name_and_path(const FunctionNotes &notes, const std::string &path);

// Returns a key that identifies a function in all builds in which its position is the same: name_and_path and the line.
// The name alone is not sufficient, because every program has a 'main', several shared libraries can have an 'init',
// and a file can contain alternative definitions of a static function (#if).
std::string identity_of(const Function &function);

// Returns the number that identifies a function as a callee in the recorded values of indirect calls
// (profile/model/values.h).  `path` is the path of the function's source file.  For an externally visible function,
// only the last component is used.
int64_t callee_number(const FunctionNotes &notes, const std::string &path);

// Returns the numbers that can identify the function as a callee in the recorded values of indirect calls.  One number
// is derived from the path of the source file.  The other number, which objects compiled with earlier versions use, is
// derived from the file name that was passed to the compiler.
std::vector<int64_t> callee_numbers(const Function &function);

struct Profile;

// Returns a key that identifies the function's graph and model. Functions with equal keys have the same path IDs.
std::string model_key(const Function &function);

// Returns a checksum of the source positions of all blocks.  Functions with the same graph can have different
// positions, for example if `#if` selects other lines or if a different static function of the same name is inlined.
uint32_t positions_checksum(const Function &function);

// Returns the key of a function in a profile, which consists of identity_of, model_key and positions_checksum.
std::string function_key(const Function &function);

// Returns a key that is the same for all functions with the same path IDs.  Unlike model_key, it does not distinguish
// the modes acyclic and preferential.
std::string numbers_of(const Function &function);
// Returns a key that is the same for all functions whose whole (not truncated) paths have the same IDs, regardless of
// `termination`. With exact termination, the IDs of truncated paths are greater than the IDs of all whole paths.
std::string numbers_of_whole_paths(const Function &function);

// Returns the key of an interprocedural unit.  The key consists of the names and keys of the unit's functions.
std::string model_key(const Profile &profile, const InterproceduralUnit &unit);

struct Module {
  std::string name;
  std::string build_id; // GNU build ID of the module in hexadecimal digits
};

struct Profile {
  std::string program;
  uint64_t runs = 0;
  uint64_t forks = 0;
  uint64_t resets = 0;
  uint64_t sudden_ends = 0;
  uint64_t switched = 0; // time for which processes were switched on (kSwitched), in microseconds
  uint64_t threaded = 0; // number of times that a process that is or was multithreaded wrote its counts
  std::vector<Module> modules;
  std::vector<Function> functions;                        // functions, sorted by file, line and name
  std::vector<InterproceduralUnit> interprocedural_units; // sorted by source file

  // Returns true if any function measures the cycles of its paths.
  bool has_cycles() const;
  std::vector<std::unique_ptr<UnitSources>> sources; // sources of each unit
};

// Reads a profile.  If several units contain the same function (with the same function_key), its data is combined.
std::optional<Profile> load_profile(const std::string &name, LoadError *error);
std::optional<Profile> parse_profile(const std::string &name, const unsigned char *data, size_t size, LoadError *error);

} // namespace pathprof

#endif
