// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments the functions of a translation unit, all at once or one by one.
#ifndef PATHPROF_PLUGIN_ENTRY_INSTRUMENT_H
#define PATHPROF_PLUGIN_ENTRY_INSTRUMENT_H

#include <memory>
#include <vector>

#include "plugin/options/arguments.h"
#include "plugin/interprocedural/emit_procedure.h"
#include "plugin/cfg/function.h"
#include "plugin/cfg/lines.h"
#include "plugin/interprocedural/planned_unit.h"
#include "plugin/emit/unit.h"
#include "profile/model/notes.h"

struct cgraph_node;

namespace pathprof {

// Instruments the functions of a unit, and holds the state that they share.
class Instrumenter {
public:
  explicit Instrumenter(const Arguments &arguments);
  Instrumenter(const Instrumenter &) = delete;
  Instrumenter &operator=(const Instrumenter &) = delete;

  const RuntimeFunctions &runtime() const { return runtime_; }

  // Plans the function whose body is `cfun`.
  PlannedFunction plan(cgraph_node *node);

  // Assigns counters and table heads to the planned functions, and instruments the functions. The functions must be
  // sorted by precedes(). `unit` is the interprocedural unit that contains them, or null.
  void emit(std::vector<PlannedFunction> functions, std::unique_ptr<PlannedUnit> unit = nullptr);

  // Makes functions with interprocedural paths call each other's clones. No statements may be inserted into the bodies
  // of these functions afterwards.
  void connect();

  // Defines the unit's variables if at least one function was emitted. Sorts the functions by name. The functions in
  // the notes, their counters and their table heads are in this order.
  void finish();

  static bool precedes(const PlannedFunction &a, const PlannedFunction &b);

private:
  // The functions of a unit, or a single function if functions are instrumented one by one.
  struct Part {
    Storage storage;
    std::vector<FunctionNotes> functions;
  };
  // The state that is kept until connect().
  struct Unconnected {
    std::vector<PlannedFunction> functions;
    std::unique_ptr<PlannedUnit> unit;
    std::unique_ptr<StandIns> stand_ins;
    std::vector<ProcedureBody> bodies;
  };

  Storage assign_storage(std::vector<PlannedFunction> &functions, PlannedUnit *unit);
  void emit_procedures();

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
