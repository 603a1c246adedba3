// SPDX-License-Identifier: GPL-3.0-or-later
// Encodes the notes that the plugin writes to object files.
#include <algorithm>
#include <map>

#include <zstd.h>

#include "profile/format/image.h"
#include "profile/model/condition_notes.h"
#include "profile/model/notes.h"
#include "profile/model/streams.h"
#include "profile/model/values.h"

namespace pathprof {

namespace {

constexpr int kCompressionLevel = 19;

class Encoder {
public:
  explicit Encoder(const UnitNotes &unit) : unit_(unit) {
    for (const FunctionNotes &function : unit.functions)
      callees_.emplace(function.name, num_callees_++);
  }
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
    put_additions();
    return {index_.data, index_.data + index_.size};
  }

private:
  void put(Stream stream, uint64_t value) { pathprof_put_varint(&streams_[stream], value); }

  void put_string(Stream stream, const std::string &text) {
    pathprof_put_string(&streams_[stream], text.data(), text.size());
  }

  void put_program(const ProgramNotes &program) {
    put(kCallSites, static_cast<uint64_t>(program.mode));
    if (!program.is_wide())
      return;
    WideNumber num_paths = wide(program.num_paths);
    put(kCallSites, static_cast<uint64_t>(num_paths / kDigitValues));
    put(kCallSites, static_cast<uint64_t>(num_paths % kDigitValues));
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

  // Writes the additions, which follow all data that is defined in format 1.0.  Omits trailing empty additions.
  void put_additions() {
    pathprof_buffer additions[PATHPROF_NUM_ADDITIONS] = {};
    put_lists(additions[PATHPROF_ADDITION_CYCLES], additions[PATHPROF_ADDITION_FORESTS]);
    if (std::any_of(unit_.checksums.begin(), unit_.checksums.end(), [](uint32_t checksum) { return checksum != 0; }))
      for (size_t i = 0; i < unit_.files.size(); i++)
        pathprof_put_u32(&additions[PATHPROF_ADDITION_CHECKSUMS], i < unit_.checksums.size() ? unit_.checksums[i] : 0);
    pathprof_put_bytes(&additions[PATHPROF_ADDITION_FOLDER], unit_.folder.data(), unit_.folder.size());
    pathprof_put_bytes(&additions[PATHPROF_ADDITION_COMPILER], unit_.compiler.data(), unit_.compiler.size());
    for (const std::string &option : unit_.options) // each ends in a NUL
      pathprof_put_bytes(&additions[PATHPROF_ADDITION_OPTIONS], option.c_str(), option.size() + 1);
    if (std::any_of(unit_.functions.begin(), unit_.functions.end(),
                    [](const FunctionNotes &function) { return function.body != 0; }))
      for (const FunctionNotes &function : unit_.functions)
        pathprof_put_u32(&additions[PATHPROF_ADDITION_BODIES], function.body);
    auto *last = std::find_if(std::rbegin(additions), std::rend(additions), [](const pathprof_buffer &addition) {
                   return addition.size != 0;
                 }).base();
    for (pathprof_buffer *addition = additions; addition != last; addition++)
      pathprof_put_string(&index_, addition->data, addition->size);
    for (pathprof_buffer &addition : additions)
      pathprof_buffer_free(&addition);
  }

  // Writes the list of functions with cycles and the list of functions with forests.
  void put_lists(pathprof_buffer &cycles, pathprof_buffer &forests) {
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
    if (model_of(function.model).has(Feature::InterestingPaths))
      put_interesting(function);
    put_string(kStrings, function.left_out);
    bool cut_changes_count = function.num_paths_uncut != mpz_class(function.num_paths);
    put_string(kStrings, cut_changes_count ? function.num_paths_uncut.get_str(kPathsBase) : "");
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
    put_branches(function);
    if (is_in_program(unit_, function))
      put_calls(function);
    put_direct_calls(function);
    put_conditions(streams_[kConditions], function);
    put_values(streams_[kValues], function);
    put_condition_texts(streams_[kConditionTexts], function);
    put_couplings(streams_[kCouplings], function);
    put_written_lines(function);
  }

  // Returns true if the stream or a later stream contains data.  Otherwise, the stream can be omitted.
  bool has_any(Stream stream) const {
    return std::any_of(unit_.functions.begin(), unit_.functions.end(), [&](const FunctionNotes &function) {
      return (stream <= kDirectCalls && !function.direct_calls.empty()) ||
             (stream <= kConditions && !function.conditions.empty()) ||
             (stream <= kValues && !function.values.empty()) ||
             (stream <= kConditionTexts && has_condition_texts(function)) ||
             (stream <= kCouplings && has_couplings(function)) || has_written_lines(function);
    });
  }

  static bool has_written_lines(const FunctionNotes &function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(),
                       [](const BlockNotes &block) { return !block.written.empty(); });
  }

  // Writes, for each position in the blocks of a generated function, 1 if it contains code that the user wrote.
  void put_written_lines(const FunctionNotes &function) {
    if (!(function.flags & kArtificial))
      return;
    for (const BlockNotes &block : function.blocks)
      for (size_t i = 0; i < block.lines.size(); i++)
        put(kWrittenLines, std::binary_search(block.written.begin(), block.written.end(), i));
  }

  // Writes the direct calls of a function.  If a callee is not a function of the unit, its name follows its first
  // occurrence.
  void put_direct_calls(const FunctionNotes &function) {
    put(kDirectCalls, function.direct_calls.size());
    uint32_t block = 0, line = function.line;
    for (const DirectCall &call : function.direct_calls) {
      put(kDirectCalls, call.block - block);
      put(kDirectCalls, zigzag(static_cast<int64_t>(call.line) - static_cast<int64_t>(line)));
      auto [callee, is_new] = callees_.try_emplace(*call.callee, num_callees_);
      put(kDirectCalls, callee->second);
      if (is_new) {
        num_callees_++;
        put_string(kDirectCalls, *call.callee);
      }
      block = call.block;
      line = call.line;
    }
  }

  void put_calls(const FunctionNotes &function) {
    put(kCallSites, function.calls.size());
    uint32_t block = 0, line = function.line;
    for (const CallNotes &call : function.calls) {
      put(kCallSites, call.block - block);
      put(kCallSites, call.callee == CallNotes::kUnknown ? 0 : uint64_t{call.callee} + 1);
      put(kCallSites, static_cast<uint64_t>(call.kind) << 1 | call.ends_block);
      put(kCallSites, static_cast<uint64_t>(call.cut));
      put(kCallSites, zigzag(static_cast<int64_t>(call.line) - static_cast<int64_t>(line)));
      put(kCallSites, call.num_lines);
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

  // Writes the interesting paths.  Also writes the number of paths if the index entry contains the number of slots
  // instead.
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

  // Writes the blocks of a function.  Each line is stored as the difference from the preceding line in the function.
  // If the low bit of the stored number is set, a new file and a new inline site follow.
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

  // Writes the branch of each block with several successors, or 0 if the branch is unknown.
  void put_branches(const FunctionNotes &function) {
    for (int block = 0; block < function.graph.num_blocks(); block++) {
      if (function.graph.succs(block).size() < 2)
        continue;
      if (const BranchNotes *branch = function.branch_at(block))
        put_branch(function.blocks[static_cast<size_t>(block)], *branch);
      else
        put(kBranches, 0);
    }
  }

  // Writes a branch.  The position of the branch is stored as an index into the block's lines, counted from the end.
  // The columns of its range are stored as differences from the column of the position.
  void put_branch(const BlockNotes &block, const BranchNotes &branch) {
    bool has_range = branch.range.is_known();
    bool bit = branch.is_switch ? branch.is_unsigned : branch.with_constant;
    put(kBranches, 1 + (has_range ? kBranchHasRange : 0) + (branch.is_switch ? kBranchIsSwitch : 0) +
                       (bit ? kBranchWithConstant : 0) + static_cast<unsigned>(branch.relation) * kBranchRelation);
    auto at = std::find(block.lines.rbegin(), block.lines.rend(), branch.at);
    put(kBranches, at == block.lines.rend() ? 0 : 1 + static_cast<uint64_t>(at - block.lines.rbegin()));
    put(kBranches, branch.column);
    if (has_range) {
      put_distance(branch.range.first_line, branch.at.line);
      put_distance(branch.range.first_column, branch.column);
      put_distance(branch.range.last_line, branch.at.line);
      put_distance(branch.range.last_column, branch.column);
    }
    if (branch.is_switch)
      put_cases(branch);
  }

  void put_distance(uint32_t value, uint32_t from) {
    put(kBranches, zigzag(static_cast<int64_t>(value) - static_cast<int64_t>(from)));
  }

  void put_cases(const BranchNotes &branch) {
    uint64_t next = 0;
    uint32_t line = branch.at.line;
    for (const CaseLabels &edge : branch.cases) {
      put(kBranches, edge.labels.size() << 1 | edge.has_default);
      for (const CaseLabel &label : edge.labels) {
        put(kBranches, zigzag(static_cast<int64_t>(static_cast<uint64_t>(label.low) - next)));
        put(kBranches, static_cast<uint64_t>(label.high) - static_cast<uint64_t>(label.low));
        next = static_cast<uint64_t>(label.high) + 1;
        put_distance(label.line, line);
        line = label.line;
        put(kBranches, label.column);
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
    for (int stream = 0; stream < kNumStreams; stream++)
      if (has_stream(unit_, stream) && (stream < kDirectCalls || has_any(static_cast<Stream>(stream))))
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
  size_t num_callees_ = 0;
  std::map<std::string, size_t>
      callees_; // numbers of callees by assembler name: first the unit's functions, then others by first call
};

} // namespace

std::vector<unsigned char> encode_notes(const UnitNotes &unit) {
  return Encoder(unit).run();
}

} // namespace pathprof
