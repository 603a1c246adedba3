// SPDX-License-Identifier: GPL-3.0-or-later
// Parses source expressions and splits them at &&, ||, ! and ?:.
#ifndef PATHPROF_PLUGIN_GCC_WRITTEN_EXPRESSION_H
#define PATHPROF_PLUGIN_GCC_WRITTEN_EXPRESSION_H

#include <memory>
#include <vector>

#include "plugin/gcc/source_tokens.h"

namespace pathprof {

// Represents a missing token index.
inline constexpr size_t kNone = SIZE_MAX;

// A range of tokens, from `begin` up to but not including `end`.
struct Span {
  size_t begin, end;
  bool is_empty() const { return begin >= end; }
  bool has(size_t at) const { return begin <= at && at < end; }
  bool is(Span other) const { return begin == other.begin && end == other.end; }
};

struct Node {
  enum Kind { Leaf, Not, And, Or, Conditional } kind = Leaf;
  Span span;
  std::vector<std::unique_ptr<Node>> operands;
};
using NodePointer = std::unique_ptr<Node>;

// Finds and parses expressions in a list of tokens.
class ExpressionReader {
public:
  explicit ExpressionReader(const std::vector<SourceToken> &tokens);

  bool is(size_t at, const char *text) const { return at < tokens_.size() && tokens_[at].text == text; }

  // Returns the index of the opening bracket of the innermost brackets around a token, or kNone.
  size_t bracket_around(size_t at) const;

  // Returns the tokens between an opening bracket and its closing bracket, or all tokens if `open` is kNone.
  Span inside(size_t open) const { return open == kNone ? Span{0, tokens_.size()} : Span{open + 1, partner_[open]}; }

  // Returns the tokens in the span that form the expression around the token `at`.
  Span expression_around(Span span, size_t at) const;

  // Returns true if the token is a keyword that is followed by a condition in parentheses.
  bool is_statement(size_t at) const;

  // Returns the condition of an if, while or for. Skips an initialization, declaration or comma operand before the
  // condition.
  Span condition_of(size_t statement) const;

  // Parses the expression in the span. An expression that cannot be parsed becomes a leaf.
  NodePointer read(Span span) const;

  // Returns false if the span begins with a binary operator. In this case, the parser did not recognize the operand
  // before the operator.
  bool may_be_operand(Span span) const;

private:
  // Returns true if the token begins a block of statements.
  bool begins_block(Span span, size_t at) const;

  // Returns the index after the token, or after the closing bracket if the token is an opening bracket.
  size_t next(size_t at) const;

  template <typename Test>
  bool has_at_top(Span span, Test test) const {
    for (size_t i = span.begin; i < span.end; i = next(i))
      if (test(i))
        return true;
    return false;
  }

  size_t find_at_top(Span span, const char *text) const;

  bool is_assignment(size_t at) const;

  NodePointer read_choice(Span span, size_t question) const;

  NodePointer read_joined(Span span, const char *text, Node::Kind kind) const;

  // Parses an expression that has no &&, || or ?: outside brackets.
  NodePointer read_operand(Span span) const;

  // Parses comparisons to 0, such as (a && b) == 0. Returns null for other expressions.
  NodePointer read_comparison_with_0(Span span) const;

  // Returns the argument of __builtin_expect, or the operand of a cast to a truth value or an integer.
  Span passed_on(Span span) const;

  // Returns true if the span contains no binary operator outside brackets.
  bool is_unary(Span span) const;

  // Returns true if the token follows a parenthesis that might end a cast.
  bool is_cast_before(size_t at) const;

  const std::vector<SourceToken> &tokens_;
  std::vector<size_t> partner_; // Index of each bracket's partner, or kNone
};

} // namespace pathprof

#endif
