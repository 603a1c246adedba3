// SPDX-License-Identifier: GPL-3.0-or-later
// Reads profiles: decodes the units with their counts, combines their functions, and then decodes the programs.
#include "profile/model/profile.h"

#include <algorithm>
#include <map>

#include "profile/format/image.h"
#include "profile/model/combine.h"
#include "profile/model/foreign.h"
#include "profile/model/source_names.h"
#include "profile/model/tests.h"
#include "profile/model/unit_counts.h"

namespace pathprof {

bool Profile::has_cycles() const {
  return std::any_of(functions.begin(), functions.end(),
                     [](const Function &function) { return function.notes.measures_cycles(); });
}

namespace {

std::string text_of(const pathprof_text &text) {
  return {reinterpret_cast<const char *>(text.data), text.data ? text.size : 0};
}

std::string hexadecimal(const pathprof_text &bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes.size; i++) {
    text += digits[bytes.data[i] >> 4];
    text += digits[bytes.data[i] & 15];
  }
  return text;
}

class Parser {
public:
  // If `places` is not null, the indices of all functions are stored in `*places`, and no functions are removed.
  Parser(const std::string &name, const unsigned char *data, size_t size, EntryPlaces *places = nullptr)
      : name_(name), data_(data), size_(size), places_(places) {}

  std::optional<Profile> run(LoadError *error) {
    pathprof_image image;
    pathprof_error wrong = {};
    if (!pathprof_image_open(&image, data_, size_, &wrong) || !read_program(image, &wrong) ||
        !read_units(image, &wrong)) {
      *error = {name_, wrong.offset, wrong.reason};
      return std::nullopt;
    }
    name_sources(profile_.sources);
    take_functions();
    if (!places_)
      drop_shadows(profile_.functions);
    if (!finish_interprocedural_units(&wrong)) {
      *error = {name_, wrong.offset, wrong.reason};
      return std::nullopt;
    }
    if (places_)
      note_places();
    return std::move(profile_);
  }

private:
  static bool before(const Function &a, const Function &b) {
    return std::tie(a.file, a.notes.line, a.notes.name) < std::tie(b.file, b.notes.line, b.notes.name);
  }

  // Sorts pointers instead of functions, because functions are large.
  void take_functions() {
    std::vector<Function *> sorted;
    for (auto &[key, function] : functions_) {
      function.file = function.sources->files[function.notes.file];
      sorted.push_back(&function);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Function *a, const Function *b) { return before(*a, *b); });
    profile_.functions.reserve(sorted.size());
    for (Function *function : sorted)
      profile_.functions.push_back(std::move(*function));
  }

  bool read_program(const pathprof_image &image, pathprof_error *wrong) {
    pathprof_cursor cursor = image.section[PATHPROF_SECTION_PROGRAM];
    pathprof_program program;
    pathprof_get_program(&cursor, &program);
    profile_.program = text_of(program.name);
    profile_.runs = program.runs;
    profile_.forks = program.forks;
    profile_.resets = program.resets;
    profile_.sudden_ends = program.sudden_ends;
    pathprof_module module;
    for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);)
      profile_.modules.push_back({text_of(module.name), hexadecimal(module.build_id)});
    pathprof_program_more more;
    pathprof_get_program_more(&cursor, &more);
    profile_.threaded = more.threaded;
    profile_.switched = more.switched;
    *wrong = cursor.error;
    return pathprof_cursor_ok(&cursor);
  }

  bool read_units(const pathprof_image &image, pathprof_error *wrong) {
    CountSections sections(image);
    uint64_t num_units = 0;
    auto read = [&](UnitEntry unit) {
      std::optional<UnitCounts> counts = sections.next(unit.notes, unit.base, wrong);
      if (!counts)
        return false;
      num_units++;
      if (places_)
        entries_.emplace_back();
      if (unit.notes.program)
        begin_interprocedural_unit(unit.notes, counts->paths.front(), counts->sequences.front().forest, unit.base);
      add_unit(std::move(unit.notes), std::move(*counts));
      return true;
    };
    if (!visit_units(image, read, wrong))
      return false;
    pathprof_cursor tests = image.section[PATHPROF_SECTION_TESTS];
    pathprof_check_tests(&tests, num_units);
    *wrong = tests.error;
    return !wrong->reason;
  }

  // Moves the truncated paths in `paths` to Function::cut_short, and all other paths to Function::paths.
  static void split_paths(Function &function, std::vector<ExecutedPath> paths) {
    auto first = std::partition_point(paths.begin(), paths.end(),
                                      [&](const ExecutedPath &path) { return path.id < function.notes.num_paths; });
    function.cut_short.assign(first, paths.end());
    paths.erase(first, paths.end());
    function.paths = std::move(paths);
  }

  // Sets the cycles of the paths.  A path can have cycles but no count if the profile of a running program was written
  // after the program updated the cycles and before it updated the count.
  static void set_cycles(Function &function, const UnitCounts::Sums &times) {
    auto path = function.paths.begin();
    for (const ExecutedPath &time : times) {
      while (path != function.paths.end() && path->id < time.id)
        ++path;
      if (path != function.paths.end() && path->id == time.id)
        path->cycles = time.count;
      else
        function.num_stray_cycles++;
    }
  }

  // An interprocedural unit whose functions are identified by keys until the indices of all functions are known.
  struct OpenUnit {
    InterproceduralUnit interprocedural;
    std::vector<std::string> keys; // the key of each procedure's function
    uint64_t offset;               // offset of the unit's notes
    size_t unit;                   // index of the unit in the file
    size_t file = 0;               // index of the main source file in the unit's sources
  };

  void note_places() {
    std::map<std::string, size_t> index_of;
    for (size_t i = 0; i < profile_.functions.size(); i++)
      index_of[function_key(profile_.functions[i])] = i;
    for (const std::vector<std::string> &unit : entries_) {
      places_->functions.emplace_back();
      for (const std::string &key : unit)
        places_->functions.back().push_back(index_of.at(key));
    }
    places_->programs.assign(entries_.size(), EntryPlaces::kNone);
    for (size_t i = 0; i < open_units_.size(); i++)
      places_->programs[open_units_[i].unit] = i;
  }

  // Returns the executed interprocedural paths.  If path IDs have two digits (ProgramNotes::is_wide), the paths are in
  // the forest `digits`.  Otherwise, they are in `paths`.
  static std::vector<ExecutedProgramPath> interprocedural_paths(const ProgramNotes &program,
                                                                const UnitCounts::Sums &paths, const Forest &digits) {
    std::vector<ExecutedProgramPath> executed;
    if (!program.is_wide())
      for (const ExecutedPath &path : paths)
        executed.push_back({path.id, path.count});
    for (size_t i = 0; i < digits.size(); i++)
      if (digits[i].parent != ForestNode::kNone)
        executed.push_back({number_at(digits, i), digits[i].count});
    return executed;
  }

  void begin_interprocedural_unit(const UnitNotes &unit, const UnitCounts::Sums &paths, const Forest &digits,
                                  uint64_t offset) {
    UnitProgram of_unit = program_of(unit);
    InterproceduralUnit interprocedural;
    interprocedural.mode = unit.program->mode;
    interprocedural.num_paths = unit.program->num_paths;
    interprocedural.supergraph = std::make_unique<Supergraph>(std::move(of_unit.supergraph));
    interprocedural.paths = interprocedural_paths(*unit.program, paths, digits);
    open_units_.push_back({std::move(interprocedural), {}, offset, profile_.sources.size()});
  }

  bool finish_interprocedural_units(pathprof_error *wrong) {
    std::map<std::string, size_t> index_of;
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (profile_.functions[i].in_program)
        index_of[function_key(profile_.functions[i])] = i;
    for (OpenUnit &open : open_units_) {
      open.interprocedural.source = profile_.sources[open.unit]->files[open.file];
      open.interprocedural.path = profile_.sources[open.unit]->paths[open.file];
    }
    std::stable_sort(open_units_.begin(), open_units_.end(), [](const OpenUnit &a, const OpenUnit &b) {
      return a.interprocedural.source < b.interprocedural.source;
    });
    for (OpenUnit &open : open_units_) {
      InterproceduralUnit &interprocedural = open.interprocedural;
      for (const std::string &key : open.keys)
        interprocedural.functions.push_back(index_of.at(key));
      if (!interprocedural.functions.empty())
        interprocedural.stage = profile_.functions[interprocedural.functions.front()].notes.stage;
      const char *reason = interprocedural.decode();
      if (!reason)
        reason = add_activity(interprocedural, profile_.functions);
      if (reason) {
        *wrong = {reason, open.offset};
        return false;
      }
      profile_.interprocedural_units.push_back(std::move(interprocedural));
    }
    return true;
  }

  static std::vector<std::string> callees_of(const FunctionNotes &notes, const std::vector<std::string> &names) {
    std::vector<std::string> callees;
    for (const CallNotes &call : notes.calls)
      callees.push_back(call.callee == CallNotes::kUnknown ? "" : names[call.callee]);
    return callees;
  }

  // Returns the index of the main source file in the unit's list of files.  Appends the file if the list does not
  // contain it.
  static size_t index_of_main_source(UnitNotes &unit) {
    auto at = std::find(unit.files.begin(), unit.files.end(), unit.source);
    size_t index = static_cast<size_t>(at - unit.files.begin());
    if (at == unit.files.end())
      unit.files.push_back(unit.source);
    return index;
  }

  void add_unit(UnitNotes unit, UnitCounts counts) {
    std::vector<std::string> names;
    for (const FunctionNotes &notes : unit.functions)
      names.push_back(notes.name);
    size_t entry = first_function(unit);
    if (unit.program)
      open_units_.back().file = index_of_main_source(unit);
    profile_.sources.push_back(std::make_unique<UnitSources>(UnitSources{{},
                                                                         unit.files,
                                                                         {},
                                                                         std::move(unit.checksums),
                                                                         std::move(unit.folder),
                                                                         std::move(unit.compiler),
                                                                         std::move(unit.options)}));
    const UnitSources *sources = profile_.sources.back().get();
    for (size_t i = 0; i < unit.functions.size(); i++, entry++) {
      Function function;
      function.in_program = is_in_program(unit, unit.functions[i]);
      function.callees = callees_of(unit.functions[i], names);
      function.notes = std::move(unit.functions[i]);
      function.sources = sources;
      function.files = &sources->files;
      function.path = path_of_source(sources->folder, sources->names[function.notes.file]);
      split_paths(function, std::move(counts.paths[entry]));
      function.values = std::move(counts.values[entry]);
      set_cycles(function, counts.cycles[entry]);
      function.measuring = counts.costs[entry].empty() ? 0 : counts.costs[entry].front().count;
      function.forest = std::move(counts.sequences[entry].forest);
      function.is_pruned = counts.sequences[entry].is_pruned;
      std::string key = function_key(function);
      if (function.in_program) // procedures are in the order of the functions
        open_units_.back().keys.push_back(key);
      if (places_)
        entries_.back().push_back(key);
      auto [at, is_new] = functions_.try_emplace(std::move(key), std::move(function));
      if (!is_new)
        add_counts(at->second, function);
    }
  }

  std::string name_;
  const unsigned char *data_;
  size_t size_;
  Profile profile_;
  std::map<std::string, Function> functions_;
  std::vector<OpenUnit> open_units_;
  EntryPlaces *places_;
  std::vector<std::vector<std::string>> entries_; // keys of the functions of each unit, if places are requested
};

} // namespace

std::optional<Profile> parse_profile(const std::string &name, const unsigned char *data, size_t size,
                                     LoadError *error) {
  std::optional<Profile> profile = Parser(name, data, size).run(error);
  if (!profile)
    explain_foreign(data, size, error);
  return profile;
}

std::optional<Profile> parse_with_places(const std::string &name, const unsigned char *data, size_t size,
                                         EntryPlaces *places, LoadError *error) {
  return Parser(name, data, size, places).run(error);
}

std::optional<Profile> load_profile(const std::string &name, LoadError *error) {
  std::optional<FileBytes> file = FileBytes::open(name, error);
  if (!file)
    explain_unopened(error);
  return file ? parse_profile(name, file->data(), file->size(), error) : std::nullopt;
}

} // namespace pathprof
