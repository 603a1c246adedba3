// SPDX-License-Identifier: GPL-3.0-or-later
// Hashes GIMPLE statements without numbers that depend on the rest of the unit, such as the UIDs of declarations.
#include "plugin/cfg/body_checksum.h"

#include <cstring>
#include <unordered_map>

#include "plugin/gcc/gcc.h"
#include "profile/format/bytes.h"

namespace pathprof {

namespace {

class BodyChecksum {
public:
  uint32_t run() {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun) {
      add("block");
      for (gimple_stmt_iterator gsi = gsi_start_phis(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        add_phi(as_a<gphi *>(gsi_stmt(gsi)));
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        add_statement(gsi_stmt(gsi));
    }
    return checksum_ ? checksum_ : 1;
  }

private:
  void add(const char *text) { checksum_ = pathprof_crc32c(checksum_, text, strlen(text) + 1); }
  void add(uint64_t number) { checksum_ = pathprof_crc32c(checksum_, &number, sizeof number); }

  void add_phi(gphi *phi) {
    if (virtual_operand_p(gimple_phi_result(phi)))
      return;
    add("phi");
    add_operand(gimple_phi_result(phi));
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
      add_operand(gimple_phi_arg_def(phi, i));
  }

  void add_statement(gimple *statement) {
    bool has_no_effect = is_gimple_debug(statement) || gimple_clobber_p(statement) || gimple_nop_p(statement) ||
                         gimple_code(statement) == GIMPLE_LABEL || gimple_code(statement) == GIMPLE_PREDICT;
    if (has_no_effect)
      return;
    add(gimple_code_name[gimple_code(statement)]);
    if (is_gimple_assign(statement))
      add(get_tree_code_name(gimple_assign_rhs_code(statement)));
    else if (gimple_code(statement) == GIMPLE_COND)
      add(get_tree_code_name(gimple_cond_code(statement)));
    else if (gimple_call_internal_p(statement))
      add(internal_fn_name(gimple_call_internal_fn(statement)));
    else if (gasm *assembler = dyn_cast<gasm *>(statement))
      add(gimple_asm_string(assembler));
    for (unsigned i = 0; i < gimple_num_ops(statement); i++)
      add_operand(gimple_op(statement, i));
  }

  // The type is added only for values, because its mode and signedness determine what a statement computes.
  void add_type_of(tree operand) {
    tree type = TREE_TYPE(operand);
    if (!type || !(INTEGRAL_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type)))
      return;
    add(static_cast<uint64_t>(TYPE_PRECISION(type)) << 1 | static_cast<uint64_t>(TYPE_UNSIGNED(type)));
  }

  // Adds a number that is given to variables and labels of the function in the order of their first use.
  void add_local(tree declaration) {
    auto [known, is_new] = numbers_.emplace(declaration, numbers_.size());
    add(known->second);
  }

  // Adds the name without a suffix, which can depend on the unit, as in "parse.part.0".
  void add_name(tree declaration) {
    std::string name = IDENTIFIER_POINTER(DECL_NAME(declaration));
    add(name.substr(0, name.find('.', 1)).c_str());
  }

  void add_declaration(tree declaration) {
    bool is_of_function = DECL_CONTEXT(declaration) && TREE_CODE(DECL_CONTEXT(declaration)) == FUNCTION_DECL;
    bool is_global = TREE_CODE(declaration) == FUNCTION_DECL || TREE_CODE(declaration) == FIELD_DECL ||
                     (VAR_P(declaration) && is_global_var(declaration) && !is_of_function);
    if (is_global && DECL_NAME(declaration))
      add_name(declaration);
    else
      add_local(declaration);
  }

  void add_constant(tree constant) {
    switch (TREE_CODE(constant)) {
    case INTEGER_CST:
      for (int i = 0; i < TREE_INT_CST_NUNITS(constant); i++)
        add(static_cast<uint64_t>(TREE_INT_CST_ELT(constant, i)));
      break;
    case REAL_CST:
      add(uint64_t{real_hash(TREE_REAL_CST_PTR(constant))});
      break;
    case COMPLEX_CST:
      add_operand(TREE_REALPART(constant));
      add_operand(TREE_IMAGPART(constant));
      break;
    default:
      break;
    }
  }

  void add_operand(tree operand) {
    if (!operand)
      return;
    add(get_tree_code_name(TREE_CODE(operand)));
    switch (TREE_CODE_CLASS(TREE_CODE(operand))) {
    case tcc_constant:
      add_type_of(operand);
      return add_constant(operand);
    case tcc_declaration:
      add_type_of(operand);
      if (TREE_CODE(operand) == CONST_DECL)
        return add_operand(DECL_INITIAL(operand));
      return add_declaration(operand);
    case tcc_type:
      return;
    default:
      break;
    }
    if (TREE_CODE(operand) == SSA_NAME) {
      add_type_of(operand);
      return add_local(operand);
    }
    if (TREE_CODE(operand) == CONSTRUCTOR) {
      unsigned i;
      [[maybe_unused]] tree index;
      tree value;
      FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(operand), i, index, value)
      add_operand(value);
      return;
    }
    if (TREE_CODE(operand) == CASE_LABEL_EXPR) {
      add_operand(CASE_LOW(operand));
      return add_operand(CASE_HIGH(operand));
    }
    if (TREE_CODE(operand) == TREE_LIST) {
      for (; operand; operand = TREE_CHAIN(operand))
        add_operand(TREE_VALUE(operand));
      return;
    }
    if (EXPR_P(operand))
      for (int i = 0; i < TREE_OPERAND_LENGTH(operand); i++)
        add_operand(TREE_OPERAND(operand, i));
  }

  uint32_t checksum_ = 0;
  std::unordered_map<tree, uint64_t> numbers_;
};

} // namespace

uint32_t body_checksum() {
  return BodyChecksum().run();
}

} // namespace pathprof
