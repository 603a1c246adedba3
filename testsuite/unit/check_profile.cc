// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of profile/: bytes, images, notes, merging; valid, damaged and random.
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/numbering/cut.h"
#include "core/interprocedural/interprocedural.h"
#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/counts.h"
#include "profile/format/image.h"
#include "profile/format/merge.h"
#include "profile/model/byte_order.h"
#include "profile/model/notes.h"
#include "profile/model/profile.h"
#include "profile/format/raw.h"
#include "profile/format/raw_convert.h"
#include "profile/format/unit_sums.h"
#include "profile/format/values.h"
#include "profile/format/tests.h"
#include "profile/format/wide.h"
#include "profile/model/visible.h"
#include "testsuite/unit/random_graph.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

using Bytes = std::vector<unsigned char>;

// A buffer that frees itself.
struct Buffer : pathprof_buffer {
  Buffer() : pathprof_buffer{} {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { pathprof_buffer_free(this); }
  Bytes bytes() const { return {data, data + size}; }
};

// ---------------------------------------------------------------------------------------------------
// Numbers.

// What targets without integers of 128 bits compute.
START_TEST(products_and_quotients_of_halves) {
  Random random(3);
  auto number = [&random] { return random() >> random() % 64; };
  for (int round = 0; round < 3000; round++) {
    uint64_t a = number(), b = number(), c = number() | 1, high;
    auto product = static_cast<unsigned __int128>(a) * b;
    ck_assert_uint_eq(pathprof_product_of_halves(a, b, &high), static_cast<uint64_t>(product));
    ck_assert_uint_eq(high, static_cast<uint64_t>(product >> 64));
    if (high < c)
      ck_assert_uint_eq(pathprof_quotient_of_halves(high, static_cast<uint64_t>(product), c),
                        static_cast<uint64_t>(product / c));
  }
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Bytes.

START_TEST(varints_at_the_edges) {
  std::vector<uint64_t> values{0, 1, UINT64_MAX, UINT64_MAX - 1};
  for (int bit = 1; bit < 64; bit++)
    for (int distance = -1; distance <= 1; distance++)
      values.push_back((uint64_t{1} << bit) + static_cast<uint64_t>(distance));
  for (uint64_t value : values) {
    Buffer buffer;
    pathprof_put_varint(&buffer, value);
    int bits = value ? 64 - __builtin_clzll(value) : 1;
    ck_assert_uint_eq(buffer.size, static_cast<size_t>((bits + 6) / 7));
    pathprof_cursor cursor = pathprof_cursor_over(buffer.data, buffer.size, 0);
    ck_assert_uint_eq(pathprof_get_varint(&cursor), value);
    ck_assert(pathprof_cursor_ok(&cursor) && pathprof_cursor_left(&cursor) == 0);
    for (size_t size = 0; size < buffer.size; size++) {
      cursor = pathprof_cursor_over(buffer.data, size, 100);
      ck_assert_uint_eq(pathprof_get_varint(&cursor), 0);
      ck_assert_str_eq(cursor.error.reason, "the data ends too early");
      ck_assert_uint_eq(cursor.error.offset, 100 + size);
    }
  }
}
END_TEST

START_TEST(varints_that_are_too_long) {
  Bytes bytes(10, 0xff);
  for (unsigned char last : {2, 0x7f, 0x80, 0x81, 0xff}) {
    bytes[9] = last;
    pathprof_cursor cursor = pathprof_cursor_over(bytes.data(), bytes.size(), 0);
    ck_assert_uint_eq(pathprof_get_varint(&cursor), 0);
    ck_assert_str_eq(cursor.error.reason, "an integer is longer than 64 bits");
  }
}
END_TEST

START_TEST(cursors_stay_in_bounds) {
  const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  pathprof_cursor cursor = pathprof_cursor_over(bytes, sizeof bytes, 40);
  ck_assert_uint_eq(pathprof_get_u8(&cursor), 1);
  ck_assert_uint_eq(pathprof_get_u16(&cursor), 0x0302);
  ck_assert_uint_eq(pathprof_get_u32(&cursor), 0x07060504);
  ck_assert_ptr_null(pathprof_get_bytes(&cursor, UINT64_MAX));
  ck_assert_uint_eq(cursor.error.offset, 47);
  // The first error stays, nothing moves.
  ck_assert_uint_eq(pathprof_get_u8(&cursor), 0);
  pathprof_cursor_fail(&cursor, "another");
  ck_assert_str_eq(cursor.error.reason, "the data ends too early");
  ck_assert_uint_eq(cursor.pos, 7);
  ck_assert_uint_eq(pathprof_cursor_left(&cursor), 0);
  cursor = pathprof_cursor_over(bytes, sizeof bytes, 0);
  ck_assert_uint_eq(pathprof_get_u64(&cursor), 0x0807060504030201);
  size_t n = 1;
  ck_assert_ptr_null(pathprof_get_string(&cursor, &n)); // of 9 bytes
  ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(buffers_grow_and_fail) {
  Buffer buffer;
  for (uint64_t i = 0; i < 100000; i++)
    pathprof_put_u64(&buffer, i);
  pathprof_cursor cursor = pathprof_cursor_over(buffer.data, buffer.size, 0);
  for (uint64_t i = 0; i < 100000; i++)
    ck_assert_uint_eq(pathprof_get_u64(&cursor), i);
  ck_assert_ptr_null(pathprof_reserve(&buffer, SIZE_MAX / 2));
  ck_assert(buffer.failed);
  size_t size = buffer.size;
  pathprof_put_u8(&buffer, 1);
  ck_assert_uint_eq(buffer.size, size);
}
END_TEST

// A buffer that is prepared for some bytes takes more of them, too.
START_TEST(buffers_are_prepared) {
  Buffer few, many;
  pathprof_expect(&few, 100);
  ck_assert_ptr_null(few.data);
  pathprof_expect(&many, 300001);
  ck_assert_uint_eq(many.size, 0);
  const unsigned char *at = many.data;
  for (uint64_t i = 0; i < 100000; i++) {
    ck_assert(i >= 300001 / 8 || many.data == at);
    pathprof_put_u64(&many, i);
  }
  pathprof_expect(&many, 1000000); // is not empty
  pathprof_cursor cursor = pathprof_cursor_over(many.data, many.size, 0);
  for (uint64_t i = 0; i < 100000; i++)
    ck_assert_uint_eq(pathprof_get_u64(&cursor), i);
  ck_assert_uint_eq(pathprof_cursor_left(&cursor), 0);
}
END_TEST

START_TEST(checksums) {
  ck_assert_uint_eq(pathprof_crc32c(0, "123456789", 9), 0xe3069283);
  ck_assert_uint_eq(pathprof_crc32c(0, "", 0), 0);
  const Bytes zeros(32, 0), ones(32, 0xff); // RFC 3720, B.4
  ck_assert_uint_eq(pathprof_crc32c(0, zeros.data(), 32), 0x8a9136aa);
  ck_assert_uint_eq(pathprof_crc32c(0, ones.data(), 32), 0x62a8ab43);
  Random random(1);
  Bytes bytes(100);
  for (unsigned char &byte : bytes)
    byte = static_cast<unsigned char>(random());
  uint32_t whole = pathprof_crc32c(0, bytes.data(), bytes.size());
  for (size_t cut = 0; cut <= bytes.size(); cut++) {
    uint32_t crc = pathprof_crc32c(0, bytes.data(), cut);
    ck_assert_uint_eq(pathprof_crc32c(crc, bytes.data() + cut, bytes.size() - cut), whole);
  }
  ck_assert_uint_eq(pathprof_key("", 0), 0xcbf29ce484222325);
  ck_assert_uint_eq(pathprof_key("a", 1), 0xaf63dc4c8601ec8c);
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Notes.

// A graph whose edges are in the order that notes store: by source block.
static FlowGraph random_ordered_graph(Random &random) {
  RandomGraphOptions options;
  options.abnormal_percent = 10;
  FlowGraph any = random_graph(random, options);
  FlowGraph graph(any.num_blocks());
  for (int block = 0; block < any.num_blocks(); block++)
    for (int e : any.succs(block))
      graph.add_edge(block, any.edge(e).dst, any.edge(e).flags);
  mark_cuts(graph);
  return graph;
}

static uint32_t number(Random &random) {
  return static_cast<uint32_t>(random() >> (32 + below(random, 32)));
}

static BranchNotes random_branch(Random &random, const FunctionNotes &function, int block) {
  const std::vector<LineRef> &lines = function.blocks[static_cast<size_t>(block)].lines;
  BranchNotes branch;
  branch.block = static_cast<uint32_t>(block);
  if (!lines.empty() && below(random, 4)) {
    branch.at = lines[static_cast<size_t>(below(random, static_cast<int>(lines.size())))];
    branch.column = number(random);
  }
  if (branch.at.line && below(random, 2)) {
    branch.range.first_line = branch.at.line;
    branch.range.first_column = number(random);
    branch.range.last_line = branch.at.line + static_cast<uint32_t>(below(random, 3));
    branch.range.last_column = number(random);
  }
  branch.is_switch = below(random, 3) == 0;
  if (!branch.is_switch) {
    branch.relation = static_cast<Relation>(below(random, static_cast<int>(kNumRelations)));
    branch.with_constant = below(random, 2);
    if (branch.at.line && below(random, 2))
      branch.text = {{(number(random) >> 1) + 1, number(random), 0, number(random)},
                     below(random, 2) ? branch.at.file : 0,
                     below(random, 2) == 0};
    if (branch.text.is_known())
      branch.text.last_line = branch.text.first_line + static_cast<uint32_t>(below(random, 3));
    if (branch.range.is_known() && below(random, 2))
      branch.text = {branch.range, branch.at.file};
    branch.text.is_negated = branch.text.is_known() && below(random, 2);
    branch.text.is_beginning = branch.text.is_known() && below(random, 2);
    if (branch.text.is_known())
      branch.text.sense = static_cast<Sense>(below(random, 3));
    if (branch.text.is_known() && below(random, 2)) {
      branch.text.use_line = (number(random) >> 1) + 1;
      branch.text.use_column = number(random);
    }
    return branch;
  }
  branch.is_unsigned = below(random, 2);
  for (size_t i = 0; i < function.graph.succs(block).size(); i++) {
    CaseLabels edge;
    edge.has_default = below(random, 2);
    for (int label = below(random, 4); label > 0; label--) {
      int64_t low = below(random, 3) ? below(random, 100) - 50 : static_cast<int64_t>(random());
      edge.labels.push_back(
          {low, below(random, 2) ? low : static_cast<int64_t>(random()), number(random), number(random)});
    }
    branch.cases.push_back(std::move(edge));
  }
  return branch;
}

static void add_random_branches(Random &random, FunctionNotes &function) {
  for (int block = 0; block < function.graph.num_blocks(); block++)
    if (function.graph.succs(block).size() > 1 && below(random, 4))
      function.branches.push_back(random_branch(random, function, block));
}

// Decisions have numbers in the order of their first blocks; conditions lead to later ones.
static void add_random_conditions(Random &random, FunctionNotes &function) {
  uint32_t num_decisions = 0;
  for (int block = 0; block < function.graph.num_blocks(); block++) {
    if (function.graph.succs(block).size() != 2 || below(random, 4) == 0)
      continue;
    ConditionBlock condition;
    condition.block = static_cast<uint32_t>(block);
    condition.decision = static_cast<uint32_t>(below(random, static_cast<int>(num_decisions) + 1));
    condition.is_merged = below(random, 4) == 0;
    condition.is_known = below(random, 4) > 0;
    if (below(random, 2)) {
      condition.index = static_cast<uint32_t>(below(random, 1000));
      for (uint32_t &next : condition.next)
        next = below(random, 2) ? static_cast<uint32_t>(below(random, 2))
                                : kFirstCondition + condition.index + 1 + static_cast<uint32_t>(below(random, 1000));
    }
    if (condition.index > 0 && below(random, 3) == 0) {
      condition.coupled_back = 1 + static_cast<uint32_t>(below(random, static_cast<int>(condition.index)));
      condition.is_opposite = below(random, 2);
    }
    num_decisions = std::max(num_decisions, condition.decision + 1);
    function.conditions.push_back(condition);
  }
}

static FunctionNotes random_function(Random &random, uint32_t num_files) {
  FunctionNotes function;
  auto file = [&] { return static_cast<uint32_t>(below(random, static_cast<int>(num_files))); };
  // Now and then longer than what the index keeps.
  size_t length = below(random, 40) ? static_cast<size_t>(below(random, 30)) : 5000;
  function.name = std::string(length, 'n') + std::to_string(random() % 1000);
  function.file = file();
  function.line = number(random);
  function.flags = number(random);
  function.stage = below(random, 2) ? Stage::Source : Stage::Early;
  function.model.mode = static_cast<Mode>(below(random, kNumModes));
  function.model.numbering = below(random, 2) ? Numbering::Register : Numbering::Paper;
  // Random tables are no forests: testsuite/tool/test_kipf.py has those.
  function.model.k = function.model.mode == Mode::Kipf ? 1 : number(random);
  if (function.model.mode != Mode::Acyclic)
    for (int head : {3, 4, 900})
      if (below(random, 2))
        function.model.loops.push_back({head, static_cast<uint32_t>(below(random, kMaxIterations + 1))});
  function.graph = random_ordered_graph(random);
  PathGraph paths(function.graph);
  function.num_paths = PathNumbering(paths).num_paths();
  function.num_paths_uncut = mpz_class(function.num_paths) << below(random, 3) * 100;
  function.storage = pathprof_choose_storage(function.num_paths, 10);
  if (below(random, 10) == 0 || is_interprocedural(function.model.mode)) {
    function.storage = PATHPROF_STORAGE_NONE;
    function.num_paths = 0;
    function.left_out = "too complex";
  }
  for (int i = below(random, 3); i > 0; i--)
    function.sites.push_back({"inlined", file(), number(random),
                              static_cast<uint32_t>(below(random, static_cast<int>(function.sites.size()) + 1))});
  function.blocks.resize(static_cast<size_t>(function.graph.num_blocks()));
  for (BlockNotes &block : function.blocks) {
    block.statements = number(random);
    for (int i = below(random, 4); i > 0; i--)
      block.lines.push_back(
          {file(), number(random), static_cast<uint32_t>(below(random, static_cast<int>(function.sites.size()) + 1))});
    for (uint32_t at = 0; at <= block.lines.size(); at++)
      if (below(random, 4) == 0)
        block.breaks.push_back(at);
    block.ends_in_call = !block.breaks.empty() && below(random, 2);
    for (uint32_t i = 0; i < block.lines.size() && (function.flags & kArtificial); i++)
      if (below(random, 4) == 0)
        block.written.push_back(i);
  }
  add_random_branches(random, function);
  add_random_conditions(random, function);
  static const std::string callees[] = {"puts", "", "f", "a name with blanks"};
  for (uint32_t block = 0; block < function.blocks.size(); block++)
    for (uint32_t i = 0; i < (block + function.line) % 3; i++)
      function.direct_calls.push_back(
          {block, function.line + i, std::make_shared<const std::string>(callees[(block + i) % std::size(callees)])});
  return function;
}

static void add_random_calls(Random &random, FunctionNotes &function, size_t num_functions) {
  for (uint32_t block = 2; block < function.blocks.size(); block++)
    for (int i = below(random, 3); i > 0; i--) {
      CallNotes call;
      call.block = block;
      call.line = number(random);
      call.num_lines = static_cast<uint32_t>(below(random, static_cast<int>(function.blocks[block].lines.size()) + 1));
      call.kind = static_cast<CallKind>(below(random, kNumCallKinds));
      if (call.kind == CallKind::Traversed || below(random, 2))
        call.callee = static_cast<uint32_t>(below(random, static_cast<int>(num_functions)));
      call.ends_block = i == 1 && below(random, 2);
      function.calls.push_back(call);
    }
}

// What the plugin decides: no path goes through a recursive call, and the numbers fit.
static void settle_calls(UnitNotes &unit, bool fits) {
  UnitProgram program = program_of(unit);
  callees_first(program.supergraph, CallKind::SteppedOver);
  for (size_t p = 0; p < program.functions.size(); p++) {
    std::vector<CallNotes> &calls = unit.functions[program.functions[p]].calls;
    for (size_t i = 0; i < calls.size(); i++) {
      if (program.supergraph.procedures[p].calls[i].kind != CallKind::Traversed || !fits)
        calls[i].kind = calls[i].kind == CallKind::Ended ? CallKind::Ended : CallKind::SteppedOver;
      calls[i].cut = calls[i].kind == CallKind::Traversed ? CallCut::None : CallCut::Limit;
    }
  }
}

// Makes a program of some of the functions.
static void add_random_program(Random &random, UnitNotes &unit) {
  unit.program.emplace();
  unit.program->mode = below(random, 2) ? Mode::Context : Mode::Piecewise;
  std::vector<uint32_t> members;
  for (size_t i = 0; i < unit.functions.size(); i++)
    if (below(random, 3))
      members.push_back(static_cast<uint32_t>(i));
  for (uint32_t member : members) {
    FunctionNotes &function = unit.functions[member];
    function.model = PathModel();
    function.model.mode = unit.program->mode;
    function.left_out.clear();
    function.storage = PATHPROF_STORAGE_NONE;
    add_random_calls(random, function, members.size());
    for (CallNotes &call : function.calls)
      if (call.callee != CallNotes::kUnknown)
        call.callee = members[call.callee];
  }
  for (FunctionNotes &function : unit.functions)
    if (function.model.mode == unit.program->mode && function.storage == PATHPROF_STORAGE_NONE &&
        std::find(members.begin(), members.end(), &function - unit.functions.data()) == members.end())
      function.left_out = "too complex";
  settle_calls(unit, true);
  mpz_class limit = mpz_class(1) << 62;
  if (SupergraphNumbering(program_of(unit).supergraph).num_paths() > limit)
    settle_calls(unit, false);
  UnitProgram program = program_of(unit);
  unit.program->num_paths = SupergraphNumbering(program.supergraph).num_paths();
  unit.program->storage = pathprof_choose_storage(unit.program->num_paths.get_ui(), 100);
}

static UnitNotes random_unit(Random &random, int max_functions = 6) {
  UnitNotes unit;
  unit.source = "unit-" + std::to_string(random() % 100) + ".c";
  for (int i = 1 + below(random, 3); i > 0; i--)
    unit.files.push_back("file-" + std::to_string(i));
  for (int i = below(random, max_functions + 1); i > 0; i--)
    unit.functions.push_back(random_function(random, static_cast<uint32_t>(unit.files.size())));
  if (below(random, 2))
    add_random_program(random, unit);
  normalise(unit);
  return unit;
}

static void add_random_sources(Random &random, UnitNotes &unit) {
  if (below(random, 2))
    for (size_t i = 0; i < unit.files.size(); i++)
      unit.checksums.push_back(static_cast<uint32_t>(random() / (1 + random() % 2)) | 1);
  if (below(random, 2))
    unit.folder = "/folder/" + std::to_string(random() % 100);
  if (below(random, 2))
    unit.compiler = std::to_string(random() % 20) + ".1.0";
  if (below(random, 2))
    for (FunctionNotes &function : unit.functions)
      function.body = static_cast<uint32_t>(below(random, 3) * random());
}

static std::vector<std::tuple<int, int, unsigned>> edges_of(const FlowGraph &graph) {
  std::vector<std::tuple<int, int, unsigned>> edges;
  for (const Edge &edge : graph.edges())
    edges.emplace_back(edge.src, edge.dst, edge.flags);
  return edges;
}

static void assert_same_function(const FunctionNotes &a, const FunctionNotes &b) {
  ck_assert(a.name.substr(0, sizeof pathprof_index().name - 1) == b.name);
  ck_assert(a.file == b.file && a.line == b.line && a.flags == b.flags);
  ck_assert(a.model == b.model && a.stage == b.stage && a.body == b.body);
  ck_assert(a.storage == b.storage && a.num_paths == b.num_paths);
  ck_assert(a.num_paths_uncut == b.num_paths_uncut);
  ck_assert(a.interesting == b.interesting && a.num_slots == b.num_slots);
  ck_assert(a.left_out == b.left_out);
  ck_assert(a.graph.num_blocks() == b.graph.num_blocks());
  ck_assert(edges_of(a.graph) == edges_of(b.graph));
  ck_assert_uint_eq(a.blocks.size(), b.blocks.size());
  for (size_t i = 0; i < a.blocks.size(); i++)
    ck_assert(a.blocks[i].statements == b.blocks[i].statements && a.blocks[i].lines == b.blocks[i].lines &&
              a.blocks[i].breaks == b.blocks[i].breaks && a.blocks[i].ends_in_call == b.blocks[i].ends_in_call);
  ck_assert(a.branches == b.branches);
  ck_assert(a.conditions == b.conditions);
  ck_assert_uint_eq(a.sites.size(), b.sites.size());
  for (size_t i = 0; i < a.sites.size(); i++)
    ck_assert(a.sites[i].function == b.sites[i].function && a.sites[i].file == b.sites[i].file &&
              a.sites[i].line == b.sites[i].line && a.sites[i].parent == b.sites[i].parent);
  ck_assert(std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                       [](const ValueNotes &x, const ValueNotes &y) { return x.kind == y.kind && x.line == y.line; }));
  ck_assert(std::equal(a.direct_calls.begin(), a.direct_calls.end(), b.direct_calls.begin(), b.direct_calls.end(),
                       [](const DirectCall &x, const DirectCall &y) {
                         return x.block == y.block && x.line == y.line && *x.callee == *y.callee;
                       }));
}

static void assert_same_program(const UnitNotes &a, const UnitNotes &b) {
  ck_assert(a.program.has_value() == b.program.has_value());
  if (!a.program)
    return;
  ck_assert(a.program->mode == b.program->mode && a.program->storage == b.program->storage);
  ck_assert(a.program->num_paths == b.program->num_paths);
  for (size_t i = 0; i < a.functions.size(); i++) {
    const std::vector<CallNotes> &x = a.functions[i].calls, &y = b.functions[i].calls;
    ck_assert(std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const CallNotes &c, const CallNotes &d) {
      return c.block == d.block && c.callee == d.callee && c.kind == d.kind && c.cut == d.cut &&
             c.ends_block == d.ends_block && c.line == d.line && c.num_lines == d.num_lines;
    }));
  }
}

static void add_interesting_paths(Random &random, FunctionNotes &function) {
  if (function.model.mode != Mode::Preferential)
    return;
  for (uint64_t id = random() % 5; id < function.num_paths && function.interesting.size() < 30; id += 1 + random() % 9)
    function.interesting.push_back({id, random() % 3 ? random() : 0});
  if (function.storage == PATHPROF_STORAGE_ARRAY && function.num_paths > 0 && below(random, 2))
    function.num_slots = 1 + random() % function.num_paths;
}

static void add_random_values(Random &random, FunctionNotes &function) {
  if (function.storage == PATHPROF_STORAGE_NONE || below(random, 2))
    return;
  for (int i = below(random, 20); i > 0; i--)
    function.values.push_back(
        {static_cast<ValueKind>(random() % kNumValueKinds), static_cast<uint32_t>(random() >> random() % 64)});
}

START_TEST(notes_round_trip) {
  Random random(2);
  int calls = 0;
  for (int round = 0; round < 300; round++) {
    UnitNotes unit = random_unit(random);
    add_random_sources(random, unit);
    for (FunctionNotes &function : unit.functions)
      add_interesting_paths(random, function), add_random_values(random, function);
    Bytes bytes = encode_notes(unit);
    pathprof_error error = {};
    std::optional<UnitNotes> decoded = decode_notes(bytes.data(), bytes.size(), 0, &error);
    ck_assert_msg(decoded.has_value(), "%s", error.reason);
    ck_assert(decoded->source == unit.source);
    ck_assert(decoded->files == unit.files);
    ck_assert(decoded->checksums == unit.checksums && decoded->folder == unit.folder &&
              decoded->compiler == unit.compiler);
    pathprof_text compiler = pathprof_unit_compiler({bytes.data(), bytes.size()});
    ck_assert(std::string(reinterpret_cast<const char *>(compiler.data), compiler.size) == unit.compiler);
    ck_assert_uint_eq(decoded->functions.size(), unit.functions.size());
    for (size_t i = 0; i < unit.functions.size(); i++)
      assert_same_function(unit.functions[i], decoded->functions[i]);
    assert_same_program(unit, *decoded);
    for (const FunctionNotes &function : unit.functions)
      calls += static_cast<int>(function.calls.size());
    ck_assert(encode_notes(unit) == bytes);
  }
  ck_assert_int_gt(calls, 1000);
}
END_TEST

// What has a code of its own comes back; of other values the highest bit and the sign do.
START_TEST(values_have_numbers) {
  std::vector<int64_t> values{0, INT64_MIN, INT64_MAX};
  for (int bit = 0; bit < 63; bit++)
    for (int64_t distance = -1; distance <= 1; distance++)
      for (int64_t sign : {1, -1})
        values.push_back(sign * ((int64_t{1} << bit) + distance));
  int64_t first_large = int64_t{1} << 46;
  for (int64_t value : values)
    for (uint32_t site : {0, 1, PATHPROF_MAX_SITES - 1}) {
      bool is_small = -first_large <= value && value < first_large;
      uint64_t number = number_of({site, is_small, value, 1});
      CountedValue counted = value_with(number, 7);
      ck_assert(number >= PATHPROF_FIRST_VALUE && number != UINT64_MAX && counted.site == site && counted.count == 7);
      ck_assert(counted.is_exact == is_small && (counted.value < 0) == (value < 0));
      uint64_t amount = pathprof_amount_of(value), of_counted = pathprof_amount_of(counted.value);
      ck_assert(is_small ? counted.value == value : of_counted <= amount && amount / 2 < of_counted);
      CountedValue magnitude = value_with(number_of({site, false, value, 1}), 1);
      ck_assert(!magnitude.is_exact && (value == 0 || pathprof_amount_of(magnitude.value) > amount / 2));
      ck_assert_uint_eq(number_of(magnitude), number_of({site, false, value, 1}));
    }
}
END_TEST

// Callees are found again when functions change places.
START_TEST(normalised_calls) {
  UnitNotes unit;
  for (const char *name : {"c", "a", "b"}) {
    unit.functions.emplace_back();
    unit.functions.back().name = name;
  }
  unit.functions[0].calls.resize(3);
  for (uint32_t i = 0; i < 2; i++)
    unit.functions[0].calls[i].callee = i;
  normalise(unit);
  const std::vector<CallNotes> &calls = unit.functions[2].calls;
  ck_assert_str_eq(unit.functions[calls[0].callee].name.c_str(), "c");
  ck_assert_str_eq(unit.functions[calls[1].callee].name.c_str(), "a");
  ck_assert(calls[2].callee == CallNotes::kUnknown);
}
END_TEST

// A program of two functions, whose second calls the first.
static UnitNotes unit_with_a_call() {
  UnitNotes unit;
  unit.source = "a.c";
  unit.files = {"a.c"};
  for (const char *name : {"callee", "caller"}) {
    FunctionNotes function;
    function.name = name;
    function.model.mode = Mode::Context;
    function.graph = FlowGraph(3);
    function.graph.add_edge(0, 2);
    function.graph.add_edge(2, 1);
    function.num_paths = 1;
    function.num_paths_uncut = 1;
    function.blocks.resize(3);
    function.blocks[2].lines = {{0, 1, 0}};
    unit.functions.push_back(function);
  }
  unit.functions[0].calls.resize(1);
  unit.functions[1].calls.resize(1);
  for (FunctionNotes &function : unit.functions) {
    function.calls[0].block = 2;
    function.calls[0].cut = CallCut::Indirect;
  }
  unit.functions[1].calls[0] = {2, 0, CallKind::Traversed, CallCut::None, false, 1, 1};
  unit.functions[1].flags = kBeginsPaths;
  unit.program = ProgramNotes{Mode::Context, PATHPROF_STORAGE_ARRAY, 1};
  return unit;
}

// What the plugin would never write.
START_TEST(contradicting_programs_are_refused) {
  struct {
    void (*damage)(UnitNotes &unit);
    const char *reason;
  } const cases[] = {
      {[](UnitNotes &) {}, nullptr},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].block = 3; }, "the block of a call does not exist"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].block = 1; }, "the block of a call does not exist"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].callee = 2; }, "a number in a unit's notes is out of range"},
      {[](UnitNotes &unit) { unit.functions[0].model.mode = Mode::Piecewise; },
       "the callee of a call is not in the interprocedural unit"},
      {[](UnitNotes &unit) { unit.functions[0].left_out = "too complex"; },
       "the callee of a call is not in the interprocedural unit"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].callee = CallNotes::kUnknown; },
       "the callee of a call is not in the interprocedural unit"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].callee = 1; }, "paths continue through a recursive call"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].kind = CallKind::Ended; },
       "the kind of a call does not match its truncation reason"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].cut = CallCut::Limit; },
       "the kind of a call does not match its truncation reason"},
      {[](UnitNotes &unit) { unit.functions[1].calls[0].num_lines = 2; }, "a number in a unit's notes is out of range"},
      {[](UnitNotes &unit) {
         unit.functions[1].calls.push_back(unit.functions[1].calls[0]);
         unit.functions[1].calls[0].ends_block = true;
       },
       "a block contains another call after the call that ends it"},
      {[](UnitNotes &unit) { unit.functions[1].storage = PATHPROF_STORAGE_ARRAY; },
       "a function with an interprocedural mode has storage for its own paths"},
      {[](UnitNotes &unit) { unit.program->mode = Mode::Kipf; },
       "an interprocedural unit has a mode that is not interprocedural"},
      {[](UnitNotes &unit) { unit.program->storage = PATHPROF_STORAGE_NONE; },
       "an interprocedural unit has an unknown kind of storage"},
      {[](UnitNotes &unit) { unit.program->num_paths = (mpz_class(1) << 62) + 1; },
       "a function with a forest also has other storage"},
      {[](UnitNotes &unit) {
         unit.program = ProgramNotes{Mode::Context, PATHPROF_STORAGE_TABLE, mpz_class(1) << 124};
       },
       nullptr},
      {[](UnitNotes &unit) {
         unit.program = ProgramNotes{Mode::Context, PATHPROF_STORAGE_TABLE, (mpz_class(1) << 124) + 1};
       },
       "the number of paths of an interprocedural unit with wide path IDs is out of range"},
  };
  for (const auto &one : cases) {
    UnitNotes unit = unit_with_a_call();
    one.damage(unit);
    Bytes bytes = encode_notes(unit);
    pathprof_error error = {};
    std::optional<UnitNotes> decoded = decode_notes(bytes.data(), bytes.size(), 0, &error);
    ck_assert(decoded.has_value() == !one.reason);
    if (one.reason)
      ck_assert_str_eq(error.reason, one.reason);
    else
      ck_assert(decoded->program->num_paths == unit.program->num_paths);
  }
}
END_TEST

// Few bytes cannot ask for a large path graph: 64 iterations of a loop of many blocks.
START_TEST(loops_ask_for_no_more_than_there_is) {
  for (int num_blocks : {2000, 20000}) {
    UnitNotes unit;
    unit.files = {"a.c"};
    FunctionNotes function;
    function.name = "f";
    function.storage = PATHPROF_STORAGE_TABLE;
    function.num_paths = 1000;
    function.model = {Mode::KIter, Numbering::Register, 64, {{3, 64}}};
    function.graph = FlowGraph(num_blocks);
    function.graph.add_edge(0, 2);
    for (int block = 2; block + 1 < num_blocks; block++)
      function.graph.add_edge(block, block + 1);
    function.graph.add_edge(num_blocks - 1, 3);
    function.graph.add_edge(num_blocks - 1, 1);
    mark_cuts(function.graph);
    function.blocks.resize(static_cast<size_t>(num_blocks));
    unit.functions.push_back(function);
    Bytes bytes = encode_notes(unit);
    pathprof_error error = {};
    std::optional<UnitNotes> decoded = decode_notes(bytes.data(), bytes.size(), 0, &error);
    ck_assert_uint_lt(bytes.size(), 3000);
    ck_assert(decoded.has_value() == (num_blocks == 2000));
    if (!decoded)
      ck_assert_str_eq(error.reason, "the loops of a function have too many iterations");
  }
}
END_TEST

static void mutate(Random &random, Bytes &bytes) {
  for (int i = 1 + below(random, 3); i > 0 && !bytes.empty(); i--) {
    size_t at = random() % bytes.size();
    switch (below(random, 4)) {
    case 0:
      bytes[at] ^= static_cast<unsigned char>(1 << below(random, 8));
      break;
    case 1:
      bytes[at] = static_cast<unsigned char>(random());
      break;
    case 2:
      bytes.resize(at);
      break;
    default:
      bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(at), static_cast<unsigned char>(random()));
    }
  }
}

// Whatever the bytes, the answer is notes or a reason with an offset inside the data.
START_TEST(damaged_notes_are_survived) {
  Random random(3);
  int refused = 0;
  for (int round = 0; round < 3000; round++) {
    Bytes bytes = encode_notes(random_unit(random, 3));
    for (int variant = 0; variant < 5; variant++) {
      Bytes damaged = bytes;
      mutate(random, damaged);
      pathprof_error error = {};
      if (decode_notes(damaged.data(), damaged.size(), 1000, &error))
        continue;
      refused++;
      ck_assert_ptr_nonnull(error.reason);
      ck_assert_uint_ge(error.offset, 1000);
      ck_assert_uint_le(error.offset, 1000 + damaged.size());
    }
  }
  ck_assert_int_gt(refused, 1000);
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Images and merging.

// Counts or cycles of a unit, by function and path.
using UnitSums = std::map<uint64_t, std::map<uint64_t, uint64_t>>;

// A test in a profile.
struct TestContents {
  uint64_t runs = 0, processor_time = 0, elapsed_time = 0;
  std::map<std::pair<uint64_t, std::string>, UnitSums> units; // those with counts

  bool is_nothing() const { return !runs && !processor_time && !elapsed_time && units.empty(); }
  bool operator==(const TestContents &o) const {
    return runs == o.runs && processor_time == o.processor_time && elapsed_time == o.elapsed_time && units == o.units;
  }
};

// A profile as plain maps: what merging is compared with.
struct Contents {
  std::string program;
  uint64_t runs = 0, forks = 0, resets = 0, sudden_ends = 0, threaded = 0;
  std::map<std::tuple<std::string, std::string, uint64_t>, bool> modules;
  // By key and notes.
  std::map<std::pair<uint64_t, std::string>, UnitSums> units;
  std::map<std::pair<uint64_t, std::string>, UnitSums> cycles, measuring; // of some of the units
  std::map<std::string, TestContents> tests;

  bool operator==(const Contents &o) const {
    return program == o.program && runs == o.runs && forks == o.forks && resets == o.resets &&
           sudden_ends == o.sudden_ends && threaded == o.threaded && modules == o.modules && units == o.units &&
           cycles == o.cycles && measuring == o.measuring && tests == o.tests;
  }
};

static pathprof_text text(const std::string &string) {
  return {reinterpret_cast<const unsigned char *>(string.data()), string.size()};
}

static std::string string(const pathprof_text &text) {
  return {reinterpret_cast<const char *>(text.data), text.size};
}

static void put_sums(pathprof_buffer *out, const UnitSums &functions) {
  pathprof_put_varint(out, functions.size());
  uint64_t previous_function = UINT64_MAX;
  for (auto &[index, paths] : functions) {
    pathprof_put_function(out, previous_function, index, paths.size());
    previous_function = index;
    uint64_t previous = UINT64_MAX;
    for (auto &[id, count] : paths) {
      pathprof_put_path(out, previous, id, count);
      previous = id;
    }
  }
}

static pathprof_cursor cursor_over(const pathprof_buffer &buffer) {
  return pathprof_cursor_over(buffer.data, buffer.size, 0);
}

static void put_tests(pathprof_buffer *out, const Contents &model) {
  pathprof_put_varint(out, model.tests.size());
  for (auto &[name, test] : model.tests) {
    Buffer list;
    if (!test.units.empty())
      pathprof_put_varint(&list, test.units.size());
    uint64_t previous = UINT64_MAX, index = 0;
    for (auto &[unit, functions] : model.units) {
      if (test.units.count(unit)) {
        pathprof_put_varint(&list, index - (previous + 1));
        put_sums(&list, test.units.at(unit));
        previous = index;
      }
      index++;
    }
    pathprof_test put = {text(name), test.runs, test.processor_time, test.elapsed_time, cursor_over(list), {}};
    pathprof_put_test(out, &put);
  }
}

static Bytes write(const Contents &model) {
  pathprof_writer writer = {};
  pathprof_buffer *out = &writer.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program = {text(model.program), model.runs,           model.forks,
                              model.resets,        model.modules.size(), model.sudden_ends};
  pathprof_put_program(out, &program);
  for (auto &[module, unused] : model.modules) {
    pathprof_module entry = {text(std::get<0>(module)), text(std::get<1>(module)), std::get<2>(module)};
    pathprof_put_module(out, &entry);
  }
  pathprof_program_more more = {model.threaded, 0};
  if (model.threaded) // as a file of before 1.6 has nothing there
    pathprof_put_program_more(out, &more);
  pathprof_buffer *units = &writer.section[PATHPROF_SECTION_UNITS];
  pathprof_buffer *counts = &writer.section[PATHPROF_SECTION_COUNTS];
  pathprof_put_varint(units, model.units.size());
  // Notes of a length are ordered by their bytes, shorter ones come first.
  for (auto &[unit, functions] : model.units) {
    pathprof_unit_notes notes = {unit.first, text(unit.second)};
    pathprof_put_unit(units, &notes);
    put_sums(counts, functions);
    auto put_some = [&, key = unit](pathprof_section section, const auto &some) {
      auto sums = some.find(key);
      put_sums(&writer.section[section], sums == some.end() ? UnitSums() : sums->second);
    };
    put_some(PATHPROF_SECTION_CYCLES, model.cycles);
    put_some(PATHPROF_SECTION_MEASURING, model.measuring);
  }
  writer.has_cycles = !model.cycles.empty();
  writer.has_measuring = !model.measuring.empty();
  writer.has_tests = !model.tests.empty();
  if (writer.has_tests)
    put_tests(&writer.section[PATHPROF_SECTION_TESTS], model);
  Buffer file;
  pathprof_writer_finish(&writer, &file);
  return file.bytes();
}

static pathprof_image open(const Bytes &bytes) {
  pathprof_image image;
  pathprof_error error = {};
  ck_assert_msg(pathprof_image_open(&image, bytes.data(), bytes.size(), &error), "%s", error.reason);
  return image;
}

static void read_sums(pathprof_cursor *in, UnitSums &functions) {
  pathprof_function_counts function = {UINT64_MAX, 0};
  for (uint64_t left = pathprof_get_varint(in); left; left--) {
    pathprof_get_function(in, function.index, &function);
    uint64_t id = UINT64_MAX, count;
    for (uint64_t i = 0; i < function.num_paths; i++) {
      id = pathprof_get_path(in, id, &count);
      functions[function.index][id] = count;
    }
  }
}

static void read_tests(pathprof_cursor *section, Contents &model) {
  std::vector<std::pair<uint64_t, std::string>> units;
  for (auto &[unit, functions] : model.units)
    units.push_back(unit);
  pathprof_test test = {};
  for (uint64_t left = pathprof_open_tests(section); pathprof_next_test(section, &left, &test);) {
    TestContents &to = model.tests[string(test.name)];
    to.runs = test.runs;
    to.processor_time = test.processor_time;
    to.elapsed_time = test.elapsed_time;
    pathprof_test_units list = pathprof_open_test_units(&test.counts);
    while (pathprof_next_test_unit(&list, units.size()))
      read_sums(&test.counts, to.units[units[list.index]]);
    ck_assert(pathprof_cursor_ok(&test.counts));
    ck_assert_uint_eq(pathprof_cursor_left(&test.counts), 0);
  }
}

static Contents read(const Bytes &bytes) {
  Contents model;
  pathprof_image image = open(bytes);
  pathprof_cursor *in = &image.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(in, &program);
  model.program = string(program.name);
  model.runs = program.runs;
  model.forks = program.forks;
  model.resets = program.resets;
  model.sudden_ends = program.sudden_ends;
  for (uint64_t i = 0; i < program.num_modules; i++) {
    pathprof_module module;
    pathprof_get_module(in, &module);
    model.modules[{string(module.name), string(module.build_id), module.units_key}] = true;
  }
  ck_assert_uint_eq(model.modules.size(), program.num_modules);
  pathprof_program_more more;
  pathprof_get_program_more(in, &more);
  model.threaded = more.threaded;
  pathprof_cursor *units = &image.section[PATHPROF_SECTION_UNITS];
  pathprof_cursor *counts = &image.section[PATHPROF_SECTION_COUNTS];
  uint64_t num_units = pathprof_get_varint(units);
  for (uint64_t u = 0; u < num_units; u++) {
    pathprof_unit_notes unit;
    pathprof_get_unit(units, &unit);
    auto &functions = model.units[{unit.key, string(unit.notes)}];
    read_sums(counts, functions);
    auto read_some = [&](pathprof_section section, auto &some) {
      UnitSums sums;
      if (image.section[section].data)
        read_sums(&image.section[section], sums);
      if (!sums.empty())
        some[{unit.key, string(unit.notes)}] = sums;
    };
    read_some(PATHPROF_SECTION_CYCLES, model.cycles);
    read_some(PATHPROF_SECTION_MEASURING, model.measuring);
  }
  read_tests(&image.section[PATHPROF_SECTION_TESTS], model);
  for (int section = 1; section < PATHPROF_NUM_SECTIONS; section++) {
    ck_assert(pathprof_cursor_ok(&image.section[section]));
    ck_assert_uint_eq(pathprof_cursor_left(&image.section[section]), 0);
  }
  return model;
}

static uint64_t saturating(unsigned __int128 value) {
  return value > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(value);
}

static uint64_t add(uint64_t a, uint64_t b) {
  return saturating(static_cast<unsigned __int128>(a) + b);
}

static void add_weighted(uint64_t &to, uint64_t count, uint64_t weight) {
  to = add(to, saturating(static_cast<unsigned __int128>(count) * weight));
}

static void add_sums(UnitSums &to, const UnitSums &functions, uint64_t weight) {
  for (auto &[index, paths] : functions)
    for (auto &[id, count] : paths)
      if (count && weight)
        add_weighted(to[index][id], count, weight);
}

static void add_tests(Contents &sum, const Contents &model, uint64_t weight) {
  for (auto &[name, test] : model.tests) {
    TestContents &to = sum.tests[name];
    add_weighted(to.runs, test.runs, weight);
    add_weighted(to.processor_time, test.processor_time, weight);
    add_weighted(to.elapsed_time, test.elapsed_time, weight);
    for (auto &[unit, functions] : test.units)
      if (weight)
        add_sums(to.units[unit], functions, weight);
    if (to.is_nothing())
      sum.tests.erase(name);
  }
}

// What merging means.
static Contents expected_sum(const std::vector<std::pair<Contents, uint64_t>> &models) {
  Contents sum;
  sum.program = models.front().first.program;
  for (auto &[model, weight] : models) {
    sum.program = std::min(sum.program, model.program);
    add_weighted(sum.runs, model.runs, weight);
    add_weighted(sum.forks, model.forks, weight);
    add_weighted(sum.resets, model.resets, weight);
    add_weighted(sum.sudden_ends, model.sudden_ends, weight);
    add_weighted(sum.threaded, model.threaded, weight);
    sum.modules.insert(model.modules.begin(), model.modules.end());
    for (auto &[unit, functions] : model.units)
      add_sums(sum.units[unit], functions, weight);
    for (auto &[unit, functions] : model.cycles)
      if (weight)
        add_sums(sum.cycles[unit], functions, weight);
    for (auto &[unit, functions] : model.measuring)
      if (weight)
        add_sums(sum.measuring[unit], functions, weight);
    add_tests(sum, model, weight);
  }
  return sum;
}

static Bytes merge(const Bytes &a, uint64_t weight_a, const Bytes &b, uint64_t weight_b) {
  pathprof_image image_a = open(a), image_b = open(b);
  Buffer file;
  pathprof_error error = {};
  bool in_second;
  ck_assert_msg(pathprof_merge(&image_a, weight_a, &image_b, weight_b, &file, &error, &in_second), "%s", error.reason);
  return file.bytes();
}

static uint64_t random_count(Random &random) {
  return below(random, 8) ? 1 + random() % 1000 : 1 + (random() >> below(random, 64)) / 2;
}

static void add_random_sums(Random &random, UnitSums &functions) {
  for (int f = below(random, 4); f > 0; f--) {
    auto &paths = functions[random() % 5];
    for (int p = 1 + below(random, 6); p > 0; p--)
      paths[below(random, 4) ? random() % 8 : random() / 2] = random_count(random);
  }
}

static void add_random_tests(Random &random, Contents &model) {
  static const char *const names[] = {"a", "a/b", "b", "test 4"};
  for (int i = below(random, 4); i > 0; i--) {
    TestContents &test = model.tests[names[below(random, 4)]];
    test = {1 + random_count(random), static_cast<uint64_t>(below(random, 3)), random_count(random), {}};
    for (auto &[unit, unused] : model.units) {
      UnitSums sums;
      add_random_sums(random, sums);
      if (!sums.empty())
        test.units[unit] = sums;
    }
  }
}

// Few names and keys, so that profiles overlap.
static Contents random_model(Random &random) {
  static const char *const names[] = {"", "prog", "lib.so", "proh"};
  Contents model;
  model.program = names[below(random, 4)];
  model.runs = random_count(random);
  model.forks = static_cast<uint64_t>(below(random, 3));
  model.resets = static_cast<uint64_t>(below(random, 3));
  model.sudden_ends = static_cast<uint64_t>(below(random, 3));
  model.threaded = static_cast<uint64_t>(below(random, 3));
  for (int i = below(random, 4); i > 0; i--)
    model.modules[{names[below(random, 4)], names[below(random, 4)], random() % 2}] = true;
  for (int i = below(random, 5); i > 0; i--) {
    // Keys may collide: then the notes decide.
    std::pair<uint64_t, std::string> unit = {random() % 3,
                                             std::string("notes-") + static_cast<char>('0' + below(random, 3))};
    add_random_sums(random, model.units[unit]);
    for (auto *some : {&model.cycles, &model.measuring}) {
      if (below(random, 3) == 0)
        add_random_sums(random, (*some)[unit]);
      if (some->count(unit) && (*some)[unit].empty())
        some->erase(unit);
    }
  }
  add_random_tests(random, model);
  return model;
}

START_TEST(merging_is_what_the_maps_say) {
  Random random(4);
  for (int round = 0; round < 3000; round++) {
    Contents a = random_model(random), b = random_model(random), c = random_model(random);
    Bytes bytes_a = write(a), bytes_b = write(b), bytes_c = write(c);
    ck_assert(read(bytes_a) == a);
    Bytes ab = merge(bytes_a, 1, bytes_b, 1);
    ck_assert(read(ab) == expected_sum({{a, 1}, {b, 1}}));
    ck_assert(ab == merge(bytes_b, 1, bytes_a, 1));
    Bytes ab_c = merge(ab, 1, bytes_c, 1);
    ck_assert(ab_c == merge(bytes_a, 1, merge(bytes_b, 1, bytes_c, 1), 1));
    uint64_t weights[] = {0, 1, 3, uint64_t{1} << 60};
    uint64_t x = weights[below(random, 4)], y = weights[below(random, 4)];
    ck_assert(read(merge(bytes_a, x, bytes_b, y)) == expected_sum({{a, x}, {b, y}}));
    ck_assert(read(merge(bytes_a, x, bytes_a, y)) == expected_sum({{a, x}, {a, y}})); // of one build
  }
}
END_TEST

// Regression 1: the same sources compiled in several folders are several units, in whatever order they are merged.
START_TEST(folders_make_units_different) {
  Random random(10);
  for (int round = 0; round < 200; round++) {
    UnitNotes unit = random_unit(random, 2);
    std::vector<Bytes> profiles;
    std::set<uint64_t> keys;
    for (const char *folder : {"/home/b", "", "/home/a", "/elsewhere"}) {
      unit.folder = folder;
      Bytes notes = encode_notes(unit);
      Contents model;
      uint64_t key = pathprof_unit_key({notes.data(), notes.size()});
      keys.insert(key);
      model.units[{key, std::string(notes.begin(), notes.end())}] = {};
      profiles.push_back(write(model));
      unit.compiler += "1"; // is not part of the key
      Bytes other = encode_notes(unit);
      ck_assert_uint_eq(pathprof_unit_key({other.data(), other.size()}), key);
    }
    ck_assert_uint_eq(keys.size(), 4);
    auto sum = [&](int a, int b, int c, int d) {
      return merge(merge(profiles[a], 1, profiles[b], 1), 1, merge(profiles[c], 1, profiles[d], 1), 1);
    };
    Bytes all = sum(0, 1, 2, 3);
    ck_assert_uint_eq(read(all).units.size(), 4);
    ck_assert(all == sum(3, 2, 1, 0) && all == sum(1, 3, 0, 2) && all == sum(2, 0, 3, 1));
  }
}
END_TEST

// Objects of earlier versions have keys without the folder: one unit, whichever comes first.
START_TEST(earlier_keys_do_not_tell_folders_apart) {
  Random random(9);
  for (int round = 0; round < 200; round++) {
    UnitNotes unit = random_unit(random, 2);
    add_random_sources(random, unit);
    std::vector<Bytes> profiles;
    std::set<uint64_t> keys;
    std::set<size_t> sizes;
    for (const char *folder : {"/home/b", "", "/home/a", "/elsewhere"}) {
      unit.folder = folder;
      Bytes notes = encode_notes(unit);
      Contents model;
      if (keys.empty())
        keys.insert(pathprof_unit_key({notes.data(), notes.size()}));
      model.units[{*keys.begin(), std::string(notes.begin(), notes.end())}] = {};
      profiles.push_back(write(model));
    }
    auto sum = [&](int a, int b, int c, int d) {
      return merge(merge(profiles[a], 1, profiles[b], 1), 1, merge(profiles[c], 1, profiles[d], 1), 1);
    };
    Bytes all = sum(0, 1, 2, 3);
    ck_assert_uint_eq(read(all).units.size(), 1);
    ck_assert(all == sum(3, 2, 1, 0) && all == sum(1, 3, 0, 2) && all == sum(2, 0, 3, 1));
    std::string notes = read(all).units.begin()->first.second;
    pathprof_error error = {};
    std::optional<UnitNotes> kept =
        decode_notes(reinterpret_cast<const unsigned char *>(notes.data()), notes.size(), 0, &error);
    ck_assert(kept && kept->folder == "/elsewhere");
    if (unit.checksums.empty())
      continue;
    unit.checksums.front() ^= 2;
    Bytes other = encode_notes(unit);
    ck_assert(!keys.count(pathprof_unit_key({other.data(), other.size()})));
  }
}
END_TEST

// What follows the payload is looked at to the last byte.
START_TEST(damaged_additions_are_refused) {
  UnitNotes unit;
  unit.files = {"a.c", "a.h"};
  unit.checksums = {1, 0};
  unit.folder = "/folder";
  Bytes whole = encode_notes(unit);
  pathprof_error error = {};
  for (size_t cut : {size_t{1}, unit.folder.size(), unit.folder.size() + 2}) {
    Bytes notes(whole.begin(), whole.end() - static_cast<ptrdiff_t>(cut));
    ck_assert(!decode_notes(notes.data(), notes.size(), 0, &error));
  }
  Bytes notes = whole;
  notes[whole.size() - unit.folder.size() - 10] = 12; // of three files
  ck_assert(!decode_notes(notes.data(), notes.size(), 0, &error));
  ck_assert_str_eq(decode_notes(whole.data(), whole.size(), 0, &error)->folder.c_str(), "/folder");
}
END_TEST

START_TEST(text_from_outside_is_made_visible) {
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"plain text", "plain text"},
      {"back\\slash", "back\\slash"},
      {"\x1b[31m\n\r\b\x7f\t", "\\x1b[31m\\x0a\\x0d\\x08\\x7f\\x09"},
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0"},
      {"\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c",
       "\\u200e\\u200f\\u202e\\u2066\\u2069\\u061c"},
      {"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaf", "\\u2028\\u2029\xe2\x80\xaf"},
      {"\xff\x80\xe2\x82", "\\xff\\x80\\xe2\\x82"},
      {"\xc0\x9b\xe0\x80\x9b", "\\xc0\\x9b\\xe0\\x80\\x9b"},                   // overlong
      {"\xed\xa0\x80\xf4\x90\x80\x80", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"}, // a surrogate, and beyond Unicode
  };
  for (const auto &one : cases) {
    ck_assert(visible(one.text) == one.shown);
    ck_assert(visible(one.shown) == one.shown);
  }
  ck_assert(visible(std::string("a\0b", 3)) == "a\\x00b");
  ck_assert(visible_line("\ta\x1b") == "\ta\\x1b");
}
END_TEST

START_TEST(sums_saturate) {
  Contents model;
  model.program = "p";
  model.runs = UINT64_MAX - 1;
  model.units[{1, "notes"}][0][0] = UINT64_MAX - 1;
  model.units[{1, "notes"}][0][UINT64_MAX - 1] = UINT64_MAX;
  model.units[{1, "notes"}][UINT64_MAX - 1][1] = 1;
  Bytes bytes = write(model);
  ck_assert(read(bytes) == model);
  Contents sum = read(merge(bytes, 1, bytes, 1));
  ck_assert_uint_eq(sum.runs, UINT64_MAX);
  auto &functions = sum.units.begin()->second;
  ck_assert_uint_eq(functions[0][0], UINT64_MAX);
  ck_assert_uint_eq(functions[0][UINT64_MAX - 1], UINT64_MAX);
  ck_assert_uint_eq(functions[UINT64_MAX - 1][1], 2);
}
END_TEST

// Ids that pass 64 bits are refused wherever the overflow lies.
START_TEST(ids_do_not_wrap_around) {
  for (uint64_t previous : {UINT64_MAX, uint64_t{0}, uint64_t{5}, UINT64_MAX - 2, UINT64_MAX - 1})
    for (uint64_t distance : {uint64_t{0}, uint64_t{1}, uint64_t{7}, UINT64_MAX - 1, UINT64_MAX}) {
      Buffer buffer;
      pathprof_put_varint(&buffer, distance);
      pathprof_put_varint(&buffer, 1);
      pathprof_cursor cursor = pathprof_cursor_over(buffer.data, buffer.size, 0);
      uint64_t count;
      uint64_t id = pathprof_get_path(&cursor, previous, &count);
      auto exact = static_cast<unsigned __int128>(previous + 1) + distance;
      bool fits = previous != UINT64_MAX - 1 && exact < UINT64_MAX;
      ck_assert(pathprof_cursor_ok(&cursor) == fits);
      if (fits)
        ck_assert_uint_eq(id, static_cast<uint64_t>(exact));
    }
}
END_TEST

// A whole profile with real notes.
static Bytes random_profile(Random &random, int max_functions) {
  Contents model;
  model.program = "prog";
  model.runs = 1;
  model.modules[{"prog", "id", 1}] = true;
  for (int u = 0; u < 2; u++) {
    UnitNotes unit = random_unit(random, max_functions);
    Bytes notes = encode_notes(unit);
    std::pair<uint64_t, std::string> key = {pathprof_unit_key({notes.data(), notes.size()}),
                                            std::string(notes.begin(), notes.end())};
    auto &functions = model.units[key];
    if (unit.program && unit.program->num_paths > 0)
      functions[0][random() % unit.program->num_paths.get_ui()] = 1 + random() % 100;
    size_t place = unit.program.has_value();
    for (const FunctionNotes &function : unit.functions) {
      size_t i = place++;
      if (function.storage == PATHPROF_STORAGE_NONE)
        continue;
      uint64_t id = random() % function.num_paths;
      functions[i][id] = 1 + random() % 100;
      if (function.measures_cycles())
        model.cycles[key][i][id] = 1 + random() % 10000;
      if (function.measures_cycles() && below(random, 2))
        model.measuring[key][i][0] = 1 + random() % 10000;
    }
  }
  add_random_tests(random, model);
  return write(model);
}

static void assert_refused(const Bytes &bytes, const char *what, size_t at) {
  pathprof_image image;
  pathprof_error error = {};
  bool ok = pathprof_image_open(&image, bytes.data(), bytes.size(), &error);
  ck_assert_msg(!ok, "%s %zu was not noticed", what, at);
  ck_assert_ptr_nonnull(error.reason);
  ck_assert_uint_le(error.offset, bytes.size());
}

START_TEST(damaged_images_are_refused) {
  Random random(5);
  Bytes bytes = random_profile(random, 3);
  LoadError load_error;
  ck_assert(parse_profile("p", bytes.data(), bytes.size(), &load_error).has_value());
  for (size_t size = 0; size < bytes.size(); size++)
    assert_refused(Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size)), "size", size);
  for (size_t bit = 0; bit < 8 * bytes.size(); bit++) {
    bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    assert_refused(bytes, "bit", bit);
    bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  }
  bytes.push_back(0);
  assert_refused(bytes, "size", bytes.size());
}
END_TEST

// Two if-conversion candidates: four paths, of which the first and the last are interesting and have slots.
static FunctionNotes function_with_slots() {
  FunctionNotes function;
  function.name = "f";
  function.model.mode = Mode::Preferential;
  function.storage = PATHPROF_STORAGE_ARRAY;
  function.graph = FlowGraph(9);
  for (auto [src, dst] : {std::pair{0, 2}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {5, 6}, {5, 7}, {6, 8}, {7, 8}, {8, 1}})
    function.graph.add_edge(src, dst);
  mark_cuts(function.graph);
  function.blocks.resize(9);
  function.num_paths = 4;
  function.num_paths_uncut = 4;
  function.interesting = {{0, 17}, {3, 0}};
  function.num_slots = 2;
  return function;
}

static std::optional<Profile> parse_counts(const FunctionNotes &function, const std::map<uint64_t, uint64_t> &counts,
                                           LoadError *wrong) {
  UnitNotes unit;
  unit.source = "a.c";
  unit.files = {"a.c"};
  unit.functions.push_back(function);
  Bytes notes = encode_notes(unit);
  Contents model;
  model.program = "p";
  model.units[{pathprof_unit_key({notes.data(), notes.size()}), std::string(notes.begin(), notes.end())}] = {
      {0, counts}};
  Bytes bytes = write(model);
  return parse_profile("p", bytes.data(), bytes.size(), wrong);
}

// Slots come first, residual paths behind them; both are paths with their Ball-Larus numbers.
START_TEST(slots_are_paths) {
  LoadError wrong;
  std::optional<Profile> profile =
      parse_counts(function_with_slots(), {{0, 5}, {1, 6}, {2 + 1, 7}, {2 + 2, 8}}, &wrong);
  ck_assert_msg(profile.has_value(), "%s", wrong.reason.c_str());
  const Function &function = profile->functions.front();
  std::map<uint64_t, uint64_t> counts;
  for (const ExecutedPath &path : function.paths) {
    counts[path.id] = path.count;
    ck_assert(is_residual(function, path.id) == (path.id == 1 || path.id == 2));
  }
  ck_assert(counts == (std::map<uint64_t, uint64_t>{{0, 5}, {1, 7}, {2, 8}, {3, 6}}));
}
END_TEST

START_TEST(contradicting_slots_are_refused) {
  struct {
    void (*damage)(FunctionNotes &function);
    std::map<uint64_t, uint64_t> counts;
    const char *reason;
  } const cases[] = {
      {[](FunctionNotes &) {}, {{2 + 4, 1}}, "the ID of an executed path is out of bounds"},
      {[](FunctionNotes &) {}, {{0, 1}, {2 + 0, 1}}, "a path is counted both in a slot and by its ID"},
      {[](FunctionNotes &f) { f.interesting.pop_back(); }, {{1, 1}}, "the slots of a function do not match its paths"},
      {[](FunctionNotes &f) { f.interesting.back().id = 4; }, {}, "the ID of an interesting path is out of bounds"},
      {[](FunctionNotes &f) { f.num_paths = 5; },
       {{0, 1}},
       "the graph of a function does not match the paths in its notes"},
      {[](FunctionNotes &f) { f.num_slots = 5; }, {}, "the slots of a function do not match its paths"},
      {[](FunctionNotes &f) { f.storage = PATHPROF_STORAGE_TABLE; },
       {},
       "the slots of a function do not match its paths"},
  };
  for (const auto &one : cases) {
    FunctionNotes function = function_with_slots();
    one.damage(function);
    LoadError wrong;
    ck_assert(!parse_counts(function, one.counts, &wrong).has_value());
    ck_assert_str_eq(wrong.reason.c_str(), one.reason);
  }
}
END_TEST

// Functions that call the next one so many times, in a file that says that its program has one path, which ran.
static Bytes profile_of_chain(int num_functions, int num_calls, bool has_branch) {
  UnitNotes unit;
  unit.source = "a.c";
  unit.files = {"a.c"};
  for (int i = 0; i < num_functions; i++) {
    FunctionNotes function;
    function.name = "f" + std::to_string(100 + i);
    function.model.mode = Mode::Context;
    function.flags = i == 0 ? kBeginsPaths : 0u;
    function.graph = FlowGraph(5);
    function.graph.add_edge(0, 2);
    function.graph.add_edge(2, 3);
    if (has_branch)
      function.graph.add_edge(2, 4);
    function.graph.add_edge(3, 1);
    if (has_branch)
      function.graph.add_edge(4, 1);
    function.num_paths = has_branch ? 2 : 1;
    function.num_paths_uncut = mpz_class(function.num_paths);
    function.blocks.resize(5);
    for (int c = 0; c < num_calls && i + 1 < num_functions; c++)
      function.calls.push_back({2, static_cast<uint32_t>(i + 1), CallKind::Traversed, CallCut::None, false, 0, 0});
    unit.functions.push_back(function);
  }
  unit.program = ProgramNotes{Mode::Context, PATHPROF_STORAGE_TABLE, 1};
  Bytes notes = encode_notes(unit);
  Contents model;
  model.modules[{"prog", "id", 1}] = true;
  model.units[{pathprof_unit_key({notes.data(), notes.size()}), std::string(notes.begin(), notes.end())}][0][0] = 3;
  return write(model);
}

// What few bytes can ask for is not done: paths of 2^40 steps, numbers of 20^30 bits.
START_TEST(programs_ask_for_no_more_than_there_is) {
  struct {
    int functions, calls;
    bool has_branch;
    const char *reason;
  } const cases[] = {
      {5, 2, false, nullptr},
      {40, 2, false, "an interprocedural path is too long, or its ID is out of bounds"},
      {30, 20, true, "the graph and the notes of an interprocedural unit have different numbers of paths"},
      {3, 1, true, "the graph and the notes of an interprocedural unit have different numbers of paths"},
  };
  for (const auto &one : cases) {
    Bytes bytes = profile_of_chain(one.functions, one.calls, one.has_branch);
    LoadError error;
    std::optional<Profile> profile = parse_profile("p", bytes.data(), bytes.size(), &error);
    ck_assert(profile.has_value() == !one.reason);
    if (one.reason) {
      ck_assert_str_eq(error.reason.c_str(), one.reason);
      ck_assert(error.offset && *error.offset < bytes.size());
      continue;
    }
    ck_assert_uint_eq(profile->interprocedural_units.size(), 1);
    ck_assert_uint_eq(profile->interprocedural_units[0].paths[0].count, 3);
    const Activity &last = *profile->functions[4].activity;
    ck_assert_uint_eq(last.calls, 3 * 16);
    ck_assert_uint_eq(last.finished, 3 * 16);
    ck_assert_uint_eq(last.executions, 3);
  }
}
END_TEST

// Damage that no checksum shows: sections are mutated before the image is laid out.
START_TEST(contradicting_images_are_survived) {
  Random random(6);
  int refused = 0;
  for (int round = 0; round < 2000; round++) {
    Bytes valid = random_profile(random, 3);
    pathprof_image image = open(valid);
    pathprof_writer writer = {};
    writer.has_cycles = image.section[PATHPROF_SECTION_CYCLES].data;
    writer.has_measuring = image.section[PATHPROF_SECTION_MEASURING].data;
    writer.has_tests = image.section[PATHPROF_SECTION_TESTS].data;
    int damaged = 1 + below(random, PATHPROF_NUM_SECTIONS - 1);
    for (int section = 1; section < PATHPROF_NUM_SECTIONS; section++) {
      const pathprof_cursor &in = image.section[section];
      Bytes bytes(in.data, in.data + in.end);
      if (section == damaged)
        mutate(random, bytes);
      pathprof_put_bytes(&writer.section[section], bytes.data(), bytes.size());
    }
    Buffer file, sum;
    pathprof_writer_finish(&writer, &file);
    LoadError load_error;
    refused += !parse_profile("p", file.data, file.size, &load_error);
    pathprof_error error = {};
    bool in_second;
    pathprof_image hostile = open(file.bytes());
    Bytes copy = file.bytes();
    hostile = open(copy);
    if (!pathprof_merge(&image, 1, &hostile, 1, &sum, &error, &in_second)) {
      ck_assert(in_second && error.reason);
      ck_assert_uint_le(error.offset, file.size);
    }
  }
  ck_assert_int_gt(refused, 500);
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Raw files.

// The memory of a process that counted in a file: the section of counters, a thread's copy of it, and
// blocks of slots, in areas at addresses of their own.
struct RawMemory {
  static constexpr uint64_t kSection = 0x555500000000, kCopy = 0x7f0000000000, kBlocks = 0x7f1000000000;
  // Where in the section heads of tables and their inline caches are.
  static constexpr uint64_t kTables = 1 << 13, kCaches = 1 << 16;

  Bytes section, copy, blocks;
  std::vector<pathprof_raw_placement> placements;

  template <typename T>
  static void put(Bytes &bytes, uint64_t at, const T &value) {
    if (bytes.size() < at + sizeof value)
      bytes.resize(at + sizeof value);
    std::memcpy(&bytes[at], &value, sizeof value);
  }

  void add(Bytes &to, uint64_t counter, uint64_t count) {
    uint64_t before;
    std::memcpy(&before, &to[counter], sizeof before);
    put(to, counter, before + count);
  }

  // Puts slots before those that the table has, in a block of twice the size.
  void add_slots(Bytes &to, uint64_t table, const std::map<uint64_t, uint64_t> &paths) {
    pathprof_table head;
    std::memcpy(static_cast<void *>(&head), &to[table], sizeof head);
    pathprof_block block = {static_cast<pathprof_block *>(head.slots), 7, 0, 0, nullptr, 0};
    for (uint64_t older = address_of(head.slots); older; older = 0) {
      std::memcpy(static_cast<void *>(&block), &blocks[older - kBlocks], sizeof block);
      block.mask = 2 * block.mask + 1;
      block.older = static_cast<pathprof_block *>(head.slots);
    }
    while (block.mask < 2 * paths.size())
      block.mask = 2 * block.mask + 1;
    uint64_t at = blocks.size();
    put(blocks, at, block);
    blocks.resize(at + sizeof block + (block.mask + 1) * sizeof(pathprof_slot));
    for (auto &[id, count] : paths)
      put(blocks, at + sizeof block + id % (block.mask + 1) * sizeof(pathprof_slot), pathprof_slot{id + 1, count});
    head.slots = reinterpret_cast<void *>(kBlocks + at);
    put(to, table, head);
  }

  // Gives every other path a slot of the inline cache, which begins at `cache`, where that is free; returns the others.
  // `start`: the address of `to`.
  std::map<uint64_t, uint64_t> add_cache(Bytes &to, uint64_t start, uint64_t table, uint64_t cache, uint64_t size,
                                         const std::map<uint64_t, uint64_t> &paths) {
    std::map<uint64_t, uint64_t> others;
    to.resize(std::max<uint64_t>(to.size(), cache + size * sizeof(pathprof_slot)));
    for (auto &[id, count] : paths) {
      uint64_t at = cache + (id + 1) % size * sizeof(pathprof_slot);
      pathprof_slot slot;
      std::memcpy(&slot, &to[at], sizeof slot);
      if (slot.key || id % 2) {
        others[id] = count;
      } else {
        put(to, at, pathprof_slot{id + 1, count});
        put(to, table + offsetof(pathprof_table, cache), start + cache);
        put(to, table + offsetof(pathprof_table, cache_size), size);
      }
    }
    return others;
  }

  static uint64_t address_of(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  Bytes file(const Bytes &image) {
    Buffer bytes;
    pathprof_buffer in = {};
    pathprof_put_bytes(&in, image.data(), image.size());
    pathprof_raw_begin(&bytes, &in, placements.data(), placements.size());
    pathprof_buffer_free(&in);
    Bytes out = bytes.bytes();
    auto *header = reinterpret_cast<pathprof_raw_header *>(out.data());
    header->runs = 1;
    put(blocks, blocks.size(), pathprof_raw_copy{0, kCopy});
    header->copies = kBlocks + blocks.size() - sizeof(pathprof_raw_copy);
    uint64_t offset = out.size();
    for (auto [address, area] : {std::pair{kSection, &section}, {kCopy, &copy}, {kBlocks, &blocks}}) {
      header->areas[header->num_areas++] = {address, area->size(), offset};
      offset += area->size();
    }
    std::memcpy(header->magic, PATHPROF_RAW_MAGIC, sizeof header->magic);
    for (const Bytes *area : {&section, &copy, &blocks})
      out.insert(out.end(), area->begin(), area->end());
    return out;
  }
};

// The counters of a random profile's functions.  What they hold is the profile doubled: the process's own
// and a thread's.
static Bytes random_raw(Random &random, Contents *model) {
  Bytes image = random_profile(random, 4);
  RawMemory memory;
  *model = read(image);
  model->measuring.clear(); // the raw file says what measuring costs, here nothing
  model->tests.clear();     // and which test is under way
  uint64_t unit = 0, counters = 0, tables = 0, caches = RawMemory::kCaches;
  for (auto &[key, functions] : model->units) {
    pathprof_index index;
    pathprof_raw_placement place = {unit++, counters, 0, RawMemory::kTables + tables, 0};
    pathprof_index_open(&index, text(key.second), 0);
    while (pathprof_index_next(&index)) {
      std::vector<UnitSums *> kinds = {&functions};
      if (index.has_cycles)
        kinds.push_back(&model->cycles[key]);
      uint64_t num_tables = (index.storage == PATHPROF_STORAGE_TABLE) * kinds.size() + index.has_prefixes;
      uint64_t end = RawMemory::kTables + tables + num_tables * sizeof(pathprof_table);
      for (Bytes *to : {&memory.section, &memory.copy})
        to->resize(std::max<uint64_t>(to->size(), end));
      ck_assert(end <= RawMemory::kCaches);
      for (UnitSums *kind : kinds) {
        auto &paths = (*kind)[index.next - 1];
        uint64_t size = below(random, 4) ? PATHPROF_INLINE_CACHE_SIZE : PATHPROF_PROGRAM_CACHE_SIZE;
        for (auto [start, to] : {std::pair{RawMemory::kSection, &memory.section}, {RawMemory::kCopy, &memory.copy}}) {
          for (auto &[id, count] : paths)
            if (index.storage == PATHPROF_STORAGE_ARRAY)
              memory.add(*to, counters + 8 * id, count);
          if (index.storage == PATHPROF_STORAGE_TABLE)
            memory.add_slots(*to, RawMemory::kTables + tables,
                             memory.add_cache(*to, start, RawMemory::kTables + tables, caches, size, paths));
        }
        for (auto &[id, count] : paths)
          count *= 2;
        if (paths.empty())
          kind->erase(index.next - 1);
        if (index.storage == PATHPROF_STORAGE_ARRAY)
          counters += 8 * index.num_paths;
        if (index.storage == PATHPROF_STORAGE_TABLE)
          tables += sizeof(pathprof_table);
        caches += size * sizeof(pathprof_slot);
      }
      tables += index.has_prefixes * sizeof(pathprof_table);
    }
    place.num_counters = (counters - place.counters) / 8;
    place.num_tables = (RawMemory::kTables + tables - place.tables) / sizeof(pathprof_table);
    memory.placements.push_back(place);
  }
  return memory.file(image);
}

// Measuring has its price: taken away for each count, but never more than there is.
START_TEST(cycles_lose_what_measuring_cost) {
  auto put = [](Buffer &buffer, const std::map<uint64_t, uint64_t> &values) {
    for (auto [id, value] : values) {
      pathprof_count count = {id, value};
      pathprof_put_bytes(&buffer, &count, sizeof count);
    }
  };
  Buffer counts, cycles;
  put(counts, {{0, 10}, {1, 10}, {4, UINT64_MAX}, {6, 3}});
  put(cycles, {{0, 1000}, {1, 24}, {3, 77}, {4, UINT64_MAX}, {6, 100}});
  pathprof_unit_sums sums = {};
  pathprof_begin_unit_sums(&sums);
  pathprof_put_function_sums(&sums, 5, &counts, &cycles, 2 * 256 + 128);
  pathprof_writer writer = {};
  pathprof_put_unit_sums(&writer, &sums);
  ck_assert(writer.has_cycles);
  const pathprof_buffer &out = writer.section[PATHPROF_SECTION_CYCLES];
  pathprof_cursor cursor = pathprof_cursor_over(out.data, out.size, 0);
  UnitSums read;
  read_sums(&cursor, read);
  ck_assert(read == (UnitSums{{5, {{0, 975}, {3, 77}, {6, 93}}}}));
  // What was taken, and what should have been where there was less: 25 + 25 + 2.5 × UINT64_MAX + 7.
  const pathprof_buffer &cost = writer.section[PATHPROF_SECTION_MEASURING];
  cursor = pathprof_cursor_over(cost.data, cost.size, 0);
  UnitSums measuring;
  read_sums(&cursor, measuring);
  ck_assert(writer.has_measuring && measuring == (UnitSums{{5, {{0, UINT64_MAX}}}}));
  pathprof_free_unit_sums(&sums);
  pathprof_writer_free(&writer);
}
END_TEST

// The list of functions with cycles names them in order, and none but them.
START_TEST(lists_of_functions_with_cycles) {
  Random random(11);
  int lists = 0;
  for (int round = 0; round < 300; round++) {
    Bytes notes = encode_notes(random_unit(random));
    std::string text_of_notes(notes.begin(), notes.end());
    auto next_in = [](pathprof_index &index, const std::string &notes_text) {
      pathprof_index_open(&index, text(notes_text), 0);
      uint64_t with_cycles = 0;
      while (pathprof_index_next(&index))
        with_cycles += index.has_cycles;
      return with_cycles;
    };
    pathprof_index index;
    uint64_t with_cycles = next_in(index, text_of_notes);
    ck_assert(pathprof_cursor_ok(&index.cursor));
    lists += with_cycles != 0;
    if (with_cycles)
      continue;
    next_in(index, text_of_notes + '\1' + static_cast<char>(index.num_functions)); // one too far
    ck_assert_str_eq(index.cursor.error.reason, "the list of functions with cycles contains an unknown function");
    next_in(index, text_of_notes + '\2' + '\0');
    ck_assert_str_eq(index.cursor.error.reason, "the list of functions with cycles is malformed");
  }
  ck_assert_int_gt(lists, 30);
}
END_TEST

// What comes out of damaged data is a profile that can be opened, and no larger than the data justifies.
static bool survives(const Bytes &bytes) {
  Buffer image;
  pathprof_error error = {};
  if (pathprof_raw_convert(bytes.data(), bytes.size(), &image, &error)) {
    open(image.bytes());
    ck_assert_uint_le(image.size, 4 * bytes.size());
    return true;
  }
  ck_assert_ptr_nonnull(error.reason);
  ck_assert_uint_le(error.offset, bytes.size());
  return false;
}

// All that the file counts is that test's.
static void name_test(Bytes &bytes, Contents &model) {
  pathprof_raw_header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.test_runs = 1;
  header.test_size = std::strlen(std::strcpy(header.test, "a/b"));
  std::memcpy(bytes.data(), &header, sizeof header);
  TestContents &test = model.tests["a/b"];
  test.runs = 1;
  for (auto &[unit, functions] : model.units)
    if (!functions.empty())
      test.units[unit] = functions;
}

START_TEST(raw_files_become_profiles) {
  Random random(7);
  for (int round = 0; round < 300; round++) {
    Contents model;
    Bytes bytes = random_raw(random, &model);
    if (round % 2)
      name_test(bytes, model);
    Buffer image;
    pathprof_error error = {};
    ck_assert_msg(pathprof_raw_convert(bytes.data(), bytes.size(), &image, &error), "%s", error.reason);
    ck_assert(read(image.bytes()) == model);
  }
}
END_TEST

// The raw file as a machine with the other byte order writes it.
static Bytes of_other_byte_order(Bytes bytes) {
  auto header = reinterpret_cast<pathprof_raw_header *>(bytes.data());
  auto swap = [&bytes](uint64_t start, uint64_t size) {
    for (uint64_t at = start; at < start + size; at += 8)
      std::reverse(&bytes[at], &bytes[at] + 8);
  };
  swap(header->placements_offset, header->num_placements * sizeof(pathprof_raw_placement));
  for (uint64_t i = 0; i < header->num_areas; i++)
    swap(header->areas[i].offset, header->areas[i].size);
  const size_t constant = offsetof(pathprof_raw_header, runs), start = offsetof(pathprof_raw_header, byte_order);
  uint64_t placements = header->placements_offset, size = header->num_placements * sizeof(pathprof_raw_placement);
  header->major = __builtin_bswap16(header->major);
  for (uint64_t *word = &header->byte_order; word < &header->pending + 1; word++)
    *word = __builtin_bswap64(*word);
  for (uint64_t *word = &header->copies; word < &header->test_size + 1; word++)
    *word = __builtin_bswap64(*word);
  uint32_t crc = pathprof_crc32c(0, &bytes[start], constant - start);
  header->crc = __builtin_bswap32(pathprof_crc32c(crc, &bytes[placements], size));
  return bytes;
}

START_TEST(raw_files_of_the_other_byte_order) {
  Random random(17);
  for (int round = 0; round < 100; round++) {
    Contents model;
    Bytes bytes = random_raw(random, &model);
    if (round % 2)
      name_test(bytes, model);
    for (bool is_damaged : {false, true}) {
      Bytes other = of_other_byte_order(bytes);
      if (is_damaged)
        other[offsetof(pathprof_raw_header, num_placements)] ^= 1;
      Buffer buffer, image;
      pathprof_put_bytes(&buffer, other.data(), other.size());
      FileBytes own = in_own_byte_order(FileBytes::from(&buffer));
      pathprof_error error = {};
      ck_assert_int_eq(pathprof_raw_convert(own.data(), own.size(), &image, &error), !is_damaged);
      ck_assert(is_damaged || read(image.bytes()) == model);
    }
  }
}
END_TEST

// One that is not in the file is ignored, as any address is; a size that the file cannot hold is an error at the head.
START_TEST(inline_caches_of_raw_files) {
  Random random(12);
  int found = 0;
  for (int round = 0; round < 400; round++) {
    Contents model;
    Bytes bytes = random_raw(random, &model);
    uint64_t section = reinterpret_cast<const pathprof_raw_header *>(bytes.data())->areas[0].offset;
    for (uint64_t at = RawMemory::kTables; at < RawMemory::kCaches; at += sizeof(pathprof_table)) {
      pathprof_table head;
      if (section + at + sizeof head > bytes.size())
        break;
      std::memcpy(static_cast<void *>(&head), &bytes[section + at], sizeof head);
      if (RawMemory::address_of(head.cache) < RawMemory::kSection + RawMemory::kCaches)
        continue; // none of it is used, or what is here are counters
      Bytes changed = bytes;
      Buffer image, other_image;
      pathprof_error error = {};
      RawMemory::put(changed, section + at + offsetof(pathprof_table, cache), uint64_t{8});
      ck_assert(pathprof_raw_convert(changed.data(), changed.size(), &image, &error));
      ck_assert(!(read(image.bytes()) == model));
      changed = bytes;
      RawMemory::put(changed, section + at + offsetof(pathprof_table, cache_size), UINT64_MAX / 2);
      ck_assert(!pathprof_raw_convert(changed.data(), changed.size(), &other_image, &error));
      ck_assert_str_eq(error.reason, "an inline cache is malformed");
      ck_assert_uint_eq(error.offset, section + at);
      found++;
      break;
    }
  }
  ck_assert_int_gt(found, 30);
}
END_TEST

START_TEST(raw_files_that_end_too_early_are_refused) {
  Random random(8);
  Contents model;
  Bytes bytes = random_raw(random, &model);
  ck_assert(survives(bytes));
  for (size_t size = 0; size < bytes.size(); size++)
    ck_assert(!survives(Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size))));
}
END_TEST

START_TEST(damaged_raw_files_are_survived) {
  Random random(9);
  int refused = 0;
  Contents model;
  Bytes valid = random_raw(random, &model);
  // What does not change has a checksum.
  pathprof_raw_header header;
  std::memcpy(&header, valid.data(), sizeof header);
  size_t constant = header.areas[0].offset;
  for (size_t bit = 0; bit < 8 * constant; bit++) {
    size_t at = bit / 8;
    bool is_checked = at < offsetof(pathprof_raw_header, minor) ||
                      (at >= offsetof(pathprof_raw_header, crc) && at < offsetof(pathprof_raw_header, runs)) ||
                      (at >= header.image_offset && at < header.image_offset + header.image_size) ||
                      at >= header.placements_offset;
    valid[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    bool survived = survives(valid);
    ck_assert_msg(!survived || !is_checked, "bit %zu was not noticed", bit);
    valid[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  }
  for (int round = 0; round < 3000; round++) {
    Bytes bytes = random_raw(random, &model);
    std::memcpy(&header, bytes.data(), sizeof header);
    size_t first = header.areas[0].offset;
    std::vector<size_t> words; // that are not zero, such as addresses and keys
    for (size_t at = first; at + 8 <= bytes.size(); at += 8)
      if (std::any_of(&bytes[at], &bytes[at] + 8, [](unsigned char byte) { return byte != 0; }))
        words.push_back(at);
    for (int i = words.empty() ? 0 : 1 + below(random, 3); i > 0; i--) {
      uint64_t somewhere = below(random, 2) ? RawMemory::kBlocks + random() % 4000 : random();
      RawMemory::put(bytes, words[random() % words.size()], somewhere);
    }
    refused += !survives(bytes);
  }
  ck_assert_int_gt(refused, 30);
}
END_TEST

// Tables that all name the same block would make much out of little.
START_TEST(raw_files_count_no_byte_twice) {
  Random random(10);
  Contents model;
  for (int round = 0; round < 100; round++) {
    Bytes bytes = random_raw(random, &model);
    auto *header = reinterpret_cast<pathprof_raw_header *>(bytes.data());
    // The copy that comes after a copy is the same.
    RawMemory::put(bytes, bytes.size() - sizeof(pathprof_raw_copy), header->copies);
    ck_assert(!survives(bytes));
  }
}
END_TEST

START_TEST(names_of_raw_files) {
  for (const char *name : {"p.1.raw", "p.123456.raw", "p.1-2.raw"})
    ck_assert_msg(pathprof_is_raw_name(name, "p"), "%s", name);
  for (const char *name :
       {"p", "p.raw", "p..raw", "p.1.rawx", "p.1x.raw", "p.1-.raw", "q.1.raw", "p.q.1.raw", "p.1.2.raw", "p-1.raw"})
    ck_assert_msg(!pathprof_is_raw_name(name, "p"), "%s", name);
}
END_TEST

int main() {
  return run_suite(
      "profile",
      {{"bytes",
        {products_and_quotients_of_halves, varints_at_the_edges, varints_that_are_too_long, cursors_stay_in_bounds,
         buffers_grow_and_fail, buffers_are_prepared, checksums, text_from_outside_is_made_visible}},
       {"notes",
        {notes_round_trip, values_have_numbers, normalised_calls, contradicting_programs_are_refused,
         loops_ask_for_no_more_than_there_is, damaged_notes_are_survived, damaged_additions_are_refused},
        300},
       {"images",
        {merging_is_what_the_maps_say, folders_make_units_different, earlier_keys_do_not_tell_folders_apart,
         sums_saturate, slots_are_paths, contradicting_slots_are_refused, ids_do_not_wrap_around,
         damaged_images_are_refused, programs_ask_for_no_more_than_there_is, contradicting_images_are_survived},
        300},
       {"raw",
        {cycles_lose_what_measuring_cost, lists_of_functions_with_cycles, raw_files_become_profiles,
         raw_files_of_the_other_byte_order, inline_caches_of_raw_files, raw_files_that_end_too_early_are_refused,
         damaged_raw_files_are_survived, raw_files_count_no_byte_twice, names_of_raw_files},
        300}});
}
