// SPDX-License-Identifier: GPL-3.0-or-later
// Building the unit's variables.
#include "plugin/unit.h"

#include "profile/abi.h"
#include "profile/bytes.h"

#include "plugin/gcc.h"

namespace pathprof {

static_assert(sizeof(struct pathprof_table) % 8 == 0, "a table head is an array of words");
static_assert(sizeof(struct pathprof_unit) == 80, "the record is emitted as ten words");

uint64_t UnitVariables::words_per_table() { return sizeof(struct pathprof_table) / 8; }

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

static tree words(const char *name, uint64_t count) {
  if (count == 0)
    return NULL_TREE;
  tree decl = static_variable(name, build_array_type_nelts(long_long_unsigned_type_node, count));
  SET_DECL_ALIGN(decl, 64 * BITS_PER_UNIT);
  DECL_USER_ALIGN(decl) = 1;
  return decl;
}

static tree declare_count_function() {
  tree counter = long_long_unsigned_type_node;
  tree type = build_function_type_list(void_type_node, build_pointer_type(counter), counter, NULL_TREE);
  tree decl = build_fn_decl(PATHPROF_COUNT_SYMBOL, type);
  TREE_NOTHROW(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  return decl;
}

UnitVariables::UnitVariables(uint64_t num_counters, uint64_t num_tables)
    : num_counters_(num_counters), num_tables_(num_tables),
      counters_(words("__pathprof_counters", num_counters)),
      tables_(words("__pathprof_tables", num_tables * words_per_table())),
      count_function_(declare_count_function()) {}

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

void UnitVariables::finish(const std::vector<unsigned char> &notes, uint64_t array_max) {
  vec<constructor_elt, va_gc> *elements = nullptr;
  auto add = [&](tree value) {
    CONSTRUCTOR_APPEND_ELT(elements, size_int(vec_safe_length(elements)), value);
  };
  auto number = [](uint64_t value) { return build_int_cst(ptr_type_node, value); };
  auto address = [](tree decl) {
    return decl ? build1(ADDR_EXPR, ptr_type_node, decl) : null_pointer_node;
  };
  // In the order of struct pathprof_unit.
  add(number(PATHPROF_ABI_VERSION));
  add(number(pathprof_key(notes.data(), notes.size())));
  add(address(notes_variable(notes)));
  add(number(notes.size()));
  add(address(counters_));
  add(number(num_counters_));
  add(address(tables_));
  add(number(num_tables_));
  add(number(array_max));
  add(address(runtime_symbol()));

  tree type = build_array_type_nelts(ptr_type_node, vec_safe_length(elements));
  tree record = static_variable("__pathprof_unit", type);
  DECL_INITIAL(record) = build_constructor(type, elements);
  TREE_CONSTANT(DECL_INITIAL(record)) = TREE_STATIC(DECL_INITIAL(record)) = 1;
  SET_DECL_ALIGN(record, 8 * BITS_PER_UNIT);
  DECL_USER_ALIGN(record) = 1;
  DECL_PRESERVE_P(record) = 1;
  // With --gc-sections some linkers drop a section that only __start_ and __stop_ symbols refer to.
  DECL_ATTRIBUTES(record) =
      tree_cons(get_identifier("retain"), NULL_TREE, DECL_ATTRIBUTES(record));
  set_decl_section_name(record, PATHPROF_UNITS_SECTION);
  define(record);
  varpool_node::get(record)->force_output = 1;
  for (tree array : {counters_, tables_})
    if (array)
      define(array);
}

} // namespace pathprof
