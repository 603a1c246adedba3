// SPDX-License-Identifier: GPL-3.0-or-later
// Encoding and decoding of notes.
//
// The index (plain bytes, which the runtime reads too) comes first, then one compressed payload of six
// streams, each holding one kind of number for all functions: numbers of a kind compress best together.
//
// A program is a function without name to those who read the index only.  Its calls are a seventh stream.
#include "profile/notes.h"

#include <algorithm>
#include <numeric>

#include <zstd.h>

#include "core/kiter.h"
#include "profile/image.h"

namespace pathprof {

const char *to_string(Stage stage) {
  static const char *const names[] = {"source", "early", "late"};
  return names[static_cast<int>(stage)];
}

// A reader may allocate this many times the size of compressed notes; the writer pads notes that are
// more repetitive than that.
static constexpr uint64_t kMaxExpansion = 64;
static constexpr int kCompressionLevel = 19;

// ---------------------------------------------------------------------------------------------------

static uint32_t crc_of_word(uint32_t crc, uint32_t value) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++)
    bytes[i] = static_cast<unsigned char>(value >> (8 * i));
  return pathprof_crc32c(crc, bytes, sizeof bytes);
}

uint32_t FunctionNotes::checksum() const {
  uint32_t crc = crc_of_word(0, static_cast<uint32_t>(graph.num_blocks()));
  for (const Edge &edge : graph.edges()) {
    crc = crc_of_word(crc, static_cast<uint32_t>(edge.src));
    crc = crc_of_word(crc, static_cast<uint32_t>(edge.dst));
    crc = crc_of_word(crc, edge.flags & ~(kBack | kCut));
  }
  return crc;
}

int FunctionNotes::num_cuts() const {
  return static_cast<int>(
      std::count_if(graph.edges().begin(), graph.edges().end(), [](const Edge &edge) { return edge.flags & kCut; }));
}

std::vector<uint32_t> FunctionNotes::calls_by_block() const {
  std::vector<uint32_t> by_block(blocks.size(), 0);
  if (flags & kExactTermination)
    std::transform(blocks.begin(), blocks.end(), by_block.begin(),
                   [](const BlockNotes &block) { return static_cast<uint32_t>(block.breaks.size()); });
  return by_block;
}

bool FunctionNotes::counts_prefixes() const {
  return (flags & kExactTermination) && storage != PATHPROF_STORAGE_NONE &&
         std::any_of(blocks.begin(), blocks.end(), [](const BlockNotes &block) { return !block.breaks.empty(); });
}

bool FunctionNotes::measures_cycles() const {
  return (flags & kCycles) && storage != PATHPROF_STORAGE_NONE;
}

bool FunctionNotes::has_forest() const {
  return model.mode == Mode::Kipf && model.k > 1 && model.k <= kMaxIterations &&
         !(flags & (kExactTermination | kCycles)) && storage == PATHPROF_STORAGE_TABLE &&
         std::any_of(graph.edges().begin(), graph.edges().end(), [](const Edge &edge) { return edge.is_cut(); });
}

std::vector<uint64_t> FunctionNotes::interesting_ids() const {
  std::vector<uint64_t> ids;
  for (const InterestingPath &path : interesting)
    ids.push_back(path.id);
  return ids;
}

bool FunctionNotes::is_interesting(uint64_t id) const {
  auto at = std::partition_point(interesting.begin(), interesting.end(),
                                 [id](const InterestingPath &path) { return path.id < id; });
  return at != interesting.end() && at->id == id;
}

const char *to_string(CallCut cut) {
  static const char *const names[kNumCallCuts] = {"whole", "recursive", "indirect", "unsuitable", "strategy", "limit"};
  return names[static_cast<int>(cut)];
}

bool is_in_program(const UnitNotes &unit, const FunctionNotes &function) {
  return unit.program && function.model.mode == unit.program->mode && function.left_out.empty();
}

UnitProgram program_of(const UnitNotes &unit) {
  UnitProgram program;
  program.supergraph.mode = unit.program ? unit.program->mode : Mode::Context;
  std::vector<int> procedure_of(unit.functions.size(), kUnknownProcedure);
  for (size_t i = 0; i < unit.functions.size(); i++)
    if (is_in_program(unit, unit.functions[i])) {
      procedure_of[i] = static_cast<int>(program.functions.size());
      program.functions.push_back(static_cast<uint32_t>(i));
    }
  for (uint32_t index : program.functions) {
    const FunctionNotes &function = unit.functions[index];
    Procedure procedure{function.graph, {}, (function.flags & kBeginsPaths) != 0};
    for (const CallNotes &call : function.calls) {
      int callee = call.callee == CallNotes::kUnknown ? kUnknownProcedure : procedure_of[call.callee];
      procedure.calls.push_back({static_cast<int>(call.block), callee, call.kind, call.ends_block});
    }
    program.supergraph.procedures.push_back(std::move(procedure));
  }
  return program;
}

uint32_t program_checksum(const UnitNotes &unit) {
  uint32_t crc = crc_of_word(0, static_cast<uint32_t>(unit.program->mode));
  for (size_t i = 0; i < unit.functions.size(); i++) {
    const FunctionNotes &function = unit.functions[i];
    if (!is_in_program(unit, function))
      continue;
    crc = crc_of_word(crc, static_cast<uint32_t>(i));
    crc = crc_of_word(crc, (function.flags & kBeginsPaths) != 0);
    for (const CallNotes &call : function.calls) {
      crc = crc_of_word(crc, call.block);
      crc = crc_of_word(crc, call.callee);
      crc = crc_of_word(crc, static_cast<uint32_t>(call.kind) << 1 | call.ends_block);
    }
  }
  return crc;
}

void normalise(UnitNotes &unit) {
  std::vector<uint32_t> order(unit.functions.size()), place_of(order.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return unit.functions[a].name < unit.functions[b].name; });
  std::vector<FunctionNotes> sorted;
  for (uint32_t from : order) {
    place_of[from] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(unit.functions[from]));
  }
  for (FunctionNotes &function : sorted)
    for (CallNotes &call : function.calls)
      if (call.callee != CallNotes::kUnknown)
        call.callee = place_of[call.callee];
  unit.functions = std::move(sorted);
}

// ---------------------------------------------------------------------------------------------------
// Encoding.

namespace {

enum Stream { kStrings, kFunctions, kEdges, kEdgeFlags, kStatements, kLines, kCalls, kNumStreams };

// The last stream is only there where the unit has a program.
int num_streams(const UnitNotes &unit) {
  return unit.program ? kNumStreams : kCalls;
}

constexpr uint64_t kMaxDigit = static_cast<uint64_t>(kDigitValues);

uint64_t zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

class Encoder {
public:
  explicit Encoder(const UnitNotes &unit) : unit_(unit) {}
  ~Encoder() {
    pathprof_buffer_free(&index_);
    for (pathprof_buffer &stream : streams_)
      pathprof_buffer_free(&stream);
  }

  std::vector<unsigned char> run() {
    put_index();
    put(kStrings, unit_.files.size());
    for (const std::string &file : unit_.files)
      put_string(kStrings, file);
    if (unit_.program)
      put_program(*unit_.program);
    for (const FunctionNotes &function : unit_.functions)
      put_function(function);
    put_payload();
    put_lists();
    return {index_.data, index_.data + index_.size};
  }

private:
  void put(Stream stream, uint64_t value) { pathprof_put_varint(&streams_[stream], value); }

  void put_string(Stream stream, const std::string &text) {
    pathprof_put_string(&streams_[stream], text.data(), text.size());
  }

  void put_program(const ProgramNotes &program) {
    put(kCalls, static_cast<uint64_t>(program.mode));
    if (!program.is_wide())
      return;
    WideNumber num_paths = wide(program.num_paths);
    put(kCalls, static_cast<uint64_t>(num_paths / kDigitValues));
    put(kCalls, static_cast<uint64_t>(num_paths % kDigitValues));
  }

  void put_index() {
    pathprof_put_u8(&index_, PATHPROF_FORMAT_MAJOR);
    pathprof_put_string(&index_, unit_.source.data(), unit_.source.size());
    pathprof_put_varint(&index_, num_before_functions() + unit_.functions.size());
    if (unit_.program)
      put_entry("", "", program_checksum(unit_), unit_.program->storage,
                unit_.program->is_wide() ? kMaxDigit : unit_.program->num_paths.get_ui());
    std::string previous;
    for (const FunctionNotes &function : unit_.functions) {
      put_entry(previous, function.name, function.checksum(),
                function.storage | (function.has_second_table() ? PATHPROF_HAS_PREFIXES : 0), function.num_counters());
      previous = function.name;
    }
  }

  size_t num_before_functions() const { return unit_.program ? 1 : 0; }

  void put_entry(const std::string &previous, const std::string &name, uint32_t checksum, unsigned storage,
                 uint64_t num_paths) {
    auto differ = std::mismatch(previous.begin(), previous.end(), name.begin(), name.end());
    size_t shared = static_cast<size_t>(differ.first - previous.begin());
    pathprof_put_varint(&index_, shared);
    pathprof_put_string(&index_, name.data() + shared, name.size() - shared);
    pathprof_put_u32(&index_, checksum);
    pathprof_put_u8(&index_, static_cast<uint8_t>(storage));
    pathprof_put_varint(&index_, num_paths);
  }

  // Which functions have cycles and which have forests: behind all that readers of the first minor version look at.
  void put_lists() {
    pathprof_buffer cycles = {}, forests = {};
    uint64_t least_with_cycles = 0, least_with_forest = 0;
    size_t i = num_before_functions();
    if (unit_.program && unit_.program->is_wide()) {
      pathprof_put_varint(&forests, 0);
      pathprof_put_varint(&forests, kMaxDigits);
      least_with_forest = 1;
    }
    for (const FunctionNotes &function : unit_.functions) {
      if (function.measures_cycles()) {
        pathprof_put_varint(&cycles, i - least_with_cycles);
        least_with_cycles = i + 1;
      }
      if (function.has_forest()) {
        pathprof_put_varint(&forests, i - least_with_forest);
        pathprof_put_varint(&forests, function.model.k);
        least_with_forest = i + 1;
      }
      i++;
    }
    if (cycles.size || forests.size)
      pathprof_put_string(&index_, cycles.data, cycles.size);
    if (forests.size)
      pathprof_put_string(&index_, forests.data, forests.size);
    pathprof_buffer_free(&cycles);
    pathprof_buffer_free(&forests);
  }

  void put_function(const FunctionNotes &function) {
    put(kFunctions, function.file);
    put(kFunctions, function.line);
    put(kFunctions, function.flags);
    put(kFunctions, static_cast<uint64_t>(function.model.mode));
    put(kFunctions, static_cast<uint64_t>(function.stage));
    put(kFunctions, static_cast<uint64_t>(function.model.numbering));
    put(kFunctions, function.model.k);
    if (function.model.mode != Mode::Acyclic)
      put_loops(function.model.loops);
    if (function.model.mode == Mode::Preferential)
      put_interesting(function);
    put_string(kStrings, function.left_out);
    bool cut_changes_count = function.num_paths_uncut != mpz_class(function.num_paths);
    put_string(kStrings, cut_changes_count ? function.num_paths_uncut.get_str(62) : "");
    put(kFunctions, function.sites.size());
    for (const InlineSite &site : function.sites) {
      put_string(kStrings, site.function);
      put(kFunctions, site.file);
      put(kFunctions, site.line);
      put(kFunctions, site.parent);
    }
    put(kFunctions, static_cast<uint64_t>(function.graph.num_blocks()));
    put_graph(function.graph);
    put_blocks(function);
    if (is_in_program(unit_, function))
      put_calls(function);
  }

  void put_calls(const FunctionNotes &function) {
    put(kCalls, function.calls.size());
    uint32_t block = 0, line = function.line;
    for (const CallNotes &call : function.calls) {
      put(kCalls, call.block - block);
      put(kCalls, call.callee == CallNotes::kUnknown ? 0 : uint64_t{call.callee} + 1);
      put(kCalls, static_cast<uint64_t>(call.kind) << 1 | call.ends_block);
      put(kCalls, static_cast<uint64_t>(call.cut));
      put(kCalls, zigzag(static_cast<int64_t>(call.line) - static_cast<int64_t>(line)));
      put(kCalls, call.num_lines);
      block = call.block;
      line = call.line;
    }
  }

  void put_loops(const std::vector<LoopIterations> &loops) {
    put(kFunctions, loops.size());
    int least = 0;
    for (const LoopIterations &loop : loops) {
      put(kFunctions, static_cast<uint64_t>(loop.head - least));
      put(kFunctions, loop.k);
      least = loop.head + 1;
    }
  }

  // Where the index has the number of slots, the number of paths is here.
  void put_interesting(const FunctionNotes &function) {
    put(kFunctions, function.num_slots > 0 ? function.num_paths : 0);
    put(kFunctions, function.interesting.size());
    uint64_t least = 0;
    for (const InterestingPath &path : function.interesting) {
      put(kFunctions, path.id - least);
      put(kFunctions, path.count);
      least = path.id + 1;
    }
  }

  void put_graph(const FlowGraph &graph) {
    for (int block = 0; block < graph.num_blocks(); block++) {
      put(kEdges, graph.succs(block).size());
      for (int e : graph.succs(block)) {
        put(kEdges, zigzag(graph.edge(e).dst - block));
        put(kEdgeFlags, graph.edge(e).flags);
      }
    }
  }

  // A line is stored as the distance to the one before it in the function; the low bit says whether file
  // or inline site change and follow.
  void put_blocks(const FunctionNotes &function) {
    LineRef previous{function.file, function.line, 0};
    for (const BlockNotes &block : function.blocks) {
      put(kStatements, block.statements);
      put(kStatements, block.lines.size() << 1 | !block.breaks.empty());
      if (!block.breaks.empty())
        put_breaks(block);
      for (const LineRef &line : block.lines) {
        bool same_place = line.file == previous.file && line.site == previous.site;
        int64_t distance = static_cast<int64_t>(line.line) - static_cast<int64_t>(previous.line);
        put(kLines, zigzag(distance) << 1 | (same_place ? 0 : 1));
        if (!same_place) {
          put(kLines, line.file);
          put(kLines, line.site);
        }
        previous = line;
      }
    }
  }

  void put_breaks(const BlockNotes &block) {
    put(kStatements, block.breaks.size() << 1 | block.ends_in_call);
    uint32_t previous = 0;
    for (uint32_t at : block.breaks) {
      put(kStatements, at - previous);
      previous = at;
    }
  }

  void put_payload() {
    pathprof_buffer raw = {};
    for (int stream = 0; stream < num_streams(unit_); stream++)
      pathprof_put_string(&raw, streams_[stream].data, streams_[stream].size);
    std::vector<unsigned char> packed(ZSTD_compressBound(raw.size));
    size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data, raw.size, kCompressionLevel);
    packed.resize(ZSTD_isError(size) ? 0 : std::max(size, raw.size / kMaxExpansion + 1));
    std::fill(packed.begin() + static_cast<ptrdiff_t>(std::min(size, packed.size())), packed.end(), 0);
    pathprof_put_varint(&index_, raw.size);
    pathprof_put_string(&index_, packed.data(), packed.size());
    pathprof_buffer_free(&raw);
  }

  const UnitNotes &unit_;
  pathprof_buffer index_ = {};
  pathprof_buffer streams_[kNumStreams] = {};
};

// ---------------------------------------------------------------------------------------------------
// Decoding.

class Decoder {
public:
  Decoder(const unsigned char *data, size_t size, uint64_t base) : notes_{data, size}, base_(base) {}

  std::optional<UnitNotes> run(pathprof_error *error) {
    UnitNotes unit;
    pathprof_cursor payload = read_index(unit);
    std::vector<unsigned char> raw;
    if (pathprof_cursor_ok(&payload) && !unpack(payload, raw))
      pathprof_cursor_fail(&payload, "a unit's notes cannot be decompressed");
    if (pathprof_cursor_ok(&payload))
      read_payload(unit, raw, payload);
    if (pathprof_cursor_ok(&payload))
      return unit;
    *error = payload.error;
    return std::nullopt;
  }

private:
  pathprof_cursor read_index(UnitNotes &unit) {
    pathprof_index index;
    pathprof_index_open(&index, notes_, base_);
    if (pathprof_cursor_ok(&index.cursor)) {
      unit.source.assign(reinterpret_cast<const char *>(index.source.data), index.source.size);
      if (index.num_functions > pathprof_cursor_left(&index.cursor))
        pathprof_cursor_fail(&index.cursor, "a unit has more functions than its notes can hold");
    }
    while (pathprof_index_next(&index)) {
      if (index.next == 1 && index.name_size == 0) {
        read_program_entry(unit, index);
        continue;
      }
      FunctionNotes function;
      function.name.assign(index.name, index.name_size);
      function.storage = static_cast<pathprof_storage>(index.storage);
      function.num_paths = index.num_paths;
      checksums_.push_back(index.checksum);
      has_prefixes_.push_back(index.has_prefixes);
      has_cycles_.push_back(index.has_cycles);
      forest_k_.push_back(index.forest_k);
      unit.functions.push_back(std::move(function));
    }
    return index.cursor;
  }

  void read_program_entry(UnitNotes &unit, pathprof_index &index) {
    unit.program.emplace();
    unit.program->storage = static_cast<pathprof_storage>(index.storage);
    unit.program->num_paths = mpz_class(static_cast<unsigned long>(index.num_paths));
    program_checksum_ = index.checksum;
    has_wide_program_ = index.forest_k == kMaxDigits && index.num_paths == kMaxDigit;
    if (index.num_paths > kMaxDigit)
      pathprof_cursor_fail(&index.cursor, "a program has too many paths");
    if (index.storage == PATHPROF_STORAGE_NONE || index.has_prefixes || index.has_cycles ||
        (index.forest_k && !has_wide_program_))
      pathprof_cursor_fail(&index.cursor, "a program has an unknown kind of storage");
  }

  static bool unpack(pathprof_cursor &payload, std::vector<unsigned char> &raw) {
    uint64_t raw_size = pathprof_get_varint(&payload);
    size_t size;
    const unsigned char *packed = pathprof_get_string(&payload, &size);
    if (!packed || raw_size / kMaxExpansion > size)
      return false;
    size_t frame = ZSTD_findFrameCompressedSize(packed, size);
    if (ZSTD_isError(frame))
      return false;
    raw.resize(raw_size);
    return ZSTD_decompress(raw.data(), raw.size(), packed, frame) == raw_size;
  }

  void read_payload(UnitNotes &unit, const std::vector<unsigned char> &raw, pathprof_cursor &payload) {
    pathprof_cursor all = pathprof_cursor_over(raw.data(), raw.size(), 0);
    for (int stream = 0; stream < num_streams(unit); stream++) {
      size_t size;
      const unsigned char *bytes = pathprof_get_string(&all, &size);
      streams_[stream] = pathprof_cursor_over(bytes, size, 0);
    }
    if (!pathprof_cursor_ok(&all))
      return pathprof_cursor_fail(&payload, "a unit's notes are cut short");
    uint64_t num_files = get(kStrings);
    for (uint64_t i = 0; i < num_files && good(); i++)
      unit.files.push_back(get_string());
    num_files_ = unit.files.size();
    if (unit.program)
      read_program(*unit.program);
    for (size_t i = 0; i < unit.functions.size() && good(); i++) {
      read_function(unit.functions[i]);
      if (good() && is_in_program(unit, unit.functions[i]))
        read_calls(unit.functions[i], unit.functions.size());
      if (good() && is_interprocedural(unit.functions[i].model.mode) &&
          unit.functions[i].storage != PATHPROF_STORAGE_NONE)
        malformed_ = "a function of a program counts paths of its own";
      if (good() && unit.functions[i].checksum() != checksums_[i])
        malformed_ = "a function's graph does not match its checksum";
      if (good() && unit.functions[i].has_second_table() != has_prefixes_[i])
        malformed_ = "a function's calls do not match its storage";
      if (good() && unit.functions[i].measures_cycles() != has_cycles_[i])
        malformed_ = "a function's flags do not match the list of functions with cycles";
      if (good() && (unit.functions[i].has_forest() ? unit.functions[i].model.k : 0) != forest_k_[i])
        malformed_ = "a function's mode does not match the list of functions with forests";
    }
    if (unit.program && good())
      check_program(unit);
    if (!good())
      pathprof_cursor_fail(&payload, malformed_ ? malformed_ : "a unit's notes are malformed");
  }

  bool good() const {
    return !malformed_ && std::all_of(streams_, streams_ + kNumStreams,
                                      [](const auto &stream) { return pathprof_cursor_ok(&stream); });
  }

  uint64_t get(Stream stream) { return pathprof_get_varint(&streams_[stream]); }

  // A number that must be below `limit`.
  uint32_t get_below(Stream stream, uint64_t limit) {
    uint64_t value = get(stream);
    if (value < limit)
      return static_cast<uint32_t>(value);
    malformed_ = "a number in a unit's notes is out of range";
    return 0;
  }

  uint32_t get_u32(Stream stream) { return get_below(stream, uint64_t{1} << 32); }

  std::string get_string() {
    size_t size;
    const unsigned char *bytes = pathprof_get_string(&streams_[kStrings], &size);
    return bytes ? std::string(reinterpret_cast<const char *>(bytes), size) : std::string();
  }

  // How many things that take at least a byte each a stream can still hold.
  uint64_t get_count(Stream stream, Stream of) { return get_below(stream, pathprof_cursor_left(&streams_[of]) + 1); }

  void read_function(FunctionNotes &function) {
    function.file = get_below(kFunctions, num_files_);
    function.line = get_u32(kFunctions);
    function.flags = get_u32(kFunctions);
    function.model.mode = static_cast<Mode>(get_below(kFunctions, kNumModes));
    function.stage = static_cast<Stage>(get_below(kFunctions, 3));
    function.model.numbering = static_cast<Numbering>(get_below(kFunctions, 2));
    function.model.k = get_u32(kFunctions);
    if (function.model.mode != Mode::Acyclic)
      read_loops(function.model.loops);
    if (function.model.mode == Mode::Preferential)
      read_interesting(function);
    function.left_out = get_string();
    std::string uncut = get_string();
    if (uncut.empty())
      function.num_paths_uncut = mpz_class(function.num_paths);
    else if (function.num_paths_uncut.set_str(uncut, 62) != 0)
      malformed_ = "a number of paths is malformed";
    uint64_t num_sites = get_count(kFunctions, kStrings);
    for (uint64_t i = 0; i < num_sites && good(); i++) {
      InlineSite site;
      site.function = get_string();
      site.file = get_below(kFunctions, num_files_);
      site.line = get_u32(kFunctions);
      site.parent = get_below(kFunctions, i + 1);
      function.sites.push_back(std::move(site));
    }
    uint64_t num_blocks = get_count(kFunctions, kEdges);
    if (good() && num_blocks >= 2) {
      read_graph(function, static_cast<int>(num_blocks));
      read_blocks(function);
      if (good() && function.model.mode == Mode::KIter && !has_room(function.graph, function.model))
        malformed_ = "a function's loops have more iterations than there is room for";
    } else if (!malformed_) {
      malformed_ = "a function has no blocks";
    }
  }

  // Whether they are heads of loops is seen when the paths are numbered.
  void read_loops(std::vector<LoopIterations> &loops) {
    uint64_t num_loops = get_count(kFunctions, kFunctions);
    uint64_t least = 0;
    for (uint64_t i = 0; i < num_loops && good(); i++) {
      uint64_t head = least + get_u32(kFunctions);
      uint32_t k = get_below(kFunctions, kMaxIterations + 1);
      if (head > INT32_MAX) {
        malformed_ = "a loop is at no block";
        return;
      }
      loops.push_back({static_cast<int>(head), k});
      least = head + 1;
    }
  }

  void read_interesting(FunctionNotes &function) {
    if (uint64_t num_paths = get(kFunctions)) {
      function.num_slots = function.num_paths;
      function.num_paths = num_paths;
      if (function.storage != PATHPROF_STORAGE_ARRAY || function.num_slots == 0 || function.num_slots > num_paths)
        malformed_ = "a function's slots do not match its paths";
    }
    uint64_t num_interesting = get_count(kFunctions, kFunctions);
    uint64_t id = UINT64_MAX;
    for (uint64_t i = 0; i < num_interesting && good(); i++) {
      uint64_t distance = get(kFunctions);
      if (distance >= function.num_paths - (id + 1))
        malformed_ = "the number of an interesting path is out of bounds";
      id += 1 + distance;
      function.interesting.push_back({id, get(kFunctions)});
    }
  }

  void read_graph(FunctionNotes &function, int num_blocks) {
    function.graph = FlowGraph(num_blocks);
    for (int block = 0; block < num_blocks && good(); block++) {
      uint64_t num_succs = get_count(kEdges, kEdgeFlags);
      for (uint64_t i = 0; i < num_succs && good(); i++) {
        int64_t dst = block + unzigzag(get_u32(kEdges));
        unsigned flags = get_below(kEdgeFlags, kEdgeFlagMask + 1);
        if (dst <= kEntryBlock || dst >= num_blocks || block == kExitBlock)
          malformed_ = "an edge leads nowhere";
        else
          function.graph.add_edge(block, static_cast<int>(dst), flags);
      }
    }
  }

  void read_blocks(FunctionNotes &function) {
    LineRef previous{function.file, function.line, 0};
    function.blocks.resize(static_cast<size_t>(function.graph.num_blocks()));
    for (BlockNotes &block : function.blocks) {
      if (!good())
        return;
      block.statements = get_u32(kStatements);
      uint64_t code = get(kStatements);
      if (code & 1)
        read_breaks(block, code >> 1);
      if (code >> 1 > pathprof_cursor_left(&streams_[kLines]))
        malformed_ = "a block has more lines than its notes can hold";
      for (uint64_t i = 0; i < code >> 1 && good(); i++) {
        uint64_t position = get(kLines);
        if (position & 1) {
          previous.file = get_below(kLines, num_files_);
          previous.site = get_below(kLines, function.sites.size() + 1);
        }
        previous.line = static_cast<uint32_t>(previous.line + unzigzag(position >> 1));
        block.lines.push_back(previous);
      }
    }
  }

  void read_program(ProgramNotes &program) {
    program.mode = static_cast<Mode>(get_below(kCalls, kNumModes));
    if (!is_interprocedural(program.mode))
      malformed_ = "a program's mode is none of programs";
    if (!has_wide_program_)
      return;
    WideNumber high = get(kCalls), low = get(kCalls);
    program.num_paths = exact(high * kDigitValues + low);
    if (high > kDigitValues || low >= kDigitValues || !program.is_wide() ||
        high * kDigitValues + low > kDigitValues * kDigitValues)
      malformed_ = "a program's number of paths does not match its storage";
  }

  void read_calls(FunctionNotes &function, size_t num_functions) {
    uint64_t num_calls = get_count(kCalls, kCalls);
    uint64_t block = 0;
    uint32_t line = function.line;
    for (uint64_t i = 0; i < num_calls && good(); i++) {
      CallNotes call;
      block += get_u32(kCalls);
      if (block < 2 || block >= function.blocks.size()) {
        malformed_ = "a call is in no block";
        return;
      }
      call.block = static_cast<uint32_t>(block);
      uint32_t callee = get_below(kCalls, num_functions + 1);
      call.callee = callee ? callee - 1 : CallNotes::kUnknown;
      uint32_t kind = get_below(kCalls, 2 * kNumCallKinds);
      call.kind = static_cast<CallKind>(kind >> 1);
      call.ends_block = kind & 1;
      call.cut = static_cast<CallCut>(get_below(kCalls, kNumCallCuts));
      line += static_cast<uint32_t>(unzigzag(get(kCalls)));
      call.line = line;
      call.num_lines = get_below(kCalls, function.blocks[block].lines.size() + 1);
      if ((call.kind == CallKind::Whole) != (call.cut == CallCut::None))
        malformed_ = "a call's kind does not match why it is cut";
      if (!function.calls.empty() && function.calls.back().block == block && function.calls.back().ends_block)
        malformed_ = "a call follows the last one of its block";
      function.calls.push_back(call);
    }
  }

  void check_program(const UnitNotes &unit) {
    for (const FunctionNotes &function : unit.functions)
      for (const CallNotes &call : function.calls)
        if (call.callee == CallNotes::kUnknown ? call.kind == CallKind::Whole
                                               : !is_in_program(unit, unit.functions[call.callee]))
          malformed_ = "a call's callee is not in the program";
    if (good() && program_checksum(unit) != program_checksum_)
      malformed_ = "a program's calls do not match its checksum";
    if (good() && has_recursive_whole_call(program_of(unit).supergraph))
      malformed_ = "paths go through a recursive call";
  }

  void read_breaks(BlockNotes &block, uint64_t num_lines) {
    uint64_t code = get(kStatements);
    uint64_t at = 0;
    block.ends_in_call = code & 1;
    for (uint64_t i = 0; i < code >> 1 && good(); i++) {
      at += get_u32(kStatements);
      if (at > num_lines)
        malformed_ = "a break lies behind its block's last line";
      block.breaks.push_back(static_cast<uint32_t>(at));
    }
  }

  pathprof_text notes_;
  uint64_t base_;
  pathprof_cursor streams_[kNumStreams] = {};
  std::vector<uint32_t> checksums_;
  std::vector<bool> has_prefixes_;
  std::vector<bool> has_cycles_;
  std::vector<uint64_t> forest_k_;
  uint32_t program_checksum_ = 0;
  bool has_wide_program_ = false;
  size_t num_files_ = 0;
  const char *malformed_ = nullptr;
};

} // namespace

std::vector<unsigned char> encode_notes(const UnitNotes &unit) {
  return Encoder(unit).run();
}

std::optional<UnitNotes> decode_notes(const unsigned char *data, size_t size, uint64_t base, pathprof_error *error) {
  return Decoder(data, size, base).run(error);
}

} // namespace pathprof
