// SPDX-License-Identifier: GPL-3.0-or-later
// Derives line, branch and function coverage per source file from paths.
#include "pathdump/coverage/covered.h"

#include <algorithm>
#include <iostream>
#include <set>
#include <tuple>

#include "core/numbering/saturate.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/model/families.h"
#include "pathdump/model/lines.h"
#include "pathdump/coverage/unique_names.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"

namespace pathprof {

bool CoveredBranch::has_run() const {
  return num_taken() > 0;
}

size_t CoveredBranch::num_taken() const {
  return taken.size() - static_cast<size_t>(std::count(taken.begin(), taken.end(), 0));
}

size_t CoveredDecision::num_effects() const {
  size_t sum = 0;
  for (const auto &[if_false, if_true] : shows_effect)
    sum += size_t{if_false} + size_t{if_true};
  return sum;
}

size_t CoveredFile::num_lines_run() const {
  return static_cast<size_t>(
      std::count_if(lines.begin(), lines.end(), [](const auto &line) { return line.second > 0; }));
}

size_t CoveredFile::num_functions_run() const {
  return static_cast<size_t>(std::count_if(functions.begin(), functions.end(),
                                           [](const CoveredFunction &function) { return function.calls > 0; }));
}

size_t num_edges(const std::vector<CoveredBranch> &branches) {
  size_t sum = 0;
  for (const CoveredBranch &branch : branches)
    sum += branch.taken.size();
  return sum;
}

size_t num_edges_taken(const std::vector<CoveredBranch> &branches) {
  size_t sum = 0;
  for (const CoveredBranch &branch : branches)
    sum += branch.num_taken();
  return sum;
}

size_t CoveredFile::num_edges() const {
  size_t sum = 0;
  for (const auto &[line, there] : branches)
    sum += pathprof::num_edges(there);
  return sum;
}

size_t CoveredFile::num_edges_taken() const {
  size_t sum = 0;
  for (const auto &[line, there] : branches)
    sum += pathprof::num_edges_taken(there);
  return sum;
}

namespace {

// Returns true for functions that GCC generated, such as implicit constructors. The line of a generated function
// belongs to the code from which GCC generated the function, so an execution of the function is not an execution of the
// line. Code that the user wrote or that was inlined into a generated function is counted (Code::Written). gcov omits
// generated functions entirely.
bool is_artificial(const Function &function) {
  return (function.notes.flags & kArtificial) != 0;
}

// Returns true for the functions that can contain code of another function (is_from).
bool may_be_from_another(const Function &function) {
  const std::string &name = function.notes.name;
  return is_artificial(function) &&
         (name.find("._omp_fn.") != std::string::npos || name.find(".actor") != std::string::npos);
}

// Returns true if the generated function contains code of the other function, which the user wrote. GCC moves the body
// of a coroutine to another function, which has the same line and whose name contains the name of the coroutine's
// frame. It moves the regions of OpenMP and OpenACC to functions whose names begin with the name of the original
// function.
bool is_from(const Function &generated, const Function &function) {
  const std::string &name = generated.notes.name, original = name_of_original(function.notes.name);
  if (size_t region = name.find("._omp_fn."); region != std::string::npos)
    return name.compare(0, region, original) == 0;
  return name.find(".actor") != std::string::npos && generated.notes.line == function.notes.line &&
         (name.find(original + ".Frame") != std::string::npos || name.compare(0, name.find(".actor"), original) == 0);
}

class Gatherer {
public:
  Gatherer(const Profile &profile, const std::string &file, const Names &names, const CoverageOptions &options)
      : view_(profile, file, names), options_(options), markers_(view_.sources), families_(profile, file) {}

  CoveredFiles run() {
    for (const Function &function : view_.profile.functions)
      if (!is_artificial(function) && !is_part(function.notes.name))
        num_on_line_[{function.file, function.notes.line}]++;
    find_users();
    for (const Function &function : view_.profile.functions)
      if (!is_left_out(function))
        add(function);
    for (const auto &[function, files] : lines_)
      for (const auto &[name, lines] : files)
        for (const auto &[line, count] : lines)
          saturating_add(files_[name].lines[line], count.count());
    for (auto &[name, file] : files_)
      add_functions(name, file);
    for (const auto &[name, code] : markers_.by_shown_name())
      if (auto file = files_.find(name); file != files_.end())
        add_marked(*code, file->second);
    if (!options_.only_lines && options_.prints_warnings) {
      markers_.warn();
      markers_.warn_of_sources();
      if (std::string text = text_of_missing_sources(files_); !text.empty())
        std::cerr << program_name << ": warning: " << text << "\n";
    }
    return std::move(files_);
  }

private:
  using FunctionKey = std::pair<uint32_t, std::string>; // first line and full name

  // A function of a file, and the counts of the lines in its own body.
  struct Body {
    bool is_listed = false;  // false if the function was not selected or if markers exclude it
    CoveredFunction covered; // without names, last line and lines
    std::map<uint32_t, LineCount> lines;
  };

  // Finds the functions of the user whose code is in generated functions.
  void find_users() {
    std::map<const UnitSources *, std::vector<const Function *>> written;
    for (const Function &function : view_.profile.functions)
      if (!is_artificial(function) && !is_part(function.notes.name))
        written[function.sources].push_back(&function);
    for (const Function &generated : view_.profile.functions)
      if (may_be_from_another(generated) && has_written_lines(generated))
        for (const Function *function : written[generated.sources])
          if (is_from(generated, *function))
            user_of_.emplace(&generated, function);
  }

  static bool has_written_lines(const Function &function) {
    return std::any_of(function.notes.blocks.begin(), function.notes.blocks.end(),
                       [](const BlockNotes &block) { return !block.written.empty(); });
  }

  // Returns the function of the user to which the code of a generated function belongs, or the function itself.
  const Function &written_function(const Function &function) const {
    auto user = user_of_.find(&function);
    return user == user_of_.end() ? function : *user->second;
  }

  // Returns true if the function is the body of a coroutine, and the line also belongs to the coroutine's ramp, that
  // is, the function that a caller of the coroutine calls. These are the coroutine's first and last line, at which GCC
  // places the dispatch to the suspension points.
  bool is_of_ramp(const Function &function, const Line &line) const {
    auto user = user_of_.find(&function);
    if (user == user_of_.end() || function.notes.line != user->second->notes.line)
      return false;
    const std::vector<BlockNotes> &blocks = user->second->notes.blocks;
    return std::any_of(blocks.begin(), blocks.end(), [&](const BlockNotes &block) {
      return std::any_of(block.lines.begin(), block.lines.end(), [&](const LineRef &position) {
        return !position.site && Line{position.file, position.line} == line;
      });
    });
  }

  static bool has_text(const Function &function, const BranchCount &branch) {
    const BranchNotes *notes = function.notes.branch_at(branch.block);
    return notes && notes->text.is_known();
  }

  // Adds the justified lines of a source file. If the file was compiled under several names, its lines are added once.
  static void add_marked(const MarkedCode &code, CoveredFile &file) {
    for (const JustifiedLines &marked : code.justified) {
      bool is_known = std::any_of(file.justified.begin(), file.justified.end(), [&](const JustifiedLines &known) {
        return known.lines == marked.lines && known.reason == marked.reason && known.fault == marked.fault;
      });
      if (!is_known)
        file.justified.push_back(marked);
    }
    file.lacks_source |= code.is_missing;
  }

  void add_functions(const std::string &name, CoveredFile &file) {
    std::map<FunctionKey, Body> &bodies = bodies_[name];
    std::map<uint32_t, uint32_t> last_lines; // by first line
    for (auto body = bodies.begin(); body != bodies.end();)
      body = body->second.is_listed ? std::next(body) : bodies.erase(body);
    for (const auto &[key, body] : bodies) {
      uint32_t last = body.lines.empty() ? key.first : std::max(key.first, body.lines.rbegin()->first);
      last_lines[key.first] = std::max(last_lines[key.first], last);
    }
    for (auto &[key, body] : bodies) {
      CoveredFunction &function = body.covered;
      function.name = function_names_.in_file(key.second, name, key.first);
      function.line = key.first;
      function.last_line = last_lines[key.first];
      function.ran_inlined = ran_inlined_.count({key.second, name}) != 0;
      for (const auto &[line, count] : body.lines)
        if (auto in_file = file.lines.find(line); in_file != file.lines.end())
          function.lines[line] = function.shares_line ? count.count() : in_file->second;
      file.functions.push_back(std::move(function));
    }
  }

  void add(const Function &function) {
    std::unique_ptr<Decoded> decoded = decode_or_fail(view_.file, function);
    if (!options_.only_lines && view_.names.selects(function) && !is_artificial(function) &&
        !markers_.of(function, function.notes.file).has_line(function.notes.line))
      add_calls(function, families_.calls(function, totals_of(function, *decoded).calls));
    std::map<Line, LineCount> counts = count_lines(function, *decoded, Code::Written);
    if (!options_.only_lines)
      add_body(function, counts);
    note_inlined(function, counts);
    for (const auto &[line, count] : counts)
      if (selects(function, line.first) && !is_of_ramp(function, line))
        add_line(function, line, count);
    if (options_.only_lines)
      return;
    add_branches(function, *decoded);
    if (has_conditions(function))
      add_decisions(function, *decoded);
  }

  void note_inlined(const Function &function, std::map<Line, LineCount> &counts) {
    for (const BlockNotes &block : function.notes.blocks)
      for (const LineRef &position : block.lines)
        if (position.site && counts[{position.file, position.line}].count())
          ran_inlined_.insert({view_.names.full(name_of_original(function.notes.sites[position.site - 1].function)),
                               name_of(function, position.file)});
  }

  // Adds the call count of a function. Functions with the same name and line, such as versions of a function in two
  // units, are combined.
  void add_calls(const Function &function, uint64_t calls) {
    if (&families_.head(function) != &function)
      return;
    std::string name = view_.names.full(name_of_original(function.notes.name)), file = view_.names.file(function.file);
    function_names_.add(name, file, function.notes.line);
    Body &body = body_of(function);
    body.is_listed = true;
    saturating_add(body.covered.calls, calls);
    files_[file];
  }

  // Returns the entry of the function to which the body belongs: a part belongs to the function that GCC split.
  // The code of a generated function belongs to the function from which GCC generated it.
  Body &body_of(const Function &part) {
    const Function &function = written_function(part);
    return bodies_[view_.names.file(function.file)]
                  [{function.notes.line, view_.names.full(name_of_original(function.notes.name))}];
  }

  // Adds the counts of the lines in the function's own body, that is, without inlined code and code from other files.
  void add_body(const Function &function, const std::map<Line, LineCount> &counts) {
    Body &body = body_of(function);
    body.covered.shares_line |= shares_line(function);
    if (!user_of_.count(&function))
      body.covered.bodies.push_back(&function);
    std::set<uint32_t> lines;
    for (const BlockNotes &block : function.notes.blocks)
      for (const LineRef &position : block.lines)
        if (position.line && !position.site && position.file == function.notes.file)
          lines.insert(position.line);
    for (uint32_t line : lines)
      if (auto count = counts.find({function.notes.file, line});
          count != counts.end() && !is_of_ramp(function, {function.notes.file, line}))
        body.lines[line].add(count->second);
  }

  // Returns true if another function, such as another instance of the same template, begins on the same line.
  bool shares_line(const Function &part) const {
    const Function &function = written_function(part);
    auto others = num_on_line_.find({function.file, function.notes.line});
    return others != num_on_line_.end() && others->second > 1;
  }

  // Adds the count of a line. If several functions begin on the same line, as template instances do, their counts are
  // computed separately and then summed, as in gcov. A split-off part is counted with its original function.
  void add_line(const Function &function, const Line &line, const LineCount &count) {
    std::string name = name_of(function, line.first);
    if (markers_.of(function, line.first).has_line(line.second)) {
      files_[name].excluded_lines.insert(line.second);
      return;
    }
    const Function &whole = is_part(function.notes.name) ? families_.head(function) : written_function(function);
    lines_[shares_line(function) ? &whole : nullptr][name][line.second].add(count);
  }

  void add_branches(const Function &function, const Decoded &decoded) {
    for (const BranchCount &branch : count_branches(function, decoded, Code::Written)) {
      const LineRef &position = branch.position;
      if (!position.line || !selects(function, position.file) ||
          (!has_text(function, branch) && is_of_ramp(function, {position.file, position.line})))
        continue;
      CoveredFile &file = files_[name_of(function, position.file)];
      const MarkedCode &marked_code = markers_.of(function, position.file);
      if (marked_code.has_branches(position.line)) {
        file.num_excluded_edges += branch.edges.size();
        continue;
      }
      CoveredBranch covered;
      covered.function = &function;
      for (const EdgeCount &edge : branch.edges) {
        if (edge.is_exception && marked_code.has_exceptions(position.line))
          file.num_excluded_edges++;
        else if (options_.counts_exceptions || !edge.is_exception)
          add_edge(function, edge, covered);
      }
      if (covered.taken.size() < 2)
        continue;
      if (options_.names_outcomes)
        covered.place = view_.formatter.branches(function).place(branch.block).number;
      if (!position.site && shares_line(function))
        body_of(function).covered.branches[position.line].push_back(covered);
      file.branches[position.line].push_back(std::move(covered));
    }
  }

  void add_edge(const Function &function, const EdgeCount &edge, CoveredBranch &branch) {
    branch.taken.push_back(edge.count);
    if (!options_.names_outcomes)
      return;
    const std::string &outcome = view_.formatter.branches(function).outcome(edge.edge);
    branch.outcomes.push_back(outcome.empty() ? "returns" : outcome);
  }

  void add_decisions(const Function &function, const Decoded &decoded) {
    for (const MeasuredDecision &decision : decisions_of(function, decoded, view_.formatter)) {
      bool is_selected =
          decision.line && selects(function, decision.at.front().file) && !markers_.has(function, decision);
      if (!is_selected || decision.executed.unmeasured != Unmeasured::No)
        continue;
      std::vector<CoveredDecision> &there = files_[decision.file].decisions[decision.line];
      size_t &index = decisions_[{decision.file, decision.line, decision.column, decision.conditions}];
      if (index == 0) {
        there.push_back({decision.conditions, {}});
        there.back().shows_effect.resize(decision.conditions.size());
        index = there.size();
      }
      for (size_t i = 0; i < decision.conditions.size(); i++)
        for (size_t value = 0; value < 2; value++)
          there[index - 1].shows_effect[i][value] |= decision.coverage.conditions[i].shows_effect[value];
    }
  }

  std::string name_of(const Function &function, uint32_t file) const {
    return view_.names.file((*function.files)[file]);
  }

  bool selects(const Function &function, uint32_t file) const {
    return view_.names.selects_code(written_function(function).notes.name, (*function.files)[file]);
  }

  ProfileView view_;
  CoverageOptions options_;
  Markers markers_;
  CoveredFiles files_;
  // Maps each decision to 1 plus its index in CoveredFile::decisions[line]. The key consists of the file, line, column
  // and conditions of the decision.
  std::map<std::tuple<std::string, uint32_t, uint32_t, std::vector<std::string>>, size_t> decisions_;
  // Line counts by function, file and line. A null pointer stands for all functions that do not share their first line
  // with another function.
  std::map<const Function *, std::map<std::string, std::map<uint32_t, LineCount>>> lines_;
  std::map<std::string, std::map<FunctionKey, Body>> bodies_; // by file
  std::set<std::pair<std::string, std::string>> ran_inlined_; // names and files of functions
  UniqueNames function_names_;
  Families families_;
  std::map<const Function *, const Function *> user_of_;           // functions of the user by generated function
  std::map<std::pair<std::string, uint32_t>, size_t> num_on_line_; // number of functions that begin on each line
};

} // namespace

std::string text_of_missing_sources(const CoveredFiles &files) {
  std::vector<std::string> names;
  for (const auto &[name, file] : files)
    if (file.lacks_source && !name.empty() && name.front() != '<') // "<built-in>" is not a file
      names.push_back(name);
  return names.empty() ? ""
                       : fmt::format("source not found: {}; exclusion markers and justifications in {} comments were "
                                     "not applied; use --source-prefix OLD=NEW to specify {} new location",
                                     some_of(names, 8, ", "), names.size() == 1 ? "its" : "their",
                                     names.size() == 1 ? "its" : "their");
}

CoveredFiles covered_files(const Profile &profile, const std::string &file, const Names &names,
                           const CoverageOptions &options) {
  return Gatherer(profile, file, names, options).run();
}

} // namespace pathprof
