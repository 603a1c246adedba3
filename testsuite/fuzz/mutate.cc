// SPDX-License-Identifier: GPL-3.0-or-later
// How inputs of the fuzz target are changed: in their parts, whose lengths, offsets and checksums are then made right.
//
// - A section of a profile: its bytes.
// - A unit's notes: the bytes of the index; or one of the streams that are compressed behind it.
// - A unit's notes as the plugin sees them (UnitNotes): graph, flags, model, calls.  They are encoded again, with the
//   checksums that graphs have now; numbers of paths are often made right, too, as only then a numbering is looked at.
// - A raw file: the image in it, the places of counters, the header, the memory.
//
// One input in sixteen is changed as libFuzzer would, so that headers and checksums have their turn.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <zstd.h>

#include "core/numbering/cut.h"
#include "core/interprocedural/interprocedural.h"
#include "profile/format/image.h"
#include "profile/model/profile.h"
#include "profile/model/streams.h"
#include "profile/format/raw.h"
#include "testsuite/fuzz/input.h"

using namespace pathprof;
using namespace pathprof::fuzz;

extern "C" size_t LLVMFuzzerMutate(unsigned char *data, size_t size, size_t max_size);
extern "C" size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size, unsigned seed);
extern "C" size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t size_a, const unsigned char *b,
                                            size_t size_b, unsigned char *out, size_t max_size, unsigned seed);

namespace {

using Bytes = std::vector<unsigned char>;
using Random = std::minstd_rand;

uint64_t below(Random &random, uint64_t n) {
  return n ? random() % n : 0;
}
bool one_in(Random &random, unsigned n) {
  return below(random, n) == 0;
}

// Small, or near the end of a type.
uint64_t number(Random &random) {
  uint64_t bits = below(random, 64);
  return one_in(random, 2) ? below(random, 8) : (uint64_t{1} << bits) + below(random, 3) - 1;
}

void mutate_bytes(Bytes &bytes) {
  size_t size = bytes.size();
  bytes.resize(size + 64);
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
}

Bytes bytes_of(const pathprof_buffer &buffer) {
  return {buffer.data, buffer.data + buffer.size};
}

Bytes text(const pathprof_text &text) {
  return {text.data, text.data + text.size};
}

// ---------------------------------------------------------------------------------------------------
// Streams of notes.

constexpr size_t kMaxRaw = size_t{1} << 20;

std::optional<Bytes> unpack(const Bytes &packed, uint64_t size) {
  size_t frame = ZSTD_findFrameCompressedSize(packed.data(), packed.size());
  if (ZSTD_isError(frame) || size > kMaxRaw)
    return std::nullopt;
  Bytes raw(size);
  if (ZSTD_decompress(raw.data(), raw.size(), packed.data(), frame) != size)
    return std::nullopt;
  return raw;
}

// Padded as notes are (kMaxExpansion).
Bytes pack(const Bytes &raw) {
  Bytes packed(ZSTD_compressBound(raw.size()));
  size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1);
  packed.resize(size);
  packed.resize(std::max(size, raw.size() / kMaxExpansion + 1), 0);
  return packed;
}

// The strings that follow each other in `raw`, one of them changed.
Bytes mutate_streams(const Bytes &raw, Random &random) {
  std::vector<Bytes> streams;
  pathprof_cursor cursor = pathprof_cursor_over(raw.data(), raw.size(), 0);
  while (pathprof_cursor_left(&cursor)) {
    size_t size;
    const unsigned char *bytes = pathprof_get_string(&cursor, &size);
    if (pathprof_cursor_ok(&cursor))
      streams.emplace_back(bytes, bytes + size);
  }
  if (!streams.empty())
    mutate_bytes(streams[below(random, streams.size())]);
  Buffer changed;
  for (const Bytes &stream : streams)
    pathprof_put_string(&changed, stream.data(), stream.size());
  return bytes_of(changed);
}

// Where the compressed streams begin in a unit's notes; nothing if the index is malformed.
std::optional<pathprof_cursor> find_payload(const Bytes &notes) {
  static pathprof_index index; // large
  pathprof_index_open(&index, {notes.data(), notes.size()}, 0);
  while (pathprof_index_next(&index))
    continue;
  return pathprof_cursor_ok(&index.cursor) ? std::make_optional(index.cursor) : std::nullopt;
}

void mutate_notes_bytes(Bytes &notes, Random &random) {
  std::optional<pathprof_cursor> payload = find_payload(notes);
  if (!payload)
    return mutate_bytes(notes);
  Bytes index(notes.begin(), notes.begin() + static_cast<ptrdiff_t>(payload->pos));
  uint64_t size = pathprof_get_varint(&*payload);
  size_t packed_size;
  const unsigned char *bytes = pathprof_get_string(&*payload, &packed_size);
  if (!pathprof_cursor_ok(&*payload))
    return mutate_bytes(notes);
  Bytes packed(bytes, bytes + packed_size), lists(notes.begin() + static_cast<ptrdiff_t>(payload->pos), notes.end());
  std::optional<Bytes> raw = unpack(packed, size);
  if (one_in(random, 4))
    mutate_bytes(index);
  else if (!lists.empty() && one_in(random, 8))
    mutate_bytes(lists);
  else if (!raw || one_in(random, 16))
    mutate_bytes(packed);
  else {
    raw = mutate_streams(*raw, random);
    size = raw->size();
    packed = pack(*raw);
  }
  Buffer changed;
  pathprof_put_bytes(&changed, index.data(), index.size());
  pathprof_put_varint(&changed, size);
  pathprof_put_string(&changed, packed.data(), packed.size());
  pathprof_put_bytes(&changed, lists.data(), lists.size());
  notes = bytes_of(changed);
}

// ---------------------------------------------------------------------------------------------------
// Notes.

constexpr int kMaxBlocks = 200;

int block_in(const FlowGraph &graph, Random &random) {
  return static_cast<int>(below(random, static_cast<uint64_t>(graph.num_blocks())));
}

// Sets the marks of cuts anew.
void cut_again(FlowGraph &graph) {
  for (int e = 0; e < graph.num_edges(); e++)
    graph.edge(e).flags &= ~static_cast<unsigned>(kBack | kCut);
  mark_cuts(graph);
}

// Blocks in a row in the place of an edge, up to many: they take next to no room in a file.
void stretch(FunctionNotes &function, Random &random) {
  const FlowGraph &old = function.graph;
  if (old.num_edges() == 0 || old.num_blocks() > kMaxBlocks)
    return;
  int victim = static_cast<int>(below(random, static_cast<uint64_t>(old.num_edges())));
  int first = old.num_blocks(), length = 1 << below(random, 15);
  FlowGraph graph(first + length);
  for (int block = 0; block < first; block++)
    for (int e : old.succs(block))
      graph.add_edge(block, e == victim ? first : old.edge(e).dst, old.edge(e).flags);
  for (int block = first; block < first + length; block++)
    graph.add_edge(block, block + 1 < first + length ? block + 1 : old.edge(victim).dst);
  cut_again(graph);
  function.blocks.resize(static_cast<size_t>(graph.num_blocks()));
  function.graph = std::move(graph);
}

// A copy of the graph, perhaps without an edge, with another one or with another block.
void mutate_graph(FunctionNotes &function, Random &random) {
  if (one_in(random, 64))
    return stretch(function, random);
  const FlowGraph &old = function.graph;
  int num_edges = old.num_edges(), victim = static_cast<int>(below(random, static_cast<uint64_t>(num_edges) + 1));
  uint64_t what = below(random, 5);
  FlowGraph graph(old.num_blocks() + (what == 0 && old.num_blocks() < kMaxBlocks));
  int src = block_in(graph, random), dst = block_in(graph, random);
  auto flags = static_cast<unsigned>(below(random, kEdgeFlagMask + 1));
  for (int block = 0; block < graph.num_blocks(); block++) {
    for (int e : block < old.num_blocks() ? old.succs(block) : std::vector<int>()) {
      const Edge &edge = old.edge(e);
      if (what == 1 && e == victim)
        continue;
      if (what == 2 && e == victim)
        graph.add_edge(block, dst ? dst : 1, edge.flags);
      else
        graph.add_edge(block, edge.dst, what == 3 && e == victim ? edge.flags ^ flags : edge.flags);
    }
    if ((what == 0 || what == 4) && block == src && src != kExitBlock)
      graph.add_edge(src, dst ? dst : 1, flags & (one_in(random, 2) ? kEdgeFlagMask : kTrue | kFalse | kFallthru));
  }
  if (one_in(random, 2))
    cut_again(graph);
  function.blocks.resize(static_cast<size_t>(graph.num_blocks()));
  function.graph = std::move(graph);
}

void mutate_model(FunctionNotes &function, Random &random) {
  PathModel &model = function.model;
  switch (below(random, 6)) {
  case 0:
    model.mode = static_cast<Mode>(below(random, kNumModes));
    break;
  case 1:
    model.k = static_cast<uint32_t>(below(random, kMaxIterations + 2));
    break;
  case 2:
    model.numbering = static_cast<Numbering>(below(random, 2));
    break;
  case 3:
    function.stage = static_cast<Stage>(below(random, 3));
    break;
  case 4:
    function.storage = static_cast<pathprof_storage>(below(random, 3));
    break;
  default: {
    model.loops.push_back({block_in(function.graph, random), static_cast<uint32_t>(below(random, kMaxIterations + 1))});
    auto before = [](const LoopIterations &a, const LoopIterations &b) { return a.head < b.head; };
    std::sort(model.loops.begin(), model.loops.end(), before);
    auto same = [](const LoopIterations &a, const LoopIterations &b) { return a.head == b.head; };
    model.loops.erase(std::unique(model.loops.begin(), model.loops.end(), same), model.loops.end());
  }
  }
}

void mutate_interesting(FunctionNotes &function, Random &random) {
  if (one_in(random, 2))
    function.num_slots = number(random);
  function.interesting.push_back({function.num_paths ? number(random) % function.num_paths : 0, number(random)});
  auto before = [](const InterestingPath &a, const InterestingPath &b) { return a.id < b.id; };
  std::sort(function.interesting.begin(), function.interesting.end(), before);
  auto same = [](const InterestingPath &a, const InterestingPath &b) { return a.id == b.id; };
  function.interesting.erase(std::unique(function.interesting.begin(), function.interesting.end(), same),
                             function.interesting.end());
}

void mutate_calls(FunctionNotes &function, size_t num_functions, Random &random) {
  std::vector<CallNotes> &calls = function.calls;
  if (!calls.empty() && one_in(random, 3)) {
    calls.erase(calls.begin() + static_cast<ptrdiff_t>(below(random, calls.size())));
    return;
  }
  CallNotes call;
  call.block = static_cast<uint32_t>(block_in(function.graph, random));
  call.callee = one_in(random, 4) ? CallNotes::kUnknown : static_cast<uint32_t>(below(random, num_functions));
  call.kind = static_cast<CallKind>(below(random, kNumCallKinds));
  call.cut = call.kind == CallKind::Traversed ? CallCut::None : CallCut::Strategy;
  call.ends_block = one_in(random, 3);
  if (!calls.empty() && one_in(random, 2))
    calls[below(random, calls.size())] = call;
  else
    calls.push_back(call);
  std::stable_sort(calls.begin(), calls.end(),
                   [](const CallNotes &a, const CallNotes &b) { return a.block < b.block; });
}

void mutate_blocks(FunctionNotes &function, Random &random) {
  BlockNotes &block = function.blocks[below(random, function.blocks.size())];
  if (one_in(random, 2))
    block.breaks.push_back(static_cast<uint32_t>(block.lines.size()));
  else
    block.statements = static_cast<uint32_t>(number(random));
  block.ends_in_call ^= one_in(random, 4);
}

// So that the numberings of a unit that is well-formed are looked at.
void repair(UnitNotes &unit) {
  for (FunctionNotes &function : unit.functions) {
    if (function.storage == PATHPROF_STORAGE_NONE || is_in_program(unit, function))
      continue;
    Decoded decoded(function);
    if (decoded.graph.is_acyclic() && decoded.numbering.fits())
      function.num_paths = decoded.numbering.num_paths();
  }
  if (!unit.program)
    return;
  UnitProgram program = program_of(unit);
  if (has_recursive_whole_call(program.supergraph))
    return;
  SupergraphNumbering numbering(program.supergraph, 128);
  if (numbering.is_acyclic() && numbering.fits())
    unit.program->num_paths = numbering.num_paths();
}

void mutate_function(UnitNotes &unit, FunctionNotes &function, Random &random) {
  switch (below(random, 8)) {
  case 0:
    mutate_model(function, random);
    break;
  case 1:
    function.flags ^= 1u << below(random, 6);
    break;
  case 2:
    function.num_paths = number(random);
    break;
  case 3:
    mutate_interesting(function, random);
    break;
  case 4:
    mutate_blocks(function, random);
    break;
  case 5:
    mutate_calls(function, unit.functions.size(), random);
    break;
  default:
    mutate_graph(function, random);
  }
}

void mutate_sources(UnitNotes &unit, Random &random) {
  if (one_in(random, 2))
    unit.checksums.resize(one_in(random, 4) ? 0 : unit.files.size(), static_cast<uint32_t>(random()));
  else
    unit.folder = one_in(random, 4) ? "" : "/folder/" + std::to_string(below(random, 4));
}

bool mutate_unit(Bytes &notes, Random &random) {
  pathprof_error error = {};
  std::optional<UnitNotes> unit = decode_notes(notes.data(), notes.size(), 0, &error);
  if (!unit || unit->functions.empty())
    return false;
  for (uint64_t times = 1 + below(random, 3); times > 0; times--)
    mutate_function(*unit, unit->functions[below(random, unit->functions.size())], random);
  if (one_in(random, 8))
    mutate_sources(*unit, random);
  if (unit->program && one_in(random, 8))
    unit->program->mode = unit->program->mode == Mode::Context ? Mode::Piecewise : Mode::Context;
  notes = encode_notes(*unit);
  if (one_in(random, 4))
    return true;
  unit = decode_notes(notes.data(), notes.size(), 0, &error);
  if (!unit)
    return true;
  repair(*unit);
  notes = encode_notes(*unit);
  return true;
}

// ---------------------------------------------------------------------------------------------------
// Images.

struct Image {
  Bytes section[PATHPROF_NUM_SECTIONS];
  bool has[PATHPROF_NUM_SECTIONS] = {};
};

std::optional<Image> parse_image(const unsigned char *data, size_t size) {
  pathprof_image opened;
  pathprof_error error = {};
  if (!pathprof_image_open(&opened, data, size, &error))
    return std::nullopt;
  Image image;
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++) {
    const pathprof_cursor &cursor = opened.section[type];
    image.has[type] = cursor.data != nullptr;
    if (cursor.data)
      image.section[type].assign(cursor.data, cursor.data + cursor.end);
  }
  return image;
}

Bytes lay_out(const Image &image) {
  pathprof_writer writer = {};
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++)
    pathprof_put_bytes(&writer.section[type], image.section[type].data(), image.section[type].size());
  writer.has_cycles = image.has[PATHPROF_SECTION_CYCLES];
  writer.has_forests = image.has[PATHPROF_SECTION_FORESTS];
  writer.has_measuring = image.has[PATHPROF_SECTION_MEASURING];
  writer.has_tests = image.has[PATHPROF_SECTION_TESTS];
  Buffer file;
  pathprof_writer_finish(&writer, &file);
  return bytes_of(file);
}

void mutate_units(Bytes &section, Random &random) {
  struct Unit {
    uint64_t key;
    Bytes notes;
  };
  std::vector<Unit> units;
  pathprof_cursor cursor = pathprof_cursor_over(section.data(), section.size(), 0);
  for (uint64_t n = pathprof_get_varint(&cursor); n > 0 && pathprof_cursor_ok(&cursor); n--) {
    pathprof_unit_notes unit;
    pathprof_get_unit(&cursor, &unit);
    if (pathprof_cursor_ok(&cursor))
      units.push_back({unit.key, text(unit.notes)});
  }
  if (units.empty() || one_in(random, 16))
    return mutate_bytes(section);
  Unit &victim = units[below(random, units.size())];
  if (one_in(random, 3) || !mutate_unit(victim.notes, random))
    mutate_notes_bytes(victim.notes, random);
  Buffer changed;
  pathprof_put_varint(&changed, units.size());
  for (const Unit &unit : units) {
    pathprof_unit_notes entry = {unit.key, {unit.notes.data(), unit.notes.size()}};
    pathprof_put_unit(&changed, &entry);
  }
  section = bytes_of(changed);
}

void mutate_image(Image &image, Random &random) {
  static const int types[] = {PATHPROF_SECTION_UNITS,   PATHPROF_SECTION_UNITS,   PATHPROF_SECTION_UNITS,
                              PATHPROF_SECTION_COUNTS,  PATHPROF_SECTION_COUNTS,  PATHPROF_SECTION_CYCLES,
                              PATHPROF_SECTION_FORESTS, PATHPROF_SECTION_PROGRAM, PATHPROF_SECTION_MEASURING};
  int type = types[below(random, std::size(types))];
  if (!image.has[type] && !one_in(random, 8))
    type = PATHPROF_SECTION_UNITS;
  image.has[type] = true;
  if (type == PATHPROF_SECTION_UNITS)
    mutate_units(image.section[type], random);
  else
    mutate_bytes(image.section[type]);
}

std::optional<Bytes> mutate_file(const unsigned char *data, size_t size, Random &random) {
  std::optional<Image> image = parse_image(data, size);
  if (!image)
    return std::nullopt;
  mutate_image(*image, random);
  return lay_out(*image);
}

// ---------------------------------------------------------------------------------------------------
// Raw files.

using Header = pathprof_raw_header;

// Puts another image in the place of the old one and moves what is behind it.
void replace_image(Bytes &file, Header &header, Bytes image) {
  image.resize((image.size() + 7) & ~size_t{7}, 0);
  auto begin = file.begin() + static_cast<ptrdiff_t>(header.image_offset);
  size_t old_size = (header.image_size + 7) & ~uint64_t{7};
  if (old_size > file.size() - header.image_offset)
    return;
  uint64_t end = header.image_offset + old_size, moved = image.size() - old_size;
  file.erase(begin, begin + static_cast<ptrdiff_t>(old_size));
  file.insert(file.begin() + static_cast<ptrdiff_t>(header.image_offset), image.begin(), image.end());
  if (header.placements_offset >= end)
    header.placements_offset += moved;
  for (auto &area : header.areas)
    if (area.offset >= end)
      area.offset += moved;
}

void mutate_raw_image(Bytes &file, Header &header, Random &random) {
  if (header.image_offset > file.size() || header.image_size > file.size() - header.image_offset)
    return;
  std::optional<Bytes> image = mutate_file(file.data() + header.image_offset, header.image_size, random);
  if (!image)
    return;
  uint64_t size = image->size();
  replace_image(file, header, std::move(*image));
  header.image_size = size;
}

// A word of memory that the header says is mapped; often an address or a small number takes its place.
void mutate_word(Bytes &file, const Header &header, Random &random) {
  uint64_t areas = std::min<uint64_t>(header.num_areas, PATHPROF_RAW_MAX_AREAS);
  const pathprof_raw_area &from = header.areas[below(random, areas)], &to = header.areas[below(random, areas)];
  uint64_t at = from.offset + below(random, from.size) / 8 * 8;
  uint64_t value = one_in(random, 2) ? number(random) : to.address + below(random, to.size) / 8 * 8;
  if (at + sizeof value <= file.size() && at >= sizeof header)
    std::memcpy(file.data() + at, &value, sizeof value);
}

void mutate_field(Header &header, Random &random) {
  uint64_t *fields[] = {&header.num_placements, &header.placements_offset, &header.image_offset, &header.image_size,
                        &header.copies,         &header.num_areas,         &header.pending,      &header.cost};
  pathprof_raw_area &area = header.areas[below(random, PATHPROF_RAW_MAX_AREAS)];
  uint64_t *of_area[] = {&area.address, &area.size, &area.offset};
  if (one_in(random, 2))
    *fields[below(random, std::size(fields))] = number(random);
  else
    *of_area[below(random, 3)] = number(random);
}

Bytes mutate_raw(Bytes file, Random &random) {
  Header header;
  std::memcpy(&header, file.data(), sizeof header);
  switch (below(random, 8)) {
  case 0:
    mutate_field(header, random);
    break;
  case 1:
  case 2:
    mutate_raw_image(file, header, random);
    break;
  case 3:
    if (header.num_placements < file.size() && header.placements_offset + 8 < file.size()) {
      uint64_t value = number(random);
      uint64_t words = (header.num_placements * sizeof(pathprof_raw_placement)) / 8;
      uint64_t at = header.placements_offset + 8 * below(random, words);
      if (at + sizeof value <= file.size())
        std::memcpy(file.data() + at, &value, sizeof value);
    }
    break;
  default:
    mutate_word(file, header, random);
  }
  size_t start = offsetof(Header, byte_order);
  uint64_t size = header.num_placements * sizeof(pathprof_raw_placement);
  header.crc = pathprof_crc32c(0, reinterpret_cast<unsigned char *>(&header) + start, offsetof(Header, runs) - start);
  if (header.placements_offset <= file.size() && header.num_placements <= file.size() &&
      size <= file.size() - header.placements_offset)
    header.crc = pathprof_crc32c(header.crc, file.data() + header.placements_offset, size);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

// ---------------------------------------------------------------------------------------------------

std::optional<Bytes> mutate(const unsigned char *data, size_t size, Random &random) {
  if (pathprof_is_raw(data, size))
    return size < PATHPROF_RAW_HEADER_SIZE ? std::nullopt : std::make_optional(mutate_raw({data, data + size}, random));
  size_t first = size_of_first(data, size);
  if (first == size)
    return mutate_file(data, size, random);
  bool in_second = one_in(random, 2);
  std::optional<Bytes> changed =
      in_second ? mutate_file(data + first, size - first, random) : mutate_file(data, first, random);
  if (!changed)
    return std::nullopt;
  Bytes both = in_second ? Bytes(data, data + first) : *changed;
  both.insert(both.end(), in_second ? changed->data() : data + first,
              in_second ? changed->data() + changed->size() : data + size);
  return both;
}

} // namespace

size_t LLVMFuzzerCustomMutator(unsigned char *data, size_t size, size_t max_size, unsigned seed) {
  Random random(seed + 1);
  std::optional<Bytes> changed;
  if (!one_in(random, 16))
    changed = mutate(data, size, random);
  if (!changed || changed->size() > max_size || changed->empty())
    return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed->data(), changed->size());
  return changed->size();
}

// Two profiles become one input: they are merged.
size_t LLVMFuzzerCustomCrossOver(const unsigned char *a, size_t size_a, const unsigned char *b, size_t size_b,
                                 unsigned char *out, size_t max_size, unsigned) {
  size_t first_a = size_of_first(a, size_a), first_b = size_of_first(b, size_b);
  if (pathprof_is_raw(a, size_a) || pathprof_is_raw(b, size_b) || first_a + first_b > max_size)
    return 0;
  std::memcpy(out, a, first_a);
  std::memcpy(out + first_a, b, first_b);
  return first_a + first_b;
}
