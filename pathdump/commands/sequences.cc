// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the hot sequences of paths of a profile that was collected with mode=kipf.
#include "pathdump/commands/sequences.h"

#include <algorithm>
#include <map>
#include <memory>

#include "pathdump/model/basis.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/model/sequences.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

// Returns true if any activation of the function executed more than one path.
bool has_sequences(const Function &function) {
  return std::any_of(function.forest.begin(), function.forest.end(),
                     [](const ForestNode &node) { return node.depth > 1; });
}

class SequenceReport {
public:
  SequenceReport(const Profile &profile, const std::string &file, const Names &names, const SequenceOptions &options)
      : view_(profile, file, names, options.lines ? PathFormatter::Form::Lines : PathFormatter::Form::Decisions),
        options_(options) {
    bool any_forest = false;
    for (const Function &function : profile.functions) {
      if (is_left_out(function))
        continue;
      std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
      total_ += totals_of(function, *decoded).statements;
      any_forest |= function.notes.has_forest();
      num_with_sequences_ += has_sequences(function);
      if (function.is_pruned)
        pruned_.push_back(fmt::format("{} ({})", names.function(function.notes.name),
                                      plural(broken_sequences(function, *decoded), "time")));
    }
    if (!any_forest)
      throw Failure(kWrongUse, fmt::format("report: {} contains no sequences of paths; compile with mode=kipf", file));
    sequences_ = hot_sequences(profile, file, names, options.limit);
    auto below = std::find_if(sequences_.begin(), sequences_.end(),
                              [&](const Sequence &sequence) { return share_of(sequence) < options.threshold; });
    sequences_.erase(below, sequences_.end());
  }

  void print_table(Output &out) {
    out.print("{}: {}, sequences of paths in {}, ranked by executed statements\n",
              paint(out, Colour::Heading, title_of(view_.profile, view_.file)), plural(view_.profile.runs, "run"),
              plural(num_with_sequences_, "function"));
    print_counted(view_.profile, view_.names, out);
    print_remark(
        fmt::format(
            "Shares refer to all {} executed statements; because sequences overlap, shares need not add up to 100%",
            digits(total_)),
        out);
    for (const std::string &name : pruned_)
      out.print("Sequences of {} were truncated because the forest was full; increase PATHPROF_FOREST_MAX\n", name);
    out.write("\n");
    Table table({{"rank", true},
                 {"share", true, Colour::Hot},
                 {"count", true},
                 {"length", true},
                 {"function", false, Colour::Name, 40},
                 {"ids"}});
    uint64_t rank = 0;
    for (const Sequence &sequence : sequences_)
      table.add({std::to_string(++rank), fmt::format("{:.2f}%", share_of(sequence)), std::to_string(sequence.count),
                 std::to_string(sequence.paths.size()), view_.names.function(function_of(sequence).notes.name),
                 ids_text(sequence)},
                steps_text(out, sequence));
    print_doubts(out, view_.sources);
    if (sequences_.empty())
      out.write("No activation of the selected functions executed more than one path.\n");
    else
      table.print(out);
    view_.formatter.print_legend(out);
    view_.sources.warn();
  }

  void print_json(Output &out) {
    Json sequences = Json::array();
    for (const Sequence &sequence : sequences_)
      sequences.push_back(json_of(sequence, sequences.size() + 1));
    Json json = {{"program", view_.profile.program},
                 {"runs", count_json(view_.profile.runs)},
                 {"functions_with_sequences", num_with_sequences_},
                 {"pruned", pruned_.size()},
                 {"sequences", std::move(sequences)}};
    out.print("{}\n", dump_indented(json));
  }

private:
  const Function &function_of(const Sequence &sequence) const { return view_.profile.functions[sequence.function]; }

  const Decoded &decoded_of(const Sequence &sequence) {
    std::unique_ptr<Decoded> &decoded = decoded_[sequence.function];
    if (!decoded)
      decoded = decode_or_fail(view_.file, function_of(sequence));
    return *decoded;
  }

  double share_of(const Sequence &sequence) const {
    return per_cent(static_cast<double>(sequence.weight), static_cast<double>(total_));
  }

  // Describes a sequence with one line per path.  Each line shows where the path starts and ends, and its decisions or
  // source lines.
  std::string steps_text(const Output &out, const Sequence &sequence) {
    std::string text;
    size_t number = 1;
    for (const SequenceStep &step : steps_of(sequence)) {
      Path path = *decoded_of(sequence).regenerate(step.path);
      std::string numbers =
          step.times > 1 ? fmt::format("{}-{}", number, number + step.times - 1) : std::to_string(number);
      text += fmt::format("{:>8}. {} {} → {}: {}\n", numbers, paint(out, Colour::Faint, fmt::format("[{}]", step.path)),
                          to_string(path.start), to_string(path.end),
                          paint(out, Colour::Place, view_.formatter.text(function_of(sequence), path)));
      view_.formatter.note(function_of(sequence), path);
      if (options_.lines)
        text += source_text(out, view_.sources, function_of(sequence), line_sequence_of(function_of(sequence), path));
      number += step.times;
    }
    return text;
  }

  Json json_of(const Sequence &sequence, uint64_t rank) {
    const Function &function = function_of(sequence);
    Json paths = Json::array();
    for (uint64_t id : sequence.paths) {
      Path path = *decoded_of(sequence).regenerate(id);
      paths.push_back({{"id", std::to_string(id)},
                       {"start", to_string(path.start)},
                       {"end", to_string(path.end)},
                       {"lines", line_sequence_text(function, path, view_.names)},
                       {"decisions", view_.formatter.json(function, path)}});
    }
    return {{"rank", rank},
            {"share", share_of(sequence)},
            {"count", count_json(sequence.count)},
            {"length", sequence.paths.size()},
            {"period", sequence.period},
            {"function", function.notes.name},
            {"demangled", view_.names.full(function.notes.name)},
            {"file", view_.names.file(function.file)},
            {"line", function.notes.line},
            {"paths", std::move(paths)}};
  }

  ProfileView view_;
  const SequenceOptions &options_;
  Weight total_ = 0;
  uint64_t num_with_sequences_ = 0; // number of functions that have sequences
  std::vector<std::string> pruned_;
  std::vector<Sequence> sequences_;
  std::map<size_t, std::unique_ptr<Decoded>> decoded_;
};

} // namespace

void print_sequences(const Profile &profile, const std::string &file, const Names &names,
                     const SequenceOptions &options, Output &out) {
  SequenceReport report(profile, file, names, options);
  options.json ? report.print_json(out) : report.print_table(out);
}

} // namespace pathprof
