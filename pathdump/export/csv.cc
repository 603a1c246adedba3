// SPDX-License-Identifier: GPL-3.0-or-later
// Exports one row per executed path as comma-separated values.
#include <fmt/ranges.h>

#include "pathdump/export/exports.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

// Returns the text as a CSV field, quoted if necessary.
static std::string field(const std::string &text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

// Prints the row for a path. For an interprocedural path, `function` is the function in which the path begins.
static void print_row(const Function &function, const HotPath &hot, const char *mode, const char *kind,
                      const std::string &unit_name, PathStart start, PathEnd end, const std::vector<std::string> &calls,
                      const std::string &lines, const std::string &decisions, const Names &names, Output &out) {
  out.print("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}\r\n", field(function.notes.name),
            field(names.full(function.notes.name)), field(names.file(function.file)), function.notes.line, mode,
            field(unit_name), to_string(function.notes.stage), kind, hot.id, hot.count,
            hot.cycles ? std::to_string(*hot.cycles) : "", hot.statements, to_string(start), to_string(end),
            field(fmt::format("{}", fmt::join(calls, "; "))), field(lines), field(decisions),
            hot.cost ? fmt::format(",{:.0f}", *hot.cost) : "");
}

static const char *kind_of(const Function &function, const HotPath &hot, PathEnd end) {
  if (end == PathEnd::Call)
    return "cut short";
  return is_residual(function, hot.id) ? "residual" : "path";
}

void export_csv(const Profile &profile, const std::string &file, const Names &names, const Costs *costs, Output &out) {
  ProfileView view(profile, file, names);
  PathFormatter &formatter = view.formatter, lines = formatter.by_lines();
  formatter.mark_calls(profile);
  out.print("function,demangled,file,line,mode,unit,stage,kind,id,count,cycles,statements,start,end,calls,lines,"
            "decisions{}\r\n",
            costs ? ",cost" : "");
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (is_left_out(function) || function.in_program || !names.selects(function))
      continue;
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    for_each_path(function, i, *decoded, {false, costs}, [&](const HotPath &hot) {
      Path path = *decoded->regenerate(hot.id);
      print_row(function, hot, to_string(function.notes.model.mode), kind_of(function, hot, path.end), "", path.start,
                path.end, formatter.calls(function, path), line_sequence_text(function, path, names),
                formatter.text(function, path), names, out);
    });
  }
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++) {
    const InterproceduralUnit &unit = profile.interprocedural_units[i];
    std::string unit_name = unit_of(profile, unit, names);
    auto see = [&](const HotPath &hot, const ShownPath &path) {
      if (path.is_selected(names))
        print_row(path.first_function(), hot, to_string(unit.mode), "path", unit_name, path.path().start,
                  path.path().end, path.calls(formatter), path.text(lines), path.text(formatter), names, out);
    };
    for_each_path(profile, i, see, costs);
  }
}

} // namespace pathprof
