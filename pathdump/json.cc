// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of one function.
#include "pathdump/json.h"

#include "core/kiter.h"
#include "pathdump/hot.h"
#include "pathdump/programs.h"
#include "pathdump/sequences.h"

#include <algorithm>
#include <map>

namespace pathprof {

Json count_json(uint64_t count) {
  static constexpr uint64_t kExactInDouble = uint64_t{1} << 53;
  return count > kExactInDouble ? Json(std::to_string(count)) : Json(count);
}

Json flags_json(unsigned edge_flags) {
  static const struct {
    unsigned flag;
    const char *name;
  } names[] = {{kTrue, "true"}, {kFalse, "false"}, {kFallthru, "fallthru"}, {kEh, "eh"}, {kAbnormal, "abnormal"},
               {kBack, "back"}, {kCut, "cut"}};
  Json flags = Json::array();
  for (const auto &name : names)
    if (edge_flags & name.flag)
      flags.push_back(name.name);
  return flags;
}

// The lines of each piece of a block: gcov would split it behind calls that may not return.
static Json parts_json(const Function &function, const BlockNotes &notes) {
  Json parts = Json::array({Json::array()});
  auto next_break = notes.breaks.begin();
  for (size_t i = 0; i <= notes.lines.size(); i++) {
    for (; next_break != notes.breaks.end() && *next_break == i; ++next_break)
      parts.push_back(Json::array());
    if (i < notes.lines.size() && (*function.files)[notes.lines[i].file] == function.file)
      parts.back().push_back(notes.lines[i].line);
  }
  if (notes.ends_in_call)
    parts.erase(parts.size() - 1);
  return parts;
}

// Lines of the function's own file are numbers; what is inlined or lies in another file says from
// where.
Json block_json(const Function &function, int block, const Names &names) {
  const BlockNotes &notes = function.notes.blocks[block];
  Json lines = Json::array(), inlined = Json::array();
  const Json parts = parts_json(function, notes);
  for (size_t i = 0; i < notes.lines.size(); i++) {
    const LineRef &line = notes.lines[i];
    const std::string &file = (*function.files)[line.file];
    if (file == function.file && std::find(lines.begin(), lines.end(), line.line) == lines.end())
      lines.push_back(line.line);
    if (file == function.file && line.site == 0)
      continue;
    const std::string &name = line.site ? function.notes.sites[line.site - 1].function : function.notes.name;
    inlined.push_back({{"file", names.file(file)}, {"line", line.line}, {"function", names.function(name)}});
    if (parts.size() > 1)
      inlined.back()["part"] =
          std::count_if(notes.breaks.begin(), notes.breaks.end(), [i](uint32_t at) { return at <= i; });
  }
  Json json = {{"id", block}, {"stmts", notes.statements}, {"lines", std::move(lines)}};
  if (parts.size() > 1)
    json["parts"] = parts;
  if (!inlined.empty())
    json["inlined"] = std::move(inlined);
  return json;
}

// Numbers without edges are gaps in the compiler's numbering.
static Json blocks_json(const Function &function, const Names &names) {
  const FlowGraph &graph = function.notes.graph;
  Json blocks = Json::array();
  for (int block = 0; block < graph.num_blocks(); block++)
    if (block == kEntryBlock || block == kExitBlock || !graph.succs(block).empty() || !graph.preds(block).empty())
      blocks.push_back(block_json(function, block, names));
  return blocks;
}

static Json passages_json(const Path &path) {
  Json passages = Json::array();
  for (const Passage &passage : path.passages)
    passages.push_back({{"head", passage.head}, {"blocks", passage.blocks}});
  return passages;
}

void add_context(Json &json, const Path &path) {
  if (path.context_blocks > 0)
    json["prefix_len"] = path.context_blocks;
  if (path.contexts.size() > 1)
    json["prefix_parts"] = path.contexts;
  if (!path.passages.empty())
    json["passes"] = passages_json(path);
}

// Of the last block of a path that was cut short, so many parts ran.
static void append_paths(std::string &text, const Function &function, const Decoded &decoded, bool residual) {
  auto out = std::back_inserter(text);
  for (const auto *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &executed : *paths) {
      if (is_residual(function, executed.id) != residual)
        continue;
      std::optional<Path> path = decoded.regenerate(executed.id);
      fmt::format_to(out, R"({{"id":"{}","count":{},"start":"{}","end":"{}","blocks":[{}])", executed.id,
                     dump(count_json(executed.count)), to_string(path->start), to_string(path->end),
                     fmt::join(path->blocks, ","));
      if (has_cycles(function, executed))
        fmt::format_to(out, R"(,"cycles":{})", dump(count_json(executed.cycles)));
      if (path->context_blocks > 0)
        fmt::format_to(out, R"(,"prefix_len":{})", path->context_blocks);
      if (path->contexts.size() > 1)
        fmt::format_to(out, R"(,"prefix_parts":[{}])", fmt::join(path->contexts, ","));
      if (!path->passages.empty())
        fmt::format_to(out, R"(,"passes":{})", dump(passages_json(*path)));
      if (path->end == PathEnd::Call)
        fmt::format_to(out, R"(,"parts":{})", path->call + 1);
      text += "},";
    }
  if (text.back() == ',')
    text.pop_back();
}

// Those whose paths span iterations or have context; with the heads of the loops that are collapsed in them.
static Json loops_json(const FunctionNotes &notes) {
  Json loops = Json::array();
  std::map<int, std::vector<int>> collapsed;
  if (notes.model.mode == Mode::KIter)
    for (const CollapsedLoop &loop : collapsed_loops(notes.graph, notes.model))
      collapsed[loop.around].push_back(loop.loop.head());
  for (const LoopIterations &loop : notes.model.loops) {
    loops.push_back({{"head", loop.head}, {"k", loop.k}});
    if (collapsed.count(loop.head))
      loops.back()["collapsed"] = collapsed[loop.head];
  }
  return loops;
}

Json calls_json(const Function &function) {
  Json calls = Json::array();
  for (const CallNotes &call : function.notes.calls) {
    Json json = {{"site", calls.size()}, {"block", call.block}, {"ends_block", call.ends_block}};
    const std::string &callee = function.callees[calls.size()];
    json["callee"] = callee.empty() ? Json(nullptr) : Json(callee);
    json["kind"] = to_string(call.kind);
    if (call.cut != CallCut::None)
      json["reason"] = to_string(call.cut);
    json["line"] = call.line;
    calls.push_back(std::move(json));
  }
  return calls;
}

// All of a function but its paths.
static Json head_json(const Function &function, const Names &names) {
  const FunctionNotes &notes = function.notes;
  Json edges = Json::array();
  for (const Edge &edge : notes.graph.edges())
    edges.push_back({{"src", edge.src}, {"dst", edge.dst}, {"flags", flags_json(edge.flags)}});
  Json json = {{"name", notes.name},
               {"demangled", names.function(notes.name)},
               {"file", names.file(function.file)},
               {"line", notes.line},
               {"mode", to_string(notes.model.mode)},
               {"k", notes.model.k},
               {"numbering", to_string(notes.model.numbering)},
               {"stage", to_string(notes.stage)},
               {"termination", notes.flags & kExactTermination ? "exact" : "basic"},
               {"metric", notes.measures_cycles() ? "tsc" : "none"},
               {"num_paths", num_own_paths(function).get_str()},
               {"num_paths_uncut", notes.num_paths_uncut.get_str()},
               {"storage", storage_name(function)},
               {"cuts", notes.num_cuts()},
               {"checksum", fmt::format("{:08x}", notes.checksum())},
               {"loops", loops_json(notes)},
               {"blocks", blocks_json(function, names)},
               {"edges", std::move(edges)}};
  if (function.in_program)
    json["calls"] = calls_json(function);
  if (notes.model.mode == Mode::Preferential) {
    json["interesting_paths"] = notes.interesting.size();
    json["slots"] = notes.num_slots;
  }
  return json;
}

std::string function_text(const Function &function, const Decoded &decoded, const Names &names) {
  std::string text = dump(head_json(function, names));
  text.back() = ',';
  text += "\"paths\":[";
  append_paths(text, function, decoded, false);
  text += ']';
  if (function.notes.model.mode == Mode::Preferential) {
    text += ",\"residual\":[";
    append_paths(text, function, decoded, true);
    text += ']';
  }
  if (function.notes.model.mode == Mode::Kipf)
    append_forest(text, function);
  return text + '}';
}

// ENTRY, and EXIT where the path leaves the function, are among the blocks, as in functions' paths.
static Json step_json(const Function &function, const ProgramPath &path, size_t at) {
  std::vector<int> blocks = path.steps[at].blocks;
  bool is_last = at + 1 == path.steps.size();
  if (is_last ? path.end == PathEnd::Exit : path.steps[at + 1].from == PathStep::From::Return)
    blocks.push_back(kExitBlock);
  Json json = {{"function", function.notes.name}, {"blocks", std::move(blocks)}};
  if (goes_on_behind_call(path.steps[at]))
    json["site"] = path.steps[at].call;
  return json;
}

Json steps_json(const Profile &profile, const Program &program, const ProgramPath &path, size_t *prefix_len) {
  Json steps = Json::array();
  for (size_t i = 0; i < path.steps.size(); i++) {
    const PathStep &step = path.steps[i];
    const Function &function = profile.functions[program.functions[static_cast<size_t>(step.procedure)]];
    if (step.from == PathStep::From::Call)
      steps.push_back({{"call", function.notes.name}, {"site", step.call}});
    if (i == path.prefix_len)
      *prefix_len = steps.size();
    steps.push_back(step_json(function, path, i));
  }
  return steps;
}

static Json executed_json(const Profile &profile, const ExecutedProgramPath &executed, const ShownPath &shown) {
  const ProgramPath &path = shown.path();
  size_t prefix_len = 0;
  Json steps = steps_json(profile, shown.program(), path, &prefix_len);
  return {{"id", digits(executed.id)},      {"count", count_json(executed.count)},
          {"start", to_string(path.start)}, {"end", to_string(path.end)},
          {"prefix_len", prefix_len},       {"steps", std::move(steps)}};
}

std::string program_text(const Profile &profile, size_t index, const Names &names) {
  const Program &program = profile.programs[index];
  std::string text = dump(Json{{"mode", to_string(program.mode)},
                               {"unit", unit_of(profile, program, names)},
                               {"num_paths", program.num_paths.get_str()},
                               {"bits", program.num_bits()},
                               {"cut_sites", program.num_cut_calls()}});
  text.back() = ',';
  text += "\"paths\":[";
  const char *separator = "";
  for (const ExecutedProgramPath &executed : program.paths) {
    ShownPath path(profile, index, executed.id);
    if (!path.is_selected(names))
      continue;
    text += separator + dump(executed_json(profile, executed, path));
    separator = ",\n    ";
  }
  return text + "]}";
}

Json left_out_json(const Function &function) {
  return {{"name", function.notes.name}, {"reason", why_left_out(function)}};
}

std::string dump(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dump_indented(const Json &json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

} // namespace pathprof
