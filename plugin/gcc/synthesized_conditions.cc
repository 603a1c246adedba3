// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes conditions that the C++ front end generates.
#include "plugin/gcc/synthesized_conditions.h"

#include <string>

#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_place.h"

namespace pathprof {

namespace {

// Strips conversions and negations from the tested value, and returns the result.
tree tested(tree expression) {
  while (CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR ||
         TREE_CODE(expression) == CLEANUP_POINT_EXPR || TREE_CODE(expression) == TRUTH_NOT_EXPR)
    expression = TREE_OPERAND(expression, 0);
  return expression;
}

bool begins_with(const char *name, const char *start) {
  return strncmp(name, start, strlen(start)) == 0;
}

// Returns true if the expression is a variable that the compiler created. Such variables have no name, except in
// coroutines, where their names begin with a fixed prefix.
bool is_own_variable(tree expression) {
  expression = tested(expression);
  tree declaration = TREE_CODE(expression) == COMPONENT_REF ? TREE_OPERAND(expression, 1) : expression;
  if (!VAR_P(declaration) && TREE_CODE(declaration) != FIELD_DECL)
    return false;
  const char *name = DECL_NAME(declaration) ? IDENTIFIER_POINTER(DECL_NAME(declaration)) : "";
  bool has_none = VAR_P(declaration) && DECL_ARTIFICIAL(declaration) && !*name;
  return has_none || begins_with(name, "_Coro_") || begins_with(name, "coro.");
}

// Returns true if the condition tests a variable that the compiler created, such as a loop counter for array elements
// or a flag that marks completed work.
bool tests_own_variable(tree condition) {
  condition = tested(condition);
  if (COMPARISON_CLASS_P(condition))
    return is_own_variable(TREE_OPERAND(condition, 0)) || is_own_variable(TREE_OPERAND(condition, 1));
  return is_own_variable(condition);
}

// Returns true if the condition tests the parameter that states whether a constructor or destructor is responsible for
// the virtual bases. Functions with this parameter remain if GCC does not clone constructors (-fdeclone-ctor-dtor,
// -Os).
bool tests_responsibility(tree condition) {
  condition = tested(condition);
  while (COMPARISON_CLASS_P(condition) || TREE_CODE(condition) == BIT_AND_EXPR)
    condition = tested(TREE_OPERAND(condition, 0));
  return TREE_CODE(condition) == PARM_DECL && DECL_ARTIFICIAL(condition) && DECL_NAME(condition) &&
         id_equal(DECL_NAME(condition), "__in_chrg");
}

// Returns true if the variable is a guard, which records whether a static or thread-local variable has been
// initialized.
bool is_guard(tree variable) {
  if (!VAR_P(variable) || !DECL_ARTIFICIAL(variable) || !TREE_STATIC(variable) || !DECL_NAME(variable))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(variable));
  return begins_with(name, "_ZGV") || strcmp(name, "__tls_guard") == 0;
}

// Returns true if the condition tests the guard of a static variable, the virtual bit of a pointer to a member
// function, or the state of a coroutine.
bool tests_guard_or_member(tree condition) {
  bool has_mask = false;
  for (tree part = condition; part;) {
    if (has_mask && is_own_variable(part)) // One bit of the coroutine's resume index
      return true;
    if (VAR_P(part) || TREE_CODE(part) == FUNCTION_DECL)
      return is_guard(part);
    bool is_pointer = TREE_CODE(part) == COMPONENT_REF && DECL_NAME(TREE_OPERAND(part, 1)) &&
                      id_equal(DECL_NAME(TREE_OPERAND(part, 1)), "__pfn");
    if (is_pointer && has_mask)
      return true;
    has_mask |= TREE_CODE(part) == BIT_AND_EXPR;
    if (TREE_CODE(part) == CALL_EXPR)
      part = call_expr_nargs(part) > 0 ? CALL_EXPR_ARG(part, 0) : NULL_TREE;
    else
      part = EXPR_P(part) && TREE_OPERAND_LENGTH(part) > 0 ? TREE_OPERAND(part, 0) : NULL_TREE;
  }
  return false;
}

// Returns true if the condition is a call to await_ready that the front end generated for co_await. The object of such
// a call is a temporary of the front end, named "Is", "Fs", "Aw0", "Aw1" and so on.
bool tests_readiness(tree condition) {
  condition = tested(condition);
  tree callee = TREE_CODE(condition) == CALL_EXPR ? get_callee_fndecl(condition) : NULL_TREE;
  bool asks =
      callee && DECL_NAME(callee) && id_equal(DECL_NAME(callee), "await_ready") && call_expr_nargs(condition) == 1;
  tree object = asks ? tested(CALL_EXPR_ARG(condition, 0)) : NULL_TREE;
  if (!object || TREE_CODE(object) != ADDR_EXPR)
    return false;
  object = TREE_OPERAND(object, 0);
  object = TREE_CODE(object) == COMPONENT_REF ? TREE_OPERAND(object, 1) : object;
  const char *name = DECL_P(object) && DECL_NAME(object) ? IDENTIFIER_POINTER(DECL_NAME(object)) : "";
  bool is_numbered = begins_with(name, "Aw") || begins_with(name, "Yd");
  return strcmp(name, "Is") == 0 || strcmp(name, "Fs") == 0 || (is_numbered && ISDIGIT(name[2]));
}

// Returns the first word in the condition's source text, or an empty string.
std::string first_word(tree condition) {
  location_t location = EXPR_LOCATION(condition);
  return is_known(location) ? word_at(spelled_at(get_range_from_loc(line_table, location).m_start)) : std::string();
}

// Returns true if a COND_EXPR with a value does not come from a ?: in the source. For example, the front end creates a
// COND_EXPR when it converts a pointer to a class. If the expression has no location, the whole statement is searched
// for a ?:.
bool is_made_choice(tree cond_expr) {
  location_t location = EXPR_LOCATION(cond_expr);
  bool is_of_statement = !is_known(location) && POINTER_TYPE_P(TREE_TYPE(cond_expr));
  return !may_have_choice_around(is_of_statement ? input_location : location);
}

} // namespace

void SynthesizedConditions::see(tree expression) {
  bool is_value = TREE_CODE(expression) == COND_EXPR && !VOID_TYPE_P(TREE_TYPE(expression));
  if (is_value && lang_GNU_CXX() && is_made_choice(expression))
    values_.insert(expression);
}

bool SynthesizedConditions::has(tree cond_expr) const {
  if (!lang_GNU_CXX())
    return false;
  tree condition = TREE_OPERAND(cond_expr, 0);
  return values_.count(cond_expr) || tests_guard_or_member(condition) || tests_own_variable(condition) ||
         tests_readiness(condition) || tests_responsibility(condition) ||
         (COMPARISON_CLASS_P(condition) && first_word(condition) == "delete");
}

} // namespace pathprof
