// SPDX-License-Identifier: GPL-3.0-or-later
// A profile as the tools see it: functions with their graphs and executed paths.
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
  uint64_t cycles = 0; // all executions together; 0 also where they are not measured
};

// The same of a program.
struct ExecutedProgramPath {
  WideNumber id = 0;
  uint64_t count = 0;
};

// A function's path graph and numberings, rebuilt from its notes.
class Decoded {
public:
  explicit Decoded(const FunctionNotes &notes)
      : graph(path_graph_of(notes.graph, notes.model)), numbering(graph),
        prefixes(numbering.num_paths(), notes.calls_by_block()) {}

  // The path with this number, whole or cut short.
  std::optional<Path> regenerate(uint64_t id) const;

  PathGraph graph;
  PathNumbering numbering;
  PrefixNumbering prefixes;
};

// What the paths of programs (Program) add up to in one function; context is left out.
struct Activity {
  explicit Activity(const FunctionNotes &notes);
  Activity(const Activity &) = delete; // `edges` refers to `graph`

  std::vector<char> unwinds; // by edge: it leads away from a call that paths go through or end at
  FlowGraph graph;           // the function's, where these edges are cut
  EdgeCounts edges;
  std::vector<unsigned __int128> entered; // by block: how often control came to its beginning
  // By call that paths do not step over: how often they came to it, and how often they went on behind it.
  std::vector<unsigned __int128> opened, resumed;
  uint64_t num_paths = 0;  // that come to the function
  uint64_t executions = 0; // of these
  uint64_t calls = 0;      // activations that began
  uint64_t finished = 0;   // and that ended
  unsigned __int128 statements = 0;
};

// The source files that a unit's positions name.
struct UnitSources {
  // Names to show, unique among the sources of a profile (profile/model/source_names.h).  LineRef::file and
  // InlineSite::file index this list and the next two.
  std::vector<std::string> files;
  std::vector<std::string> names;  // names as compiled, as the notes have them
  std::vector<std::string> paths;  // normalised paths, which identify the files
  std::vector<uint32_t> checksums; // UnitNotes::checksums
  std::string folder;              // UnitNotes::folder
  std::string compiler;            // UnitNotes::compiler
};

struct Function {
  FunctionNotes notes;
  std::string file;                                // name of the source file, from UnitSources::files
  std::string path;                                // path of the source file, from UnitSources::paths
  const UnitSources *sources = nullptr;            // of the function's unit
  const std::vector<std::string> *files = nullptr; // sources->files
  std::vector<ExecutedPath> paths;                 // by increasing id
  std::vector<ExecutedPath> cut_short;             // at a call; their ids follow those of all whole paths; no cycles
  std::vector<CountedValue> values;                // by increasing number; empty also where none were collected
  // Sequences of paths, in preorder: a k-slab forest whose leaves have counts.  Empty also where activations run
  // through one path each (FunctionNotes::has_forest).
  Forest forest;
  bool is_pruned = false;        // some sequences were broken off for want of room
  uint64_t num_stray_cycles = 0; // paths that have cycles but were never counted
  // What it cost to measure the cycles of the paths, which is not in them.  0: nothing was measured, or the profile is
  // of a version that did not say.
  uint64_t measuring = 0;
  // Of a function of programs, which has no paths of its own.
  bool in_program = false;
  std::vector<std::string> callees; // by call of the notes: its assembler name, empty: unknown
  std::unique_ptr<Activity> activity;

  // Rebuilds the numbering.  Nothing if the notes contradict themselves (their graph is cyclic, or its
  // number of paths is not the stored one, or an executed id names no path); *reason says how.
  std::unique_ptr<Decoded> decode(const char **reason) const;
};

// The paths that go from function to function of a unit.
struct InterproceduralUnit {
  std::string source; // name of the unit's main source file, unique as those of UnitSources::files
  std::string path;   // path of that file, which identifies it
  Mode mode = Mode::Context;
  Stage stage = Stage::Source;
  mpz_class num_paths;
  std::unique_ptr<Supergraph> supergraph;
  std::vector<size_t> functions;                  // by procedure: an index into Profile::functions
  std::vector<ExecutedProgramPath> paths;         // by increasing id
  std::unique_ptr<SupergraphNumbering> numbering; // refers to `supergraph`

  // Builds the numbering.  What is wrong with the program, or null.
  const char *decode();
  // The path with this number; of an executed one always there.
  std::optional<InterproceduralPath> regenerate(WideNumber id) const;
  size_t num_bits() const;      // of the largest number
  size_t num_cut_calls() const; // that paths do not go through
};

// Steps of a path that are open when the step `at` runs, outermost first: the last one of each activation.
std::vector<size_t> open_steps(const InterproceduralPath &path, size_t at);
// Whether a step begins behind a call of its procedure, which another step, or path, came to.
bool goes_on_behind_call(const PathStep &step);
// A step as a path of its function.  Where it goes on behind a call, the call's block comes first.
Path piece_of(const InterproceduralUnit &program, const InterproceduralPath &path, size_t at);

// Adds what the program's paths did to the functions' activity.  What is wrong with a path, or null.
const char *add_activity(const InterproceduralUnit &program, std::vector<Function> &functions);

// Whether the path is none of the interesting ones (Feature::InterestingPaths).
bool is_residual(const Function &function, uint64_t id);

// Whether the cycles spent on the path were measured.
bool has_cycles(const Function &function, const ExecutedPath &path);

// How often a sequence does not begin where its activation did: those broken off, and those begun before a fork or a
// reset.  `decoded` is the function's own.
uint64_t broken_sequences(const Function &function, const Decoded &decoded);

// The k-slab forest of a function that counts sequences: its own, or where activations run through one path each its
// paths.
Forest forest_of(const Function &function);

// "array", "hash"; "none" of functions whose paths are a program's.
const char *storage_name(const Function &function);
// How many paths of its own a function has, after cutting.
mpz_class num_own_paths(const Function &function);

// True for a function that is not counted; `why_left_out` says why.
bool is_left_out(const Function &function);
std::string why_left_out(const Function &function);

// Traversals of every edge of the function's graph (core/analysis/edge_counts.h).  `decoded` is the function's own;
// `estimate` has a value for every edge.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<double> &estimate);

// Returns the key of a function in every build of its source: its assembler name and the path of its source file.  If
// the folder of compilation is not known, the last component of the path stands for the path of an externally visible
// function, because units in different folders reach one header by different names.
std::string name_and_path(const FunctionNotes &notes, const std::string &path);

// Returns the key of a function among all builds in which it has the same position: name_and_path and its line.
// Externally visible functions of one name are copies of one function only if they also have one position: programs and
// shared objects have a 'main' or an 'init' each.  Static functions of one name may be alternatives in one file (#if).
std::string identity_of(const Function &function);

// Returns the number that a function has as a value (profile/model/values.h).  `path` is the path of its source file,
// of which an externally visible function needs the last component only.
int64_t callee_number(const FunctionNotes &notes, const std::string &path);

// Returns the numbers that the function may have as a value: the one by its path, and the one by its name as compiled,
// which objects of earlier versions have.
std::vector<int64_t> callee_numbers(const Function &function);

struct Profile;

// Graph and model: of equal ones a path's number means the same.  With identity_of what makes two functions
// one.
std::string model_key(const Function &function);

// The same for who only compares numbers: acyclic paths have the same ones whether some are interesting or not.
std::string numbers_of(const Function &function);

// The same of a program: that of its functions, by name.
std::string model_key(const Profile &profile, const InterproceduralUnit &program);

struct Module {
  std::string name;
  std::string build_id; // hexadecimal
};

struct Profile {
  std::string program;
  uint64_t runs = 0;
  uint64_t forks = 0;
  uint64_t resets = 0;
  uint64_t sudden_ends = 0;
  uint64_t switched = 0; // for how many microseconds processes were switched on (kSwitched)
  uint64_t threaded = 0; // how often counts came from processes that have, or had, more than one thread
  std::vector<Module> modules;
  std::vector<Function> functions;                        // by file, line, name
  std::vector<InterproceduralUnit> interprocedural_units; // by source

  // Whether any function measures the cycles spent on its paths.
  bool has_cycles() const;
  std::vector<std::unique_ptr<UnitSources>> sources; // by unit
};

// Reads a profile.  Functions that several units have with the same graph and model are one function:
// their key is the assembler name, the source file where the name is not externally visible, checksum,
// mode, stage, k, numbering and cuts.
std::optional<Profile> load_profile(const std::string &name, LoadError *error);
std::optional<Profile> parse_profile(const std::string &name, const unsigned char *data, size_t size, LoadError *error);

} // namespace pathprof

#endif
