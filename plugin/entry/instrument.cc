// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments the functions of a translation unit, all at once or one by one.
#include "plugin/entry/instrument.h"

#include <algorithm>
#include <utility>

#include "profile/format/abi.h"

#include "plugin/cfg/computed_goto.h"
#include "plugin/emit/emit.h"
#include "plugin/interprocedural/clone.h"
#include "plugin/options/input_profile.h"
#include "plugin/options/interesting.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/scope.h"
#include "plugin/cfg/sources.h"

namespace pathprof {

// At link time, the name of the source file is omitted, because the input file of the link-time compiler has a
// different name in each build.
Instrumenter::Instrumenter(const Arguments &arguments) : arguments_(arguments), files_(notes_), variables_(arguments) {
  notes_.source = in_lto_p ? "" : remap_debug_filename(main_input_filename);
}

PlannedFunction Instrumenter::plan(cgraph_node *node) {
  PlannedFunction function = plan_function(node, arguments_, files_);
  if (function.plan && function.on_demand)
    function.bodies = std::make_unique<VersionedBodies>(
        version_body(function.notes, function.plan->plan, function.edges, switch_variable()));
  return function;
}

bool Instrumenter::precedes(const PlannedFunction &a, const PlannedFunction &b) {
  return a.notes.name < b.notes.name;
}

namespace {

// Numbers of counters, table heads and slots of inline caches.
struct StorageSize {
  uint64_t counters = 0, tables = 0, slots = 0;

  void operator+=(const StorageSize &other) {
    counters += other.counters;
    tables += other.tables;
    slots += other.slots;
  }
};

// Returns true if the function's paths are counted in a hash table with an inline cache.
bool has_inline_cache(const PlannedFunction &function) {
  return function.notes.storage == PATHPROF_STORAGE_TABLE && !function.notes.has_forest();
}

StorageSize size_of(const PlannedFunction &function) {
  uint64_t num_kinds = function.notes.measures_cycles() ? 2 : 1;
  StorageSize size;
  if (function.notes.storage == PATHPROF_STORAGE_ARRAY)
    size.counters = num_kinds * function.notes.num_counters();
  if (function.notes.storage == PATHPROF_STORAGE_TABLE)
    size.tables = num_kinds;
  size.tables += function.notes.has_second_table();
  size.slots = has_inline_cache(function) ? PATHPROF_INLINE_CACHE_SIZE : 0;
  return size;
}

// Assigns the next free counters, table heads and slots to the function.
void assign(PlannedFunction &function, const Storage &storage, StorageSize next) {
  bool measures_cycles = function.notes.measures_cycles();
  if (function.notes.storage == PATHPROF_STORAGE_ARRAY) {
    function.counters = storage.counter(next.counters);
    if (measures_cycles)
      function.cycles = storage.counter(next.counters + function.notes.num_counters());
  } else if (function.notes.storage == PATHPROF_STORAGE_TABLE) {
    function.table = storage.table(next.tables++);
    if (measures_cycles)
      function.cycles = storage.table(next.tables++);
  }
  if (function.notes.has_second_table())
    function.second_table = storage.table(next.tables++);
  if (has_inline_cache(function))
    function.cache = storage.cache(next.slots);
}

bool has_inline_cache(const PlannedUnit &unit) {
  return unit.notes.storage != PATHPROF_STORAGE_ARRAY && !unit.is_mapped && !unit.notes.is_wide();
}

StorageSize size_of(const PlannedUnit &unit) {
  if (unit.notes.storage == PATHPROF_STORAGE_ARRAY)
    return {unit.notes.num_paths.get_ui(), 0, 0};
  return {0, 1, has_inline_cache(unit) ? PATHPROF_PROGRAM_CACHE_SIZE : 0u};
}

void assign(PlannedUnit &unit, const Storage &storage) {
  if (unit.notes.storage == PATHPROF_STORAGE_ARRAY)
    unit.counters = storage.counter(0);
  else
    unit.table = storage.table(0);
  if (has_inline_cache(unit))
    unit.cache = storage.cache(0);
}

} // namespace

// Declares and assigns counters, table heads and inline caches. The storage of the interprocedural unit, if any,
// precedes that of its functions, as in the index of the notes.
Storage Instrumenter::assign_storage(std::vector<PlannedFunction> &functions, PlannedUnit *unit) {
  StorageSize of_unit = unit ? size_of(*unit) : StorageSize(), total = of_unit;
  for (const PlannedFunction &function : functions)
    total += size_of(function);
  bool is_in_segment =
      has_thread_segment() && std::all_of(functions.begin(), functions.end(), [](const PlannedFunction &function) {
        return !function.plan || function.update == Update::Thread;
      });
  Storage storage = variables_.declare(total.counters, total.tables, total.slots, is_in_segment);
  if (unit)
    assign(*unit, storage);
  StorageSize next = of_unit; // Size of the storage of the unit and of all functions before `function`
  for (PlannedFunction &function : functions) {
    assign(function, storage, next);
    next += size_of(function);
  }
  return storage;
}

void Instrumenter::emit(std::vector<PlannedFunction> functions, std::unique_ptr<PlannedUnit> unit) {
  Part part;
  part.storage = assign_storage(functions, unit.get());
  for (PlannedFunction &function : functions)
    if (function.plan) {
      FunctionScope scope(function.node);
      note_computed_gotos();
      emit_plan(function, variables_, runtime_);
    }
  unconnected_.functions = std::move(functions); // `unit` refers to these functions
  if (unit) {
    unconnected_.unit = std::move(unit);
    emit_procedures();
  }
  for (const PlannedFunction &function : unconnected_.functions)
    part.functions.push_back(function.notes);
  parts_.push_back(std::move(part));
}

void Instrumenter::emit_procedures() {
  const PlannedUnit &unit = *unconnected_.unit;
  notes_.program = unit.notes;
  unconnected_.stand_ins = std::make_unique<StandIns>(number_type(unit));
  for (size_t procedure = 0; procedure < unit.procedures.size(); procedure++) {
    FunctionScope scope(unit.procedures[procedure].function->node);
    note_computed_gotos();
    unconnected_.bodies.push_back(emit_procedure(unit, static_cast<int>(procedure), *unconnected_.stand_ins, runtime_));
  }
}

void Instrumenter::connect() {
  if (unconnected_.unit)
    connect_procedures(*unconnected_.unit, unconnected_.bodies, *unconnected_.stand_ins, runtime_);
  unconnected_ = {};
}

void Instrumenter::finish() {
  if (arguments_.weights)
    arguments_.weights->warn_of_other_unit();
  if (arguments_.interesting)
    arguments_.interesting->warn_of_other_units();
  std::stable_sort(parts_.begin(), parts_.end(),
                   [](const Part &a, const Part &b) { return a.functions.front().name < b.functions.front().name; });
  std::vector<Storage> storage;
  for (Part &part : parts_) {
    storage.push_back(part.storage);
    for (FunctionNotes &function : part.functions)
      notes_.functions.push_back(std::move(function));
  }
  if (!parts_.empty()) {
    note_origin(notes_, files_.local_names());
    variables_.finish(storage, encode_notes(notes_));
  }
  parts_.clear();
}

} // namespace pathprof
