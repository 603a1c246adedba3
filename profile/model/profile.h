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

// An executed path of a program.
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

  // Returns the whole or truncated path with this ID, or nothing.
  std::optional<Path> regenerate(uint64_t id) const;

  PathGraph graph;
  PathNumbering numbering;
  PrefixNumbering prefixes;
};

// The executions of a function in the paths of programs (InterproceduralUnit), without the contexts of these paths.
struct Activity {
  explicit Activity(const FunctionNotes &notes);
  Activity(const Activity &) = delete; // a copy would be wrong, because `edges` refers to `graph`

  std::vector<char> unwinds; // per edge: true if it is an unwind edge of a call that paths continue through or end at
  FlowGraph graph;           // graph of the function, in which the unwind edges are cut
  EdgeCounts edges;
  std::vector<unsigned __int128> entered; // per block: number of times that control reached its start
  // Per call that paths do not step over: number of times that control reached the call, and that it continued after
  // the call.
  std::vector<unsigned __int128> opened, resumed;
  uint64_t num_paths = 0;  // number of paths that visit the function
  uint64_t executions = 0; // total execution count of these paths
  uint64_t calls = 0;      // number of activations that started
  uint64_t finished = 0;   // number of activations that finished
  unsigned __int128 statements = 0;
};

// The source files to which the positions of a unit refer.
struct UnitSources {
  // Display names, unique among the sources of a profile (profile/model/source_names.h).  LineRef::file and
  // InlineSite::file are indices in this list and in the next two lists.
  std::vector<std::string> files;
  std::vector<std::string> names;  // file names as compiled and as stored in the notes
  std::vector<std::string> paths;  // normalized paths, which identify the files
  std::vector<uint32_t> checksums; // checksums of the files, as in UnitNotes::checksums
  std::string folder;              // compilation directory, as in UnitNotes::folder
  std::string compiler;            // version of GCC, as in UnitNotes::compiler
};

struct Function {
  FunctionNotes notes;
  std::string file;                                // display name of the source file, from UnitSources::files
  std::string path;                                // path of the source file, from UnitSources::paths
  const UnitSources *sources = nullptr;            // sources of the function's unit
  const std::vector<std::string> *files = nullptr; // equal to sources->files
  std::vector<ExecutedPath> paths;                 // executed paths by increasing path ID
  std::vector<ExecutedPath>
      cut_short; // truncated paths; their IDs are above those of all whole paths, and they have no cycles
  std::vector<CountedValue> values; // counted values by increasing ID; empty if no values were collected
  // Sequences of paths, in preorder: a k-slab forest whose leaves have counts.  Empty if an activation has only one
  // path (FunctionNotes::has_forest).
  Forest forest;
  bool is_pruned = false;        // true if some sequences were restarted because the forest was full
  uint64_t num_stray_cycles = 0; // number of paths with cycles but without a count
  // Cost of measuring the cycles of the paths, which their cycles do not include.  0 if nothing was measured, or if an
  // earlier version wrote the profile.
  uint64_t measuring = 0;
  // True for a function of programs, which does not count its own paths.
  bool in_program = false;
  std::vector<std::string> callees; // assembler name of each call's callee, or empty if unknown
  std::unique_ptr<Activity> activity;

  // Rebuilds the numbering of the function.  Returns nothing and sets `*reason` if the notes are inconsistent: the path
  // graph has a cycle, the number of paths differs from the stored number, or an executed path ID is invalid.
  std::unique_ptr<Decoded> decode(const char **reason) const;
};

// The program of a unit, with its interprocedural paths.
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

  // Builds the numbering of the program.  Returns null, or a description of the fault in the program.
  const char *decode();
  // Returns the path with this ID, which exists for every executed path.
  std::optional<InterproceduralPath> regenerate(WideNumber id) const;
  size_t num_bits() const;      // number of bits of the largest path ID
  size_t num_cut_calls() const; // number of calls that paths do not continue through
};

// Returns the steps of the open activations at step `at`, outermost first.  The step of an activation is its last step
// so far.
std::vector<size_t> open_steps(const InterproceduralPath &path, size_t at);
// Returns true if the step starts after a call of its procedure that another step, or another path, reached.
bool goes_on_behind_call(const PathStep &step);
// Returns a step as a path of its function.  If the step continues after a call, the path starts with the block of the
// call.
Path piece_of(const InterproceduralUnit &program, const InterproceduralPath &path, size_t at);

// Adds the paths of the program to the activities of its functions.  Returns null, or a description of the fault in a
// path.
const char *add_activity(const InterproceduralUnit &program, std::vector<Function> &functions);

// Returns true if the path is residual, that is, not interesting (Feature::InterestingPaths).
bool is_residual(const Function &function, uint64_t id);

// Returns true if the cycles of the path were measured.
bool has_cycles(const Function &function, const ExecutedPath &path);

// Returns the number of sequences that do not start at the start of their activation, because they were restarted or
// because they started before a fork or a reset.  `decoded` belongs to the function.
uint64_t broken_sequences(const Function &function, const Decoded &decoded);

// Returns the k-slab forest of a function that counts sequences.  If an activation has only one path, the nodes are the
// paths of the function.
Forest forest_of(const Function &function);

// Returns "array" or "hash", or "none" for a function whose paths belong to a program.
const char *storage_name(const Function &function);
// Returns the number of the function's own paths, after truncation.
mpz_class num_own_paths(const Function &function);

// Returns true if the function is not counted; `why_left_out` returns the reason.
bool is_left_out(const Function &function);
std::string why_left_out(const Function &function);

// Returns the number of traversals of each edge of the function's graph (core/analysis/edge_counts.h).  `decoded`
// belongs to the function; `estimate` has one value per edge.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<double> &estimate);

// Returns the key of a function in every build of its source: its assembler name and the path of its source file.  If
// the compilation directory is not known, the key of an externally visible function contains only the last component of
// the path, because units in different directories use different names for the same header.
std::string name_and_path(const FunctionNotes &notes, const std::string &path);

// Returns the key of a function among all builds in which it has the same position: name_and_path and its line.
// Externally visible functions with the same name are copies of the same function only if they have the same position,
// because every program has a 'main' and several shared libraries may have an 'init'.  Static functions with the same
// name may be alternatives in one file (#if).
std::string identity_of(const Function &function);

// Returns the number that represents a function as a value (profile/model/values.h).  `path` is the path of its source
// file; for an externally visible function, only the last component is used.
int64_t callee_number(const FunctionNotes &notes, const std::string &path);

// Returns the numbers that can represent the function as a value: by its path, and by the compiled file name, which
// objects of earlier versions use.
std::vector<int64_t> callee_numbers(const Function &function);

struct Profile;

// Returns the key of the function's graph and model.  Functions with equal keys have the same path IDs.
std::string model_key(const Function &function);

// Returns a checksum of the source positions of all blocks.  Two programs can compile the same function differently even
// if its graph is the same: `#if` selects other lines, or a different function of the same name is inlined.
uint32_t positions_checksum(const Function &function);

// Returns the key of a function in a profile: identity_of, model_key and positions_checksum.  Functions with equal keys
// are the same function, and their counts are added.
std::string function_key(const Function &function);

// Returns a key that is equal for functions with the same path IDs.  Unlike model_key, the key is the same for the
// modes acyclic and preferential.
std::string numbers_of(const Function &function);

// Returns the key of a program, which consists of the names and keys of its functions.
std::string model_key(const Profile &profile, const InterproceduralUnit &program);

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
  uint64_t switched = 0; // microseconds for which processes were switched on (kSwitched)
  uint64_t threaded = 0; // number of writes of counts by processes that have, or had, several threads
  std::vector<Module> modules;
  std::vector<Function> functions;                        // functions by file, line and name
  std::vector<InterproceduralUnit> interprocedural_units; // programs by source file

  // Returns true if some function measures the cycles of its paths.
  bool has_cycles() const;
  std::vector<std::unique_ptr<UnitSources>> sources; // sources of each unit
};

// Reads a profile.  A function that several units contain with the same graph and model becomes one function.  Its key
// is function_key.
std::optional<Profile> load_profile(const std::string &name, LoadError *error);
std::optional<Profile> parse_profile(const std::string &name, const unsigned char *data, size_t size, LoadError *error);

} // namespace pathprof

#endif
