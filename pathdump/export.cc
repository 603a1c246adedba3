// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump export: a profile in a form that other tools read.
#include <CLI/CLI.hpp>

#include "pathdump/commands.h"
#include "pathdump/common.h"
#include "pathdump/exports.h"
#include "pathdump/json.h"
#include "pathdump/progress.h"

namespace pathprof {

namespace {

using Export = void (*)(const Profile &profile, const std::string &file, const Names &names, Output &out);

struct Options : CommonOptions {
  std::string file;
  std::string format = "json";
};

// Function by function: a program's JSON need not fit in memory.
void export_json(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  out.print("{{\"format\": \"pathprof-json\", \"version\": 1, \"program\": {}, \"runs\": {},\n"
            " \"functions\": [",
            dump(profile.program), dump(count_json(profile.runs)));
  const char *separator = "\n  ";
  Json left_out = Json::array();
  Progress progress(out.width() ? 0 : profile.functions.size(), "functions"); // not between what is printed
  for (const Function &function : profile.functions) {
    progress.advance();
    if (!names.selects(function))
      continue;
    if (is_left_out(function)) {
      left_out.push_back(left_out_json(function));
      continue;
    }
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    out.print("{}{}", separator, function_text(function, *decoded, names));
    separator = ",\n  ";
  }
  out.write("],\n \"program_paths\": [");
  separator = "\n  ";
  for (size_t i = 0; i < profile.programs.size(); i++) {
    out.print("{}{}", separator, program_text(profile, i, names));
    separator = ",\n  ";
  }
  out.print("],\n \"left_out\": {}}}\n", dump(left_out));
}

const std::vector<std::pair<std::string, Export>> formats = {{"json", export_json},
                                                             {"lcov", export_lcov},
                                                             {"cobertura", export_cobertura},
                                                             {"collapsed", export_collapsed},
                                                             {"speedscope", export_speedscope},
                                                             {"dot", export_dot},
                                                             {"csv", export_csv}};

std::vector<std::string> format_names() {
  std::vector<std::string> words;
  for (const auto &[word, format] : formats)
    words.push_back(word);
  return words;
}

int run(const Options &options) {
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options);
  // Contradictions are found before anything is printed.
  for (const Function &function : profile.functions)
    if (!is_left_out(function))
      decode_or_fail(file, function);
  Output out(options);
  for (const auto &[word, format] : formats)
    if (word == options.format)
      format(profile, file, names, out);
  out.commit();
  return kGood;
}

} // namespace

Run declare_export(CLI::App &command) {
  auto options = std::make_shared<Options>();
  command
      .add_option(
          "--format", options->format,
          "json (default); for coverage viewers lcov or cobertura; for flame graphs collapsed or speedscope; dot; csv")
      ->type_name("FORMAT")
      ->check([](const std::string &word) { return check_word("format", word, format_names()); });
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
