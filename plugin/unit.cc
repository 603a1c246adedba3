// SPDX-License-Identifier: GPL-3.0-or-later
// Building the unit's variables.
#include "plugin/unit.h"

#include <cstddef>

#include "profile/abi.h"
#include "profile/bytes.h"

#include "plugin/gcc.h"

namespace pathprof {

static_assert(sizeof(struct pathprof_table) % 8 == 0, "a table head is an array of words");
static_assert(sizeof(struct pathprof_unit) == 72, "the record is emitted as nine words");

static constexpr uint64_t kWordSize = 8;
static constexpr uint64_t kFrameInfoWords = sizeof(struct pathprof_frame_info) / kWordSize;

static tree static_variable(const char *name, tree type) {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  TREE_STATIC(decl) = 1;
  TREE_ADDRESSABLE(decl) = 1;
  TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_IGNORED_P(decl) = 1;
  DECL_NONALIASED(decl) = 0;
  return decl;
}

// A variable made this late must be analysed by hand, or its symbol stays undefined.
static void define(tree decl) {
  varpool_node::finalize_decl(decl);
  varpool_node *node = varpool_node::get(decl);
  if (!node->analyzed)
    node->analyze();
}

// A zero-initialised array in the section of counters.  GCC would give a section of that name contents in
// the file; the assembler takes the type that the name carries, and what GCC adds for a comment.
static tree words(const char *name, uint64_t count) {
  if (count == 0)
    return NULL_TREE;
  tree decl = static_variable(name, build_array_type_nelts(long_long_unsigned_type_node, count));
  set_decl_section_name(decl, PATHPROF_COUNTERS_SECTION ",\"aw\",@nobits" ASM_COMMENT_START);
  SET_DECL_ALIGN(decl, 64 * BITS_PER_UNIT);
  DECL_USER_ALIGN(decl) = 1;
  return decl;
}

// Words that are pointers, or numbers of that size.
static tree constants(const char *name, uint64_t count) {
  if (count == 0)
    return NULL_TREE;
  tree decl = static_variable(name, build_array_type_nelts(ptr_type_node, count));
  TREE_READONLY(decl) = 1;
  return decl;
}

static tree declare_function(const char *name, tree type) {
  tree decl = build_fn_decl(name, type);
  TREE_NOTHROW(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  return decl;
}

RuntimeFunctions::RuntimeFunctions() {
  tree word = long_long_unsigned_type_node;
  auto declare = [](const char *name, tree result, auto... parameters) {
    return declare_function(name, build_function_type_list(result, parameters..., NULL_TREE));
  };
  count = declare(PATHPROF_COUNT_SYMBOL, void_type_node, ptr_type_node, word);
  count_atomic = declare(PATHPROF_COUNT_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word);
  thread = declare(PATHPROF_THREAD_SYMBOL, word);
  TREE_READONLY(thread) = 1; // one value a thread: inlined functions share a call
  enter = declare(PATHPROF_ENTER_SYMBOL, ptr_type_node, ptr_type_node, word);
  leave = declare(PATHPROF_LEAVE_SYMBOL, void_type_node, ptr_type_node);
  unwound = declare(PATHPROF_UNWOUND_SYMBOL, void_type_node, ptr_type_node);
  jumped = declare(PATHPROF_JUMPED_SYMBOL, void_type_node, ptr_type_node);
  flush = declare(PATHPROF_FLUSH_SYMBOL, void_type_node);
}

UnitVariables::UnitVariables(const UnitSizes &sizes)
    : sizes_(sizes), counters_(words("__pathprof_counters", sizes.counters)),
      tables_(words("__pathprof_tables", sizes.tables * sizeof(struct pathprof_table) / kWordSize)),
      frame_infos_(constants("__pathprof_frame_infos", sizes.frame_infos * kFrameInfoWords)),
      behind_(constants("__pathprof_behind", sizes.calls)) {}

static tree address_in(tree array, uint64_t offset) {
  tree type = build_pointer_type(long_long_unsigned_type_node);
  tree place = build2(MEM_REF, long_long_unsigned_type_node, build_fold_addr_expr(array),
                      build_int_cst(type, static_cast<HOST_WIDE_INT>(offset)));
  return build1(ADDR_EXPR, type, place);
}

tree UnitVariables::counter_address(uint64_t index) const {
  return address_in(counters_, index * kWordSize);
}

tree UnitVariables::table_address(uint64_t index) const {
  return address_in(tables_, index * sizeof(struct pathprof_table));
}

static tree number(uint64_t value) { return build_int_cst(ptr_type_node, static_cast<HOST_WIDE_INT>(value)); }

// In the order of struct pathprof_frame_info.
tree UnitVariables::add_frame_info(const FrameInfo &info) {
  auto pointer = [](tree address) { return fold_convert(ptr_type_node, address); };
  uint64_t at = frame_info_words_.size() * kWordSize;
  for (tree word : {
           pointer(table_address(info.prefixes_table)),
           number(info.num_paths),
           number(info.behind.size()),
           number(info.shift),
           pointer(build_string_literal(info.name.size() + 1, info.name.c_str())),
           pointer(address_in(behind_, behind_words_.size() * kWordSize)),
       })
    frame_info_words_.push_back(word);
  for (int64_t sum : info.behind)
    behind_words_.push_back(number(static_cast<uint64_t>(sum)));
  return address_in(frame_infos_, at);
}

// Gives an array of pointers (or numbers of their size) these contents.
static void initialise(tree array, const std::vector<tree> &values) {
  vec<constructor_elt, va_gc> *elements = nullptr;
  for (tree value : values)
    CONSTRUCTOR_APPEND_ELT(elements, size_int(vec_safe_length(elements)), value);
  tree contents = build_constructor(TREE_TYPE(array), elements);
  TREE_CONSTANT(contents) = TREE_STATIC(contents) = 1;
  DECL_INITIAL(array) = contents;
}

static tree notes_variable(const std::vector<unsigned char> &notes) {
  tree type = build_array_type_nelts(unsigned_char_type_node, notes.size());
  tree decl = static_variable("__pathprof_notes", type);
  tree bytes = build_string(notes.size(), reinterpret_cast<const char *>(notes.data()));
  TREE_TYPE(bytes) = type;
  TREE_READONLY(decl) = 1;
  TREE_CONSTANT(bytes) = TREE_STATIC(bytes) = TREE_READONLY(bytes) = 1;
  DECL_INITIAL(decl) = bytes;
  set_decl_section_name(decl, "pathprof_notes");
  define(decl);
  return decl;
}

// An undefined symbol of the runtime, so that linking without it fails with a name that says why.
static tree runtime_symbol() {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(PATHPROF_LINK_SYMBOL),
                         char_type_node);
  DECL_EXTERNAL(decl) = TREE_PUBLIC(decl) = TREE_READONLY(decl) = TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = DECL_IGNORED_P(decl) = 1;
  return decl;
}

void UnitVariables::finish(const std::vector<unsigned char> &notes) {
  auto address = [](tree decl) {
    return decl ? build1(ADDR_EXPR, ptr_type_node, decl) : null_pointer_node;
  };
  // In the order of struct pathprof_unit.
  std::vector<tree> words = {
      number(PATHPROF_ABI_VERSION),
      number(pathprof_key(notes.data(), notes.size())),
      address(notes_variable(notes)),
      number(notes.size()),
      address(counters_),
      number(sizes_.counters),
      address(tables_),
      number(sizes_.tables),
      address(runtime_symbol()),
  };
  tree record = static_variable("__pathprof_unit", build_array_type_nelts(ptr_type_node, words.size()));
  initialise(record, words);
  SET_DECL_ALIGN(record, 8 * BITS_PER_UNIT);
  DECL_USER_ALIGN(record) = 1;
  DECL_PRESERVE_P(record) = 1;
  // With --gc-sections some linkers drop a section that only __start_ and __stop_ symbols refer to.
  DECL_ATTRIBUTES(record) =
      tree_cons(get_identifier("retain"), NULL_TREE, DECL_ATTRIBUTES(record));
  set_decl_section_name(record, PATHPROF_UNITS_SECTION);
  define(record);
  varpool_node::get(record)->force_output = 1;
  if (frame_infos_) {
    initialise(frame_infos_, frame_info_words_);
    initialise(behind_, behind_words_);
  }
  for (tree array : {counters_, tables_, frame_infos_, behind_})
    if (array)
      define(array);
}

} // namespace pathprof
