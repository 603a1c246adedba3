// SPDX-License-Identifier: GPL-3.0-or-later
// Reads expressions of the source, and splits them at &&, ||, ! and ?:.
#ifndef PATHPROF_PLUGIN_GCC_WRITTEN_EXPRESSION_H
#define PATHPROF_PLUGIN_GCC_WRITTEN_EXPRESSION_H

#include <memory>
#include <vector>

#include "plugin/gcc/source_tokens.h"

namespace pathprof {

// In place of the index of a token.
inline constexpr size_t kNone = SIZE_MAX;

// Tokens from `begin` to before `end`.
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

// Finds and reads expressions in a list of tokens.
class ExpressionReader {
public:
  explicit ExpressionReader(const std::vector<SourceToken> &tokens);

  bool is(size_t at, const char *text) const { return at < tokens_.size() && tokens_[at].text == text; }

  // Returns the bracket around a token, or kNone.
  size_t bracket_around(size_t at) const;

  // Returns what is between a bracket and its partner; all tokens if `open` is kNone.
  Span inside(size_t open) const { return open == kNone ? Span{0, tokens_.size()} : Span{open + 1, partner_[open]}; }

  // Returns the expression in the span that the token is part of.
  Span expression_around(Span span, size_t at) const;

  // Returns true if the token is a keyword with a condition in parentheses behind it.
  bool is_statement(size_t at) const;

  // Returns the condition of an if, while or for: what is behind an initialization, a declaration or a comma.
  Span condition_of(size_t statement) const;

  // Returns the expression in the span. An expression that cannot be read is a leaf.
  NodePointer read(Span span) const;

  // Returns false if the span begins with an operator that has an operand in front of it: something in front of the
  // span was not understood.
  bool may_be_operand(Span span) const;

private:
  // Returns true if the token begins a block of statements.
  bool begins_block(Span span, size_t at) const;

  // Returns the index after the token, or after the partner of the bracket that it opens.
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

  // Reads an expression without &&, || and ?: at its top.
  NodePointer read_operand(Span span) const;

  // Reads (a && b) == 0 and the like; returns null if the span is not such a comparison.
  NodePointer read_comparison_with_0(Span span) const;

  // Returns the argument of __builtin_expect, or what is cast to a truth value or an integer.
  Span passed_on(Span span) const;

  // Returns true if no binary operator is at the top of the span.
  bool is_unary(Span span) const;

  // Returns true if a parenthesis that may end a cast is in front of the token.
  bool is_cast_before(size_t at) const;

  const std::vector<SourceToken> &tokens_;
  std::vector<size_t> partner_; // by bracket
};

} // namespace pathprof

#endif
