// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the source text of conditions.
//
// A conditional jump has the location of the statement or operator from which it was made, and the compiler may have
// inverted the condition. While the function is a tree, the first and last source locations of the condition are known.
// These locations are stored in the jump's own location, which all copies of the jump preserve.
#ifndef PATHPROF_PLUGIN_GCC_CONDITION_TEXT_H
#define PATHPROF_PLUGIN_GCC_CONDITION_TEXT_H

#include "plugin/gcc/file_table.h"
#include "plugin/gcc/gcc.h"
#include "profile/model/notes.h"

namespace pathprof {

// Source range of a condition, which may be unknown, and properties of the condition.
struct ConditionRange {
  source_range range = {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  bool is_negation = false;     // True if the text begins with its operator, a '!'
  Sense sense = Sense::Unknown; // Sense of the jump's first edge
  bool is_beginning = false;    // True if only the first token is known
  bool is_part = false;         // True if the range is that of a condition or value that is compared with 0
  bool is_opposite = false;     // True if the whole condition is true when this part is 0
  bool is_as_written = false;   // True if the text is a comparison with the same operator as the tree
  bool is_combined = false;     // True if the condition tests two values that bitwise operators combine
};

// Returns the source range of a COND_EXPR's operand. The sense is known if the operand compares a value to 0, the
// comparison has no location of its own, and the range is the range of the value.
ConditionRange range_of_condition(tree condition);

// Returns true if the operation is a bitwise operation, or the corresponding operation on truth values.
bool combines(tree_code operation);

// Returns true if the condition is x != 0, x == 0 or !x. In the source, the comparison may be implicit.
bool tests_value(tree condition);

// Returns true if the conversion never turns a nonzero value into 0.
bool keeps_truth(tree conversion);

// Returns true if the call is __builtin_expect (x, ...), whose value is that of x.
bool expects(tree call);

// Returns the source range of the condition. If the condition is in a macro, the range is inside the macro.
source_range place_of_condition(tree condition);

// Sets the source range of the jump without changing its line and column.
void set_range_of_condition(gcond *jump, const ConditionRange &condition);

// Handles a jump to which no condition was assigned. If a jump with a condition has the same location and range,
// reduces the range of `jump` to its first token. `jump` may test only part of the condition, so the text of the whole
// condition would be wrong for it.
void keep_out_of_others(gcond *jump);

// Returns the location of a statement, for comparison with other locations. If the statement is a jump with a
// condition, returns the location that the jump had before set_range_of_condition was called.
location_t position_of(gimple *statement);

// Returns the source text of the condition of a jump with this location, if the text is known. If the condition is in a
// macro, the text comes from the macro's definition or from a macro argument.
SourceText text_of_condition(location_t location, FileTable &files);

// Returns true if the jump with this location tests two values that are combined by a bitwise operator.
bool tests_combined_values(location_t location);

} // namespace pathprof

#endif
