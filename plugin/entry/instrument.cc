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
Instrumenter::Instrumenter(const Arguments &arguments) : arguments_(arguments), files_(notes_) {
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

// Returns true if the function's paths are counted in a hash table with an inline cache.
static bool has_inline_cache(const PlannedFunction &function) {
  return function.notes.storage == PATHPROF_STORAGE_TABLE && !function.notes.has_forest();
}

// Assigns counters, table heads and inline caches. The counters and table heads of the interprocedural program, if any,
// precede those of its functions, as in the index of the notes.
Storage Instrumenter::give_places(std::vector<PlannedFunction> &functions, PlannedProgram *program) {
  uint64_t num_counters = 0, num_tables = 0;
  bool has_array = program && program->notes.storage == PATHPROF_STORAGE_ARRAY;
  if (program)
    (has_array ? num_counters : num_tables) += has_array ? program->notes.num_paths.get_ui() : 1;
  bool has_cache = program && !has_array && !program->is_mapped && !program->notes.is_wide();
  uint64_t num_slots = has_cache ? PATHPROF_PROGRAM_CACHE_SIZE : 0;
  uint64_t next_counter = num_counters, next_table = num_tables, next_slot = num_slots;
  for (const PlannedFunction &function : functions) {
    uint64_t num_kinds = function.notes.measures_cycles() ? 2 : 1;
    if (function.notes.storage == PATHPROF_STORAGE_ARRAY)
      num_counters += num_kinds * function.notes.num_counters();
    if (function.notes.storage == PATHPROF_STORAGE_TABLE)
      num_tables += num_kinds;
    num_tables += function.notes.has_second_table();
    num_slots += has_inline_cache(function) ? PATHPROF_INLINE_CACHE_SIZE : 0;
  }
  Storage storage = variables_.declare(num_counters, num_tables, num_slots);
  if (has_array)
    program->counters = storage.counter(0);
  else if (program)
    program->table = storage.table(0);
  if (has_cache)
    program->cache = storage.cache(0);
  for (PlannedFunction &function : functions) {
    for (bool of_cycles : {false, true}) {
      if (of_cycles && !function.notes.measures_cycles())
        break;
      if (function.notes.storage == PATHPROF_STORAGE_ARRAY) {
        (of_cycles ? function.cycles : function.counters) = storage.counter(next_counter);
        next_counter += function.notes.num_counters();
      } else if (function.notes.storage == PATHPROF_STORAGE_TABLE) {
        (of_cycles ? function.cycles : function.table) = storage.table(next_table++);
      }
    }
    if (function.notes.has_second_table())
      function.second_table = storage.table(next_table++);
    if (has_inline_cache(function)) {
      function.cache = storage.cache(next_slot);
      next_slot += PATHPROF_INLINE_CACHE_SIZE;
    }
  }
  return storage;
}

void Instrumenter::emit(std::vector<PlannedFunction> functions, std::unique_ptr<PlannedProgram> program) {
  Part part;
  part.storage = give_places(functions, program.get());
  for (PlannedFunction &function : functions)
    if (function.plan) {
      FunctionScope scope(function.node);
      note_computed_gotos();
      emit_plan(function, variables_, runtime_);
    }
  unconnected_.functions = std::move(functions); // the program refers to these functions
  if (program) {
    unconnected_.program = std::move(program);
    emit_program();
  }
  for (const PlannedFunction &function : unconnected_.functions)
    part.functions.push_back(function.notes);
  parts_.push_back(std::move(part));
}

void Instrumenter::emit_program() {
  const PlannedProgram &program = *unconnected_.program;
  notes_.program = program.notes;
  unconnected_.stand_ins = std::make_unique<StandIns>(number_type(program));
  for (size_t procedure = 0; procedure < program.procedures.size(); procedure++) {
    FunctionScope scope(program.procedures[procedure].function->node);
    note_computed_gotos();
    unconnected_.bodies.push_back(
        emit_procedure(program, static_cast<int>(procedure), *unconnected_.stand_ins, runtime_));
  }
}

void Instrumenter::connect() {
  if (unconnected_.program)
    connect_procedures(*unconnected_.program, unconnected_.bodies, *unconnected_.stand_ins, runtime_);
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
