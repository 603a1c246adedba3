// SPDX-License-Identifier: GPL-3.0-or-later
// Distinguishes the user's code from the compiler's own code in functions that the compiler generated.
#include "plugin/gcc/generated_code.h"

#include "plugin/gcc/locations.h"
#include "plugin/gcc/names.h"

namespace pathprof {

bool is_artificial(tree function) {
  tree decl = DECL_ORIGIN(function);
  return DECL_ARTIFICIAL(decl) && !DECL_FUNCTION_VERSIONED(decl) && !DECL_LAMBDA_FUNCTION_P(decl);
}

static bool is_same_position(const expanded_location &one, const expanded_location &other) {
  return one.line == other.line && one.column == other.column && one.file && other.file &&
         strcmp(one.file, other.file) == 0;
}

// Returns true if a parameter of the constructor is a reference to the class. Copy and move constructors have such a
// parameter and do not evaluate default member initializers.
static bool copies_object(tree constructor, tree of_class) {
  for (tree parameter = DECL_ARGUMENTS(constructor); parameter; parameter = DECL_CHAIN(parameter)) {
    tree type = TREE_TYPE(parameter);
    if (TREE_CODE(type) == REFERENCE_TYPE && TYPE_MAIN_VARIANT(TREE_TYPE(type)) == TYPE_MAIN_VARIANT(of_class))
      return true;
  }
  return false;
}

// Returns true if the operand is a global variable or its address.
static bool is_of_global(tree operand) {
  if (operand && TREE_CODE(operand) == ADDR_EXPR)
    operand = TREE_OPERAND(operand, 0);
  operand = operand ? get_base_address(operand) : NULL_TREE;
  return operand && VAR_P(operand) && is_global_var(operand) && !DECL_ARTIFICIAL(operand);
}

// Returns true if the statement stores to a global variable or passes the address of a global variable as the first
// argument, as a call of a constructor does.
static bool initializes_global(gimple *statement) {
  gcall *call = dyn_cast<gcall *>(statement);
  bool is_passed = call && gimple_call_num_args(call) > 0 && TREE_CODE(gimple_call_arg(call, 0)) == ADDR_EXPR;
  return is_of_global(gimple_get_lhs(statement)) || (is_passed && is_of_global(gimple_call_arg(call, 0)));
}

// Returns true if the location is in a system header. The location of a macro's expansion is that of its use.
static bool is_in_system_header(location_t location) {
  return in_system_header_at(linemap_resolve_location(line_table, location, LRK_MACRO_EXPANSION_POINT, nullptr));
}

GeneratedCode::GeneratedCode(tree function)
    : kind_(is_artificial(function) ? kind_of(function) : Kind::Other),
      declaration_(expand_location(DECL_SOURCE_LOCATION(function))), end_(expand_location(cfun->function_end_locus)) {
  if (kind_ != Kind::Constructor)
    return;
  class_ = DECL_CONTEXT(DECL_ORIGIN(function));
  if (!class_ || !TYPE_P(class_) || copies_object(function, class_))
    kind_ = Kind::Other;
}

GeneratedCode::Kind GeneratedCode::kind_of(tree function) {
  const char *name = DECL_NAME(function) ? IDENTIFIER_POINTER(DECL_NAME(function)) : "";
  for (const char *start : {"_GLOBAL__sub_I_", "_GLOBAL__I_", "__static_initialization_and_destruction_", "__tls_init"})
    if (strncmp(name, start, strlen(start)) == 0)
      return Kind::Initialization;
  for (const char *part : {"._omp_fn.", ".actor"})
    if (strstr(name_of(function), part))
      return Kind::Outlined;
  return DECL_CXX_CONSTRUCTOR_P(DECL_ORIGIN(function)) ? Kind::Constructor : Kind::Other;
}

bool GeneratedCode::has_written(location_t location) const {
  if (kind_ == Kind::Other || !is_known(location) || is_in_system_header(location))
    return false;
  expanded_location at = expand_location(location);
  return !is_same_position(at, declaration_) && !is_same_position(at, end_);
}

bool GeneratedCode::has_written(gimple *statement) const {
  location_t location = gimple_location(statement);
  return has_written(location) || (kind_ == Kind::Initialization && is_known(location) &&
                                   !is_in_system_header(location) && initializes_global(statement));
}

// Returns the member with a default member initializer that the operand, or the address in the operand, denotes.
tree GeneratedCode::member_of(tree operand) const {
  tree member = NULL_TREE;
  if (operand && TREE_CODE(operand) == ADDR_EXPR)
    operand = TREE_OPERAND(operand, 0);
  for (; operand && handled_component_p(operand); operand = TREE_OPERAND(operand, 0)) {
    tree field = TREE_CODE(operand) == COMPONENT_REF ? TREE_OPERAND(operand, 1) : NULL_TREE;
    if (field && DECL_INITIAL(field) && DECL_CONTEXT(field) == class_)
      member = field;
  }
  return member;
}

// Returns the member to which the statement stores or whose address it computes.
tree GeneratedCode::stored_member(gimple *statement) const {
  if (tree member = member_of(gimple_get_lhs(statement)))
    return member;
  for (unsigned i = 1; i < gimple_num_ops(statement); i++)
    if (tree operand = gimple_op(statement, i); operand && TREE_CODE(operand) == ADDR_EXPR)
      if (tree member = member_of(operand))
        return member;
  return NULL_TREE;
}

location_t GeneratedCode::initialized_member(gimple *statement) const {
  if (kind_ != Kind::Constructor || !(is_gimple_call(statement) || is_gimple_assign(statement)))
    return UNKNOWN_LOCATION;
  tree member = stored_member(statement), value = gimple_get_lhs(statement);
  if (!member && value && is_gimple_call(statement)) { // the next statement can store the result in a member
    gimple_stmt_iterator gsi = gsi_for_stmt(statement);
    gsi_next_nondebug(&gsi);
    bool is_stored =
        !gsi_end_p(gsi) && gimple_assign_single_p(gsi_stmt(gsi)) && gimple_assign_rhs1(gsi_stmt(gsi)) == value;
    member = is_stored ? stored_member(gsi_stmt(gsi)) : NULL_TREE;
  }
  location_t location = member ? DECL_SOURCE_LOCATION(member) : UNKNOWN_LOCATION;
  return is_known(location) && !is_in_system_header(location) ? location : UNKNOWN_LOCATION;
}

} // namespace pathprof
