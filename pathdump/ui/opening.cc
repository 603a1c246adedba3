// SPDX-License-Identifier: GPL-3.0-or-later
// Opens profiles, suggests similar names if a profile does not exist, and warns about the contents of profiles.
#include "pathdump/ui/opening.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/manifest.h"
#include "pathdump/ui/nearest.h"
#include "pathdump/ui/object_files.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/siblings.h"
#include "pathdump/ui/text.h"
#include "pathdump/ui/unfinished.h"
#include "pathdump/ui/visible_names.h"
#include "profile/model/orphans.h"
#include "profile/model/visible.h"

namespace pathprof {

static std::string only_profile_here() {
  std::set<std::string> found; // includes profiles that exist only as raw files
  for (std::string name : names_in(".")) {
    std::string profile = profile_of_raw(name);
    if (!profile.empty())
      name = profile;
    if (std::filesystem::path(name).extension() == ".pathprof")
      found.insert(name);
  }
  if (found.size() == 1)
    return *found.begin();
  if (found.empty())
    throw Failure(kWrongUse,
                  "missing FILE argument: no *.pathprof file in the working directory; run the instrumented program to "
                  "write a profile");
  throw Failure(kWrongUse,
                fmt::format("missing FILE argument: the working directory contains several profiles; use one of {}",
                            fmt::join(found, " ")));
}

std::string choose_profile(const std::string &file) {
  std::string profile = file.empty() ? only_profile_here() : file;
  note_siblings(profile);
  return profile;
}

// If the file does not exist, returns a hint that lists profiles with similar names in the same directory. Returns an
// empty string if the file exists or if no name is similar.
static std::string other_profiles(const std::string &file) {
  std::filesystem::path path(file);
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored))
    return {};
  std::set<std::string> names;
  for (const std::string &name : names_in(path.has_parent_path() ? path.parent_path().string() : "."))
    if (std::filesystem::path(name).extension() == ".pathprof")
      names.insert((path.parent_path() / name).string());
  return did_you_mean(file, names);
}

// Throws Failure with the exit status for the error. An error with an offset is in the data of the profile; all other
// errors mean that the file could not be opened or read.
[[noreturn]] static void fail(const LoadError &error) {
  if (error.offset)
    throw Failure(kBadData, error.message());
  throw Failure(kWrongUse, error.message() + other_profiles(error.file));
}

FileBytes open_image(const std::string &file, bool alone) {
  LoadError error;
  std::vector<std::string> notes;
  std::optional<FileBytes> bytes = alone ? FileBytes::open(file, &error) : open_with_orphans(file, &error, &notes);
  if (!bytes)
    fail(error);
  for (const std::string &note : notes)
    std::cerr << program_name << ": note: " << note << "\n";
  return std::move(*bytes);
}

// Returns true if functions in the profile were compiled with switch=1 but counting was never switched on.
static bool was_never_switched_on(const Profile &profile) {
  auto is_switched = [](const Function &function) {
    return (function.notes.flags & kSwitched) && !is_left_out(function);
  };
  auto has_counts = [&](const Function &function) {
    return is_switched(function) && (!function.paths.empty() || !function.cut_short.empty() ||
                                     (function.activity && function.activity->executions));
  };
  const std::vector<Function> &functions = profile.functions;
  return profile.runs && !profile.switched && std::any_of(functions.begin(), functions.end(), is_switched) &&
         std::none_of(functions.begin(), functions.end(), has_counts);
}

std::vector<std::string> warnings_of(const Profile &profile) {
  auto raced = [](const Function &function) {
    return (function.notes.flags & kUpdateSingle) && (!function.paths.empty() || function.in_program);
  };
  std::vector<std::string> warnings;
  auto n = std::count_if(profile.functions.begin(), profile.functions.end(), raced);
  if (profile.threaded && n)
    warnings.push_back(
        fmt::format("the program had several threads, and {} compiled with update=single, which can lose "
                    "counts of concurrent threads; compile with -pthread or -fplugin-arg-pathprof-update=thread",
                    n == 1 ? "a function was" : fmt::format("{} functions were", n)));
  Unfinished unfinished = unfinished_of(profile);
  for (std::string text : {killed_text(profile, unfinished), unfinished_text(profile, unfinished)})
    if (!text.empty())
      warnings.push_back(std::move(text));
  if (was_never_switched_on(profile))
    warnings.push_back(fmt::format("counting was never switched on, so functions compiled with switch=1 have no "
                                   "counts; use '{} record -- PROGRAM' or set PATHPROF_SWITCH=on to switch "
                                   "counting on",
                                   program_name));
  return warnings;
}

void print_warnings(const Profile &profile, const std::string &file) {
  for (const std::string &warning : warnings_of(profile))
    std::cerr << program_name << ": warning: " << visible(file) << ": " << warning << "\n";
}

Profile parse_image(const std::string &file, const FileBytes &bytes) {
  LoadError error;
  std::optional<Profile> profile = parse_profile(file, bytes.data(), bytes.size(), &error);
  if (!profile)
    fail(error);
  make_names_visible(*profile);
  return std::move(*profile);
}

Profile open_profile(const std::string &file) {
  Profile profile = parse_image(file, open_image(file));
  print_warnings(profile, file);
  return profile;
}

// Returns the files in a directory and its subdirectories, or the name itself if it is not a directory.
static std::vector<std::string> files_in(const std::string &name) {
  std::error_code error;
  if (!std::filesystem::is_directory(name, error))
    return {name};
  std::vector<std::string> files;
  for (std::filesystem::recursive_directory_iterator at(name, error), end; at != end; at.increment(error))
    if (at->is_regular_file(error))
      files.push_back(at->path().string());
  if (error)
    throw Failure(kWrongUse, fmt::format("{}: cannot read the directory: {}", name, error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the source files of `compiled` whose checksum differs from the checksum in the profile.
static std::set<std::string> changed_sources(const UnitSources &compiled,
                                             const std::map<std::string, std::set<uint32_t>> &checksums) {
  std::set<std::string> changed;
  for (size_t i = 0; i < compiled.checksums.size(); i++) {
    auto known = checksums.find(compiled.paths[i]);
    if (compiled.checksums[i] && known != checksums.end() && !known->second.count(compiled.checksums[i]))
      changed.insert(compiled.files[i]);
  }
  return changed;
}

// Returns true if a program or a shared library was executed, and its file now contains another build. Several files
// can have the same name; one of them may be the file that was executed.
static bool is_rebuilt(const std::vector<LinkedFile> &linked, const Profile &profile) {
  return std::any_of(profile.modules.begin(), profile.modules.end(), [&](const Module &module) {
    bool has_name = false, has_build = false;
    for (const LinkedFile &file : linked) {
      has_name |= file.name == std::filesystem::path(module.name).filename().string();
      has_build |= file.build_id == module.build_id;
    }
    return has_name && !has_build;
  });
}

// The functions of a profile, for comparison with the functions of object files.
class KnownFunctions {
public:
  explicit KnownFunctions(const Profile &profile) {
    for (const Function &function : profile.functions) {
      names_.insert(name_and_path(function.notes, function.path));
      keys_.insert(function_key(function));
    }
  }

  // Returns true if the profile contains most functions of the unit, but some of them with another graph.
  bool has_other_version_of(const Profile &unit) const {
    size_t num_named = 0, num_equal = 0;
    for (const Function &function : unit.functions) {
      bool is_named = names_.count(name_and_path(function.notes, function.path));
      num_named += is_named;
      num_equal += is_named && keys_.count(function_key(function));
    }
    return num_named > num_equal && 2 * num_named > unit.functions.size();
  }

private:
  std::set<std::string> names_, keys_;
};

// Removes the units that were compiled from other versions of the profile's source files, or for another build of the
// executed program. Adds the names of their source files to `opened`.
static void leave_out_changed(CompiledUnits &units, const Profile &profile, OpenedObjects &opened) {
  std::optional<KnownFunctions> known; // only if a program was built again
  if (is_rebuilt(units.linked(), profile))
    known.emplace(profile);
  std::map<std::string, std::set<uint32_t>> checksums; // of the profile's source files, by path
  for (const std::unique_ptr<UnitSources> &unit : profile.sources)
    for (size_t i = 0; i < unit->checksums.size(); i++)
      if (unit->checksums[i])
        checksums[unit->paths[i]].insert(unit->checksums[i]);
  units.keep_if([&](const std::string &file, const FileBytes &image) {
    Profile compiled = parse_image(file, image);
    std::set<std::string> changed;
    for (const std::unique_ptr<UnitSources> &unit : compiled.sources)
      changed.merge(changed_sources(*unit, checksums));
    opened.changed.insert(changed.begin(), changed.end());
    bool is_other_build = changed.empty() && known && known->has_other_version_of(compiled);
    if (is_other_build)
      for (const Function &function : compiled.functions)
        opened.rebuilt.insert(function.file);
    return changed.empty() && !is_other_build;
  });
}

// Adds the files of the list that belongs to the profile or, if the options name object files, those files.
static void add_objects(const ObjectOptions &options, const std::string &file, CompiledUnits &units,
                        OpenedObjects &objects) {
  auto add = [&](const std::string &object) {
    if (LoadError error; !units.add(object, &error))
      throw Failure(kBadData, error.message());
    objects.files.push_back(object);
  };
  for (const std::string &name : options.objects)
    for (const std::string &object : files_in(name))
      add(object);
  objects.list = options.is_given() ? options.manifest : find_manifest(file);
  if (objects.list.empty())
    return;
  ListedFiles listed = read_manifest(objects.list);
  objects.missing = std::move(listed.missing);
  for (const std::string &object : listed.existing) {
    size_t before = units.num_found();
    add(object);
    if (units.num_found() == before) {
      objects.files.pop_back();
      objects.uninstrumented.push_back(object);
    }
  }
}

// Prints a warning about listed files whose code is not part of the profile.
static void warn_of_listed(const OpenedObjects &objects, const std::string &fault,
                           const std::vector<std::string> &files) {
  if (files.empty())
    return;
  std::cerr << program_name << ": warning: " << visible(objects.list) << ": listed files " << fault << ": "
            << some_of(files, 8, ", ")
            << "; code that only these files contain is missing from the totals; build again with 'pathprof build'\n";
}

Profile open_profile_with_objects(const std::string &file, const ObjectOptions &options, OpenedObjects *opened) {
  OpenedObjects objects;
  CompiledUnits units;
  add_objects(options, file, units, objects);
  FileBytes bytes = open_image(file);
  if (!objects.files.empty())
    leave_out_changed(units, parse_image(file, bytes), objects);
  Profile profile = parse_image(file, objects.files.empty() ? bytes : units.merged_with(bytes));
  if (opened) {
    *opened = std::move(objects);
    return profile;
  }
  warn_of_listed(objects, "are missing", objects.missing);
  warn_of_listed(objects, "no longer contain instrumented code", objects.uninstrumented);
  if (!objects.changed.empty())
    std::cerr << program_name << ": warning: " << visible(file)
              << ": object files were left out, because their sources have changed since the program was run: "
              << some_of({objects.changed.begin(), objects.changed.end()}, 4, ", ")
              << "; code that only these files contain is missing from the totals; run the tests again\n";
  if (!objects.rebuilt.empty())
    std::cerr << program_name << ": warning: " << visible(file)
              << ": the program was built again after it was run; the figures are those of the earlier build, and new "
                 "object files were left out: "
              << some_of({objects.rebuilt.begin(), objects.rebuilt.end()}, 4, ", ") << "; run the tests again\n";
  print_warnings(profile, file);
  return profile;
}

std::string title_of(const Profile &profile, const std::string &file) {
  return profile.program.empty() ? visible(file) : profile.program;
}

std::unique_ptr<Decoded> decode_or_fail(const std::string &file, const Function &function) {
  const char *reason = nullptr;
  std::unique_ptr<Decoded> decoded = function.decode(&reason);
  if (!decoded)
    throw Failure(kBadData, fmt::format("{}: function {}: {}", file, function.notes.name, reason));
  return decoded;
}

void decode_all_or_fail(const std::string &file, const Profile &profile) {
  for (const Function &function : profile.functions)
    if (!is_left_out(function))
      decode_or_fail(file, function);
}

} // namespace pathprof
