// SPDX-License-Identifier: GPL-3.0-or-later
// Executed paths as call stacks with weights, for viewers of flame graphs.

#include <algorithm>

#include "pathdump/export/exports.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/programs.h"
#include "pathdump/model/trail.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Frame {
  std::string name, file;
  uint32_t line;
};

// Outermost first; the last one is the path itself.
struct Stack {
  std::vector<Frame> frames;
  Weight weight;
};

Frame frame_of(const Function &function, const Names &names) {
  return {names.full(function.notes.name), names.file(function.file), function.notes.line};
}

Frame path_frame(WideNumber id, const std::string &trail, const Function &function, const Names &names) {
  return {fmt::format("{} [path {}]", trail, id), names.file(function.file), function.notes.line};
}

void add_function(const Function &function, size_t index, const Decoded &decoded, const Names &names,
                  std::vector<Stack> &stacks) {
  for_each_path(function, index, decoded, false, [&](const HotPath &hot) {
    std::string trail = trail_text(function, *decoded.regenerate(hot.id), names);
    stacks.push_back({{frame_of(function, names), path_frame(hot.id, trail, function, names)}, hot.weight});
  });
}

// The procedures that are open at the path's end.
void add_program(const Profile &profile, size_t index, const Names &names, std::vector<Stack> &stacks) {
  Wording lines(names, nullptr, Wording::Form::Lines);
  for_each_path(profile, index, [&](const HotPath &hot, const ShownPath &path) {
    if (!path.is_selected(names))
      return;
    Stack stack = {{}, hot.weight};
    for (size_t step : open_steps(path.path(), path.path().steps.size() - 1))
      stack.frames.push_back(frame_of(path.function_of(step), names));
    stack.frames.push_back(path_frame(hot.id, path.text(lines), path.first_function(), names));
    stacks.push_back(std::move(stack));
  });
}

// Of paths with executed statements, as others have no width.
std::vector<Stack> stacks_of(const Profile &profile, const std::string &file, const Names &names) {
  std::vector<Stack> stacks;
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (!is_left_out(function) && !function.in_program && names.selects(function))
      add_function(function, i, *decode_or_fail(file, function), names, stacks);
  }
  for (size_t i = 0; i < profile.programs.size(); i++)
    add_program(profile, i, names, stacks);
  stacks.erase(std::remove_if(stacks.begin(), stacks.end(), [](const Stack &stack) { return stack.weight == 0; }),
               stacks.end());
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
  std::map<std::string, size_t> place_of;
  double total = 0;
  for (const Stack &stack : stacks_of(profile, file, names)) {
    Json sample = Json::array();
    for (const Frame &frame : stack.frames) {
      auto [at, is_new] = place_of.try_emplace(frame.name + '\0' + frame.file, frames.size());
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
