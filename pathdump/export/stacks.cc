// SPDX-License-Identifier: GPL-3.0-or-later
// Exports executed paths as weighted call stacks for flame graph viewers.

#include <algorithm>
#include <iostream>

#include "pathdump/export/exports.h"
#include "pathdump/model/callers.h"
#include "pathdump/model/hot.h"
#include "pathdump/coverage/unique_names.h"
#include "pathdump/model/work.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Frame {
  std::string name, file;
  uint32_t line;
};

// A stack of frames, outermost first. The last frame is the path itself.
struct Stack {
  std::vector<Frame> frames;
  Weight weight;
};

// Creates frames with unique names, because viewers combine frames with the same name.
class Frames {
public:
  Frames(const Profile &profile, const Names &names) : names_(names) {
    for (const Function &function : profile.functions)
      unique_names_.add(names.full(function.notes.name), names.file(function.file), function.notes.line);
  }

  Frame of(const Function &function) const {
    std::string file = names_.file(function.file);
    uint32_t line = function.notes.line;
    return {unique_names_.anywhere(names_.full(function.notes.name), file, line), file, line};
  }

private:
  const Names &names_;
  UniqueNames unique_names_;
};

Frame path_frame(WideNumber id, const std::string &line_sequence, const Function &function, const Names &names) {
  return {fmt::format("{} [path {}]", line_sequence, id), names.file(function.file), function.notes.line};
}

// Returns the stack of each executed path: the functions that are active at the end of the path, and the path itself.
std::vector<Stack> stacks_of(const Profile &profile, const std::string &file, const Names &names) {
  std::vector<Stack> stacks;
  Callers callers(profile, file);
  Frames frames(profile, names);
  std::set<const Function *> outermost = for_each_work(profile, file, names, callers, [&](const PathWork &work) {
    if (work.hot.weight == 0) // a frame without weight would be invisible
      return;
    Stack stack = {{}, work.hot.weight};
    for (const OpenCall &call : work.parts.back().callers)
      stack.frames.push_back(frames.of(*call.function));
    stack.frames.push_back(frames.of(*work.parts.back().function));
    stack.frames.push_back(path_frame(work.hot.id, work.lines, *work.parts.front().function, names));
    stacks.push_back(std::move(stack));
  });
  std::string unknown = callers.text_of_unknown(outermost, names);
  if (!unknown.empty())
    std::cerr << program_name << ": note: " << unknown << '\n';
  return stacks;
}

} // namespace

void export_collapsed(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  for (const Stack &stack : stacks_of(profile, file, names)) {
    std::string line;
    for (const Frame &frame : stack.frames) {
      std::string name = frame.name;
      std::replace(name.begin(), name.end(), ';', ',');
      line += (line.empty() ? "" : ";") + name;
    }
    out.print("{} {}\n", line, digits(stack.weight));
  }
}

void export_speedscope(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  Json frames = Json::array(), samples = Json::array(), weights = Json::array();
  std::map<std::string, size_t> index_of;
  double total = 0;
  for (const Stack &stack : stacks_of(profile, file, names)) {
    Json sample = Json::array();
    for (const Frame &frame : stack.frames) {
      auto [at, is_new] = index_of.try_emplace(frame.name + '\0' + frame.file, frames.size());
      if (is_new)
        frames.push_back({{"name", frame.name}, {"file", frame.file}, {"line", frame.line}});
      sample.push_back(at->second);
    }
    samples.push_back(std::move(sample));
    weights.push_back(static_cast<double>(stack.weight));
    total += static_cast<double>(stack.weight);
  }
  std::string name = title_of(profile, file);
  Json sampled = {{"type", "sampled"},
                  {"name", name + ": executed statements by path"},
                  {"unit", "none"},
                  {"startValue", 0},
                  {"endValue", total},
                  {"samples", std::move(samples)},
                  {"weights", std::move(weights)}};
  out.print("{}\n", dump({{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                          {"name", name},
                          {"exporter", "pathdump " PACKAGE_VERSION},
                          {"shared", {{"frames", std::move(frames)}}},
                          {"profiles", Json::array({std::move(sampled)})}}));
}

} // namespace pathprof
