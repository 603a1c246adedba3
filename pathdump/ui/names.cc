// SPDX-License-Identifier: GPL-3.0-or-later
// Demangles function names, maps file names, and matches both with globs.
#include "pathdump/ui/names.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include <cxxabi.h>
#include <fnmatch.h>

#include "pathdump/ui/module_names.h"

namespace pathprof {

static std::string demangle_by_library(const std::string &name) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : std::string();
}

std::string demangle(const std::string &name) {
  // Without this check for the prefix "_Z", __cxa_demangle would interpret the name as a type: "f" would become
  // "float".
  if (name.compare(0, 2, "_Z") != 0)
    return name;
  std::string text = demangle_by_library(name);
  if (text.empty()) // older libraries do not support C++20 modules
    text = module_initializer(name);
  if (text.empty())
    text = with_modules_behind_names(demangle_by_library(with_modules_as_scopes(name)));
  return text.empty() ? name : text;
}

std::string without_parameters(const std::string &demangled) {
  size_t close = demangled.rfind(')');
  if (close == std::string::npos)
    return demangled;
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    depth += demangled[i] == ')' ? 1 : demangled[i] == '(' ? -1 : 0;
    if (depth == 0)
      return i == 0 ? demangled : demangled.substr(0, i);
  }
  return demangled;
}

// Removes the return type from the name of a template instance: "int max<int>" → "max<int>". Demangled names of other
// functions contain no return type.
static std::string without_result(const std::string &name) {
  int depth = 0;
  for (size_t i = name.size(); i-- > 0 && name.back() == '>';) {
    depth += name[i] == '>' || name[i] == ')' ? 1 : name[i] == '<' || name[i] == '(' ? -1 : 0;
    if (depth == 0 && name[i] == ' ')
      return name.substr(i + 1);
  }
  return name;
}

std::vector<std::string> names_in_tools(const std::string &assembler_name) {
  std::vector<std::string> names = {assembler_name};
  std::string demangled = demangle(assembler_name), name = without_parameters(demangled);
  for (const std::string &other : {demangled, name, without_result(name)})
    if (std::find(names.begin(), names.end(), other) == names.end())
      names.push_back(other);
  return names;
}

std::vector<std::string> names_of_clone(const std::string &name) {
  std::vector<std::string> names = {name};
  std::string rest = name;
  if (size_t quote = rest.rfind('\''); quote != std::string::npos && quote + 1 < rest.size() &&
                                       rest.find_first_not_of("0123456789", quote + 1) == std::string::npos)
    names.push_back(rest.erase(quote)); // callgrind's name of a recursive activation
  for (;;) {
    size_t last = 0;
    for (const char *suffix : {" [clone", ".part.", ".constprop.", ".isra.", ".cold", ".lto_priv."})
      if (size_t at = rest.rfind(suffix); at != std::string::npos)
        last = std::max(last, at);
    // In "f(int) [clone .part.0]", the suffix begins at " [clone".
    if (size_t clone = rest.rfind(" [clone", last); last > 0 && clone != std::string::npos)
      last = clone;
    if (last == 0)
      return names;
    names.push_back(rest.erase(last));
  }
}

std::string name_of_original(const std::string &name) {
  return names_of_clone(name).back();
}

bool is_part(const std::string &name) {
  return name.find(".part.") != std::string::npos;
}

std::vector<std::string> spellings(const std::string &assembler_name) {
  std::string demangled = demangle(assembler_name);
  std::vector<std::string> all = names_in_tools(assembler_name);
  for (NameDetail detail : {NameDetail::Short, NameDetail::Parameters, NameDetail::Types})
    all.push_back(cxx_name(demangled, detail));
  all.push_back(without_parameters(all[all.size() - 2])); // with parameters, without the result type
  return all;
}

static std::string last_part(const std::string &file) {
  return file.substr(file.rfind('/') + 1);
}

Names::Names(const CommonOptions &options, const std::vector<const Profile *> &shown)
    : demangle_(!options.no_demangle), detail_(options.full_names ? NameDetail::Full : NameDetail::Short),
      functions_(options.functions), files_(options.source_files), include_(options.include),
      exclude_(options.exclude) {
  for (const std::string &text : options.source_prefixes) {
    size_t equals = text.find('=');
    prefixes_.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::set<std::string> names;
  for (const Profile *profile : shown)
    for (const Function &function : profile->functions) {
      names.insert(function.notes.name);
      for (const InlineSite &site : function.notes.sites)
        names.insert(site.function);
    }
  if (demangle_)
    disambiguate(names);
  if (!files_.empty() || !include_.empty() || !exclude_.empty() || options.has_root)
    for (const Profile *profile : shown)
      for (const std::unique_ptr<UnitSources> &unit : profile->sources)
        for (size_t i = 0; i < unit->files.size(); i++)
          paths_of_file_.emplace(unit->files[i], mapped(unit->paths[i]));
  if (options.has_root)
    find_root(options);
  for (const Profile *profile : shown)
    for (const std::unique_ptr<UnitSources> &unit : profile->sources)
      for (const std::string &name : unit->files) {
        auto [at, is_new] = by_last_part_.try_emplace(last_part(file(name)), file(name));
        if (!is_new && at->second != file(name))
          at->second.clear();
      }
}

// Returns the top of the git work tree that contains the working directory or, outside of a work tree, the working
// directory.
static std::filesystem::path default_root() {
  std::error_code error;
  std::filesystem::path here = std::filesystem::current_path(error);
  for (std::filesystem::path folder = here; !folder.empty(); folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / ".git", error))
      return folder;
    if (folder == folder.parent_path())
      break;
  }
  return here;
}

std::string Names::below_root(const std::string &path) const {
  if (path.empty() || path.front() != '/') // the compilation directory is unknown
    return path;
  return path.compare(0, root_.size(), root_) == 0 ? path.substr(root_.size()) : std::string();
}

// Computes the file names relative to the top of the source tree. If no file is inside the default source tree, the
// program was compiled in another source tree, and the names are not changed.
void Names::find_root(const CommonOptions &options) {
  std::error_code error;
  std::filesystem::path top = options.root.empty() ? default_root() : std::filesystem::absolute(options.root, error);
  std::set<std::string> candidates = {top.lexically_normal().string(), std::filesystem::canonical(top, error).string()};
  bool is_used = !options.root.empty();
  for (std::string candidate : candidates) {
    if (candidate.empty() || candidate.back() != '/')
      candidate += '/';
    bool has_files = std::any_of(paths_of_file_.begin(), paths_of_file_.end(), [&](const auto &entry) {
      return entry.second.compare(0, candidate.size(), candidate) == 0;
    });
    if (root_.empty() || has_files)
      root_ = candidate;
    is_used |= has_files;
  }
  if (!is_used)
    root_.clear();
  for (const auto &[name, path] : paths_of_file_) {
    std::string inside = is_used ? below_root(path) : path;
    if (inside.empty() && !options.all_files)
      outside_.insert(name);
    else if (is_used && !inside.empty() && inside != path)
      in_root_[name] = inside;
  }
}

std::string Names::with_detail(const std::string &assembler_name, NameDetail detail) const {
  return visible(cxx_name(demangle(assembler_name), detail));
}

// If several functions have the same display name, makes these names more detailed, one level at a time. If even the
// full demangled names are identical, as for the variants of a constructor, appends the assembler names.
void Names::disambiguate(const std::set<std::string> &assembler_names) {
  std::map<std::string, std::vector<std::string>> by_shown;
  for (const std::string &name : assembler_names)
    by_shown[with_detail(name, detail_)].push_back(name);
  std::vector<std::string> same; // assembler names that need more detail
  for (auto &[shown, names] : by_shown)
    if (names.size() > 1)
      same.insert(same.end(), names.begin(), names.end());
  for (int detail = static_cast<int>(detail_) + 1; !same.empty(); detail++) {
    bool is_last = detail > static_cast<int>(NameDetail::Full);
    std::map<std::string, std::vector<std::string>> again;
    for (const std::string &name : same) {
      std::string shown = with_detail(name, is_last ? NameDetail::Full : static_cast<NameDetail>(detail));
      again[is_last ? shown + " [" + visible(name) + "]" : shown].push_back(name);
    }
    same.clear();
    for (auto &[shown, names] : again)
      if (names.size() == 1 || is_last)
        longer_[names.front()] = shown;
      else
        same.insert(same.end(), names.begin(), names.end());
  }
}

std::string Names::function(const std::string &assembler_name) const {
  if (!demangle_)
    return visible(assembler_name);
  auto longer = longer_.find(assembler_name);
  return longer == longer_.end() ? with_detail(assembler_name, detail_) : longer->second;
}

std::string Names::full(const std::string &assembler_name) const {
  return visible(demangle_ ? demangle(assembler_name) : assembler_name);
}

std::string Names::file(const std::string &name) const {
  auto inside = in_root_.find(name);
  return visible(inside == in_root_.end() ? mapped(name) : inside->second);
}

std::string Names::mapped(const std::string &name) const {
  for (auto prefix = prefixes_.rbegin(); prefix != prefixes_.rend(); ++prefix)
    if (name.compare(0, prefix->first.size(), prefix->first) == 0)
      return prefix->second + name.substr(prefix->first.size());
  return name;
}

static bool matches_any(const std::string &glob, const std::vector<std::string> &names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
    return glob == name || fnmatch(glob.c_str(), name.c_str(), 0) ==
                               0; // fnmatch interprets the brackets of operator[], so equal text is also a match
  });
}

bool matches_function(const std::string &glob, const std::string &assembler_name) {
  std::string original = name_of_original(assembler_name);
  return matches_any(glob, spellings(assembler_name)) ||
         (original != assembler_name && matches_any(glob, spellings(original)));
}

std::string Names::short_file(const std::string &name) const {
  std::string shown = file(name), last = last_part(shown);
  auto known = by_last_part_.find(last);
  return known == by_last_part_.end() || !known->second.empty() ? last : shown;
}

bool Names::matches_file(const std::string &glob, const std::string &name) const {
  std::string shown = file(name);
  std::vector<std::string> names = {shown, last_part(shown)};
  auto [first, last] = paths_of_file_.equal_range(name);
  for (auto at = first; at != last; ++at)
    names.push_back(at->second);
  return matches_any(glob, names);
}

bool Names::selects_name(const std::string &assembler_name) const {
  return functions_.empty() || std::any_of(functions_.begin(), functions_.end(), [&](const std::string &glob) {
           return matches_function(glob, assembler_name);
         });
}

bool Names::selects_file(const std::string &name) const {
  return !outside_.count(name) &&
         (files_.empty() ||
          std::any_of(files_.begin(), files_.end(), [&](const std::string &glob) { return matches_file(glob, name); }));
}

bool Names::matches_code(const std::vector<std::string> &globs, const std::string &assembler_name,
                         const std::string &file) const {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string &glob) {
    return matches_function(glob, assembler_name) || matches_file(glob, file);
  });
}

bool Names::selects_code(const std::string &assembler_name, const std::string &file) const {
  return selects_name(assembler_name) && selects_file(file) &&
         (include_.empty() || matches_code(include_, assembler_name, file)) &&
         !matches_code(exclude_, assembler_name, file);
}

} // namespace pathprof
