// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the file that justifies why functions, decisions and paths are not covered.
#include "pathdump/coverage/justification_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/coverage/output_folder.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/output.h"
#include "profile/model/masked.h"
#include "profile/model/visible.h"

namespace pathprof {

bool is_blank(const std::string &text) {
  return text.find_first_not_of(" \t\n") == std::string::npos;
}

namespace {

constexpr const char *kFormat = "pathprof-justifications";
constexpr int kVersion = 1;

bool is_word(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Removes comments, and blanks between words and operators. Literals and preprocessor directives are preserved, as are
// lines that end in a backslash, which may continue a comment.
std::string normalised(const std::string &source) {
  std::string mask = masked(source), text;
  bool has_blank = false;
  for (size_t i = 0; i < source.size(); i++) {
    bool is_first = i == 0 || source[i - 1] == '\n';
    if (size_t end = is_first ? std::min(source.find('\n', i), source.size()) : i; is_first && end > i) {
      size_t first = source.find_first_not_of(" \t", i);
      if (source[first] == '#' || source[end - 1] == '\\') {
        text += "\n" + source.substr(i, end - i) + "\n";
        i = end;
        continue;
      }
    }
    if (isspace(static_cast<unsigned char>(mask[i]))) {
      has_blank = true;
      continue;
    }
    if (has_blank && !text.empty() && is_word(text.back()) == is_word(source[i]))
      text += ' ';
    has_blank = false;
    text += source[i];
  }
  return text;
}

[[noreturn]] void fail(const std::string &path, const std::string &fault) {
  throw Failure(kBadData, fmt::format("{}: {}", path, fault));
}

std::string text_of(const Json &entry, const char *key, const std::string &where) {
  auto at = entry.find(key);
  if (at == entry.end())
    return "";
  if (!at->is_string())
    fail(where, fmt::format("'{}' must be a string", key));
  return visible(at->get<std::string>());
}

JustificationEntry entry_of(const Json &json, const std::string &where) {
  static const char *const keys[] = {"function", "decision", "conditions", "path",  "decisions",
                                     "hash",     "reason",   "author",     "ticket"};
  if (!json.is_object())
    fail(where, "an entry must be an object");
  for (const auto &[key, value] : json.items())
    if (std::none_of(std::begin(keys), std::end(keys), [&known = key](const char *one) { return known == one; }))
      fail(where, fmt::format("unknown key '{}'; the keys are {}", key, fmt::join(keys, ", ")));
  JustificationEntry entry;
  entry.function = text_of(json, "function", where);
  entry.path = text_of(json, "path", where);
  entry.decisions = text_of(json, "decisions", where);
  entry.hash = text_of(json, "hash", where);
  entry.reason = text_of(json, "reason", where);
  entry.author = text_of(json, "author", where);
  entry.ticket = text_of(json, "ticket", where);
  if (auto decision = json.find("decision"); decision != json.end()) {
    if (!decision->is_number_unsigned() || *decision == 0)
      fail(where, "'decision' must be a positive integer");
    entry.decision = *decision;
  }
  if (auto conditions = json.find("conditions"); conditions != json.end()) {
    if (!conditions->is_array() ||
        std::any_of(conditions->begin(), conditions->end(), [](const Json &text) { return !text.is_string(); }))
      fail(where, "'conditions' must be a list of strings");
    entry.conditions = conditions->get<std::vector<std::string>>();
  }
  for (const auto &[key, value] : {std::pair("function", &entry.function), std::pair("hash", &entry.hash),
                                   std::pair("reason", &entry.reason), std::pair("author", &entry.author)})
    if (is_blank(*value))
      fail(where, fmt::format("'{}' is missing", key));
  if (entry.decision && !entry.path.empty())
    fail(where, "'decision' and 'path' cannot be combined");
  return entry;
}

Json json_of(const JustificationEntry &entry) {
  Json json = {{"function", entry.function}};
  if (entry.decision)
    json.update({{"decision", entry.decision}, {"conditions", entry.conditions}});
  if (!entry.path.empty())
    json.update({{"path", entry.path}, {"decisions", entry.decisions}});
  json.update({{"hash", entry.hash}, {"reason", entry.reason}, {"author", entry.author}});
  if (!entry.ticket.empty())
    json["ticket"] = entry.ticket;
  return json;
}

} // namespace

// Returns the first line of the declaration of a function, which can begin before the line with the function's name.
static uint32_t first_line_of(const Function &function, Sources &sources) {
  static constexpr uint32_t kMost = 5;
  uint32_t first = function.notes.line;
  while (first > 1 && function.notes.line - first < kMost) {
    const std::string *line = sources.line(function, function.file, first - 1);
    size_t end = line ? line->find_last_not_of(" \t") : std::string::npos;
    if (end == std::string::npos || std::string("};:/").find((*line)[end]) != std::string::npos ||
        line->find_first_not_of(" \t") == line->find('#') || masked(*line).find_first_not_of(' ') == std::string::npos)
      break;
    first--;
  }
  return first;
}

std::string hash_of(const Function &function, Sources &sources) {
  uint32_t last = function.notes.line;
  for (const BlockNotes &block : function.notes.blocks)
    for (const LineRef &position : block.lines)
      if (!position.site && position.file == function.notes.file)
        last = std::max(last, position.line);
  std::string text;
  for (uint32_t line = first_line_of(function, sources); line <= last; line++) {
    const std::string *source = sources.line(function, function.file, line);
    if (!source)
      return "";
    text += *source + "\n";
  }
  return sha256_text(normalised(text)).substr(0, 16);
}

std::string doubt_about(const Function &function, Sources &sources) {
  return sources[sources.number_of(*function.sources, function.file)].doubt;
}

std::string justifications_of_tree(const Names &names) {
  return names.root() + kJustifications;
}

std::vector<JustificationEntry> read_justifications(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file)
    fail(path, "cannot be read");
  Json json = Json::parse(text.str(), nullptr, false);
  if (json.is_discarded())
    fail(path, "is not valid JSON");
  auto has = [&](const char *key, const Json &value) { return json.contains(key) && json[key] == value; };
  if (!json.is_object() || !has("format", kFormat) || !has("version", kVersion) || !json.contains("justifications") ||
      !json["justifications"].is_array())
    fail(path, fmt::format("is not a list of justifications (format \"{}\", version {})", kFormat, kVersion));
  std::vector<JustificationEntry> entries;
  for (const Json &entry : json["justifications"])
    entries.push_back(entry_of(entry, fmt::format("{}: entry {}", path, entries.size() + 1)));
  return entries;
}

std::vector<JustificationEntry> justifications_for(const std::string &path, const Names &names) {
  std::string of_tree = justifications_of_tree(names);
  if (!path.empty() || std::filesystem::exists(of_tree))
    return read_justifications(path.empty() ? of_tree : path);
  return {};
}

void add_justification(const std::string &path, const JustificationEntry &entry) {
  std::vector<JustificationEntry> entries;
  if (std::filesystem::exists(path))
    entries = read_justifications(path);
  auto same = std::find_if(entries.begin(), entries.end(), [&](const JustificationEntry &other) {
    return other.function == entry.function && other.decision == entry.decision && other.path == entry.path;
  });
  if (same == entries.end())
    entries.push_back(entry);
  else
    *same = entry;
  Json list = Json::array();
  for (const JustificationEntry &one : entries)
    list.push_back(json_of(one));
  CommonOptions options;
  options.output = path;
  Output out(options);
  out.print("{}\n", dump_indented({{"format", kFormat}, {"version", kVersion}, {"justifications", std::move(list)}}));
  out.commit();
}

} // namespace pathprof
