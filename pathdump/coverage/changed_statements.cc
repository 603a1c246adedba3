// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns changed lines without code to the statements with code that they affect.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "pathdump/coverage/changed_code.h"
#include "pathdump/coverage/statements.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

std::string text_of_file(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

bool has_extension_of(const std::string &name, const std::set<std::string> &extensions) {
  return extensions.count(std::filesystem::path(name).extension().string()) != 0;
}

bool is_source(const std::string &name) {
  static const std::set<std::string> extensions = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".cppm", ".ixx",
                                                   ".ccm", ".cu",  ".m",   ".mm",  ".y",   ".l",   ".S",    ".s",
                                                   ".asm", ".d",   ".adb", ".go",  ".f",   ".for", ".f90",  ".f95",
                                                   ".f03", ".f08", ".F",   ".F90", ".F95", ".F03"};
  return has_extension_of(name, extensions);
}
// Returns true if the file is a C or C++ file.  Statements and macros can be analysed only in such files.
bool is_of_c(const std::string &name) {
  static const std::set<std::string> extensions = {".c",   ".cc", ".cpp", ".cxx", ".c++", ".C",   ".cppm", ".ixx",
                                                   ".ccm", ".cu", ".m",   ".mm",  ".h",   ".hh",  ".hpp",  ".hxx",
                                                   ".h++", ".H",  ".inc", ".def", ".ipp", ".tcc", ".tpp",  ".d"};
  return has_extension_of(name, extensions);
}

} // namespace

ChangedCode::CodeLines ChangedCode::code_lines(const Profile &profile, const Names &names) const {
  std::map<std::pair<const UnitSources *, uint32_t>, Code *> known;
  CodeLines code;
  for (const Function &function : profile.functions) {
    const UnitSources &unit = *function.sources;
    std::map<Code *, std::set<uint32_t>> own;
    for (const BlockNotes &block : function.notes.blocks)
      for (const LineRef &at : block.lines) {
        auto [lines, is_new] = known.try_emplace({&unit, at.file}, nullptr);
        if (is_new) {
          std::string name = names.mapped(unit.names[at.file]), folder = names.mapped(unit.folder);
          std::string place = name_in_repository(name, folder);
          lines->second = &code[place.empty() ? name_of_changed(name, folder) : place];
        }
        lines->second->lines.insert(at.line);
        if (at.site == 0)
          own[lines->second].insert(at.line);
      }
    for (auto &[file, lines] : own)
      file->functions.push_back(std::move(lines));
  }
  code.erase(""); // files outside of the repository
  return code;
}

// Finds the statement that contains the line, and marks its code as changed.  Returns true if the statement has code.
bool ChangedCode::add_statement(const Statements &source, const std::string &file, uint32_t line,
                                const CodeLines &code) {
  auto lines = code.find(file);
  auto [first, last] = source.around(line);
  if (lines == code.end() || first == 0)
    return false;
  auto begin = lines->second.lines.lower_bound(first), end = lines->second.lines.upper_bound(last);
  files_[file].statements.insert(begin, end);
  return begin != end;
}

// In each function that contains the line, marks two lines as changed: the nearest preceding line with code and the
// nearest following line with code.  Returns false if no function contains the line.
bool ChangedCode::add_neighbours(const std::string &file, uint32_t line, const CodeLines &code) {
  auto own = code.find(file);
  bool is_inside = false;
  for (size_t i = 0; own != code.end() && i < own->second.functions.size(); i++) {
    const std::set<uint32_t> &lines = own->second.functions[i];
    auto behind = lines.upper_bound(line);
    if (behind == lines.begin() || behind == lines.end())
      continue;
    files_[file].statements.insert({*std::prev(behind), *behind});
    is_inside = true;
  }
  return is_inside;
}

// Marks as changed all statements that use one of the changed macros, directly or through other macros.
void ChangedCode::add_uses(std::map<std::string, std::pair<std::string, uint32_t>> macros, const CodeLines &code) {
  std::map<std::string, Statements> sources;
  for (const auto &[file, lines] : code)
    sources.emplace(file, text_of_file(top_ + "/" + file));
  for (const auto &[file, lines] : files_)
    if (is_of_c(file))
      sources.try_emplace(file, text_of_file(top_ + "/" + file));
  std::set<std::string> known;
  for (const auto &[macro, place] : macros) {
    bool is_used = false;
    std::vector<std::string> waiting = {macro};
    known = {macro};
    while (!waiting.empty()) {
      std::string word = waiting.back();
      waiting.pop_back();
      for (const auto &[file, source] : sources) {
        for (uint32_t line : source.lines_with(word))
          is_used |= add_statement(source, file, line, code);
        for (const std::string &user : source.macros_with(word))
          if (known.insert(user).second)
            waiting.push_back(user);
      }
    }
    if (!is_used)
      without_code_.push_back(place);
  }
}

void ChangedCode::add_statements(const Profile &profile, const Names &names) {
  CodeLines code = code_lines(profile, names);
  std::map<std::string, std::pair<std::string, uint32_t>> macros; // changed macros, with file and line of the change
  for (auto &[file, changed] : files_) {
    auto own = code.find(file);
    if (own == code.end() && is_source(file))
      unknown_.push_back(file);
    if (changed.is_whole || !is_of_c(file))
      continue;
    Statements source(text_of_file(top_ + "/" + file));
    for (uint32_t line : changed.lines) {
      if (own != code.end() && own->second.lines.count(line))
        continue;
      if (std::string macro = source.macro_at(line); !macro.empty()) {
        macros.emplace(macro, std::make_pair(file, line));
        continue;
      }
      bool has_text = source.around(line).first != 0 || source.is_directive(line);
      bool is_beside = source.is_bracket(line) || source.is_directive(line) || changed.gone.count(line);
      bool is_found = add_statement(source, file, line, code) || (is_beside && add_neighbours(file, line, code));
      if (!is_found && has_text)
        without_code_.emplace_back(file, line);
    }
  }
  if (!macros.empty())
    add_uses(std::move(macros), code);
  std::sort(without_code_.begin(), without_code_.end());
  known_.clear(); // files without changed lines may contain changed statements now
}

static std::string list_of(const std::vector<std::string> &names) {
  return some_of(names, 8, ", ");
}

void ChangedCode::warn_of_unknown_files(const std::string &profile_file) const {
  if (!unknown_.empty())
    std::cerr << program_name << ": warning: " << visible(profile_file) << " contains no code of "
              << (unknown_.size() == 1 ? "a source file that has" : "source files that have") << " changed since "
              << revision_ << ": " << list_of(unknown_) << "\n";
}

void ChangedCode::put_into(Json &json) const {
  Json without_code = Json::array();
  for (const auto &[file, line] : without_code_)
    without_code.push_back({{"file", file}, {"line", line}});
  json["since"] = revision_;
  json["lines_without_code"] = std::move(without_code);
  json["unknown_files"] = unknown_;
}

std::string ChangedCode::note_on_lines_without_code() const {
  std::vector<std::string> places;
  for (const auto &[file, line] : without_code_)
    places.push_back(fmt::format("{}:{}", file, line));
  return places.empty() ? "" : fmt::format("Changed lines without code: {}", list_of(places));
}

} // namespace pathprof
