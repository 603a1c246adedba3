// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and reads source files.
#include "pathdump/describe/sources.h"
#include "pathdump/ui/program.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <sys/stat.h>

#include "profile/model/file.h"
#include "profile/model/visible.h"

namespace pathprof {

static bool is_absolute(const std::string &name) {
  return !name.empty() && name.front() == '/';
}

// Joins a directory and a relative name: "/tree/build" and "../node.c" give "/tree/node.c".
static std::string joined(const std::string &folder, const std::string &name) {
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

static std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    lines.push_back(visible_line(line));
    at = end + 1;
  }
  return lines;
}

Sources::Sources(const Names &names, const std::string &profile_file)
    : names_(names), profile_folder_(std::filesystem::path(profile_file).parent_path().string()) {
  struct stat status;
  if (profile_file != "-" && stat(profile_file.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    profile_changed_ = status.st_mtim;
}

const Sources::Text &Sources::read(const std::string &path) {
  auto [at, is_new] = texts_.try_emplace(path);
  Text &text = at->second;
  if (!is_new)
    return text;
  LoadError error;
  struct stat status;
  text.is_there = stat(path.c_str(), &status) == 0;
  std::optional<TextFile> file = text.is_there ? read_text_file(path, &error) : std::nullopt;
  text.is_read = file.has_value();
  if (file) {
    text.checksum = pathprof_crc32c(0, file->text.data(), file->text.size());
    text.changed = file->changed;
    text.lines = lines_of(file->text);
  } else {
    text.reason = error.reason;
  }
  return text;
}

// Returns the path of a source file, or an empty string if the file is not found. If a --source-prefix option changes
// the name, the file with the new name takes precedence. Otherwise, the candidates are the file in the compilation
// directory, the file relative to the working directory, and the file next to the profile. Prefers the first candidate
// with the recorded checksum, and then the first candidate that exists.
std::string Sources::find(const std::string &name, const std::string &folder, uint32_t checksum) {
  bool is_relative = !is_absolute(name), has_folder = is_relative && !folder.empty();
  std::string whole = has_folder ? joined(folder, name) : name;
  std::vector<std::string> asked_for, others;
  for (const std::string &from : {name, whole}) {
    std::string mapped = names_.mapped(from);
    if (mapped == from)
      continue;
    asked_for.push_back(mapped);
    if (!is_absolute(mapped) && !profile_folder_.empty())
      asked_for.push_back(profile_folder_ + "/" + mapped);
  }
  for (const std::string &path : asked_for)
    if (read(path).is_there)
      return path;
  if (has_folder)
    others.push_back(whole);
  others.push_back(name);
  if (is_relative && !profile_folder_.empty())
    others.push_back(profile_folder_ + "/" + name);
  for (const std::string &path : others)
    if (checksum && read(path).is_read && read(path).checksum == checksum)
      return path;
  auto is_there = [this](const std::string &path) { return read(path).is_there; };
  auto found = std::find_if(others.begin(), others.end(), is_there);
  return found == others.end() ? "" : *found;
}

static bool is_later(const timespec &a, const timespec &b) {
  return std::tie(a.tv_sec, a.tv_nsec) > std::tie(b.tv_sec, b.tv_nsec);
}

std::string Sources::doubt_about(const Text &text, uint32_t checksum) const {
  if (!text.is_read)
    return {};
  if (checksum)
    return text.checksum == checksum ? "" : "has changed since it was compiled";
  bool is_newer = profile_changed_.tv_sec && is_later(text.changed, profile_changed_);
  return is_newer ? "is newer than the profile, which contains no checksum for it" : "";
}

size_t Sources::number_of(const UnitSources &unit, const std::string &file) {
  auto [known, is_new_here] = known_.try_emplace({&unit, file});
  if (!is_new_here)
    return known->second;
  auto index = static_cast<size_t>(std::find(unit.files.begin(), unit.files.end(), file) - unit.files.begin());
  bool has_name = index < unit.names.size();
  const std::string &name = has_name ? unit.names[index] : file;
  uint32_t checksum = has_name && index < unit.checksums.size() ? unit.checksums[index] : 0;
  std::string folder = is_absolute(name) ? "" : unit.folder;
  auto [origin, is_new] = by_origin_.try_emplace({name, folder, checksum});
  if (is_new) {
    std::string path = name.empty() ? "" : find(name, folder, checksum);
    std::string doubt = path.empty() ? "" : doubt_about(read(path), checksum);
    std::string shown = names_.file(file);
    auto [same, is_other] = by_path_.try_emplace({shown, path.empty() ? folder + "//" : path, doubt}, files_.size());
    if (is_other) {
      SourceFile source = {shown, visible(folder), "", path, false, {}, doubt};
      if (!path.empty()) {
        source.is_found = read(path).is_read;
        source.reason = read(path).reason;
        source.lines = read(path).lines;
      }
      files_.push_back(std::move(source));
    }
    origin->second = same->second;
  }
  return known->second = origin->second;
}

const std::string *Sources::line(size_t number, uint32_t line) const {
  const std::vector<std::string> &lines = files_[number].lines;
  return line == 0 || line > lines.size() ? nullptr : &lines[line - 1];
}

std::string text_of_doubt(const SourceFile &file) {
  return fmt::format("{} {}: counts may appear next to the wrong lines", file.shown, file.doubt);
}

std::vector<std::string> Sources::new_doubts() {
  std::vector<std::string> texts;
  for (; num_told_ < files_.size(); num_told_++)
    if (!files_[num_told_].doubt.empty())
      texts.push_back(text_of_doubt(files_[num_told_]));
  return texts;
}

void print_doubts(Output &out, Sources &sources) {
  for (const std::string &text : sources.new_doubts())
    out.print("{}\n", paint(out, Colour::Hot, "WARNING: " + text));
}

static std::string with_folder(const SourceFile &file) {
  return file.folder.empty() ? file.shown : fmt::format("{}, compiled in {}", file.shown, file.folder);
}

std::vector<std::string> Sources::doubts() const {
  std::vector<std::string> texts;
  for (const SourceFile &file : files_)
    if (!file.doubt.empty())
      texts.push_back(text_of_doubt(file));
  return texts;
}

std::vector<const SourceFile *> Sources::not_found(bool is_there) const {
  std::vector<const SourceFile *> found;
  for (const SourceFile &file : files_)
    if (!file.is_found && !file.shown.empty() && file.reason.empty() != is_there)
      found.push_back(&file);
  std::stable_sort(found.begin(), found.end(),
                   [](const SourceFile *a, const SourceFile *b) { return a->shown < b->shown; });
  return found;
}

std::vector<const SourceFile *> Sources::missing() const {
  return not_found(false);
}

std::vector<const SourceFile *> Sources::unreadable() const {
  return not_found(true);
}

static void say(const std::string &text) {
  std::cerr << program_name << ": " << text << "\n";
}

void Sources::warn_of_doubts(const std::string &whose) const {
  for (const std::string &text : doubts())
    say("warning: " + whose + text);
}

void Sources::warn() const {
  warn_of_doubts("");
  if (auto files = missing(); !files.empty())
    say(fmt::format("{}{}: source not found (use --source-prefix OLD=NEW to specify {} new location)",
                    with_folder(*files.front()), files.size() > 1 ? fmt::format(", and {} more", files.size() - 1) : "",
                    files.size() > 1 ? "their" : "its"));
  if (auto files = unreadable(); !files.empty())
    say(files.front()->shown + ": source not read: " + files.front()->reason +
        (files.size() > 1 ? fmt::format("; and {} more", files.size() - 1) : ""));
}

} // namespace pathprof
