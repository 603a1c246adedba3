// SPDX-License-Identifier: GPL-3.0-or-later
// Instrumenting the functions of a translation unit, all at once or one by one.
#ifndef PATHPROF_PLUGIN_ENTRY_INSTRUMENT_H
#define PATHPROF_PLUGIN_ENTRY_INSTRUMENT_H

#include <memory>
#include <vector>

#include "plugin/options/arguments.h"
#include "plugin/interprocedural/emit_program.h"
#include "plugin/cfg/function.h"
#include "plugin/cfg/lines.h"
#include "plugin/interprocedural/program.h"
#include "plugin/emit/unit.h"
#include "profile/model/notes.h"

struct cgraph_node;

namespace pathprof {

// What the functions of a unit have in common.
class Instrumenter {
public:
  explicit Instrumenter(const Arguments &arguments);
  Instrumenter(const Instrumenter &) = delete;
  Instrumenter &operator=(const Instrumenter &) = delete;

  const RuntimeFunctions &runtime() const { return runtime_; }

  // Plans the function that is `cfun`.
  PlannedFunction plan(cgraph_node *node);

  // Gives planned functions their counters and table heads, and instruments them.  `functions` must be
  // sorted as `precedes` says if they are more than one; `program` is theirs, if they have one.
  void emit(std::vector<PlannedFunction> functions, std::unique_ptr<PlannedProgram> program = nullptr);

  // Lets functions whose paths go through calls call each other.  Nothing may be inserted into bodies afterwards.
  void connect();

  // Defines the unit's variables, if any function was emitted.  Functions are in the order of the notes'
  // index then: that order hands out counters and table heads.
  void finish();

  static bool precedes(const PlannedFunction &a, const PlannedFunction &b);

private:
  // A unit's functions, or one of them if they come one by one.
  struct Part {
    Storage storage;
    std::vector<FunctionNotes> functions;
  };
  // What is there until `connect`.
  struct Unconnected {
    std::vector<PlannedFunction> functions;
    std::unique_ptr<PlannedProgram> program;
    std::unique_ptr<StandIns> stand_ins;
    std::vector<ProcedureBody> bodies;
  };

  Storage give_places(std::vector<PlannedFunction> &functions, PlannedProgram *program);
  void emit_program();

  const Arguments &arguments_;
  UnitNotes notes_;
  FileTable files_;
  UnitVariables variables_;
  RuntimeFunctions runtime_;
  std::vector<Part> parts_;
  Unconnected unconnected_;
};

} // namespace pathprof

#endif
