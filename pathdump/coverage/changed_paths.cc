// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump coverage --changed-since`.  A block with a changed line is changed code.  The report lists the
// unexecuted paths through changed blocks, unexecuted changed lines, and branch outcomes on changed lines that were not
// taken.
#include "pathdump/coverage/changed_paths.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include "core/analysis/path_filter.h"
#include "core/analysis/unexecuted.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/annotations.h"
#include "pathdump/model/basis.h"
#include "pathdump/coverage/changed_code.h"
#include "pathdump/coverage/covered.h"
#include "pathdump/coverage/markers.h"
#include "pathdump/coverage/print_summary.h"
#include "pathdump/coverage/summary.h"
#include "pathdump/coverage/thresholds.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/lines.h"
#include "pathdump/model/matching.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"
#include "pathdump/describe/decisions.h"
#include "profile/model/combine.h"

namespace pathprof {

namespace {

// An unexecuted path through changed code.
struct Missing {
  uint64_t id = 0;
  std::optional<UnexecutedPath> nearest;  // nearest executed path; empty if the function was not executed
  std::pair<std::string, uint32_t> place; // file and line of the last changed line on the path
};

// An untaken outcome of an executed branch on a changed line.
struct Outcome {
  std::string place, outcome; // for example "12" and "F"
  uint32_t line = 0;
};

struct ChangedFunction {
  size_t index = 0;
  uint64_t executed = 0, all = 0;                      // numbers of paths through changed blocks
  std::vector<Missing> missing;                        // unexecuted paths that were found
  std::vector<std::pair<std::string, uint32_t>> lines; // file and line of unexecuted changed lines
  size_t num_lines = 0;                                // number of changed lines with code
  std::vector<Outcome> outcomes;                       // outcomes of executed branches that were not taken

  bool is_covered() const { return executed == all && lines.empty() && outcomes.empty(); }
};

class Changes {
public:
  Changes(Profile profile, const std::string &file, const ChangedOptions &changed, const CommonOptions &options)
      : profile_(std::move(profile)), changed_(changed), options_(options), names_(options, {&profile_}),
        view_(profile_, file, names_, options), markers_(view_.sources), code_(changed.revision) {
    code_.add_statements(view_.profile, view_.names);
    add_totals();
    for (size_t i = 0; i < view_.profile.functions.size(); i++) {
      const Function &function = view_.profile.functions[i];
      if (is_left_out(function) || function.in_program || !view_.names.selects(function))
        continue;
      Blocks blocks = {changed_blocks(function), excluded_blocks(function)};
      if (std::count(blocks.changed.begin(), blocks.changed.end(), 1))
        look_at(i, blocks);
    }
  }

  double share() const { return all_ ? per_cent(static_cast<double>(executed_), static_cast<double>(all_)) : 100; }

  ExitStatus print() {
    Output out(options_);
    if (!changed_.annotate.empty())
      print_annotations(annotations(), changed_.annotate == "gitlab", out);
    else if (options_.json)
      out.print("{}\n", dump_indented(json()));
    else
      print_text(out);
    out.commit();
    code_.ask_for(view_.sources, view_.profile, view_.names);
    view_.sources.warn();
    markers_.warn();
    code_.warn_of_unknown_files(view_.file);
    std::vector<std::string> missed = missed_thresholds_of_changes(totals_, changed_.line, changed_.branch);
    if (all_ > 0)
      if (std::string text =
              missed_threshold("paths through changed code", {executed_, mpz_class(all_), 0}, changed_.least);
          !text.empty())
        missed.push_back(std::move(text));
    for (const std::string &text : missed)
      std::cerr << program_name << ": coverage: " << text << "\n";
    return status_of_selection(options_, view_.names, view_.profile, view_.file, missed.empty() ? kGood : kMissed);
  }

private:
  const Function &function_of(const ChangedFunction &changed) const { return view_.profile.functions[changed.index]; }

  bool is_changed(const Function &function, const LineRef &at) const {
    const ChangedLines *lines = code_.of(*function.sources, at.file, view_.names);
    return at.line && lines && lines->has(at.line);
  }

  // Counts the changed lines and the branch outcomes on them. A line that belongs to several functions, such as
  // variants of one function, is counted once.
  void add_totals() {
    std::set<std::pair<std::string, uint32_t>> changed;
    for (const Function &function : view_.profile.functions)
      for (const BlockNotes &block : function.notes.blocks)
        for (const LineRef &at : block.lines)
          if (is_changed(function, at))
            changed.emplace(view_.names.file((*function.files)[at.file]), at.line);
    CoverageOptions options;
    options.prints_warnings = false;
    for (const auto &[name, file] : covered_files(view_.profile, view_.file, view_.names, options)) {
      for (const auto &[line, count] : file.lines)
        if (changed.count({name, line}))
          totals_.lines.add({count > 0, 1});
      for (const auto &[line, branches] : file.branches)
        if (changed.count({name, line}))
          totals_.branches.add({num_edges_taken(branches), num_edges(branches)});
    }
  }

  // Returns, for each block of the function, 1 if markers exclude a line of the block.
  std::vector<char> excluded_blocks(const Function &function) {
    std::vector<char> blocks;
    for (const BlockNotes &block : function.notes.blocks)
      blocks.push_back(std::any_of(block.lines.begin(), block.lines.end(), [&](const LineRef &at) {
        return at.line && markers_.of(function, at.file).has_line(at.line);
      }));
    return blocks;
  }

  std::vector<char> changed_blocks(const Function &function) const {
    std::vector<char> blocks;
    for (const BlockNotes &block : function.notes.blocks)
      blocks.push_back(std::any_of(block.lines.begin(), block.lines.end(),
                                   [&](const LineRef &at) { return is_changed(function, at); }));
    return blocks;
  }

  static bool passes(const Path &path, const std::vector<char> &blocks) {
    return std::any_of(path.blocks.begin(), path.blocks.end(),
                       [&](int block) { return blocks[static_cast<size_t>(block)] != 0; });
  }

  // The changed blocks of a function, and the blocks that markers exclude.
  struct Blocks {
    std::vector<char> changed, excluded;

    // Returns true if the path goes through changed code and not through excluded code.
    bool select(const Path &path) const { return passes(path, changed) && !passes(path, excluded); }
  };

  // Returns the number of paths that `blocks` selects.
  static uint64_t num_selected(const Function &function, const Decoded &decoded, const Blocks &blocks) {
    const FlowGraph &graph = function.notes.graph;
    auto num_outside = [&](const std::vector<char> &avoided) {
      PathFilter filter(graph, avoided, std::vector<char>(static_cast<size_t>(graph.num_edges())));
      return filter.num_paths(decoded.graph);
    };
    std::vector<char> either = blocks.changed;
    for (size_t i = 0; i < either.size(); i++)
      either[i] |= blocks.excluded[i];
    return num_outside(blocks.excluded) - num_outside(either);
  }

  void look_at(size_t index, const Blocks &blocks) {
    const Function &function = view_.profile.functions[index];
    const Decoded &decoded = view_.decoder.decoded(index);
    ChangedFunction changed;
    changed.index = index;
    changed.all = num_selected(function, decoded, blocks);
    std::vector<std::pair<uint64_t, uint64_t>> executed;
    for (const ExecutedPath &path : function.paths)
      if (path.count > 0) {
        executed.emplace_back(path.id, path.count);
        changed.executed += blocks.select(*decoded.regenerate(path.id));
      }
    find_missing(changed, decoded, blocks, executed);
    find_lines(changed, decoded);
    find_outcomes(changed, decoded);
    executed_ += changed.executed;
    all_ += changed.all;
    functions_.push_back(std::move(changed));
  }

  // Finds unexecuted paths that `blocks` selects.  Examines the unexecuted paths that are nearest to executed
  // paths or, if the function was not executed, the paths with the lowest IDs.
  void find_missing(ChangedFunction &changed, const Decoded &decoded, const Blocks &blocks,
                    const std::vector<std::pair<uint64_t, uint64_t>> &executed) const {
    static constexpr size_t kMost = 5000; // maximum number of paths to examine
    uint64_t effort = 10'000'000;
    if (changed.executed == changed.all)
      return;
    auto add = [&](uint64_t id, std::optional<UnexecutedPath> nearest) {
      Path path = *decoded.regenerate(id);
      if (blocks.select(path))
        changed.missing.push_back({id, nearest, last_changed(function_of(changed), path)});
    };
    if (executed.empty())
      for (uint64_t id = 0; id < std::min<uint64_t>(decoded.numbering.num_paths(), kMost); id++)
        add(id, std::nullopt);
    else
      for (const UnexecutedPath &path :
           nearest_unexecuted(decoded.graph, decoded.numbering, executed, kMost, effort).paths)
        add(path.id, path);
  }

  std::pair<std::string, uint32_t> last_changed(const Function &function, const Path &path) const {
    for (auto block = path.blocks.rbegin(); block != path.blocks.rend(); ++block) {
      const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(*block)].lines;
      for (auto at = lines.rbegin(); at != lines.rend(); ++at)
        if (is_changed(function, *at))
          return {view_.names.file((*function.files)[at->file]), at->line};
    }
    return {view_.names.file(function.file), function.notes.line};
  }

  void find_lines(ChangedFunction &changed, const Decoded &decoded) {
    const Function &function = function_of(changed);
    for (const auto &[place, count] : count_lines(function, decoded)) {
      if (!is_changed(function, {place.first, place.second, 0}) ||
          markers_.of(function, place.first).has_line(place.second))
        continue;
      changed.num_lines++;
      if (count.count() == 0)
        changed.lines.push_back({view_.names.file((*function.files)[place.first]), place.second});
    }
  }

  void find_outcomes(ChangedFunction &changed, const Decoded &decoded) {
    const Function &function = function_of(changed);
    const Branches &branches = view_.formatter.branches(function);
    const FlowGraph &graph = function.notes.graph;
    std::vector<uint64_t> counts = count_edges(function, decoded);
    for (int block = 0; block < graph.num_blocks(); block++) {
      const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
      if (!branches.decides(block) || lines.empty() || !is_changed(function, lines.back()) ||
          markers_.of(function, lines.back().file).has_branches(lines.back().line))
        continue;
      bool has_run = std::any_of(graph.succs(block).begin(), graph.succs(block).end(),
                                 [&](int edge) { return counts[static_cast<size_t>(edge)] > 0; });
      for (int edge : graph.succs(block))
        if (has_run && counts[static_cast<size_t>(edge)] == 0 && !branches.outcome(edge).empty())
          changed.outcomes.push_back({branches.place(block).text(), branches.outcome(edge), lines.back().line});
    }
  }

  // ---- text ----

  void print_text(Output &out) {
    out.print("{}: {} since {}, {} of {} through changed lines executed ({:.2f}%)\n",
              title_of(view_.profile, view_.file),
              functions_.size() == 1 ? "1 function changed" : fmt::format("{} functions changed", functions_.size()),
              changed_.revision, executed_, all_ == 1 ? "1 path" : fmt::format("{} paths", all_), share());
    if (!totals_.lines.is_empty())
      out.print("changed lines: {} ({}) executed{}\n", share_text(totals_.lines), count_text(totals_.lines),
                totals_.branches.is_empty() ? ""
                                            : fmt::format("; branch outcomes on these lines: {} ({}) taken",
                                                          share_text(totals_.branches), count_text(totals_.branches)));
    print_counted(view_.profile, view_.names, out);
    if (std::string note = code_.note_on_lines_without_code(); !note.empty())
      out.print("{}\n", note);
    if (functions_.empty())
      return;
    out.write("\n");
    print_table(out);
    for (const ChangedFunction &changed : functions_)
      if (!changed.is_covered())
        print_function(changed, out);
    view_.formatter.print_legend(out);
  }

  void print_table(Output &out) {
    Table table({{"share", true, Colour::Hot},
                 {"executed", true},
                 {"paths", true},
                 {"lines", true},
                 {"of", false, Colour::Name, 40},
                 {"place", false, Colour::Place}});
    for (const ChangedFunction &changed : functions_) {
      const Function &function = function_of(changed);
      double share =
          changed.all ? per_cent(static_cast<double>(changed.executed), static_cast<double>(changed.all)) : 100;
      table.add({fmt::format("{:.2f}%", share), std::to_string(changed.executed), std::to_string(changed.all),
                 fmt::format("{}/{}", changed.num_lines - changed.lines.size(), changed.num_lines),
                 view_.names.function(function.notes.name), view_.names.location(function)});
    }
    table.print(out);
  }

  void print_function(const ChangedFunction &changed, Output &out) {
    static constexpr size_t kIndent = 4;
    const Function &function = function_of(changed);
    out.print("\n{} ({})\n", paint(out, Colour::Name, view_.names.function(function.notes.name)),
              view_.names.file(function.file));
    for (const auto &[file, line] : changed.lines)
      out.print("  {}:{} was never executed\n", file, line);
    for (const Outcome &outcome : changed.outcomes)
      out.print("  {}:{} was never taken\n", outcome.place, outcome.outcome);
    const Decoded &decoded = view_.decoder.decoded(changed.index);
    size_t num_shown =
        changed_.limit ? std::min<size_t>(changed_.limit, changed.missing.size()) : changed.missing.size();
    for (size_t i = 0; i < num_shown; i++) // all listed paths must be known before they are described
      view_.formatter.elements(function, *decoded.regenerate(changed.missing[i].id));
    for (size_t i = 0; i < num_shown; i++) {
      const Missing &missing = changed.missing[i];
      Path path = *decoded.regenerate(missing.id);
      view_.formatter.note(function, path);
      std::string text = fmt::format("  path {} (from {} to {}) was never executed: ", missing.id,
                                     to_string(path.start), to_string(path.end));
      out.print("{}{}\n", text,
                view_.formatter.paragraph(out, view_.formatter.elements(function, path), text.size(), kIndent));
      if (!missing.nearest)
        continue;
      Decisions decisions(function, decoded);
      auto differences = decisions.differences(decisions.of(missing.id), decisions.of(missing.nearest->nearest));
      out.print("    nearest: {}, executed {}; {}\n", missing.nearest->nearest, plural(missing.nearest->count, "time"),
                decisions.text(differences, view_.formatter));
    }
    if (uint64_t rest = changed.all - changed.executed - num_shown)
      out.print("  ... and {}\n", plural(rest, "more path"));
  }

  // ---- annotations and JSON ----

  using Place = std::pair<std::string, uint32_t>; // file and line

  // Returns one annotation for each range of unexecuted lines, for each line with unexecuted outcomes, and for each
  // line with unexecuted paths.
  std::vector<Annotation> annotations() {
    std::vector<Annotation> all;
    for (const ChangedFunction &changed : functions_) {
      annotate_lines(changed, all);
      std::map<Place, std::vector<std::string>> outcomes;
      for (const Outcome &outcome : changed.outcomes)
        outcomes[{view_.names.file(function_of(changed).file), outcome.line}].push_back(
            fmt::format("{}:{}", outcome.place, outcome.outcome));
      for (const auto &[place, texts] : outcomes)
        all.push_back(annotation_of_outcomes(place.first, place.second, "changed-branch-never-taken", texts));
      annotate_paths(changed, outcomes, all);
    }
    return all;
  }

  static void annotate_lines(const ChangedFunction &changed, std::vector<Annotation> &all) {
    for (size_t i = 0, next; i < changed.lines.size(); i = next) {
      const auto &[file, first] = changed.lines[i];
      for (next = i + 1; next < changed.lines.size(); next++)
        if (changed.lines[next] != Place(file, changed.lines[next - 1].second + 1))
          break;
      uint32_t last = changed.lines[next - 1].second;
      all.push_back({file, first, last, "changed-line-never-ran", text_of_unexecuted(first, last)});
    }
  }

  // Groups the unexecuted paths by their last changed line, and adds one annotation per group.  Omits a group if
  // another annotation already states that this line, or an outcome on this line, was not executed.
  void annotate_paths(const ChangedFunction &changed, const std::map<Place, std::vector<std::string>> &outcomes,
                      std::vector<Annotation> &all) {
    const Function &function = function_of(changed);
    std::map<Place, std::vector<const Missing *>> paths;
    for (const Missing &missing : changed.missing)
      if (!outcomes.count(missing.place) && !std::count(changed.lines.begin(), changed.lines.end(), missing.place))
        paths[missing.place].push_back(&missing);
    const char *least = changed.missing.size() < changed.all - changed.executed ? "At least " : "";
    uint64_t num_added = 0;
    for (const auto &[place, missing] : paths) {
      if (changed_.limit && num_added++ == changed_.limit)
        break;
      const std::string name = view_.names.function(function.notes.name);
      std::string example =
          view_.formatter.text(function, *view_.decoder.decoded(changed.index).regenerate(missing[0]->id));
      std::string text =
          missing.size() == 1
              ? fmt::format("Path {} of {} was never executed: {}", missing[0]->id, name, example)
              : fmt::format("{}{} paths of {} through this line were never executed, for example path {}: {}", least,
                            missing.size(), name, missing[0]->id, example);
      all.push_back({place.first, place.second, place.second, "changed-path-never-ran", text});
    }
  }

  Json json() {
    Json functions = Json::array();
    for (const ChangedFunction &changed : functions_)
      functions.push_back(function_json(changed));
    Json json = {{"functions", std::move(functions)},
                 {"counted", counted_json(view_.profile, view_.names)},
                 {"total",
                  {{"executed", count_json(executed_)},
                   {"num_paths", std::to_string(all_)},
                   {"share", share()},
                   {"lines", tally_json(totals_.lines)},
                   {"branches", tally_json(totals_.branches)}}}};
    code_.put_into(json);
    return json;
  }

  static Json tally_json(const Tally &tally) {
    return {{"covered", tally.covered}, {"total", tally.total.get_ui()}, {"share", tally.share()}};
  }

  Json function_json(const ChangedFunction &changed) {
    const Function &function = function_of(changed);
    const Decoded &decoded = view_.decoder.decoded(changed.index);
    Json lines = Json::array(), outcomes = Json::array(), paths = Json::array();
    for (const auto &[file, line] : changed.lines)
      lines.push_back({{"file", file}, {"line", line}});
    for (const Outcome &outcome : changed.outcomes)
      outcomes.push_back({{"place", outcome.place}, {"outcome", outcome.outcome}, {"line", outcome.line}});
    size_t num_shown =
        changed_.limit ? std::min<size_t>(changed_.limit, changed.missing.size()) : changed.missing.size();
    for (size_t i = 0; i < num_shown; i++) {
      const Missing &missing = changed.missing[i];
      Path path = *decoded.regenerate(missing.id);
      HotPath hot = {0, 0, std::nullopt, statements_of(function, path), changed.index, missing.id};
      paths.push_back(path_json(hot, function, path, view_.formatter));
      if (missing.nearest)
        paths.back()["nearest"] = {{"id", std::to_string(missing.nearest->nearest)},
                                   {"count", count_json(missing.nearest->count)}};
    }
    return {{"name", function.notes.name},
            {"demangled", view_.names.full(function.notes.name)},
            {"file", view_.names.file(function.file)},
            {"line", function.notes.line},
            {"executed", count_json(changed.executed)},
            {"num_paths", std::to_string(changed.all)},
            {"changed_lines", changed.num_lines},
            {"lines_never_run", std::move(lines)},
            {"outcomes_never_taken", std::move(outcomes)},
            {"paths_never_run", std::move(paths)}};
  }

  Profile profile_;
  const ChangedOptions &changed_;
  const CommonOptions &options_;
  Names names_;
  ProfileView view_;
  Markers markers_;
  ChangedCode code_;
  FileSummary totals_; // changed lines, and branch outcomes on them
  std::vector<ChangedFunction> functions_;
  uint64_t executed_ = 0, all_ = 0;
};

} // namespace

void add_earlier(Profile &profile, const Profile &earlier) {
  for (const Pair &pair : match_functions(earlier, profile, Names(CommonOptions()))) {
    if (pair.function[0] == kNoFunction || pair.function[1] == kNoFunction || pair.has_changed)
      continue;
    Function &function = profile.functions[pair.function[1]];
    const Function &before = earlier.functions[pair.function[0]];
    if (!is_left_out(function) && model_key(function) == model_key(before))
      add_counts(function, before);
  }
}

ExitStatus cover_changed_code(Profile profile, const std::string &file, const ChangedOptions &changed,
                              const CommonOptions &options) {
  decode_all_or_fail(file, profile);
  return Changes(std::move(profile), file, changed, options).print();
}

} // namespace pathprof
