// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump export`: writes a profile in a format that other tools read.
#include <algorithm>
#include <iterator>
#include <set>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/export/exports.h"
#include "pathdump/export/json.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/selection.h"

namespace pathprof {

namespace {

using Print = void (*)(const Profile &profile, const std::string &file, const Names &names, Output &out);
using PrintCoverage = void (*)(const Profile &profile, const CoveredFiles &files, Output &out);
using PrintCosts = void (*)(const Profile &profile, const std::string &file, const Names &names, const Costs *costs,
                            Output &out);

struct Format {
  const char *name;
  Selectable selectable;
  Print print;
  PrintCosts print_costs = nullptr;       // used instead of `print` by formats that can contain measured costs
  PrintCoverage print_coverage = nullptr; // used instead of `print` by formats that contain coverage
};

struct Options : CommonOptions {
  std::string file;
  std::string format = "json";
  std::string cost;  // value of --cost; empty if not given
  std::string style; // value of --style; empty if not given
  ObjectOptions objects;
  bool no_exceptions = false;

  // Returns true if an option is given that applies only to the coverage formats.
  bool has_coverage_options() const {
    return objects.is_given() || no_exceptions || all_files || !root.empty() || !include.empty() || !exclude.empty();
  }
};

// Returns the GCC versions with which the program was compiled, as far as the profile records them.
std::set<std::string> compilers_of(const Profile &profile) {
  std::set<std::string> compilers;
  for (const auto &unit : profile.sources)
    if (!unit->compiler.empty())
      compilers.insert(unit->compiler);
  return compilers;
}

// Writes the JSON one function at a time, because the whole text may not fit in memory.
void export_json(const Profile &profile, const std::string &file, const Names &names, const Costs *costs, Output &out) {
  out.print("{{\"format\": \"pathprof-json\", \"version\": 1, \"program\": {}, \"runs\": {}, \"compilers\": {},\n"
            " \"warnings\": {},\n{} \"functions\": [",
            dump(profile.program), dump(count_json(profile.runs)), dump(Json(compilers_of(profile))),
            dump(Json(warnings_of(profile))), costs ? fmt::format(" \"cost\": {},\n", dump(costs->json())) : "");
  ProfileView view(profile, file, names);
  PathFormatter &formatter = view.formatter;
  CalleeNames callees = callee_names(profile);
  const char *separator = "\n  ";
  Json left_out = Json::array();
  Progress progress(out.width() ? 0 : profile.functions.size(),
                    "functions"); // no progress if the output is printed on the terminal
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    progress.advance();
    if (!names.selects(function))
      continue;
    if (is_left_out(function)) {
      left_out.push_back(left_out_json(function));
      continue;
    }
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    out.print("{}{}", separator, function_text(function, *decoded, {costs, i}, callees, formatter));
    separator = ",\n  ";
  }
  out.write("],\n \"program_paths\": [");
  separator = "\n  ";
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++) {
    out.print("{}{}", separator, program_text(profile, i, costs, formatter));
    separator = ",\n  ";
  }
  out.print("],\n \"left_out\": {}}}\n", dump(left_out));
}

const Format formats[] = {{"json", Selectable::Functions, nullptr, export_json},
                          {"lcov", Selectable::Lines, nullptr, nullptr, export_lcov},
                          {"cobertura", Selectable::Lines, nullptr, nullptr, export_cobertura},
                          {"sonarqube", Selectable::Lines, nullptr, nullptr, export_sonarqube},
                          {"collapsed", Selectable::Functions, export_collapsed},
                          {"speedscope", Selectable::Functions, export_speedscope},
                          {"dot", Selectable::Functions, export_dot},
                          {"csv", Selectable::Functions, nullptr, export_csv},
                          {"pprof", Selectable::Functions, export_pprof},
                          {"callgrind", Selectable::Functions, export_callgrind},
                          {"quickfix", Selectable::Functions, export_quickfix},
                          {"annotations", Selectable::Lines, nullptr, nullptr, export_github}};

// A value of --style.
struct Style {
  const char *name, *format;
  PrintCoverage print;
};

const Style styles[] = {{"github", "annotations", export_github},
                        {"gitlab", "annotations", export_gitlab},
                        {"lcov1", "lcov", export_lcov1},
                        {"lcov2", "lcov", export_lcov}};

std::vector<std::string> style_names() {
  std::vector<std::string> words;
  for (const Style &style : styles)
    words.push_back(style.name);
  return words;
}

std::vector<std::string> format_names() {
  std::vector<std::string> words;
  for (const Format &format : formats)
    words.push_back(format.name);
  return words;
}

const Format &format_of(const Options &options) {
  return *std::find_if(std::begin(formats), std::end(formats),
                       [&](const Format &one) { return one.name == options.format; });
}

// Returns the function that prints the coverage in the chosen format and style, or null for other formats.
PrintCoverage print_coverage_of(const Options &options) {
  for (const Style &style : styles)
    if (options.style == style.name)
      return style.print;
  return format_of(options).print_coverage;
}

void check_options(const Options &options) {
  if (!options.cost.empty() && (!format_of(options).print_costs || options.cost == "tsc"))
    throw Failure(kWrongUse,
                  "export: --cost accepts callgrind:FILE, perf:FILE or no value, and requires --format=csv or "
                  "--format=json; these formats always include measured cycles");
  for (const Style &style : styles)
    if (options.style == style.name && options.format != style.format)
      throw Failure(kWrongUse, fmt::format("export: --style={} requires --format={}", style.name, style.format));
  if (options.has_coverage_options() && !format_of(options).print_coverage)
    throw Failure(kWrongUse, "export: --objects, --manifest, --root, --all, --include, --exclude and --no-exceptions "
                             "require --format=lcov, cobertura, sonarqube or annotations");
}

int run(const Options &options) {
  check_options(options);
  std::string file = choose_profile(options.file);
  const Format &format = format_of(options);
  PrintCoverage print_coverage = print_coverage_of(options);
  Profile profile = print_coverage ? open_profile_with_objects(file, options.objects) : open_profile(file);
  CommonOptions selection = options;
  selection.has_root = print_coverage != nullptr;
  Names names(selection, {&profile});
  decode_all_or_fail(file, profile);
  Output out(options);
  std::unique_ptr<Costs> costs = open_costs("export", options.cost, profile, file);
  if (print_coverage)
    print_coverage(profile,
                   covered_files(profile, file, names, {!options.no_exceptions, options.format == "annotations"}), out);
  else if (format.print_costs)
    format.print_costs(profile, file, names, costs.get(), out);
  else
    format.print(profile, file, names, out);
  out.commit();
  return status_of_selection(options, names, profile, file, kGood, format.selectable);
}

} // namespace

Run declare_export(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("--format", options->format, "FORMAT",
                  "write json (default), lcov, cobertura or sonarqube (coverage viewers), collapsed or speedscope "
                  "(flame graphs), "
                  "pprof or callgrind (profile viewers), quickfix (editors), annotations (code reviews), dot or csv")
      .accept("format", format_names());
  add_cost_option(command, options->cost);
  command
      .add_option(
          "--style", options->style, "STYLE",
          "with --format=annotations, write github workflow commands (default) or a gitlab code quality report; "
          "with --format=lcov, write a tracefile for lcov2 and later (default) or for lcov1")
      .accept("style", style_names());
  command.add_flag("--no-exceptions", options->no_exceptions, "leave exception edges out of the branches");
  add_object_options(command, options->objects);
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kNameOptions | kSelectionOptions | kSourceTreeOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
