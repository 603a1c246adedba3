// SPDX-License-Identifier: GPL-3.0-or-later
// Converts blocks, edges, calls and steps to JSON.
#include "pathdump/describe/flow_json.h"

#include <algorithm>
#include <utility>

namespace pathprof {

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

// Returns the lines of each piece of a block. As in gcov, the calls that might not return divide a block into pieces.
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

// Lines in the function's own file are listed by number. Inlined lines and lines in other files are listed as objects
// that state their origin. In generated functions, "written" lists the positions with code that the user wrote.
Json block_json(const Function &function, int block, const Names &names) {
  const BlockNotes &notes = function.notes.blocks[block];
  Json lines = Json::array(), inlined = Json::array(), written = Json::array();
  const Json parts = parts_json(function, notes);
  auto part_of = [&](size_t i) {
    return std::count_if(notes.breaks.begin(), notes.breaks.end(), [i](uint32_t at) { return at <= i; });
  };
  for (uint32_t i : notes.written) {
    const LineRef &line = notes.lines[i];
    written.push_back({{"file", names.file((*function.files)[line.file])}, {"line", line.line}, {"part", part_of(i)}});
  }
  for (size_t i = 0; i < notes.lines.size(); i++) {
    const LineRef &line = notes.lines[i];
    const std::string &file = (*function.files)[line.file];
    if (file == function.file && std::find(lines.begin(), lines.end(), line.line) == lines.end())
      lines.push_back(line.line);
    if (file == function.file && line.site == 0)
      continue;
    const std::string &name = line.site ? function.notes.sites[line.site - 1].function : function.notes.name;
    inlined.push_back({{"file", names.file(file)}, {"line", line.line}, {"function", names.full(name)}});
    if (parts.size() > 1)
      inlined.back()["part"] = part_of(i);
  }
  Json json = {{"id", block}, {"stmts", notes.statements}, {"lines", std::move(lines)}};
  if (parts.size() > 1)
    json["parts"] = parts;
  if (!inlined.empty())
    json["inlined"] = std::move(inlined);
  if (!written.empty())
    json["written"] = std::move(written);
  return json;
}

Json passages_json(const Path &path) {
  Json loop_visits = Json::array();
  for (const CollapsedLoopVisit &visit : path.loop_visits)
    loop_visits.push_back({{"head", visit.head}, {"blocks", visit.blocks}});
  return loop_visits;
}

void add_context(Json &json, const Path &path) {
  if (path.context_blocks > 0)
    json["prefix_len"] = path.context_blocks;
  if (path.contexts.size() > 1)
    json["prefix_parts"] = path.contexts;
  if (!path.loop_visits.empty())
    json["passes"] = passages_json(path);
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

// Returns a step of an interprocedural path as JSON. The list of blocks ends with EXIT if the path leaves the function
// in this step.
static Json step_json(const Function &function, const InterproceduralPath &path, size_t at) {
  std::vector<int> blocks = path.steps[at].blocks;
  bool is_last = at + 1 == path.steps.size();
  if (is_last ? path.end == PathEnd::Exit : path.steps[at + 1].from == PathStep::From::Return)
    blocks.push_back(kExitBlock);
  Json json = {{"function", function.notes.name}, {"blocks", std::move(blocks)}};
  if (goes_on_behind_call(path.steps[at]))
    json["site"] = path.steps[at].call;
  return json;
}

Json steps_json(const Profile &profile, const InterproceduralUnit &program, const InterproceduralPath &path,
                size_t *prefix_len) {
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

} // namespace pathprof
