// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes notes, which may come from an untrusted source, and verifies their consistency.
#include <algorithm>

#include <zstd.h>

#include "core/models/model.h"
#include "profile/format/image.h"
#include "profile/model/condition_notes.h"
#include "profile/model/notes.h"
#include "profile/model/streams.h"
#include "profile/model/values.h"

namespace pathprof {

namespace {

class NotesDecoder {
public:
  NotesDecoder(const unsigned char *data, size_t size, uint64_t base) : notes_{data, size}, base_(base) {}

  std::optional<UnitNotes> run(pathprof_error *error) {
    UnitNotes unit;
    pathprof_cursor payload = read_index(unit);
    std::vector<unsigned char> raw;
    if (pathprof_cursor_ok(&payload) && !unpack(payload, raw))
      pathprof_cursor_fail(&payload, "the notes of a unit cannot be decompressed");
    if (pathprof_cursor_ok(&payload))
      read_payload(unit, raw, payload);
    if (pathprof_cursor_ok(&payload))
      read_additions(unit, payload);
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
        pathprof_cursor_fail(&index.cursor, "a unit has more functions than its notes can contain");
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
      pathprof_cursor_fail(&index.cursor, "an interprocedural unit has too many paths");
    if (index.storage == PATHPROF_STORAGE_NONE || index.has_prefixes || index.has_cycles ||
        (index.forest_k && !has_wide_program_))
      pathprof_cursor_fail(&index.cursor, "an interprocedural unit has an unknown kind of storage");
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

  static std::string text_of(const pathprof_cursor &addition) {
    return {reinterpret_cast<const char *>(addition.data), pathprof_cursor_left(&addition)};
  }

  // Reads the additions that follow the list of functions with cycles and the list of functions with forests.  The
  // lists themselves are read together with the index.
  static void read_additions(UnitNotes &unit, pathprof_cursor &at) {
    pathprof_next_addition(&at);
    pathprof_next_addition(&at);
    pathprof_cursor checksums = pathprof_next_addition(&at);
    unit.folder = text_of(pathprof_next_addition(&at));
    unit.compiler = text_of(pathprof_next_addition(&at));
    std::string options = text_of(pathprof_next_addition(&at));
    for (size_t begin = 0, end; (end = options.find('\0', begin)) != std::string::npos; begin = end + 1)
      unit.options.push_back(options.substr(begin, end - begin));
    pathprof_cursor bodies = pathprof_next_addition(&at);
    if (!pathprof_cursor_ok(&at))
      return;
    if (size_t size = pathprof_cursor_left(&bodies); size && size != unit.functions.size() * sizeof(uint32_t))
      return pathprof_cursor_fail(&at, "a unit has different numbers of functions and checksums of functions");
    for (size_t i = 0; pathprof_cursor_left(&bodies); i++)
      unit.functions[i].body = pathprof_get_u32(&bodies);
    size_t num_checksums = pathprof_cursor_left(&checksums) / sizeof(uint32_t);
    if (pathprof_cursor_left(&checksums) % sizeof(uint32_t) || (num_checksums && num_checksums != unit.files.size()))
      return pathprof_cursor_fail(&at, "a unit has different numbers of checksums and source files");
    for (size_t i = 0; i < num_checksums; i++)
      unit.checksums.push_back(pathprof_get_u32(&checksums));
  }

  void read_payload(UnitNotes &unit, const std::vector<unsigned char> &raw, pathprof_cursor &payload) {
    if (!open_streams(unit, raw))
      return pathprof_cursor_fail(&payload, "the notes of a unit are truncated");
    uint64_t num_files = get(kStrings);
    for (uint64_t i = 0; i < num_files && good(); i++)
      unit.files.push_back(get_string());
    num_files_ = unit.files.size();
    if (unit.program)
      read_program(*unit.program);
    if (streams_[kDirectCalls].data)
      for (const FunctionNotes &function : unit.functions)
        callees_.push_back(std::make_shared<const std::string>(function.name));
    for (size_t i = 0; i < unit.functions.size() && good(); i++) {
      read_streams(unit, unit.functions[i]);
      if (good())
        check_function(unit.functions[i], i);
    }
    if (unit.program && good())
      check_program(unit);
    if (!good())
      pathprof_cursor_fail(&payload, malformed_);
  }

  // Opens the streams that the uncompressed payload contains. Returns false if the payload is truncated.
  bool open_streams(const UnitNotes &unit, const std::vector<unsigned char> &raw) {
    pathprof_cursor all = pathprof_cursor_over(raw.data(), raw.size(), 0);
    for (int stream = 0; stream < kNumStreams; stream++) {
      if (!has_stream(unit, stream))
        continue;
      if (stream >= kBranches && pathprof_cursor_left(&all) == 0)
        break;
      size_t size;
      const unsigned char *bytes = pathprof_get_string(&all, &size);
      streams_[stream] = pathprof_cursor_over(bytes, size, 0);
    }
    return pathprof_cursor_ok(&all);
  }

  // Reads the data of a function from all streams of the unit.
  void read_streams(const UnitNotes &unit, FunctionNotes &function) {
    read_function(function);
    if (good() && is_in_program(unit, function))
      read_calls(function, unit.functions.size());
    if (good() && streams_[kDirectCalls].data)
      read_direct_calls(function);
    auto read = [&](Stream stream, auto &&parse) {
      if (good() && streams_[stream].data)
        malformed_ = parse(streams_[stream], function);
    };
    read(kConditions, get_conditions);
    read(kValues, get_values);
    read(kConditionTexts, [this](auto &stream, auto &of) { return get_condition_texts(stream, of, num_files_); });
    read(kCouplings, get_couplings);
    if (good() && streams_[kWrittenLines].data)
      read_written_lines(function);
  }

  // Verifies that the notes of the i-th function match its index entry.
  void check_function(const FunctionNotes &function, size_t i) {
    if (is_interprocedural(function.model.mode) && function.storage != PATHPROF_STORAGE_NONE)
      malformed_ = "a function with an interprocedural mode has storage for its own paths";
    else if (function.checksum() != checksums_[i])
      malformed_ = "the graph of a function does not match its checksum";
    else if (function.has_second_table() != has_prefixes_[i])
      malformed_ = "the tables of a function do not match its index entry";
    else if (function.measures_cycles() != has_cycles_[i])
      malformed_ = "the flags of a function do not match the list of functions with cycles";
    else if ((function.has_forest() ? function.model.k : 0) != forest_k_[i])
      malformed_ = "the mode of a function does not match the list of functions with forests";
  }

  bool good() const { return !malformed_; }

  // Returns `value`, which was read from `stream`.  Records an error if reading the stream failed.
  template <typename T>
  T checked(Stream stream, T value) {
    if (!pathprof_cursor_ok(&streams_[stream]) && !malformed_)
      malformed_ = "the notes of a unit are malformed";
    return value;
  }

  uint64_t get(Stream stream) { return checked(stream, pathprof_get_varint(&streams_[stream])); }

  // Reads a number that must be less than `limit`.
  uint32_t get_below(Stream stream, uint64_t limit) {
    uint64_t value = get(stream);
    if (value < limit)
      return static_cast<uint32_t>(value);
    malformed_ = "a number in a unit's notes is out of range";
    return 0;
  }

  uint32_t get_u32(Stream stream) { return get_below(stream, uint64_t{1} << 32); }

  std::string get_string(Stream stream = kStrings) {
    size_t size;
    const unsigned char *bytes = checked(stream, pathprof_get_string(&streams_[stream], &size));
    return bytes ? std::string(reinterpret_cast<const char *>(bytes), size) : std::string();
  }

  // Reads the length of a list from `stream`.  The items of the list are in the stream `of`, and each item takes at
  // least one byte.  A length that exceeds the remaining size of `of` is therefore rejected.
  uint64_t get_count(Stream stream, Stream of) { return get_below(stream, pathprof_cursor_left(&streams_[of]) + 1); }

  void read_function(FunctionNotes &function) {
    function.file = get_below(kFunctions, num_files_);
    function.line = get_u32(kFunctions);
    function.flags = get_u32(kFunctions);
    function.model.mode = static_cast<Mode>(get_below(kFunctions, kNumModes));
    function.stage = static_cast<Stage>(get_below(kFunctions, kNumStages));
    function.model.numbering = static_cast<Numbering>(get_below(kFunctions, kNumNumberings));
    function.model.k = get_u32(kFunctions);
    if (function.model.mode != Mode::Acyclic)
      read_loops(function.model.loops);
    if (model_of(function.model).has(Feature::InterestingPaths))
      read_interesting(function);
    function.left_out = get_string();
    std::string uncut = get_string();
    if (uncut.empty())
      function.num_paths_uncut = mpz_class(function.num_paths);
    else if (function.num_paths_uncut.set_str(uncut, kPathsBase) != 0)
      malformed_ = "the number of paths of a function is malformed";
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
      if (streams_[kBranches].data && good())
        read_branches(function);
      if (good() && !model_of(function.model).has_room(function.graph, function.model))
        malformed_ = "the loops of a function have too many iterations";
    } else if (!malformed_)
      malformed_ = "a function has no blocks";
  }

  // Reads the loops of a function.  Does not verify that the blocks are loop headers, because they are checked when the
  // paths are numbered.
  void read_loops(std::vector<LoopIterations> &loops) {
    uint64_t num_loops = get_count(kFunctions, kFunctions);
    uint64_t least = 0;
    for (uint64_t i = 0; i < num_loops && good(); i++) {
      uint64_t head = least + get_u32(kFunctions);
      uint32_t k = get_below(kFunctions, kMaxIterations + 1);
      if (head > INT32_MAX)
        return void(malformed_ = "the header of a loop is out of range");
      loops.push_back({static_cast<int>(head), k});
      least = head + 1;
    }
  }

  void read_interesting(FunctionNotes &function) {
    if (uint64_t num_paths = get(kFunctions)) {
      function.num_slots = function.num_paths;
      function.num_paths = num_paths;
      if (function.storage != PATHPROF_STORAGE_ARRAY || function.num_slots == 0 || function.num_slots > num_paths)
        malformed_ = "the slots of a function do not match its paths";
    }
    uint64_t num_interesting = get_count(kFunctions, kFunctions);
    uint64_t id = UINT64_MAX;
    for (uint64_t i = 0; i < num_interesting && good(); i++) {
      uint64_t distance = get(kFunctions);
      if (distance >= function.num_paths - (id + 1))
        malformed_ = "the ID of an interesting path is out of bounds";
      id += 1 + distance;
      function.interesting.push_back({id, get(kFunctions)});
    }
  }

  void read_graph(FunctionNotes &function, int num_blocks) {
    std::vector<Edge> edges;
    for (int block = 0; block < num_blocks && good(); block++) {
      uint64_t num_succs = get_count(kEdges, kEdgeFlags);
      for (uint64_t i = 0; i < num_succs && good(); i++) {
        int64_t dst = block + unzigzag(get_u32(kEdges));
        unsigned flags = get_below(kEdgeFlags, kEdgeFlagMask + 1);
        if (dst <= kEntryBlock || dst >= num_blocks || block == kExitBlock)
          malformed_ = "the destination of an edge is invalid";
        else
          edges.push_back({block, static_cast<int>(dst), flags});
      }
    }
    function.graph = FlowGraph(num_blocks, std::move(edges));
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
        malformed_ = "a block has more lines than the notes can contain";
      else
        block.lines.reserve(code >> 1);
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

  void read_written_lines(FunctionNotes &function) {
    if (!(function.flags & kArtificial))
      return;
    for (BlockNotes &block : function.blocks)
      for (size_t i = 0; i < block.lines.size() && good(); i++)
        if (get_below(kWrittenLines, 2))
          block.written.push_back(static_cast<uint32_t>(i));
  }

  void read_branches(FunctionNotes &function) {
    for (int block = 0; block < function.graph.num_blocks() && good(); block++)
      if (function.graph.succs(block).size() > 1)
        if (uint64_t head = get(kBranches))
          read_branch(function, block, head - 1);
  }

  void read_branch(FunctionNotes &function, int block, uint64_t head) {
    const std::vector<LineRef> &lines = function.blocks[static_cast<size_t>(block)].lines;
    BranchNotes branch;
    branch.block = static_cast<uint32_t>(block);
    branch.is_switch = head & kBranchIsSwitch;
    branch.is_unsigned = branch.is_switch && (head & kBranchWithConstant);
    branch.with_constant = !branch.is_switch && (head & kBranchWithConstant);
    if (head / kBranchRelation >= kNumRelations)
      return void(malformed_ = "a branch has an unknown relation");
    branch.relation = static_cast<Relation>(head / kBranchRelation);
    if (uint32_t place = get_below(kBranches, lines.size() + 1))
      branch.at = lines[lines.size() - place];
    branch.column = get_u32(kBranches);
    if (head & kBranchHasRange) {
      branch.range.first_line = get_distance(branch.at.line);
      branch.range.first_column = get_distance(branch.column);
      branch.range.last_line = get_distance(branch.at.line);
      branch.range.last_column = get_distance(branch.column);
    }
    if (branch.is_switch)
      read_cases(branch, function.graph.succs(block).size());
    if (good())
      function.branches.push_back(std::move(branch));
  }

  uint32_t get_distance(uint32_t from) { return from + static_cast<uint32_t>(unzigzag(get(kBranches))); }

  void read_cases(BranchNotes &branch, size_t num_edges) {
    uint64_t next = 0;
    uint32_t line = branch.at.line;
    for (size_t i = 0; i < num_edges && good(); i++) {
      uint64_t code = get(kBranches);
      CaseLabels edge;
      edge.has_default = code & 1;
      if (code >> 1 > pathprof_cursor_left(&streams_[kBranches]))
        malformed_ = "a switch has more labels than the notes can contain";
      for (uint64_t label = 0; label < code >> 1 && good(); label++) {
        uint64_t low = next + static_cast<uint64_t>(unzigzag(get(kBranches)));
        uint64_t high = low + get(kBranches);
        next = high + 1;
        line = get_distance(line);
        edge.labels.push_back({static_cast<int64_t>(low), static_cast<int64_t>(high), line, get_u32(kBranches)});
      }
      branch.cases.push_back(std::move(edge));
    }
  }

  void read_program(ProgramNotes &program) {
    program.mode = static_cast<Mode>(get_below(kCallSites, kNumModes));
    if (!is_interprocedural(program.mode))
      malformed_ = "an interprocedural unit has a mode that is not interprocedural";
    if (!has_wide_program_)
      return;
    WideNumber high = get(kCallSites), low = get(kCallSites);
    program.num_paths = exact(high * kDigitValues + low);
    if (high > kDigitValues || low >= kDigitValues || !program.is_wide() ||
        high * kDigitValues + low > kDigitValues * kDigitValues)
      malformed_ = "the number of paths of an interprocedural unit with wide path IDs is out of range";
  }

  void read_calls(FunctionNotes &function, size_t num_functions) {
    uint64_t num_calls = get_count(kCallSites, kCallSites);
    uint64_t block = 0;
    uint32_t line = function.line;
    for (uint64_t i = 0; i < num_calls && good(); i++) {
      CallNotes call;
      block += get_u32(kCallSites);
      if (block < 2 || block >= function.blocks.size())
        return void(malformed_ = "the block of a call does not exist");
      call.block = static_cast<uint32_t>(block);
      uint32_t callee = get_below(kCallSites, num_functions + 1);
      call.callee = callee ? callee - 1 : CallNotes::kUnknown;
      uint32_t kind = get_below(kCallSites, 2 * kNumCallKinds);
      call.kind = static_cast<CallKind>(kind >> 1);
      call.ends_block = kind & 1;
      call.cut = static_cast<CallCut>(get_below(kCallSites, kNumCallCuts));
      line += static_cast<uint32_t>(unzigzag(get(kCallSites)));
      call.line = line;
      call.num_lines = get_below(kCallSites, function.blocks[block].lines.size() + 1);
      if ((call.kind == CallKind::Traversed) != (call.cut == CallCut::None))
        malformed_ = "the kind of a call does not match its truncation reason";
      if (!function.calls.empty() && function.calls.back().block == block && function.calls.back().ends_block)
        malformed_ = "a block contains another call after the call that ends it";
      function.calls.push_back(call);
    }
  }

  void read_direct_calls(FunctionNotes &function) {
    uint64_t num_calls = get_count(kDirectCalls, kDirectCalls);
    uint64_t block = 0;
    uint32_t line = function.line;
    for (uint64_t i = 0; i < num_calls && good(); i++) {
      block += get_u32(kDirectCalls);
      line += static_cast<uint32_t>(unzigzag(get(kDirectCalls)));
      size_t callee = get_below(kDirectCalls, callees_.size() + 1);
      if (good() && callee == callees_.size())
        callees_.push_back(std::make_shared<const std::string>(get_string(kDirectCalls)));
      if (good() && block >= function.blocks.size())
        malformed_ = "the block of a direct call does not exist";
      if (good())
        function.direct_calls.push_back({static_cast<uint32_t>(block), line, callees_[callee]});
    }
  }

  void check_program(const UnitNotes &unit) {
    for (const FunctionNotes &function : unit.functions)
      for (const CallNotes &call : function.calls)
        if (call.callee == CallNotes::kUnknown ? call.kind == CallKind::Traversed
                                               : !is_in_program(unit, unit.functions[call.callee]))
          malformed_ = "the callee of a call is not in the interprocedural unit";
    if (good() && program_checksum(unit) != program_checksum_)
      malformed_ = "the calls of an interprocedural unit do not match its checksum";
    if (good() && has_recursive_whole_call(program_of(unit).supergraph))
      malformed_ = "paths continue through a recursive call";
  }

  void read_breaks(BlockNotes &block, uint64_t num_lines) {
    uint64_t code = get(kStatements);
    uint64_t at = 0;
    block.ends_in_call = code & 1;
    for (uint64_t i = 0; i < code >> 1 && good(); i++) {
      at += get_u32(kStatements);
      if (at > num_lines)
        malformed_ = "a truncation point lies beyond the last line of its block";
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
  std::vector<std::shared_ptr<const std::string>>
      callees_; // callees of direct calls: the functions of the unit, then other functions in the order of occurrence
  uint32_t program_checksum_ = 0;
  bool has_wide_program_ = false;
  size_t num_files_ = 0;
  const char *malformed_ = nullptr;
};

} // namespace

std::optional<UnitNotes> decode_notes(const unsigned char *data, size_t size, uint64_t base, pathprof_error *error) {
  return NotesDecoder(data, size, base).run(error);
}

} // namespace pathprof
