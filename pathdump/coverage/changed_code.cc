// SPDX-License-Identifier: GPL-3.0-or-later
// Runs `git diff` and parses its output.
#include "pathdump/coverage/changed_code.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include <sys/wait.h>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "profile/model/masked.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

std::string quoted(const std::string &word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Returns the output of a git command, or nothing if the command fails. If `*message` is not null, it receives the
// output of a command that fails, including its standard error.
std::optional<std::string> ask_git(const std::vector<std::string> &arguments, std::string *message = nullptr) {
  std::string command = "LC_ALL=C GIT_OPTIONAL_LOCKS=0 git";
  for (const std::string &argument : arguments)
    command += " " + quoted(argument);
  std::FILE *pipe = popen((command + (message ? " 2>&1" : " 2>/dev/null")).c_str(), "re");
  if (!pipe)
    return std::nullopt;
  std::string output;
  char buffer[1 << 16];
  for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    output.append(buffer, n);
  int status = pclose(pipe);
  if (status == 0)
    return output;
  if (message)
    *message = output;
  return std::nullopt;
}

std::string first_line(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

// Decodes a file name that git has quoted as a C string.
std::string unquoted(std::string_view text) {
  static const std::string_view kEscapes = "abtnvfr\"\\", kMeanings = "\a\b\t\n\v\f\r\"\\";
  if (text.size() < 2 || text.front() != '"')
    return std::string(text);
  std::string name;
  for (size_t i = 1; i + 1 < text.size(); i++) {
    if (text[i] != '\\') {
      name += text[i];
      continue;
    }
    size_t escape = kEscapes.find(text[++i]);
    if (escape != std::string_view::npos)
      name += kMeanings[escape];
    else {
      int value = 0;
      std::from_chars(text.data() + i, text.data() + std::min(i + 3, text.size()), value, 8);
      name += static_cast<char>(value);
      i += 2;
    }
  }
  return name;
}

// Returns the first line and the number of lines of the new version of a hunk.  For the header "@@ -12,3 +14,2 @@",
// returns 14 and 2.  If the header omits the number of lines, the number is 1.
std::optional<std::pair<uint32_t, uint32_t>> new_lines_of(std::string_view hunk) {
  size_t plus = hunk.find(" +");
  if (hunk.substr(0, 3) != "@@ " || plus == std::string_view::npos)
    return std::nullopt;
  uint32_t first = 0, number = 1;
  const char *at = hunk.data() + plus + 2, *end = hunk.data() + hunk.size();
  auto read = std::from_chars(at, end, first);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == ',')
    read = std::from_chars(read.ptr + 1, end, number);
  return read.ec == std::errc() ? std::optional(std::make_pair(first, number)) : std::nullopt;
}

std::string canonical_name(const std::filesystem::path &path) {
  std::error_code error;
  std::filesystem::path found = std::filesystem::weakly_canonical(path, error);
  return (error ? path.lexically_normal() : found).string();
}

bool ends_with_path(const std::string &name, const std::string &end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0 &&
         (name.size() == end.size() || name[name.size() - end.size() - 1] == '/');
}

} // namespace

ChangedCode::ChangedCode(const std::string &revision) : revision_(revision) {
  if (!ask_git({"--version"}))
    throw Failure(kWrongUse, "coverage: --changed-since: cannot run git");
  std::string message;
  std::optional<std::string> top = ask_git({"rev-parse", "--show-toplevel"}, &message);
  if (!top)
    throw Failure(kWrongUse,
                  fmt::format("coverage: --changed-since: git found no repository in the working directory: {}",
                              visible(first_line(message))));
  top_ = canonical_name(first_line(*top));
  if (!ask_git({"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}))
    throw Failure(
        kWrongUse,
        fmt::format("coverage: --changed-since: the repository {} does not contain the revision '{}'", top_, revision));
  std::optional<std::string> diff = ask_git({"-C",
                                             top_,
                                             "-c",
                                             "core.quotePath=false",
                                             "-c",
                                             "diff.noprefix=false",
                                             "diff",
                                             "--no-color",
                                             "--no-ext-diff",
                                             "--no-textconv",
                                             "--text",
                                             "--unified=0",
                                             "--inter-hunk-context=0",
                                             "--find-renames",
                                             "--src-prefix=a/",
                                             "--dst-prefix=b/",
                                             "--submodule=diff",
                                             "--end-of-options",
                                             revision,
                                             "--"});
  std::optional<std::string> untracked = ask_git({"-C", top_, "ls-files", "-z", "--others", "--exclude-standard"});
  if (!diff || !untracked)
    throw Failure(kBadData, fmt::format("coverage: --changed-since: git cannot compare {} with '{}'", top_, revision));
  read_diff(*diff);
  for (size_t at = 0; at < untracked->size();) {
    size_t end = std::min(untracked->find('\0', at), untracked->size());
    files_[untracked->substr(at, end - at)].is_whole = true;
    at = end + 1;
  }
}

// Parses the output of `git diff`.  Recognizes the name of a file only before the file's first hunk, because within
// hunks, lines that start with '+', '-' or ' ' are source lines.  Diffs of submodules contain context lines even with
// --unified=0.
void ChangedCode::read_diff(const std::string &text) {
  static constexpr std::string_view kNewName = "+++ ";
  ChangedLines *file = nullptr;
  bool in_hunks = false;
  uint32_t next = 0;                  // number of the next line in the new file
  std::optional<uint32_t> gone_after; // line after which lines were removed and none has been added so far
  bool is_code_gone = false;
  auto end_change = [&] {
    if (file && gone_after)
      file->lines.insert(*gone_after);
    if (file && gone_after && is_code_gone)
      file->gone.insert(*gone_after);
    gone_after.reset();
    is_code_gone = false;
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (line.substr(0, 5) == "diff " || line.substr(0, 10) == "Submodule ") {
      end_change();
      in_hunks = false;
      file = nullptr;
    } else if (!in_hunks && line.substr(0, kNewName.size()) == kNewName) {
      std::string_view quoted_name = line.substr(kNewName.size());
      if (!quoted_name.empty() && quoted_name.back() == '\t') // git appends a tab to a name with a space
        quoted_name.remove_suffix(1);
      std::string name = unquoted(quoted_name);
      file = name.compare(0, 2, "b/") == 0 ? &files_[name.substr(2)] : nullptr; // otherwise, the file was deleted
    } else if (auto lines = new_lines_of(line)) {
      end_change();
      in_hunks = true;
      next = lines->first + (lines->second == 0); // an empty range has the number of the preceding line
    } else if (in_hunks && line.substr(0, 1) == "+") {
      gone_after.reset();
      is_code_gone = false;
      if (file)
        file->lines.insert(next);
      next++;
    } else if (in_hunks && line.substr(0, 1) == "-") {
      gone_after = next - 1;
      is_code_gone |= masked(std::string(line.substr(1))).find_first_not_of(' ') != std::string::npos;
    } else if (in_hunks && line.substr(0, 1) == " ") {
      end_change();
      next++;
    }
  }
  end_change();
}

// Returns the path of an existing file relative to the repository, or an empty string if the repository does not
// contain the file.
const std::string &ChangedCode::name_in_repository(const std::string &name, const std::string &folder) const {
  std::filesystem::path path = name;
  if (path.is_relative() && !folder.empty())
    path = std::filesystem::path(folder) / path;
  auto [at, is_new] = names_in_repository_.try_emplace(path.string());
  if (!is_new || path.is_relative())
    return at->second;
  std::error_code ignored;
  std::string place = canonical_name(path);
  if (place.compare(0, top_.size() + 1, top_ + "/") == 0 && std::filesystem::exists(place, ignored))
    at->second = place.substr(top_.size() + 1);
  return at->second;
}

// Returns the path of the changed file that matches `name`, the name of a file in a unit.  Returns an empty string
// unless exactly one changed file matches.
const std::string &ChangedCode::name_of_changed(const std::string &name, const std::string &folder) const {
  static const std::string none;
  if (const std::string &own = name_in_repository(name, folder); !own.empty())
    return files_.count(own) ? own : none;
  std::string normal = std::filesystem::path(name).lexically_normal().string();
  const std::string *found = nullptr;
  for (const auto &[changed, lines] : files_) {
    if (!ends_with_path(changed, normal) && !ends_with_path(normal, changed))
      continue;
    if (found)
      return none; // the name is ambiguous
    found = &changed;
  }
  return found ? *found : none;
}

const ChangedLines *ChangedCode::of(const UnitSources &unit, size_t file, const Names &names) const {
  auto [at, is_new] = known_.try_emplace({&unit, file}, nullptr);
  if (is_new) {
    auto lines = files_.find(name_of_changed(names.mapped(unit.names[file]), names.mapped(unit.folder)));
    at->second = lines == files_.end() ? nullptr : &lines->second;
  }
  return at->second;
}

void ChangedCode::ask_for(Sources &sources, const Profile &profile, const Names &names) const {
  std::set<const UnitSources *> units;
  for (const Function &function : profile.functions)
    if (!is_left_out(function) && names.selects(function))
      units.insert(function.sources);
  for (const UnitSources *unit : units)
    for (size_t i = 0; i < unit->names.size(); i++)
      if (!name_in_repository(names.mapped(unit->names[i]), names.mapped(unit->folder)).empty())
        sources.number_of(*unit, unit->files[i]);
}

} // namespace pathprof
