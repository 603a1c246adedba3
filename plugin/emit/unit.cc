// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the variables that the plugin adds to a translation unit.
#include "plugin/emit/unit.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/freestanding.h"
#include "profile/format/image.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

static_assert(sizeof(struct pathprof_table) % 8 == 0, "a table head is an array of words");
static_assert(sizeof(struct pathprof_unit) == 72, "a unit record is emitted as nine words");

static constexpr uint64_t kWordSize = 8;
static constexpr uint64_t kCounterAlignment = 4; // of the counters of a freestanding unit, in bytes
static constexpr uint64_t kTableWords = sizeof(struct pathprof_table) / kWordSize;
static constexpr uint64_t kSlotWords = sizeof(struct pathprof_slot) / kWordSize;

// Declarations that GCC's garbage collector must not free after a function has been compiled.
static GTY(()) vec<tree, va_gc> *kept_alive;
static const ggc_root_tab roots[] = {
    {&kept_alive, 1, sizeof kept_alive, &gt_ggc_mx_vec_tree_va_gc_, &gt_pch_nx_vec_tree_va_gc_},
    LAST_GGC_ROOT_TAB,
};

void register_roots(const char *plugin_name) {
  register_callback(plugin_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab *>(roots));
}

static constexpr const char *kVariablePrefix = "__pathprof_";
static bool (*uses_block)(const_tree);

static bool uses_block_unless_own(const_tree decl) {
  tree name = DECL_P(decl) ? DECL_NAME(decl) : NULL_TREE;
  return !(name && startswith(IDENTIFIER_POINTER(name), kVariablePrefix)) && uses_block(decl);
}

void keep_variables_out_of_blocks() {
  uses_block = targetm.use_blocks_for_decl_p;
  targetm.use_blocks_for_decl_p = uses_block_unless_own;
}

static tree keep_alive(tree decl) {
  vec_safe_push(kept_alive, decl);
  return decl;
}

static tree static_variable(const std::string &name, tree type) {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name.c_str()), type);
  TREE_STATIC(decl) = 1;
  TREE_ADDRESSABLE(decl) = 1;
  TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_IGNORED_P(decl) = 1;
  DECL_NONALIASED(decl) = 0;
  return keep_alive(decl);
}

// Defines a variable. At this point in the compilation, GCC must be asked to analyse the variable, or its symbol would
// remain undefined.
static void define(tree decl) {
  varpool_node::finalize_decl(decl);
  varpool_node *node = varpool_node::get(decl);
  if (!node->analyzed)
    node->analyze();
}

static void align(tree decl, uint64_t bytes) {
  SET_DECL_ALIGN(decl, static_cast<unsigned>(bytes * BITS_PER_UNIT));
  DECL_USER_ALIGN(decl) = 1; // prevents GCC from raising the alignment
}

// Declares a zero-initialised array in the counter section. The section must not occupy space in the object file.
// Therefore, the section name that is passed to GCC also contains flags, %nobits and a comment character for the
// assembler. The comment character hides the flags that GCC appends to the name.
static tree words(const std::string &name, uint64_t count, tree word = long_long_unsigned_type_node) {
  if (count == 0)
    return NULL_TREE;
  tree decl = static_variable(name, build_array_type_nelts(word, count));
  set_decl_section_name(decl, PATHPROF_COUNTERS_SECTION PATHPROF_NOBITS ASM_COMMENT_START);
  align(decl, static_cast<uint64_t>(int_size_in_bytes(word)));
  return decl;
}

void define_mark(const char *name) {
  tree mark = static_variable(name, char_type_node);
  DECL_PRESERVE_P(mark) = 1;
  define(mark);
  varpool_node::get(mark)->force_output = 1;
}

static tree declare_function(const char *name, tree type) {
  tree decl = build_fn_decl(name, type);
  TREE_NOTHROW(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  return keep_alive(decl);
}

RuntimeFunctions::RuntimeFunctions() {
  tree word = long_long_unsigned_type_node;
  auto declare = [](const char *name, tree result, auto... parameters) {
    return declare_function(name, build_function_type_list(result, parameters..., NULL_TREE));
  };
  count = declare(PATHPROF_COUNT_SYMBOL, void_type_node, ptr_type_node, word, ptr_type_node);
  count_atomic = declare(PATHPROF_COUNT_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, ptr_type_node);
  count_program = declare(PATHPROF_COUNT_PROGRAM_SYMBOL, void_type_node, ptr_type_node, word, ptr_type_node);
  count_program_atomic =
      declare(PATHPROF_COUNT_PROGRAM_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, ptr_type_node);
  count_mapped = declare(PATHPROF_COUNT_MAPPED_SYMBOL, void_type_node, ptr_type_node, word, word);
  count_mapped_atomic = declare(PATHPROF_COUNT_MAPPED_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, word);
  count_wide = declare(PATHPROF_COUNT_WIDE_SYMBOL, void_type_node, ptr_type_node, word, word);
  count_wide_atomic = declare(PATHPROF_COUNT_WIDE_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, word);
  spend = declare(PATHPROF_SPEND_SYMBOL, void_type_node, ptr_type_node, word, word);
  spend_atomic = declare(PATHPROF_SPEND_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, word);
  thread = declare(PATHPROF_THREAD_SYMBOL, word);
  TREE_READONLY(thread) = 1; // each thread has one value, so inlined functions can share a call
  enter = declare(PATHPROF_ENTER_SYMBOL, ptr_type_node, ptr_type_node);
  leave = declare(PATHPROF_LEAVE_SYMBOL, void_type_node, ptr_type_node);
  unwound = declare(PATHPROF_UNWOUND_SYMBOL, void_type_node, ptr_type_node);
  jumped = declare(PATHPROF_JUMPED_SYMBOL, void_type_node, ptr_type_node);
  flush = declare(PATHPROF_FLUSH_SYMBOL, void_type_node);
  restrict_calls = declare(PATHPROF_RESTRICT_SYMBOL, void_type_node);
  prctl = declare(PATHPROF_PRCTL_SYMBOL, void_type_node, long_integer_type_node);
  syscall = declare(PATHPROF_SYSCALL_SYMBOL, void_type_node, long_integer_type_node, long_integer_type_node);
  emit = declare(PATHPROF_EMIT_SYMBOL, ptr_type_node, ptr_type_node, ptr_type_node, word, word);
  emit_atomic = declare(PATHPROF_EMIT_ATOMIC_SYMBOL, ptr_type_node, ptr_type_node, ptr_type_node, word, word);
  // The runtime functions for residual paths may call the program's callback. The callback is subject to the same
  // restrictions as a signal handler.
  residual = declare(PATHPROF_RESIDUAL_SYMBOL, void_type_node, ptr_type_node, word, ptr_type_node, word, ptr_type_node);
  residual_atomic =
      declare(PATHPROF_RESIDUAL_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, ptr_type_node, word, ptr_type_node);
  first = declare(PATHPROF_FIRST_SYMBOL, void_type_node, ptr_type_node, ptr_type_node);
  value = declare(PATHPROF_VALUE_SYMBOL, void_type_node, ptr_type_node, word, word);
  value_atomic = declare(PATHPROF_VALUE_ATOMIC_SYMBOL, void_type_node, ptr_type_node, word, word);
  called = declare(PATHPROF_CALLED_SYMBOL, void_type_node, word);
}

// Declares a variable that is defined in each module's copy of the runtime.
static tree runtime_variable(const char *name, tree type) {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_EXTERNAL(decl) = TREE_PUBLIC(decl) = TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = DECL_IGNORED_P(decl) = 1;
  DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED(decl) = 1;
  return keep_alive(decl);
}

tree callees_variable() {
  static tree decl;
  if (!decl) {
    decl = runtime_variable(PATHPROF_CALLEES_SYMBOL, long_long_unsigned_type_node);
    set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
  }
  return decl;
}

tree to_own_variable() {
  static tree decl;
  if (!decl) {
    decl = runtime_variable(PATHPROF_TO_OWN_SYMBOL, long_long_unsigned_type_node);
    set_decl_tls_model(decl, flag_shlib ? TLS_MODEL_INITIAL_EXEC : TLS_MODEL_LOCAL_EXEC);
  }
  return decl;
}

tree reading_variable() {
  static tree decl = runtime_variable(PATHPROF_READING_SYMBOL, long_long_unsigned_type_node);
  return decl;
}

// Declares a thread-local variable. Its TLS model is GCC's default for a hidden variable. If this is a dynamic model,
// which requires a function call, the initial-exec model is used instead.
static tree thread_variable(const char *name, tree type) {
  tree decl = runtime_variable(name, type);
  set_decl_tls_model(decl, TLS_MODEL_INITIAL_EXEC);
  set_decl_tls_model(decl, std::max(TLS_MODEL_INITIAL_EXEC, decl_default_tls_model(decl)));
  return decl;
}

tree frame_top_variable() {
  static tree decl = thread_variable(PATHPROF_FRAME_TOP_SYMBOL, ptr_type_node);
  return decl;
}

tree enter_at_function() {
  static tree decl = declare_function(PATHPROF_ENTER_AT_SYMBOL,
                                      build_function_type_list(ptr_type_node, ptr_type_node, ptr_type_node, NULL_TREE));
  return decl;
}

tree indirect_call_variable() {
  constexpr size_t num_words = sizeof(pathprof_indirect_call) / sizeof(uint64_t);
  static tree decl =
      thread_variable(PATHPROF_INDIRECT_CALL_SYMBOL, build_array_type_nelts(long_long_unsigned_type_node, num_words));
  return decl;
}

tree switch_variable() {
  static tree decl = runtime_variable(PATHPROF_SWITCHED_SYMBOL, unsigned_char_type_node);
  return decl;
}

Place Storage::table(uint64_t index) const {
  return {tables, index * kTableWords};
}

std::string UnitVariables::numbered(const char *name) {
  return std::string(name) + "." + std::to_string(num_names_++);
}

Place Storage::cache(uint64_t slot) const {
  return {caches, slot * kSlotWords};
}

// Returns the type of the counters. With counters=bit, a Boolean type occupies one byte on almost all targets. Unlike a
// character type, it does not alias all other objects.
tree UnitVariables::counter_type(bool is_in_segment) const {
  if (kind_ == Counters::Bits32)
    return uint32_type_node;
  if (kind_ == Counters::Bit)
    return int_size_in_bytes(boolean_type_node) == 1 ? boolean_type_node
                                                     : build_nonstandard_boolean_type(BITS_PER_UNIT);
  return is_in_segment ? segment_word_type() : long_long_unsigned_type_node;
}

Storage UnitVariables::declare(uint64_t num_counters, uint64_t num_tables, uint64_t num_slots, bool is_in_segment) {
  has_segment_ |= is_in_segment && num_counters;
  uint64_t padding = has_one_array_ ? padding_of(num_counters) : 0;
  return {words(numbered("__pathprof_counters"), num_counters + padding, counter_type(is_in_segment)),
          words(numbered("__pathprof_tables"), num_tables * kTableWords),
          words(numbered("__pathprof_caches"), num_slots * kSlotWords), num_counters, num_tables};
}

static tree number(uint64_t value) {
  return build_int_cstu(long_long_unsigned_type_node, value);
}

static tree pointer(tree address) {
  return fold_convert(ptr_type_node, address);
}

// Number of array elements for a word of 8 bytes. Each element has the size of a pointer.
static uint64_t elements_per_word() {
  return kWordSize * BITS_PER_UNIT / POINTER_SIZE;
}

// Returns a number that has the size of a pointer.
static tree element(uint64_t bits) {
  return build_int_cst(ptr_type_node, static_cast<HOST_WIDE_INT>(bits));
}

// Returns the elements of a word with a number or a pointer, in the order of the target's memory. A pointer of 32 bits
// is followed by padding (PATHPROF_WIDE in profile/format/abi.h).
static std::vector<tree> elements_of(tree word) {
  constexpr int half = 32;
  bool is_number = TREE_CODE(word) == INTEGER_CST && !POINTER_TYPE_P(TREE_TYPE(word));
  if (elements_per_word() == 1)
    return {is_number ? element(tree_to_uhwi(word)) : word};
  if (!is_number)
    return {word, element(0)};
  uint64_t low = tree_to_uhwi(word) & UINT32_MAX, high = tree_to_uhwi(word) >> half;
  return {element(BYTES_BIG_ENDIAN ? high : low), element(BYTES_BIG_ENDIAN ? low : high)};
}

// Returns the type of an array of words that contain pointers or numbers.
static tree array_of_words(size_t num_words) {
  return build_array_type_nelts(ptr_type_node, num_words * elements_per_word());
}

static std::vector<tree> elements_of(const std::vector<tree> &words) {
  std::vector<tree> elements;
  for (tree word : words)
    for (tree one : elements_of(word))
      elements.push_back(one);
  return elements;
}

// Initialises an array of pointers or pointer-sized integers.
static void initialise(tree array, const std::vector<tree> &values) {
  vec<constructor_elt, va_gc> *elements = nullptr;
  for (tree value : values)
    CONSTRUCTOR_APPEND_ELT(elements, size_int(vec_safe_length(elements)), value);
  tree contents = build_constructor(TREE_TYPE(array), elements);
  TREE_CONSTANT(contents) = TREE_STATIC(contents) = 1;
  DECL_INITIAL(array) = contents;
}

static tree name_literal(const std::string &name) {
  return pointer(build_string_literal(name.size() + 1, name.c_str()));
}

tree UnitVariables::add_constant(const char *name, const std::vector<tree> &words) {
  tree array = static_variable(numbered(name), array_of_words(words.size()));
  TREE_READONLY(array) = 1;
  initialise(array, elements_of(words));
  constants_.push_back(array);
  return array;
}

tree UnitVariables::add_words(const std::vector<uint64_t> &words) {
  std::vector<tree> values;
  for (uint64_t word : words)
    values.push_back(number(word));
  return add_constant("__pathprof_words", values);
}

// The words must be in the order of the fields of struct pathprof_frame_info.
tree UnitVariables::add_frame_info(const FrameInfo &info) {
  std::vector<uint64_t> sums(info.sums.begin(), info.sums.end());
  return address_of({add_constant("__pathprof_frame_info",
                                  {
                                      pointer(address_of(info.prefixes)),
                                      number(info.num_paths),
                                      number(info.sums.size()),
                                      number(info.shift),
                                      name_literal(info.name),
                                      pointer(address_of({add_words(sums), 0})),
                                      info.base.array ? pointer(address_of(info.base)) : null_pointer_node,
                                  }),
                     0});
}

// The words must be in the order of the fields of struct pathprof_residual_info.
tree UnitVariables::add_residual_info(const ResidualInfo &info) {
  return address_of({add_constant("__pathprof_residual_info",
                                  {
                                      info.name.empty() ? null_pointer_node : name_literal(info.name),
                                      info.counters.array ? pointer(address_of(info.counters)) : null_pointer_node,
                                      number(info.num_counters),
                                      number(info.mask),
                                      number(info.num_slots),
                                      number(info.interesting.size()),
                                      info.interesting.empty() ? null_pointer_node
                                                               : pointer(address_of({add_words(info.interesting), 0})),
                                  }),
                     0});
}

// Defines a constant with the encoded notes. In a freestanding program, the section is not loaded. As in words(), the
// section name that is passed to GCC also contains the flags of the section.
static tree notes_variable(const std::vector<unsigned char> &notes, bool is_loaded) {
  tree type = build_array_type_nelts(unsigned_char_type_node, notes.size());
  tree decl = static_variable("__pathprof_notes", type);
  tree bytes = build_string(notes.size(), reinterpret_cast<const char *>(notes.data()));
  TREE_TYPE(bytes) = type;
  TREE_READONLY(decl) = 1;
  TREE_CONSTANT(bytes) = TREE_STATIC(bytes) = TREE_READONLY(bytes) = 1;
  DECL_INITIAL(decl) = bytes;
  set_decl_section_name(decl, is_loaded ? "pathprof_notes"
                                        : PATHPROF_FREESTANDING_NOTES_SECTION ",\"\",%progbits" ASM_COMMENT_START);
  define(decl);
  return decl;
}

// Declares an external symbol that the runtime defines. If the program is linked without the runtime, the linker
// reports that this symbol is undefined. The name of the symbol describes the remedy.
static tree runtime_symbol(const char *name) {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), char_type_node);
  DECL_EXTERNAL(decl) = TREE_PUBLIC(decl) = TREE_READONLY(decl) = TREE_USED(decl) = 1;
  DECL_ARTIFICIAL(decl) = DECL_IGNORED_P(decl) = 1;
  return decl;
}

static tree unit_record(const std::vector<tree> &elements, const char *section) {
  tree record = static_variable("__pathprof_unit", build_array_type_nelts(ptr_type_node, elements.size()));
  initialise(record, elements);
  align(record, kWordSize);
  DECL_PRESERVE_P(record) = 1;
  // With --gc-sections, some linkers drop a section that is referenced only by __start_ and __stop_ symbols.
  DECL_ATTRIBUTES(record) = tree_cons(get_identifier("retain"), NULL_TREE, DECL_ATTRIBUTES(record));
  set_decl_section_name(record, section);
  return record;
}

static tree address(tree decl) {
  return build1(ADDR_EXPR, ptr_type_node, decl);
}

// Returns the address of the first array, or a null pointer if there are no arrays.
static tree address_of_first(const std::vector<tree> &arrays) {
  return arrays.empty() ? null_pointer_node : address(arrays.front());
}

// The words must be in the order of the fields of struct pathprof_unit.
tree UnitVariables::record_of(const std::vector<tree> &counters, uint64_t num_counters, const std::vector<tree> &tables,
                              uint64_t num_tables, const std::vector<unsigned char> &notes) const {
  return unit_record(elements_of({
                         number(PATHPROF_ABI_VERSION),
                         number(pathprof_unit_key({notes.data(), notes.size()})),
                         address(notes_variable(notes, true)),
                         number(notes.size()),
                         address_of_first(counters),
                         number(num_counters),
                         address_of_first(tables),
                         number(num_tables),
                         address(runtime_symbol(has_segment_ ? PATHPROF_LINK_SEGMENT_SYMBOL : PATHPROF_LINK_SYMBOL)),
                     }),
                     PATHPROF_UNITS_SECTION);
}

// The elements must be in the order of the fields of struct pathprof_freestanding_unit. The record is read-only, so it
// needs neither memory nor initialization when the program starts.
tree UnitVariables::freestanding_record_of(const std::vector<tree> &counters, uint64_t num_counters,
                                           const std::vector<unsigned char> &notes) const {
  uint64_t counter_size = static_cast<uint64_t>(int_size_in_bytes(counter_type(false)));
  tree record = unit_record(
      {
          element(PATHPROF_FREESTANDING_VERSION + counter_size),
          element(static_cast<uint32_t>(pathprof_unit_key({notes.data(), notes.size()}))),
          address(notes_variable(notes, false)),
          element(notes.size()),
          address_of_first(counters),
          element((num_counters + padding_of(num_counters)) * counter_size),
      },
      PATHPROF_FREESTANDING_UNITS_SECTION);
  TREE_READONLY(record) = 1;
  return record;
}

// Returns the number of unused counters that must follow the counters of a freestanding unit. The runtime reads the
// counters as words, so their size must be a multiple of four bytes.
uint64_t UnitVariables::padding_of(uint64_t num_counters) const {
  uint64_t counter_size = static_cast<uint64_t>(int_size_in_bytes(counter_type(false)));
  return is_freestanding_
             ? (kCounterAlignment - num_counters * counter_size % kCounterAlignment) % kCounterAlignment / counter_size
             : 0;
}

// Aligns the counters of a freestanding program and, if each function has its own array, appends an array of unused
// counters. GCC writes the arrays immediately and in order.
void UnitVariables::pad(std::vector<tree> &counters, uint64_t num_counters) {
  uint64_t padding = padding_of(num_counters);
  if (padding && !has_one_array_) {
    counters.push_back(words(numbered("__pathprof_counters"), padding, counter_type(false)));
    DECL_PRESERVE_P(counters.back()) = 1; // no code refers to these counters
  }
  if (!counters.empty())
    align(counters.front(), std::max(kCounterAlignment, static_cast<uint64_t>(int_size_in_bytes(counter_type(false)))));
}

void UnitVariables::finish(const std::vector<Storage> &parts, const std::vector<unsigned char> &notes) {
  constexpr uint64_t cache_line = 64;
  std::vector<tree> counters, tables, caches;
  uint64_t num_counters = 0, num_tables = 0;
  for (const Storage &part : parts) {
    if (part.counters)
      counters.push_back(part.counters);
    if (part.tables)
      tables.push_back(part.tables);
    if (part.caches)
      caches.push_back(part.caches);
    num_counters += part.num_counters;
    num_tables += part.num_tables;
  }
  if (is_freestanding_)
    pad(counters, num_counters);
  tree record = is_freestanding_ ? freestanding_record_of(counters, num_counters, notes)
                                 : record_of(counters, num_counters, tables, num_tables, notes);
  define(record);
  varpool_node::get(record)->force_output = 1;
  for (std::vector<tree> &arrays : {std::ref(counters), std::ref(tables), std::ref(caches)}) {
    if (!arrays.empty() && !is_freestanding_)
      align(arrays.front(), cache_line);
    for (tree array : arrays)
      define(array);
  }
  for (tree constant : constants_)
    define(constant);
}

} // namespace pathprof
