// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a profile from a JSON description on standard input, so that tests of pathdump need no
// compiler:
//
//   {"program": "prog", "build": 1, "runs": 1, "forks": 0, "resets": 0, "sudden_ends": 0, "threaded": 0, "functions": [
//     {"name": "f", "unit": "a.c", "file": "a.c", "line": 1, "flags": ["calls", "visible", "single"],
//      "stage": "source", "storage": "array", "limit": 60000, "num_paths_uncut": "12", "left_out":
//      "", "sites": [{"function": "g", "file": "a.h", "line": 3, "parent": 0}], "direct_calls": [{"block": 2, "line":
//      3, "callee": "g"}], "blocks": [{"id": 2, "stmts": 3, "lines": [12, {"line": 7, "file": "a.h", "site": 1}]}],
//      "edges": [[0, 2, "fallthru"], …], "traces": [{"blocks": [0, 2, 1], "times": 5}],     activations, run through
//      the placed counters "adjust": {"0": -3}}]}                             added to the counts:
//      what no program would do; "many": {"number": 9, "step": 2}: paths 0, 2, 4 … ran as well;
//      "cycles": {"0": 700} measured on the paths; "measuring": 50, what that cost
//
// "sources": {"a.c": {"folder": "/build", "compiler": "12.2.0", "checksums": {"a.h": 305419896}}} says of units where
// and by which version of GCC they were compiled, and what their files held.
//
// Only functions, name, edges are needed.  Cuts are marked as the plugin marks them.
//
// "programs": [{"unit": "a.c", "mode": "context", "adjust": {"3": 5}, "traces": [
//   {"function": "f", "times": 2, "blocks": [0, 2, {"call": 0, "blocks": [0, 2, 1]}, 1]}]}]
// makes a program of the unit's functions.  These have "begins": true and "calls": [{"block": 2, "callee": "g", "kind":
// "whole", "cut": "limit", "ends_block": false, "line": 3, "num_lines": 1}]; without a callee a call is indirect.  In a
// trace an element that is no block is a call of the block before it, by its number in the list; "throws": true where
// an exception leaves it.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/numbering/cut.h"
#include "core/interprocedural/interprocedural.h"
#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"
#include "core/plan/placement.h"
#include "core/interprocedural/procedure_plan.h"
#include "profile/format/image.h"
#include "profile/model/notes.h"

using namespace pathprof;
using nlohmann::json;

namespace {

struct Unit {
  UnitNotes notes;
  std::map<std::string, Counts> counts; // by function
  std::map<std::string, Counts> cycles, measuring;
  Counts of_program;
};

uint32_t file_index(UnitNotes &unit, const std::string &file) {
  auto at = std::find(unit.files.begin(), unit.files.end(), file);
  if (at == unit.files.end())
    at = unit.files.insert(at, file);
  return static_cast<uint32_t>(at - unit.files.begin());
}

unsigned edge_flags(const json &edge) {
  static const std::map<std::string, unsigned> flags = {
      {"true", kTrue}, {"false", kFalse}, {"fallthru", kFallthru}, {"eh", kEh}, {"abnormal", kAbnormal}, {"cut", kCut}};
  unsigned sum = 0;
  for (size_t i = 2; i < edge.size(); i++)
    sum |= flags.at(edge[i]);
  return sum;
}

// In block order, which is the order that notes keep.
FlowGraph read_graph(const json &description) {
  int num_blocks = 2;
  std::multimap<int, json> by_source;
  for (const json &edge : description.at("edges")) {
    num_blocks = std::max({num_blocks, edge[0].get<int>() + 1, edge[1].get<int>() + 1});
    by_source.emplace(edge[0], edge);
  }
  FlowGraph graph(num_blocks);
  for (const auto &[source, edge] : by_source)
    graph.add_edge(source, edge[1], edge_flags(edge));
  return graph;
}

void read_blocks(const json &description, UnitNotes &unit, FunctionNotes &function) {
  function.blocks.resize(static_cast<size_t>(function.graph.num_blocks()));
  for (const json &block : description.value("blocks", json::array())) {
    BlockNotes &notes = function.blocks.at(block.at("id"));
    notes.statements = block.value("stmts", 0u);
    for (const json &line : block.value("lines", json::array())) {
      if (line.is_number())
        notes.lines.push_back({function.file, line, 0});
      else
        notes.lines.push_back(
            {file_index(unit, line.value("file", unit.files[function.file])), line.at("line"), line.value("site", 0u)});
    }
  }
  for (const json &call : description.value("direct_calls", json::array()))
    function.direct_calls.push_back(
        {call.at("block"), call.value("line", 0u), std::make_shared<const std::string>(call.at("callee"))});
  for (const json &site : description.value("sites", json::array()))
    function.sites.push_back(
        {site.at("function"), file_index(unit, site.at("file")), site.value("line", 0u), site.value("parent", 0u)});
}

// Cuts, number of paths and storage, as the plugin decides them.
void read_model(const json &description, FunctionNotes &function) {
  mark_cuts(function.graph);
  function.left_out = description.value("left_out", "");
  if (!function.left_out.empty())
    return;
  function.num_paths_uncut = count_paths(function.graph);
  uint64_t limit = description.value("limit", uint64_t{PATHPROF_DEFAULT_PATHS_MAX});
  if (function.num_paths_uncut > limit && cut_to_limit(function.graph, limit) < 0)
    throw std::runtime_error("the limit cannot be met");
  function.num_paths = count_paths(function.graph).get_ui();
  if (description.contains("num_paths_uncut"))
    function.num_paths_uncut = mpz_class(description["num_paths_uncut"].get<std::string>());
  function.storage = description.value("storage", "array") == "hash" ? PATHPROF_STORAGE_TABLE : PATHPROF_STORAGE_ARRAY;
}

Counts run_traces(const json &description, const FunctionNotes &function) {
  Counts counts;
  if (!function.left_out.empty())
    return counts;
  const FlowGraph &graph = function.graph;
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  std::vector<char> tree = maximum_spanning_tree(paths);
  Plan plan = place(paths, tree, chord_increments(paths, tree, numbering.vals()).of_edge);
  for (const json &run : description.value("traces", json::array())) {
    std::vector<int> trace, blocks = run.at("blocks");
    for (size_t i = 0; i + 1 < blocks.size(); i++)
      for (int e : graph.succs(blocks[i]))
        if (graph.edge(e).dst == blocks[i + 1] && trace.size() == i)
          trace.push_back(e);
    if (trace.size() + 1 != blocks.size())
      throw std::runtime_error("a trace does not follow the edges");
    Counts once;
    interpret(graph, plan, trace, once);
    for (const auto &[id, count] : once)
      counts[id] += count * run.value("times", uint64_t{1});
  }
  // A great many paths: every step-th one ran, so often as its place in this list modulo 1000.
  const json many = description.value("many", json::object());
  for (uint64_t i = 0; i < many.value("number", uint64_t{0}); i++)
    counts[static_cast<int64_t>(i * many.value("step", uint64_t{1}))] += 1 + i % 1000;
  const json adjust = description.value("adjust", json::object());
  for (const auto &[id, difference] : adjust.items())
    counts[std::stoll(id)] += static_cast<uint64_t>(difference.get<int64_t>());
  return counts;
}

void add_function(const json &description, Unit &unit) {
  FunctionNotes function;
  function.name = description.at("name");
  function.file = file_index(unit.notes, description.value("file", unit.notes.source));
  function.line = description.value("line", 1u);
  static const std::map<std::string, uint32_t> flags = {
      {"calls", kCalls}, {"visible", kExternallyVisible}, {"weak", kWeak}, {"single", kUpdateSingle}};
  for (const std::string &flag : description.value("flags", std::vector<std::string>()))
    function.flags |= flags.at(flag);
  if (description.contains("cycles"))
    function.flags |= kCycles;
  function.stage = description.value("stage", "source") == "early" ? Stage::Early : Stage::Source;
  function.graph = read_graph(description);
  read_blocks(description, unit.notes, function);
  read_model(description, function);
  unit.counts[function.name] = run_traces(description, function);
  unit.cycles[function.name] = {};
  const json cycles = description.value("cycles", json::object());
  for (const auto &[id, amount] : cycles.items())
    unit.cycles[function.name][std::stoll(id)] = amount;
  unit.measuring[function.name] = {};
  if (description.contains("measuring"))
    unit.measuring[function.name][0] = description["measuring"];
  unit.notes.functions.push_back(std::move(function));
}

// ---- programs ----

template <size_t N, typename Name>
uint32_t index_of(const std::string &word, const Name &name_of) {
  for (size_t i = 0; i < N; i++)
    if (word == name_of(i))
      return static_cast<uint32_t>(i);
  throw std::runtime_error("unknown word " + word);
}

void add_calls(const json &description, UnitNotes &unit) {
  FunctionNotes *function = nullptr;
  auto place_of = [&](const std::string &name) {
    for (size_t i = 0; i < unit.functions.size(); i++)
      if (unit.functions[i].name == name)
        return static_cast<uint32_t>(i);
    throw std::runtime_error("no function " + name);
  };
  function = &unit.functions[place_of(description.at("name"))];
  function->model.mode = unit.program->mode;
  function->storage = PATHPROF_STORAGE_NONE;
  function->flags |= description.value("begins", false) ? kBeginsPaths : 0u;
  for (const json &one : description.value("calls", json::array())) {
    CallNotes call;
    call.block = one.at("block");
    call.kind = static_cast<CallKind>(index_of<kNumCallKinds>(
        one.value("kind", "whole"), [](size_t i) { return to_string(static_cast<CallKind>(i)); }));
    call.cut = static_cast<CallCut>(
        index_of<kNumCallCuts>(one.value("cut", "whole"), [](size_t i) { return to_string(static_cast<CallCut>(i)); }));
    if (one.contains("callee"))
      call.callee = place_of(one["callee"]);
    call.ends_block = one.value("ends_block", false);
    call.line = one.value("line", 0u);
    call.num_lines = one.value("num_lines", 0u);
    function->calls.push_back(call);
  }
}

// Runs what a trace describes through the plans.
class Tracer {
public:
  explicit Tracer(const UnitNotes &unit) : unit_(unit), program_(program_of(unit)), numbering_(program_.supergraph) {
    for (size_t p = 0; p < program_.functions.size(); p++)
      plans_.push_back(plan_procedure(program_.supergraph.procedures[p], numbering_.of(static_cast<int>(p))));
  }

  const mpz_class &num_paths() const { return numbering_.num_paths(); }

  NumberCounts run(const json &trace) {
    NumberCounts counts;
    SupergraphInterpreter interpreter(numbering_, plans_, counts);
    for (size_t p = 0; p < program_.functions.size(); p++)
      if (unit_.functions[program_.functions[p]].name == trace.at("function"))
        enter(interpreter, static_cast<int>(p), nullptr, -1, trace);
    for (auto &[id, count] : counts)
      count *= trace.value("times", uint64_t{1});
    return counts;
  }

private:
  void enter(SupergraphInterpreter &interpreter, int procedure, const CallSite *site, int call, const json &trace) {
    if (site && site->kind != CallKind::SteppedOver)
      interpreter.call(call);
    if (!site || site->kind != CallKind::Traversed)
      interpreter.enter(procedure);
    walk(interpreter, procedure, trace.at("blocks"));
    if (trace.value("throws", false))
      interpreter.unwind();
    else if (trace["blocks"].back() == kExitBlock)
      interpreter.leave();
    if (site && site->kind == CallKind::Ended && !trace.value("throws", false))
      interpreter.go_on_behind(call);
  }

  void walk(SupergraphInterpreter &interpreter, int procedure, const json &blocks) {
    const Procedure &here = program_.supergraph.procedures[procedure];
    int block = -1, thrown_by = -1;
    for (const json &next : blocks) {
      if (next.is_object()) {
        int call = next.at("call");
        enter(interpreter, here.calls.at(call).callee, &here.calls[call], call, next);
        thrown_by = next.value("throws", false) ? call : -1;
        continue;
      }
      int to = next;
      if (block >= 0)
        traverse(interpreter, here, block, to, thrown_by);
      block = to;
      thrown_by = -1;
    }
    if (here.graph.succs(block).empty() && block != kExitBlock)
      interpreter.end(block);
  }

  static void traverse(SupergraphInterpreter &interpreter, const Procedure &here, int from, int to, int thrown_by) {
    for (int e : here.graph.succs(from))
      if (here.graph.edge(e).dst == to)
        return interpreter.traverse(e, thrown_by >= 0 && here.calls[thrown_by].kind != CallKind::SteppedOver);
    throw std::runtime_error("a trace does not follow the edges");
  }

  const UnitNotes &unit_;
  UnitProgram program_;
  SupergraphNumbering numbering_;
  std::vector<ProcedurePlan> plans_;
};

// After the unit's functions are there.
void add_program(const json &description, const json &functions, Unit &unit) {
  unit.notes.program.emplace();
  unit.notes.program->mode = description.value("mode", "context") == "context" ? Mode::Context : Mode::Piecewise;
  for (const json &function : functions)
    if (function.value("unit", "a.c") == unit.notes.source && function.value("left_out", "").empty())
      add_calls(function, unit.notes);
  normalise(unit.notes);
  Tracer tracer(unit.notes);
  unit.notes.program->num_paths = tracer.num_paths();
  unit.notes.program->storage = PATHPROF_STORAGE_TABLE;
  for (const json &trace : description.value("traces", json::array()))
    for (auto [id, count] : tracer.run(trace))
      unit.of_program[static_cast<int64_t>(id)] += count; // wide numbers are for programs that run
  const json adjust = description.value("adjust", json::object());
  for (const auto &[id, difference] : adjust.items())
    unit.of_program[std::stoll(id)] += static_cast<uint64_t>(difference.get<int64_t>());
}

// ---- files ----

void put_counts(pathprof_buffer *out, uint64_t index, uint64_t *previous_index, const Counts &counts) {
  uint64_t previous = UINT64_MAX, number = 0;
  for (const auto &[id, count] : counts)
    number += count != 0;
  pathprof_put_function(out, *previous_index, index, number);
  *previous_index = index;
  for (const auto &[id, count] : counts) {
    if (!count)
      continue;
    pathprof_put_path(out, previous, static_cast<uint64_t>(id), count);
    previous = static_cast<uint64_t>(id);
  }
}

void put_sums(pathprof_buffer *out, const Unit &unit, const std::map<std::string, Counts> &sums,
              const Counts &of_program) {
  uint64_t num_functions = !of_program.empty(), previous = UINT64_MAX, index = 0;
  for (const auto &[name, counts] : sums)
    num_functions += !counts.empty();
  pathprof_put_varint(out, num_functions);
  if (!of_program.empty())
    put_counts(out, 0, &previous, of_program);
  index = unit.notes.program.has_value();
  for (const FunctionNotes &function : unit.notes.functions) {
    const Counts &counts = sums.at(function.name);
    if (!counts.empty())
      put_counts(out, index, &previous, counts);
    index++;
  }
}

pathprof_text text_of(const std::string &text) {
  return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}

void add_sources(const json &description, UnitNotes &unit) {
  json sources = description.value("sources", json::object()).value(unit.source, json::object());
  json checksums = sources.value("checksums", json::object());
  unit.folder = sources.value("folder", "");
  unit.compiler = sources.value("compiler", "");
  for (const std::string &file : unit.files)
    unit.checksums.push_back(checksums.value(file, 0u));
}

void write_profile(const json &description, std::vector<Unit> &units) {
  pathprof_writer writer = {};
  std::string program = description.value("program", "prog"), build_id = "\x12\x34";
  pathprof_program header = {text_of(program),
                             description.value("runs", uint64_t{1}),
                             description.value("forks", uint64_t{0}),
                             description.value("resets", uint64_t{0}),
                             1,
                             description.value("sudden_ends", uint64_t{0})};
  pathprof_put_program(&writer.section[PATHPROF_SECTION_PROGRAM], &header);
  pathprof_module module = {text_of(program), text_of(build_id), description.value("build", uint64_t{1})};
  pathprof_put_module(&writer.section[PATHPROF_SECTION_PROGRAM], &module);
  pathprof_program_more more = {description.value("threaded", uint64_t{0}), description.value("switched", uint64_t{0})};
  pathprof_put_program_more(&writer.section[PATHPROF_SECTION_PROGRAM], &more);

  std::vector<std::vector<unsigned char>> notes;
  std::vector<std::pair<pathprof_unit_notes, const Unit *>> sorted;
  for (Unit &unit : units) {
    normalise(unit.notes);
    add_sources(description, unit.notes);
    notes.push_back(encode_notes(unit.notes));
    sorted.push_back(
        {{pathprof_unit_key({notes.back().data(), notes.back().size()}), {notes.back().data(), notes.back().size()}},
         &unit});
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const auto &a, const auto &b) { return pathprof_compare_units(&a.first, &b.first) < 0; });
  pathprof_put_varint(&writer.section[PATHPROF_SECTION_UNITS], sorted.size());
  for (const auto &[unit_notes, unit] : sorted) {
    pathprof_put_unit(&writer.section[PATHPROF_SECTION_UNITS], &unit_notes);
    put_sums(&writer.section[PATHPROF_SECTION_COUNTS], *unit, unit->counts, unit->of_program);
    put_sums(&writer.section[PATHPROF_SECTION_CYCLES], *unit, unit->cycles, {});
    for (const auto &[name, cycles] : unit->cycles)
      writer.has_cycles |= !cycles.empty();
    put_sums(&writer.section[PATHPROF_SECTION_MEASURING], *unit, unit->measuring, {});
    for (const auto &[name, cost] : unit->measuring)
      writer.has_measuring |= !cost.empty();
  }
  pathprof_buffer file = {};
  pathprof_writer_finish(&writer, &file);
  std::fwrite(file.data, 1, file.size, stdout);
  pathprof_buffer_free(&file);
}

} // namespace

int main() try {
  json description = json::parse(std::cin);
  std::map<std::string, size_t> index;
  std::vector<Unit> units;
  for (const json &function : description.at("functions")) {
    std::string source = function.value("unit", "a.c");
    if (index.emplace(source, units.size()).second) {
      units.emplace_back();
      units.back().notes.source = source;
    }
    add_function(function, units[index[source]]);
  }
  for (const json &program : description.value("programs", json::array()))
    add_program(program, description["functions"], units[index.at(program.value("unit", "a.c"))]);
  write_profile(description, units);
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << "make_profile: " << error.what() << "\n";
  return 1;
}
