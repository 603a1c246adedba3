// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the plugin's arguments, -fplugin-arg-pathprof-KEY=VALUE.
#ifndef PATHPROF_PLUGIN_OPTIONS_ARGUMENTS_H
#define PATHPROF_PLUGIN_OPTIONS_ARGUMENTS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/models/model.h"
#include "plugin/options/update.h"
#include "profile/model/notes.h"
#include "profile/format/storage.h"

struct plugin_name_args;

namespace pathprof {

class InputProfile;
class InterestingPaths;

const char *to_string(Update update);

// Strategies for selecting the calls that interprocedural paths go through (hybrid=; Melski and Reps, TR 1382, 1998,
// section 8).
enum class Hybrid {
  Auto,   // as many calls as the path IDs allow, hot calls first
  Static, // calls to functions with file scope
  File,   // calls to functions in the same source file
  Leaf,   // calls to leaf functions
  All,    // no calls: paths step over all calls
};

// Value of `k` that represents k=auto. Sequences are then as long as the function's prime paths require
// (core/analysis/prime_paths.h).
inline constexpr uint64_t kAutomaticK = 0;

// Representation of a counter (counters=).
enum class Counters {
  Bits64, // 64 bits
  Bits32, // 32 bits, saturating
  Bit,    // a byte that records whether the path was executed
};

// Arguments that can be set per function (scheme=FILE), and two arguments of the unit on which they depend.
struct FunctionArguments {
  bool is_freestanding = false;         // target=freestanding; the same for all functions of a unit
  Counters counters = Counters::Bits64; // the same for all functions of a unit
  Mode mode = Mode::Acyclic;
  Numbering numbering = Numbering::Register;                  // for mode=kiter
  uint64_t k = 2;                                             // for modes that have k; may be kAutomaticK
  std::vector<std::pair<uint32_t, uint32_t>> loop_iterations; // loops=LINE:K,...: overrides k
  uint64_t array_max = PATHPROF_DEFAULT_ARRAY_MAX;
  uint64_t program_array_max = PATHPROF_DEFAULT_PROGRAM_ARRAY_MAX; // same as array-max if that is given
  uint64_t paths_max = PATHPROF_DEFAULT_PATHS_MAX;
  bool skip_on_overflow = false;  // overflow=skip
  std::optional<Update> update;   // no value: the default of the target and of the compiler options
  bool exact_termination = false; // termination=exact, explicit or by default
  bool keeps_tail_calls = true;   // false if termination=exact is explicit
  bool measures_cycles = false;   // metric=tsc
  bool hashes_large_ids = false;  // large-ids=hash, for mode=preferential
  bool notifies = false;          // notify=1, for mode=preferential
  bool on_demand = false;         // switch=1
  bool counts_values = false;     // values=1
  bool verbose = false;
};

// Determines whether the dispatch of an interpreter loop is duplicated: never (Never), if most of the following switch
// cases can be predicted (IfMostIsForeseen), or if a substantial share of them can be predicted (IfMuchIsForeseen).
enum class DispatchStep { Never, IfMostIsForeseen, IfMuchIsForeseen };

// Optional steps of a rebuild (rebuild=). Counts are always attached.
struct RebuildSteps {
  bool thread = true; // duplicate join blocks on hot paths
  DispatchStep dispatch = DispatchStep::IfMostIsForeseen;
  bool raises_inline_limits = true; // for inlining into executed functions
};

using Setting = std::pair<std::string, std::string>; // key and value, validated

// A line of the scheme file.
struct SchemeLine {
  std::string where; // "FILE:LINE"
  std::string glob;
  std::vector<Setting> settings;
};

struct Arguments {
  std::vector<Setting> given; // given on the command line
  FunctionArguments function; // for functions that no line of the scheme file matches
  Stage stage = Stage::Source;
  bool has_stage = false;        // true if `stage` is given
  bool keeps_conditions = false; // conditions=1
  std::string scheme_file;       // scheme=FILE, or empty
  std::vector<SchemeLine> scheme;
  std::vector<std::string> include; // globs; if empty, everything is included
  std::vector<std::string> exclude;
  std::string weights_file;                            // weights=FILE, or empty to use GCC's estimate
  std::shared_ptr<const InputProfile> weights;         // contents of weights_file, or null
  std::string use_file;                                // use=FILE, or empty if no rebuild is requested
  std::shared_ptr<const InputProfile> use;             // contents of use_file, or null if unused
  RebuildSteps rebuild;                                // steps to apply with use_file
  bool has_rebuild = false;                            // true if `rebuild` is given
  std::string interesting_items;                       // interesting=..., or empty
  std::shared_ptr<const InterestingPaths> interesting; // files in interesting_items, or null
  Hybrid hybrid = Hybrid::Auto;
  bool splits_at_calls = false;       // recursion=split
  bool chains_indirect_calls = false; // indirect=chain
  bool has_wide_numbers = false;      // wide=1
  std::vector<std::string> dumps;     // suffixes of -fdump-, such as "ipa-pathprof"

  // Returns true if the function should be instrumented. The globs are matched against the assembler name, the printed
  // name, the source file and the last component of the source file.
  bool wants(const char *assembler_name, const char *printed_name, const char *file) const;

  // Returns the arguments of a function. The globs of the scheme file are matched as in wants(). Later lines of the
  // scheme file override earlier lines.
  FunctionArguments of(const char *assembler_name, const char *printed_name, const char *file) const;

  // Returns true if `mode` is the default mode or is set in the scheme file.
  bool may_have(Mode mode) const;

  // Returns the default mode if it is interprocedural. Otherwise, returns the first interprocedural mode in the scheme
  // file or, if there is none, the default mode.
  Mode mode_through_calls() const;
};

// Returns true if this process is GCC's link-time compiler (-flto).
bool is_link();

// Returns true if this compilation instruments or rebuilds functions, and therefore reads input profiles. Returns false
// with -E or -fsyntax-only, and at link time unless the mode is interprocedural.
bool will_plan_functions(const Arguments &arguments);

// Returns true if use=FILE is given but has no effect, because optimisation is disabled.
bool leaves_profile_unused(const Arguments &arguments);

// Parses the arguments. Reports a compiler error and returns false if an argument is unknown or a value is out of
// range. The error names the argument and the accepted values.
bool parse_arguments(const plugin_name_args &given, Arguments &arguments);

} // namespace pathprof

#endif
