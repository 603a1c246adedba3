// SPDX-License-Identifier: GPL-3.0-or-later
// Where the source has the text of a condition.
//
// A conditional jump has the position of the statement or operator that it was made of, and the compiler may have
// turned the condition around.  While the function is a tree the condition is known, with the first and the last place
// of its text.  The jump's position takes them along, through all copies that are made of the jump.
#ifndef PATHPROF_PLUGIN_GCC_CONDITION_TEXT_H
#define PATHPROF_PLUGIN_GCC_CONDITION_TEXT_H

#include "plugin/gcc/file_table.h"
#include "plugin/gcc/gcc.h"
#include "profile/model/notes.h"

namespace pathprof {

// The first and the last place of a condition; UNKNOWN_LOCATION where they are not known.
struct ConditionRange {
  source_range range = {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  bool is_negation = false;     // it begins with its operator, a '!'
  Sense sense = Sense::Unknown; // of the first edge out of the jump
  bool is_beginning = false;    // only the first word is known
  bool is_part = false;         // it is that of a condition or value which is compared with 0
  bool is_opposite = false;     // and the whole holds where it is 0
  bool is_as_written = false;   // it is a comparison, with the operator that the source has
  bool is_combined = false;     // it tests what bitwise operators make of two values
};

// Of the operand of a COND_EXPR.  The sense is known where the text is that of a value which the operand compares with
// 0, and has no place of its own.
ConditionRange range_of_condition(tree condition);

// Whether an operation puts two values, or truth values, together bit by bit.
bool combines(tree_code operation);

// Whether it is the test of a value that the source has without a comparison, or may be one: x != 0, x == 0, !x.
bool tests_value(tree condition);

// Returns true if the conversion of a value that is not 0 is not 0.
bool keeps_truth(tree conversion);

// Whether the call is __builtin_expect (x, ...), which is x.
bool expects(tree call);

// Where the operand is, in the macro that it is in.
source_range place_of_condition(tree condition);

// Gives a jump the range; line and column stay as they are.
void set_range_of_condition(gcond *jump, const ConditionRange &condition);

// Gives a jump without a range of its own another one if its position is that of a jump which was given one: it may be
// of a part of that condition.
void keep_out_of_others(gcond *jump);

// A statement's position; that of a jump is the one that it had before it was given a range, where GCC asks whether
// positions are the same.
location_t position_of(gimple *statement);

// What the jump with this position was given, or nothing.  In a macro it is the text in the macro's definition, or, of
// an argument, that of the argument.
SourceText text_of_condition(location_t location, FileTable &files);

// Whether what the jump with this position was given tests what bitwise operators make of two values.
bool tests_combined_values(location_t location);

} // namespace pathprof

#endif
