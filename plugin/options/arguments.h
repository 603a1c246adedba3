// SPDX-License-Identifier: GPL-3.0-or-later
// The plugin's arguments: -fplugin-arg-pathprof-KEY=VALUE.
#ifndef PATHPROF_PLUGIN_OPTIONS_ARGUMENTS_H
#define PATHPROF_PLUGIN_OPTIONS_ARGUMENTS_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/models/model.h"
#include "plugin/gcc/update.h"
#include "profile/model/notes.h"
#include "profile/format/storage.h"

struct plugin_name_args;

namespace pathprof {

class InputProfile;
class InterestingPaths;

const char *to_string(Update update);

// Which calls paths go through (hybrid=; Melski and Reps, TR 1382, 1998, section 8).
enum class Hybrid {
  Auto,   // those that let the numbers fit, hot ones first
  Static, // of functions of file scope
  File,   // of functions of the same source file
  Leaf,   // of functions that call none
  All,    // none: all calls are stepped over
};

// k=auto: as many paths as a function's prime paths need (core/analysis/prime_paths.h).
inline constexpr uint64_t kAutomaticK = 0;

// What may differ from function to function (scheme=FILE).
struct FunctionArguments {
  Mode mode = Mode::Acyclic;
  Numbering numbering = Numbering::Register;                  // of mode=kiter
  uint64_t k = 2;                                             // of modes that have one; or kAutomaticK
  std::vector<std::pair<uint32_t, uint32_t>> loop_iterations; // loops=LINE:K,...: instead of k
  uint64_t array_max = PATHPROF_DEFAULT_ARRAY_MAX;
  uint64_t program_array_max = PATHPROF_DEFAULT_PROGRAM_ARRAY_MAX; // array-max, if that is given
  uint64_t paths_max = PATHPROF_DEFAULT_PATHS_MAX;
  bool skip_on_overflow = false; // overflow=skip
  Update update = Update::Single;
  bool exact_termination = false; // termination=exact, given or by default
  bool keeps_tail_calls = true;   // false if termination=exact is given
  bool measures_cycles = false;   // metric=tsc
  bool hashes_large_ids = false;  // large-ids=hash, of mode=preferential
  bool notifies = false;          // notify=1, likewise
  bool on_demand = false;         // switch=1
  bool counts_values = false;     // values=1
  bool verbose = false;
};

// Whether the dispatch of an interpreter's loop is copied behind handlers that decide the next one: where most of what
// follows can be foreseen, or also where only a good part can.
enum class DispatchStep { Never, IfMostIsForeseen, IfMuchIsForeseen };

// The steps of a rebuild (rebuild=): counts are set in all of them.
struct RebuildSteps {
  bool thread = true; // copy joins on hot paths where a copy folds a branch
  DispatchStep dispatch = DispatchStep::IfMostIsForeseen;
  bool raises_inline_limits = true; // of inlining into functions that ran
};

using Setting = std::pair<std::string, std::string>; // key and value, checked

// A line of the scheme file.
struct SchemeLine {
  std::string where; // "FILE:LINE"
  std::string glob;
  std::vector<Setting> settings;
};

struct Arguments {
  std::vector<Setting> given; // on the command line
  FunctionArguments function; // of functions that no line of the scheme file names
  Stage stage = Stage::Source;
  bool has_stage = false;        // it was given
  bool keeps_conditions = false; // conditions=1
  std::string scheme_file;       // scheme=FILE; empty without
  std::vector<SchemeLine> scheme;
  std::vector<std::string> include; // globs; empty: everything
  std::vector<std::string> exclude;
  std::string weights_file;                            // weights=FILE; empty: GCC's estimate
  std::shared_ptr<const InputProfile> weights;         // that file's, null without one
  std::string use_file;                                // use=FILE; empty: a profile is to be collected
  std::shared_ptr<const InputProfile> use;             // that file's, null without one or where it is not used
  RebuildSteps rebuild;                                // what is done with it
  bool has_rebuild = false;                            // it was given
  std::string interesting_items;                       // interesting=...; empty without
  std::shared_ptr<const InterestingPaths> interesting; // what these are, null without
  Hybrid hybrid = Hybrid::Auto;
  bool splits_at_calls = false;       // recursion=split
  bool chains_indirect_calls = false; // indirect=chain
  bool has_wide_numbers = false;      // wide=1
  std::vector<std::string> dumps;     // what would follow -fdump-, such as "ipa-pathprof"

  // Whether a function is wanted, by its assembler name, its printed name, its source file, or that
  // file's last component.
  bool wants(const char *assembler_name, const char *printed_name, const char *file) const;

  // The arguments of a function, named likewise: later lines of the scheme file override earlier ones.
  FunctionArguments of(const char *assembler_name, const char *printed_name, const char *file) const;

  // Whether functions have this mode, or may have by the scheme file.
  bool may_have(Mode mode) const;

  // The mode whose paths go through calls that functions have, or may have by the scheme file; if there is none, that
  // of functions that no line of it names.
  Mode mode_through_calls() const;
};

// Whether this compiler links what others compiled (-flto).
bool is_link();

// Whether functions will be planned, so that input profiles are read: not for -E and -fsyntax-only, and at link time
// only if paths go through calls.
bool will_plan_functions(const Arguments &arguments);

// Whether there is a profile to rebuild with that is not used: where nothing is optimised, it would change nothing.
bool leaves_profile_unused(const Arguments &arguments);

// Reads the arguments.  Anything unknown or out of range is a compiler error that names the argument and what is
// accepted; false then.
bool parse_arguments(const plugin_name_args &given, Arguments &arguments);

} // namespace pathprof

#endif
