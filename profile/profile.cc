// SPDX-License-Identifier: GPL-3.0-or-later
// Reading profiles into the in-memory model.
#include "profile/profile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <numeric>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/preferential.h"
#include "profile/forest.h"
#include "profile/image.h"

namespace pathprof {

// ---------------------------------------------------------------------------------------------------
// Functions.

std::optional<Path> Decoded::regenerate(uint64_t id) const {
  std::optional<PrefixNumbering::Prefix> prefix = prefixes.locate(id);
  return prefix ? numbering.regenerate_prefix(prefix->sum, prefix->block, prefix->call) : numbering.regenerate(id);
}

std::unique_ptr<Decoded> Function::decode(const char **reason) const {
  auto decoded = std::make_unique<Decoded>(notes);
  *reason = nullptr;
  if (!decoded->graph.is_acyclic())
    *reason = "a function's paths run in a cycle";
  else if (in_program)
    return decoded;
  else if (!decoded->numbering.fits() || decoded->numbering.num_paths() != notes.num_paths)
    *reason = "a function's graph does not have the number of paths that its notes say";
  else if (!paths.empty() && paths.back().id >= notes.num_paths)
    *reason = "the number of an executed path is out of bounds";
  for (const ExecutedPath &path : cut_short)
    if (!*reason && !decoded->regenerate(path.id))
      *reason = "the number of a path that was cut short names none";
  return *reason ? nullptr : std::move(decoded);
}

bool is_residual(const Function &function, uint64_t id) {
  return function.notes.model.mode == Mode::Preferential && !function.notes.is_interesting(id);
}

bool has_cycles(const Function &function, const ExecutedPath &path) {
  return function.notes.measures_cycles() && path.id < function.notes.num_paths;
}

bool is_left_out(const Function &function) {
  return !function.in_program && (!function.notes.left_out.empty() || function.notes.storage == PATHPROF_STORAGE_NONE);
}

std::string why_left_out(const Function &function) {
  return function.notes.left_out.empty() ? "no reason recorded" : function.notes.left_out;
}

bool Profile::has_cycles() const {
  return std::any_of(functions.begin(), functions.end(),
                     [](const Function &function) { return function.notes.measures_cycles(); });
}

std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<double> &estimate) {
  if (function.activity)
    return function.activity->edges.traversals(estimate);
  EdgeCounts counts(function.notes.graph, function.notes.flags & kExactTermination);
  for (const auto *paths : {&function.paths, &function.cut_short})
    for (const ExecutedPath &executed : *paths)
      counts.add(*decoded.regenerate(executed.id), executed.count);
  return counts.traversals(estimate);
}

static uint64_t saturating_sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

// An activation's first path starts at its entry.
uint64_t broken_sequences(const Function &function, const Decoded &decoded) {
  std::vector<char> is_broken(function.forest.size());
  uint64_t sum = 0;
  for (size_t i = 0; i < is_broken.size(); i++) {
    const ForestNode &node = function.forest[i];
    is_broken[i] =
        node.depth == 1 ? decoded.numbering.regenerate(node.id)->start != PathStart::Entry : is_broken[node.parent];
    if (is_broken[i] && node.depth <= 2)
      sum = saturating_sum(sum, node.count);
  }
  return sum;
}

Forest forest_of(const Function &function) {
  if (function.notes.has_forest())
    return function.forest;
  Forest roots;
  for (const ExecutedPath &path : function.paths)
    roots.push_back({ForestNode::kNone, 1, path.id, path.count});
  return roots;
}

std::string name_and_file(const FunctionNotes &notes, const std::string &file) {
  static constexpr size_t kMaxName = sizeof pathprof_index().name - 1; // what notes keep of it
  bool is_visible = notes.flags & kExternallyVisible;
  return notes.name.substr(0, kMaxName) + '\0' + (is_visible ? file.substr(file.rfind('/') + 1) : file);
}

std::string identity_of(const Function &function) {
  std::string identity = name_and_file(function.notes, function.file);
  if (function.notes.flags & kExternallyVisible)
    identity += ':' + std::to_string(function.notes.line);
  return identity;
}

// Functions of programs are told apart by what paths do at their calls.
static std::string calls_of(const Function &function) {
  std::string text = function.notes.flags & kBeginsPaths ? " begins paths" : " passed by paths";
  for (size_t i = 0; i < function.notes.calls.size(); i++) {
    const CallNotes &call = function.notes.calls[i];
    text += '\0' + std::to_string(call.block) + ' ' + std::to_string(static_cast<int>(call.kind)) +
            (call.ends_block ? "e " : " ") + to_string(call.cut) + ' ' + function.callees[i];
  }
  return text;
}

// Cuts are compared as a digest of the edge flags.  Paths that were cut short are numbered by the calls, too.
static std::string model_of(const Function &function, Mode mode) {
  const FunctionNotes &notes = function.notes;
  uint32_t cuts = 0;
  for (const Edge &edge : notes.graph.edges()) {
    unsigned char flags = edge.flags & (kBack | kCut);
    cuts = pathprof_crc32c(cuts, &flags, 1);
  }
  std::string model;
  for (uint64_t part :
       {uint64_t{notes.checksum()}, uint64_t{cuts}, notes.num_paths,
        uint64_t{notes.flags & (kExactTermination | kCycles)}, static_cast<uint64_t>(mode),
        static_cast<uint64_t>(notes.stage), static_cast<uint64_t>(notes.model.numbering), uint64_t{notes.model.k}})
    model += '\0' + std::to_string(part);
  for (const LoopIterations &loop : notes.model.loops)
    model += '\0' + std::to_string(loop.head) + ':' + std::to_string(loop.k);
  if (notes.flags & kExactTermination)
    for (uint32_t calls : notes.calls_by_block())
      model += ' ' + std::to_string(calls);
  if (function.in_program)
    model += calls_of(function);
  return model;
}

std::string model_of(const Function &function) {
  return model_of(function, function.notes.model.mode);
}

std::string numbers_of(const Function &function) {
  Mode mode = function.notes.model.mode;
  return model_of(function, mode == Mode::Preferential ? Mode::Acyclic : mode);
}

// ---------------------------------------------------------------------------------------------------
// Files.

std::string LoadError::message() const {
  return file + ": " + (offset ? "offset " + std::to_string(*offset) + ": " : "") + reason;
}

// Whether more bytes could still make a profile of these: the source may be a device without an end.
static bool wants_more(const std::vector<unsigned char> &bytes) {
  static constexpr size_t kSizeAt = 16;
  if (std::memcmp(bytes.data(), PATHPROF_MAGIC, std::min<size_t>(bytes.size(), PATHPROF_MAGIC_SIZE)) != 0)
    return false;
  pathprof_cursor header = pathprof_cursor_over(bytes.data(), bytes.size(), 0);
  header.pos = std::min(bytes.size(), kSizeAt);
  uint64_t size = pathprof_get_u64(&header);
  return !pathprof_cursor_ok(&header) || bytes.size() <= size;
}

static std::optional<std::vector<unsigned char>> read_all(int fd) {
  std::vector<unsigned char> bytes;
  for (;;) {
    size_t size = bytes.size();
    bytes.resize(size + (size_t{1} << 16));
    ssize_t n = read(fd, bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR)
      n = 0;
    else if (n <= 0) {
      bytes.resize(size);
      return n < 0 ? std::nullopt : std::make_optional(std::move(bytes));
    }
    bytes.resize(size + static_cast<size_t>(n));
    if (n > 0 && !wants_more(bytes))
      return bytes;
  }
}

std::optional<FileBytes> FileBytes::open(const std::string &name, LoadError *error) {
  FileBytes file;
  bool is_stdin = name == "-";
  int fd = is_stdin ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool ok = fd >= 0 && fstat(fd, &status) == 0;
  if (ok && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    ok = false;
  }
  if (ok && S_ISREG(status.st_mode) && status.st_size > 0 && !is_stdin) {
    file.size_ = static_cast<size_t>(status.st_size);
    void *data = mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, fd, 0);
    ok = data != MAP_FAILED;
    if (ok)
      file.bytes_ = {static_cast<const unsigned char *>(data),
                     [size = file.size_](const unsigned char *p) { munmap(const_cast<unsigned char *>(p), size); }};
  } else if (ok) {
    auto bytes = read_all(fd);
    ok = bytes.has_value();
    if (ok) {
      auto holder = std::make_shared<std::vector<unsigned char>>(std::move(*bytes));
      file.size_ = holder->size();
      file.bytes_ = {holder, holder->data()};
    }
  }
  int reason = errno;
  if (fd >= 0 && !is_stdin)
    close(fd);
  if (ok)
    return file;
  *error = {name, std::nullopt, std::strerror(reason)};
  return std::nullopt;
}

FileBytes FileBytes::from(pathprof_buffer *buffer) {
  auto holder = std::shared_ptr<pathprof_buffer>(new pathprof_buffer(*buffer), [](pathprof_buffer *old) {
    pathprof_buffer_free(old);
    delete old;
  });
  *buffer = {};
  FileBytes bytes;
  bytes.size_ = holder->size;
  bytes.bytes_ = {holder, holder->data};
  return bytes;
}

// ---------------------------------------------------------------------------------------------------
// Profiles.

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
  Parser(const std::string &name, const unsigned char *data, size_t size) : name_(name), data_(data), size_(size) {}

  std::optional<Profile> run(LoadError *error) {
    pathprof_image image;
    pathprof_error wrong = {};
    if (!pathprof_image_open(&image, data_, size_, &wrong) || !read_program(image, &wrong) ||
        !read_units(image, &wrong)) {
      *error = {name_, wrong.offset, wrong.reason};
      return std::nullopt;
    }
    for (auto &[key, function] : functions_)
      profile_.functions.push_back(std::move(function));
    drop_shadows();
    std::stable_sort(profile_.functions.begin(), profile_.functions.end(), before);
    if (!finish_programs(&wrong)) {
      *error = {name_, wrong.offset, wrong.reason};
      return std::nullopt;
    }
    return std::move(profile_);
  }

private:
  static bool before(const Function &a, const Function &b) {
    return std::tie(a.file, a.notes.line, a.notes.name) < std::tie(b.file, b.notes.line, b.notes.name);
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
    for (uint64_t i = 0; i < program.num_modules && pathprof_cursor_ok(&cursor); i++) {
      pathprof_module module;
      pathprof_get_module(&cursor, &module);
      if (pathprof_cursor_ok(&cursor))
        profile_.modules.push_back({text_of(module.name), hexadecimal(module.build_id)});
    }
    *wrong = cursor.error;
    return pathprof_cursor_ok(&cursor);
  }

  bool read_units(const pathprof_image &image, pathprof_error *wrong) {
    pathprof_cursor units = image.section[PATHPROF_SECTION_UNITS];
    pathprof_cursor counts = image.section[PATHPROF_SECTION_COUNTS];
    pathprof_cursor cycles = image.section[PATHPROF_SECTION_CYCLES];
    pathprof_cursor forests = image.section[PATHPROF_SECTION_FORESTS];
    uint64_t num_units = pathprof_get_varint(&units);
    for (uint64_t i = 0; i < num_units && pathprof_cursor_ok(&units); i++) {
      pathprof_unit_notes entry;
      pathprof_get_unit(&units, &entry);
      if (!pathprof_cursor_ok(&units))
        break;
      uint64_t base = units.base + units.pos - entry.notes.size;
      std::optional<UnitNotes> unit = decode_notes(entry.notes.data, entry.notes.size, base, wrong);
      if (!unit)
        return false;
      size_t num_entries = first_function(*unit) + unit->functions.size();
      std::vector<Sums> paths(num_entries), times(num_entries);
      read_sums(counts, *unit, paths);
      if (cycles.data)
        read_sums(cycles, *unit, times);
      if (!pathprof_cursor_ok(&counts) || !check_cycles(cycles, *unit, times))
        break;
      std::vector<Sequences> sequences(num_entries);
      if (forests.data)
        read_forests(forests, *unit, sequences);
      if (!check_forests(forests, *unit, sequences, paths))
        break;
      for (size_t f = 0; f < unit->functions.size(); f++)
        if (const char *reason = number_slots(unit->functions[f], paths[first_function(*unit) + f])) {
          *wrong = {reason, base};
          return false;
        }
      if (unit->program)
        begin_program(*unit, paths.front(), sequences.front().forest, base);
      add_unit(std::move(*unit), std::move(paths), std::move(times), std::move(sequences));
    }
    for (const pathprof_cursor *cursor : {&forests, &cycles, &counts, &units})
      if (!pathprof_cursor_ok(cursor))
        *wrong = cursor->error;
    return !wrong->reason;
  }

  // Counts are those of the unit's program first, if it has one, and then those of its functions.
  static size_t first_function(const UnitNotes &unit) { return unit.program ? 1 : 0; }

  // Null where the index is the program's, or too large.
  static const FunctionNotes *function_at(const UnitNotes &unit, uint64_t index) {
    uint64_t place = index - first_function(unit);
    return place < unit.functions.size() ? &unit.functions[place] : nullptr;
  }

  // Counts by path, or cycles in the place of the counts.
  using Sums = std::vector<ExecutedPath>;

  static void read_sums(pathprof_cursor &cursor, const UnitNotes &unit, std::vector<Sums> &sums) {
    uint64_t num_functions = pathprof_get_varint(&cursor);
    pathprof_function_counts function = {UINT64_MAX, 0};
    for (uint64_t i = 0; i < num_functions && pathprof_cursor_ok(&cursor); i++) {
      pathprof_get_function(&cursor, function.index, &function);
      if (!pathprof_cursor_ok(&cursor))
        return;
      if (function.index >= sums.size())
        return pathprof_cursor_fail(&cursor, "counts of a function that the notes do not have");
      Sums &executed = sums[function.index];
      executed.reserve(function.num_paths);
      ExecutedPath path{UINT64_MAX, 0};
      for (uint64_t p = 0; p < function.num_paths && pathprof_cursor_ok(&cursor); p++) {
        path.id = pathprof_get_path(&cursor, path.id, &path.count);
        executed.push_back(path);
      }
      if (pathprof_cursor_ok(&cursor) && !executed.empty() && executed.back().id >= num_ids(unit, function.index))
        pathprof_cursor_fail(&cursor, "the number of an executed path is out of bounds");
    }
  }

  struct Sequences {
    Forest forest;
    bool is_pruned = false;
  };

  static void read_forests(pathprof_cursor &cursor, const UnitNotes &unit, std::vector<Sequences> &sequences) {
    uint64_t num_functions = pathprof_get_varint(&cursor);
    pathprof_forest_walk walk = {};
    walk.cursor = &cursor;
    walk.index = UINT64_MAX;
    for (uint64_t i = 0; i < num_functions && pathprof_cursor_ok(&cursor); i++) {
      pathprof_get_forest(&walk);
      if (!pathprof_cursor_ok(&cursor))
        return;
      if (!has_forest(unit, walk.index))
        return pathprof_cursor_fail(&cursor, "a forest of a function that has none");
      sequences[walk.index].is_pruned = walk.flags & PATHPROF_FOREST_PRUNED;
      const FunctionNotes *function = function_at(unit, walk.index);
      if (function)
        read_nodes(walk, slab_depth(function->model.k), function->num_paths, sequences[walk.index].forest);
      else
        read_digits(walk, sequences[walk.index]);
    }
  }

  // Of an entry of the notes' index: a function, or the program.
  static bool has_forest(const UnitNotes &unit, uint64_t index) {
    const FunctionNotes *function = function_at(unit, index);
    return function ? function->has_forest() : index < first_function(unit) && unit.program->is_wide();
  }

  // A number is a way from a root to a leaf.
  static void read_digits(pathprof_forest_walk &walk, Sequences &sequences) {
    read_nodes(walk, kMaxDigits, static_cast<uint64_t>(kDigitValues), sequences.forest);
    bool has_single = std::any_of(sequences.forest.begin(), sequences.forest.end(),
                                  [](const ForestNode &node) { return node.depth < kMaxDigits && node.count > 0; });
    if (sequences.is_pruned || has_single)
      pathprof_cursor_fail(walk.cursor, "the number of an executed path is cut short");
  }

  // Of a lower digit, with the higher one.
  static WideNumber number_at(const Forest &forest, size_t node) {
    return forest[forest[node].parent].id * kDigitValues + forest[node].id;
  }

  static void read_nodes(pathprof_forest_walk &walk, uint32_t max_depth, uint64_t num_paths, Forest &forest) {
    std::vector<uint32_t> open; // the nodes on the way to the last one
    if (walk.left >= ForestNode::kNone)
      return pathprof_cursor_fail(walk.cursor, "a forest has too many nodes");
    forest.reserve(walk.left);
    while (pathprof_get_node(&walk)) {
      if (walk.depth > max_depth)
        return pathprof_cursor_fail(walk.cursor, "a node of a forest is too deep");
      if (walk.path[walk.depth - 1] >= num_paths)
        return pathprof_cursor_fail(walk.cursor, "the number of an executed path is out of bounds");
      open.resize(walk.depth - 1);
      uint32_t parent = open.empty() ? ForestNode::kNone : open.back();
      open.push_back(static_cast<uint32_t>(forest.size()));
      forest.push_back({parent, static_cast<uint32_t>(walk.depth), walk.path[walk.depth - 1], walk.count});
    }
  }

  // Paths are counted in their sequences only.
  static bool check_forests(pathprof_cursor &cursor, const UnitNotes &unit, const std::vector<Sequences> &sequences,
                            const std::vector<Sums> &paths) {
    for (size_t i = 0; i < sequences.size() && pathprof_cursor_ok(&cursor); i++) {
      if (!has_forest(unit, i))
        continue;
      std::vector<std::pair<uint64_t, uint64_t>> counts = path_counts(sequences[i].forest);
      bool same =
          std::equal(counts.begin(), counts.end(), paths[i].begin(), paths[i].end(),
                     [](const auto &a, const ExecutedPath &b) { return a.first == b.id && a.second == b.count; });
      if (!same)
        pathprof_cursor_fail(&cursor, "a function's sequences do not match the counts of its paths");
    }
    return pathprof_cursor_ok(&cursor);
  }

  // Only whole paths of functions that measure them have cycles.
  static bool check_cycles(pathprof_cursor &cursor, const UnitNotes &unit, const std::vector<Sums> &times) {
    for (size_t i = 0; i < times.size(); i++) {
      const FunctionNotes *function = function_at(unit, i);
      if (!times[i].empty() && (!function || !function->measures_cycles() || times[i].back().id >= function->num_paths))
        pathprof_cursor_fail(&cursor, "cycles of a path that does not measure them");
    }
    return pathprof_cursor_ok(&cursor);
  }

  static unsigned __int128 num_ids(const UnitNotes &unit, uint64_t index) {
    const FunctionNotes *function = function_at(unit, index);
    if (!function)
      return unit.program->is_wide() ? kDigitValues : wide(unit.program->num_paths);
    const FunctionNotes &notes = *function;
    if (is_in_program(unit, notes))
      return 0;
    if (notes.num_slots > 0)
      return static_cast<unsigned __int128>(notes.num_slots) + notes.num_paths;
    std::vector<uint32_t> calls = notes.calls_by_block();
    uint64_t num_calls = std::accumulate(calls.begin(), calls.end(), uint64_t{0});
    return static_cast<unsigned __int128>(notes.num_paths) * (num_calls + 1);
  }

  // Gives paths that were counted by compact numbers, or beside them, their Ball-Larus numbers.  What is wrong with
  // them, or null.
  static const char *number_slots(const FunctionNotes &notes, std::vector<ExecutedPath> &paths) {
    if (notes.num_slots == 0 || paths.empty())
      return nullptr;
    PathGraph graph = path_graph_of(notes.graph, notes.model);
    PathNumbering numbering(graph);
    std::vector<uint64_t> interesting = notes.interesting_ids();
    if (!graph.is_acyclic() || !numbering.fits() || numbering.num_paths() != notes.num_paths ||
        !can_be_compact(graph, numbering, interesting))
      return "a function's graph does not have the paths that its notes say";
    PreferentialCounters counters(graph, numbering, interesting, notes.num_slots);
    if (counters.num_slots() != notes.num_slots)
      return "a function's slots do not match its paths";
    for (ExecutedPath &path : paths) {
      std::optional<uint64_t> id = counters.path_at(path.id);
      if (!id)
        return "the number of an executed path is out of bounds";
      path.id = *id;
    }
    std::sort(paths.begin(), paths.end(), [](const ExecutedPath &a, const ExecutedPath &b) { return a.id < b.id; });
    auto twice = std::adjacent_find(paths.begin(), paths.end(),
                                    [](const ExecutedPath &a, const ExecutedPath &b) { return a.id == b.id; });
    return twice == paths.end() ? nullptr : "a path that has a counter is counted beside it";
  }

  // Moves the paths that were cut short out of all executed ones.
  static void split_paths(Function &function, std::vector<ExecutedPath> paths) {
    auto first = std::partition_point(paths.begin(), paths.end(),
                                      [&](const ExecutedPath &path) { return path.id < function.notes.num_paths; });
    function.cut_short.assign(first, paths.end());
    paths.erase(first, paths.end());
    function.paths = std::move(paths);
  }

  // A path may have cycles and no count where a running program was dumped between the two.
  static void set_cycles(Function &function, const Sums &times) {
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

  // A program whose functions are known by their keys, until all functions have their places.
  struct OpenProgram {
    Program program;
    std::vector<std::string> keys; // by procedure
    uint64_t offset;               // of the unit's notes
  };

  // `digits`: the paths of a program whose numbers have two.
  static std::vector<ExecutedProgramPath> program_paths(const ProgramNotes &program, const Sums &paths,
                                                        const Forest &digits) {
    std::vector<ExecutedProgramPath> executed;
    if (!program.is_wide())
      for (const ExecutedPath &path : paths)
        executed.push_back({path.id, path.count});
    for (size_t i = 0; i < digits.size(); i++)
      if (digits[i].parent != ForestNode::kNone)
        executed.push_back({number_at(digits, i), digits[i].count});
    return executed;
  }

  void begin_program(const UnitNotes &unit, const Sums &paths, const Forest &digits, uint64_t offset) {
    UnitProgram of_unit = program_of(unit);
    Program program;
    program.source = unit.source;
    program.mode = unit.program->mode;
    program.num_paths = unit.program->num_paths;
    program.supergraph = std::make_unique<Supergraph>(std::move(of_unit.supergraph));
    program.paths = program_paths(*unit.program, paths, digits);
    programs_.push_back({std::move(program), {}, offset});
  }

  bool finish_programs(pathprof_error *wrong) {
    std::map<std::string, size_t> place_of;
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (profile_.functions[i].in_program)
        place_of[identity_of(profile_.functions[i]) + model_of(profile_.functions[i])] = i;
    std::stable_sort(programs_.begin(), programs_.end(),
                     [](const OpenProgram &a, const OpenProgram &b) { return a.program.source < b.program.source; });
    for (OpenProgram &open : programs_) {
      Program &program = open.program;
      for (const std::string &key : open.keys)
        program.functions.push_back(place_of.at(key));
      if (!program.functions.empty())
        program.stage = profile_.functions[program.functions.front()].notes.stage;
      const char *reason = program.decode();
      if (!reason)
        reason = add_activity(program, profile_.functions);
      if (reason) {
        *wrong = {reason, open.offset};
        return false;
      }
      profile_.programs.push_back(std::move(program));
    }
    return true;
  }

  static std::vector<std::string> callees_of(const FunctionNotes &notes, const std::vector<std::string> &names) {
    std::vector<std::string> callees;
    for (const CallNotes &call : notes.calls)
      callees.push_back(call.callee == CallNotes::kUnknown ? "" : names[call.callee]);
    return callees;
  }

  void add_unit(UnitNotes unit, std::vector<Sums> paths, std::vector<Sums> times, std::vector<Sequences> sequences) {
    std::vector<std::string> names;
    for (const FunctionNotes &notes : unit.functions)
      names.push_back(notes.name);
    size_t entry = first_function(unit);
    profile_.file_tables.push_back(std::make_unique<std::vector<std::string>>(std::move(unit.files)));
    const std::vector<std::string> *files = profile_.file_tables.back().get();
    for (size_t i = 0; i < unit.functions.size(); i++, entry++) {
      Function function;
      function.in_program = is_in_program(unit, unit.functions[i]);
      function.callees = callees_of(unit.functions[i], names);
      function.notes = std::move(unit.functions[i]);
      function.files = files;
      function.file = (*files)[function.notes.file];
      split_paths(function, std::move(paths[entry]));
      set_cycles(function, times[entry]);
      function.forest = std::move(sequences[entry].forest);
      function.is_pruned = sequences[entry].is_pruned;
      std::string key = identity_of(function) + model_of(function);
      if (function.in_program) // procedures are in the order of functions
        programs_.back().keys.push_back(key);
      auto [at, is_new] = functions_.try_emplace(std::move(key), std::move(function));
      if (is_new)
        continue;
      at->second.num_stray_cycles += function.num_stray_cycles;
      add_interesting(at->second.notes.interesting, function.notes.interesting);
      add_paths(at->second.paths, function.paths);
      add_paths(at->second.cut_short, function.cut_short);
      at->second.forest = sum_of(at->second.forest, function.forest);
      at->second.is_pruned |= function.is_pruned;
    }
  }

  // Both in preorder, and so is the sum.
  static Forest sum_of(const Forest &a, const Forest &b) {
    struct Walk {
      const Forest &forest;
      size_t at = 0;
      std::vector<uint64_t> labels = {};
      bool load() {
        if (at == forest.size())
          return false;
        labels.resize(forest[at].depth - 1);
        labels.push_back(forest[at].id);
        return true;
      }
    };
    Walk walks[2] = {{a}, {b}};
    bool loaded[2] = {walks[0].load(), walks[1].load()};
    Forest sum;
    std::vector<uint32_t> open;
    while (loaded[0] || loaded[1]) {
      bool in[2] = {loaded[0] && (!loaded[1] || walks[0].labels <= walks[1].labels),
                    loaded[1] && (!loaded[0] || walks[1].labels <= walks[0].labels)};
      const Walk &first = walks[!in[0]];
      uint32_t depth = static_cast<uint32_t>(first.labels.size());
      open.resize(depth - 1);
      uint32_t parent = open.empty() ? ForestNode::kNone : open.back();
      open.push_back(static_cast<uint32_t>(sum.size()));
      sum.push_back({parent, depth, first.labels.back(), 0});
      for (int s = 0; s < 2; s++)
        if (in[s]) {
          sum.back().count = saturating_sum(sum.back().count, walks[s].forest[walks[s].at].count);
          walks[s].at++;
          loaded[s] = walks[s].load();
        }
    }
    return sum;
  }

  static void add_paths(std::vector<ExecutedPath> &to, const std::vector<ExecutedPath> &from) {
    std::vector<ExecutedPath> sum;
    auto a = to.begin();
    for (const ExecutedPath &path : from) {
      while (a != to.end() && a->id < path.id)
        sum.push_back(*a++);
      sum.push_back(path);
      if (a == to.end() || a->id != path.id)
        continue;
      sum.back().count = saturating_sum(a->count, path.count);
      sum.back().cycles = saturating_sum(a->cycles, path.cycles);
      ++a;
    }
    sum.insert(sum.end(), a, to.end());
    to = std::move(sum);
  }

  // What is interesting in one unit is.
  static void add_interesting(std::vector<InterestingPath> &to, const std::vector<InterestingPath> &from) {
    std::map<uint64_t, uint64_t> counts;
    for (const auto *paths : {&std::as_const(to), &from})
      for (const InterestingPath &path : *paths)
        counts[path.id] = std::max(counts[path.id], path.count);
    to.clear();
    for (auto [id, count] : counts)
      to.push_back({id, count});
  }

  static bool has_run(const Function &function) { return !function.paths.empty() || !function.cut_short.empty(); }

  // Of an externally visible function that units compiled differently the linker kept one body.  Where
  // one variant ran, those that did not are shadows of discarded bodies.
  void drop_shadows() {
    std::map<std::string, bool> ran;
    for (const Function &function : profile_.functions)
      if (function.notes.flags & kExternallyVisible)
        ran[identity_of(function)] |= has_run(function);
    auto is_shadow = [&](const Function &function) {
      return (function.notes.flags & kExternallyVisible) && !has_run(function) && !function.in_program &&
             ran[identity_of(function)];
    };
    auto &functions = profile_.functions;
    functions.erase(std::remove_if(functions.begin(), functions.end(), is_shadow), functions.end());
  }

  std::string name_;
  const unsigned char *data_;
  size_t size_;
  Profile profile_;
  std::map<std::string, Function> functions_;
  std::vector<OpenProgram> programs_;
};

} // namespace

std::optional<Profile> parse_profile(const std::string &name, const unsigned char *data, size_t size,
                                     LoadError *error) {
  return Parser(name, data, size).run(error);
}

std::optional<Profile> load_profile(const std::string &name, LoadError *error) {
  std::optional<FileBytes> file = FileBytes::open(name, error);
  return file ? parse_profile(name, file->data(), file->size(), error) : std::nullopt;
}

} // namespace pathprof
