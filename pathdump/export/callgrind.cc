// SPDX-License-Identifier: GPL-3.0-or-later
// Exports profiles in callgrind's format for KCachegrind and callgrind_annotate: the cost of each line of a function,
// and the inclusive cost of its calls.
#include <map>
#include <set>
#include <tuple>

#include "pathdump/export/exports.h"
#include "pathdump/coverage/unique_names.h"
#include "pathdump/model/work.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

// Counts of executed statements and of path executions.
struct Cost {
  Weight statements = 0, paths = 0;

  void add(Weight more_statements, Weight more_paths) {
    statements += more_statements;
    paths += more_paths;
  }
};

struct CallCost {
  Weight calls = 0;
  Cost inclusive;
};

struct FunctionCost {
  std::map<std::pair<std::string, uint32_t>, Cost> lines;          // by displayed file name and line
  std::map<std::pair<uint32_t, const Function *>, CallCost> calls; // by line and callee
};

class Writer {
public:
  Writer(const Profile &profile, const Names &names, Output &out) : profile_(profile), names_(names), out_(out) {
    for (const Function &function : profile.functions)
      unique_names_.add(names.function(function.notes.name), names.file(function.file), function.notes.line);
  }

  void add(const PathWork &work) {
    bool is_first = true;
    for (const ActivationWork &part : work.parts) {
      Cost sum;
      for (const LineWork &line : part.lines) {
        Weight statements = Weight{work.hot.count} * line.statements, paths = is_first ? work.hot.count : 0;
        is_first = false;
        functions_[part.function].lines[{names_.file((*part.function->files)[line.place.file]), line.place.line}].add(
            statements, paths);
        sum.add(statements, paths);
      }
      add_to_calls(part, work.hot.count, sum);
    }
  }

  void print(const std::string &title, const std::string &remark) {
    out_.print("# callgrind format\nversion: 1\ncreator: pathdump " PACKAGE_VERSION "\ncmd: {}\npart: 1\n", title);
    if (!remark.empty())
      out_.print("desc: Note: {}\n", remark);
    out_.write("\npositions: line\nevent: Stmts : Executed statements\nevent: Paths : Path executions\n"
               "events: Stmts Paths\n");
    Cost all;
    for (const auto &[function, cost] : functions_)
      for (const auto &[place, line] : cost.lines)
        all.add(line.statements, line.paths);
    out_.print("summary: {} {}\n", digits(all.statements), digits(all.paths));
    for (const Function &function : profile_.functions) // in the order of the profile
      if (auto at = functions_.find(&function); at != functions_.end())
        print_function(function, at->second);
    out_.print("\ntotals: {} {}\n", digits(all.statements), digits(all.paths));
  }

private:
  // Adds the cost of an activation to the inclusive cost of each active call. If recursion makes a call site active
  // several times, the cost is added only once.
  void add_to_calls(const ActivationWork &part, uint64_t count, const Cost &sum) {
    std::set<std::tuple<const Function *, uint32_t, const Function *>> seen;
    for (size_t i = 0; i < part.callers.size(); i++) {
      const auto &[caller, line] = part.callers[i];
      bool is_last = i + 1 == part.callers.size();
      const Function *callee = is_last ? part.function : part.callers[i + 1].function;
      CallCost &call = functions_[caller].calls[{line ? line : caller->notes.line, callee}];
      if (seen.insert({caller, line, callee}).second)
        call.inclusive.add(sum.statements, sum.paths);
      if (is_last && part.is_called)
        call.calls += count;
    }
  }

  // Returns a name in callgrind's compressed form: a number, followed by the name when the number is used for the first
  // time.
  static std::string name(std::map<std::string, size_t> &numbers, const std::string &text) {
    auto [at, is_new] = numbers.try_emplace(text, numbers.size() + 1);
    return is_new ? fmt::format("({}) {}", at->second, text) : fmt::format("({})", at->second);
  }

  std::string file_of(const Function &function) { return name(files_, names_.file(function.file)); }

  // Returns a name for the function that is unique within the function's file.
  std::string name_of(const Function &function) {
    return name(names_of_functions_, unique_names_.in_file(names_.function(function.notes.name),
                                                           names_.file(function.file), function.notes.line));
  }

  void print_function(const Function &function, const FunctionCost &cost) {
    std::string own = names_.file(function.file), current = own;
    out_.print("\nfl={}\n", file_of(function));
    out_.print("fn={}\n", name_of(function));
    for (const auto &[place, line] : cost.lines) {
      if (place.first != current)
        out_.print("{}={}\n", place.first == own ? "fe" : "fi", name(files_, place.first));
      current = place.first;
      out_.print("{} {} {}\n", place.second, digits(line.statements), digits(line.paths));
    }
    if (current != own && !cost.calls.empty())
      out_.print("fe={}\n", name(files_, own));
    for (const auto &[site, call] : cost.calls) {
      const auto &[line, callee] = site;
      out_.print("cfl={}\n", file_of(*callee));
      out_.print("cfn={}\n", name_of(*callee));
      out_.print("calls={} {}\n{} {} {}\n", digits(call.calls), callee->notes.line, line,
                 digits(call.inclusive.statements), digits(call.inclusive.paths));
    }
  }

  const Profile &profile_;
  const Names &names_;
  Output &out_;
  std::map<const Function *, FunctionCost> functions_;
  std::map<std::string, size_t> files_, names_of_functions_;
  UniqueNames unique_names_;
};

} // namespace

void export_callgrind(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  Callers callers(profile, file);
  Writer writer(profile, names, out);
  std::set<const Function *> outermost =
      for_each_work(profile, file, names, callers, [&](const PathWork &work) { writer.add(work); });
  writer.print(title_of(profile, file), callers.text_of_unknown(outermost, names));
}

} // namespace pathprof
