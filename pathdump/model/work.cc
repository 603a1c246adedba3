// SPDX-License-Identifier: GPL-3.0-or-later
// Divides the statements of executed paths among lines.
#include "pathdump/model/work.h"

#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

namespace {

// Distributes the statements of a block evenly over its positions, because the notes do not contain the position of
// each statement. Any remainder is added to the first positions.
void add_block(const Function &function, int block, std::vector<LineWork> &work) {
  const BlockNotes &notes = function.notes.blocks[static_cast<size_t>(block)];
  std::vector<LineRef> places;
  for (const LineRef &line : notes.lines)
    if (line.line)
      places.push_back(line);
  if (places.empty())
    places.push_back({function.notes.file, function.notes.line, 0});
  for (size_t i = 0; i < places.size(); i++)
    if (uint64_t part = notes.statements / places.size() + (i < notes.statements % places.size()))
      work.push_back({places[i], part});
}

// Returns the lines of the blocks, starting with the block at index `first`.
std::vector<LineWork> lines_of(const Function &function, const std::vector<int> &blocks, size_t first) {
  std::vector<LineWork> work;
  for (size_t i = first; i < blocks.size(); i++)
    if (blocks[i] != kEntryBlock && blocks[i] != kExitBlock)
      add_block(function, blocks[i], work);
  if (work.empty())
    work.push_back({{function.notes.file, function.notes.line, 0}, 0});
  return work;
}

// The active functions, outermost first, and the line of the call that started each function.
struct Open {
  std::vector<const Function *> functions;
  std::vector<uint32_t> lines; // line of the call that started each function; 0 if unknown

  void go_to(const ShownPath &path, size_t at) {
    const PathStep &step = path.path().steps[at];
    if (step.from == PathStep::From::Restart)
      return;
    if (step.from == PathStep::From::Return) {
      functions.pop_back();
      lines.pop_back();
      if (!functions.empty())
        return;
    }
    bool is_call = step.from == PathStep::From::Call;
    functions.push_back(&path.function_of(at));
    lines.push_back(is_call ? path.function_of(at - 1).notes.calls[static_cast<size_t>(step.call)].line : 0);
  }
};

std::vector<ActivationWork> parts_of(const ShownPath &path, const Callers &callers) {
  std::vector<ActivationWork> parts;
  const InterproceduralPath &steps = path.path();
  Open open;
  for (size_t at = 0; at < steps.steps.size(); at++) {
    open.go_to(path, at);
    if (at < steps.prefix_len)
      continue;
    ActivationWork part;
    part.function = open.functions.back();
    part.callers = callers.of(*open.functions.front());
    for (size_t i = 0; i + 1 < open.functions.size(); i++)
      part.callers.push_back({open.functions[i], open.lines[i + 1]});
    Path piece = piece_of(path.interprocedural_unit(), steps, at);
    part.is_called = piece.blocks.front() == kEntryBlock;
    part.lines = lines_of(*part.function, piece.blocks, goes_on_behind_call(steps.steps[at]));
    parts.push_back(std::move(part));
  }
  return parts;
}

} // namespace

std::set<const Function *> for_each_work(const Profile &profile, const std::string &file, const Names &names,
                                         const Callers &callers, const std::function<void(const PathWork &)> &see) {
  std::set<const Function *> outermost;
  auto tell = [&](const PathWork &work) {
    for (const ActivationWork &part : work.parts)
      outermost.insert(part.callers.empty() ? part.function : part.callers.front().function);
    see(work);
  };
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (is_left_out(function) || function.in_program || !names.selects(function))
      continue;
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    std::vector<OpenCall> open = callers.of(function);
    for_each_path(function, i, *decoded, false, [&](const HotPath &hot) {
      Path path = *decoded->regenerate(static_cast<uint64_t>(hot.id));
      tell({hot,
            to_string(function.notes.model.mode),
            line_sequence_text(function, path, names),
            {{open, &function, path.begins_activation(), lines_of(function, path.blocks, path.context_blocks)}}});
    });
  }
  PathFormatter by_lines(names, nullptr, PathFormatter::Form::Lines);
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++)
    for_each_path(profile, i, [&](const HotPath &hot, const ShownPath &path) {
      if (path.is_selected(names))
        tell({hot, to_string(path.interprocedural_unit().mode), path.text(by_lines), parts_of(path, callers)});
    });
  return outermost;
}

} // namespace pathprof
