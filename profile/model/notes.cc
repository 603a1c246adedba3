// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the properties of functions, units and programs from their notes.
#include "profile/model/notes.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pathprof {

const char *to_string(Stage stage) {
  static const char *const names[] = {"source", "early", "late"};
  return names[static_cast<int>(stage)];
}

// Computes the CRC-32C of 32-bit numbers in little-endian byte order.
class WordsChecksum {
public:
  void add(uint32_t word) {
    if (size_ == sizeof bytes_)
      value();
    for (unsigned i = 0; i < 4; i++)
      bytes_[size_ + i] = static_cast<unsigned char>(word >> (8 * i));
    size_ += 4;
  }
  uint32_t value() {
    crc_ = pathprof_crc32c(crc_, bytes_, size_);
    size_ = 0;
    return crc_;
  }

private:
  unsigned char bytes_[1024];
  size_t size_ = 0;
  uint32_t crc_ = 0;
};

uint32_t FunctionNotes::checksum() const {
  WordsChecksum checksum;
  checksum.add(static_cast<uint32_t>(graph.num_blocks()));
  for (const Edge &edge : graph.edges()) {
    checksum.add(static_cast<uint32_t>(edge.src));
    checksum.add(static_cast<uint32_t>(edge.dst));
    checksum.add(edge.flags & ~(kBack | kCut));
  }
  return checksum.value();
}

bool BranchNotes::operator==(const BranchNotes &o) const {
  auto key = [](const BranchNotes &notes) {
    return std::tie(notes.block, notes.at, notes.column, notes.range, notes.relation, notes.with_constant, notes.text,
                    notes.is_switch, notes.is_unsigned, notes.cases);
  };
  return key(*this) == key(o);
}

const BranchNotes *FunctionNotes::branch_at(int block) const {
  auto at = std::lower_bound(branches.begin(), branches.end(), static_cast<uint32_t>(block),
                             [](const BranchNotes &branch, uint32_t wanted) { return branch.block < wanted; });
  return at != branches.end() && at->block == static_cast<uint32_t>(block) ? &*at : nullptr;
}

bool FunctionNotes::is_written(const BlockNotes &block, size_t i) const {
  return block.lines[i].line && (!(flags & kArtificial) || block.lines[i].site ||
                                 std::binary_search(block.written.begin(), block.written.end(), i));
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
  return model_of(model).has(Feature::Sequences) && model.k > 1 && model.k <= kMaxIterations &&
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
  WordsChecksum checksum;
  checksum.add(static_cast<uint32_t>(unit.program->mode));
  for (size_t i = 0; i < unit.functions.size(); i++) {
    const FunctionNotes &function = unit.functions[i];
    if (!is_in_program(unit, function))
      continue;
    checksum.add(static_cast<uint32_t>(i));
    checksum.add((function.flags & kBeginsPaths) != 0);
    for (const CallNotes &call : function.calls) {
      checksum.add(call.block);
      checksum.add(call.callee);
      checksum.add(static_cast<uint32_t>(call.kind) << 1 | call.ends_block);
    }
  }
  return checksum.value();
}

void normalise(UnitNotes &unit) {
  std::vector<uint32_t> order(unit.functions.size()), new_index(order.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return unit.functions[a].name < unit.functions[b].name; });
  std::vector<FunctionNotes> sorted;
  for (uint32_t from : order) {
    new_index[from] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(unit.functions[from]));
  }
  for (FunctionNotes &function : sorted)
    for (CallNotes &call : function.calls)
      if (call.callee != CallNotes::kUnknown)
        call.callee = new_index[call.callee];
  unit.functions = std::move(sorted);
}

} // namespace pathprof
