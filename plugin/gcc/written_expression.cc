// SPDX-License-Identifier: GPL-3.0-or-later
// Parses expressions of the source program from tokens.
#include "plugin/gcc/written_expression.h"

#include <algorithm>

#include "plugin/gcc/source_place.h"

namespace pathprof {

static NodePointer node(Node::Kind kind, Span span) {
  auto made = std::make_unique<Node>();
  made->kind = kind;
  made->span = span;
  return made;
}

ExpressionReader::ExpressionReader(const std::vector<SourceToken> &tokens)
    : tokens_(tokens), partner_(tokens.size(), kNone) {
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens_.size(); i++) {
    if (is(i, "(") || is(i, "[") || is(i, "{"))
      open.push_back(i);
    else if (!open.empty() && (is(i, ")") || is(i, "]") || is(i, "}"))) {
      partner_[i] = open.back();
      partner_[open.back()] = i;
      open.pop_back();
    }
  }
}

size_t ExpressionReader::bracket_around(size_t at) const {
  while (at-- > 0)
    if (partner_[at] != kNone && partner_[at] < at)
      at = partner_[at];
    else if (is(at, "(") || is(at, "[") || is(at, "{"))
      return partner_[at] == kNone ? kNone : at;
  return kNone;
}

Span ExpressionReader::expression_around(Span span, size_t at) const {
  Span found = span;
  for (size_t i = span.begin; i < span.end; i = next(i)) {
    bool is_end = is(i, ";") || is(i, ",") || begins_block(span, i) || is(i, "}");
    bool is_begin = is_end || is(i, "return") || is(i, "else") || is(i, "do") || is_assignment(i);
    if (i >= at && is_end) {
      found.end = i;
      return found;
    }
    if (next(i) <= at && is_begin)
      found.begin = next(i);
    if (is_statement(i) && next(i + 1) <= at)
      found.begin = next(i + 1);
  }
  return found;
}

// The braces of initializers and lambda expressions do not begin a block, because they are part of expressions.
bool ExpressionReader::begins_block(Span span, size_t at) const {
  if (!is(at, "{"))
    return false;
  if (at == span.begin)
    return true;
  size_t before = at - 1;
  bool is_behind_parentheses = is(before, ")") && partner_[before] != kNone;
  bool is_lambda = is_behind_parentheses && partner_[before] > 0 && is(partner_[before] - 1, "]");
  return (is(before, ")") && !is_lambda) || is(before, ";") || is(before, "{") || is(before, "}") || is(before, ":") ||
         is(before, "else") || is(before, "do") || is(before, "try");
}

bool ExpressionReader::may_be_operand(Span span) const {
  static const char *const binary[] = {"==", "!=", "<",  ">", "<=", ">=", "<<", ">>", "<=>", "/", "%", "|",
                                       "^",  "&&", "||", "?", ":",  ".",  "->", ",",  "=",   "{", "}"};
  return std::none_of(std::begin(binary), std::end(binary), [&](const char *text) { return is(span.begin, text); });
}

bool ExpressionReader::is_statement(size_t at) const {
  return (is(at, "if") || is(at, "while") || is(at, "for")) && is(at + 1, "(") && partner_[at + 1] != kNone;
}

Span ExpressionReader::condition_of(size_t statement) const {
  Span span = inside(statement + 1);
  size_t first = find_at_top(span, ";");
  if (first != kNone)
    span.begin = first + 1;
  size_t second = find_at_top(span, ";");
  if (second != kNone)
    span.end = second;
  return span.is_empty() ? span : expression_around(span, span.end - 1);
}

NodePointer ExpressionReader::read(Span span) const {
  if (span.is_empty() || has_at_top(span, [&](size_t i) { return is(i, ",") || is(i, ";") || is_assignment(i); }))
    return node(Node::Leaf, span);
  if (size_t question = find_at_top(span, "?"); question != kNone)
    return read_choice(span, question);
  for (auto [text, kind] : {std::pair("||", Node::Or), std::pair("&&", Node::And)})
    if (has_at_top(span, [&, text = text](size_t i) { return is(i, text); }))
      return read_joined(span, text, kind);
  return read_operand(span);
}

size_t ExpressionReader::next(size_t at) const {
  return at < partner_.size() && partner_[at] != kNone && partner_[at] > at ? partner_[at] + 1 : at + 1;
}

size_t ExpressionReader::find_at_top(Span span, const char *text) const {
  for (size_t i = span.begin; i < span.end; i = next(i))
    if (is(i, text))
      return i;
  return kNone;
}

bool ExpressionReader::is_assignment(size_t at) const {
  static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  return std::any_of(std::begin(operators), std::end(operators), [&](const char *text) { return is(at, text); });
}

NodePointer ExpressionReader::read_choice(Span span, size_t question) const {
  size_t colon = question + 1;
  for (int open = 1; colon < span.end; colon = next(colon)) {
    open += is(colon, "?") - is(colon, ":");
    if (open == 0)
      break;
  }
  if (colon >= span.end)
    return node(Node::Leaf, span);
  NodePointer choice = node(Node::Conditional, span);
  bool has_middle = colon > question + 1; // False for the GNU extension a ?: b
  if (!has_middle)
    return node(Node::Leaf, span);
  choice->operands.push_back(read({span.begin, question}));
  choice->operands.push_back(read({question + 1, colon}));
  choice->operands.push_back(read({colon + 1, span.end}));
  return choice;
}

NodePointer ExpressionReader::read_joined(Span span, const char *text, Node::Kind kind) const {
  NodePointer joined = node(kind, span);
  size_t begin = span.begin;
  for (size_t i = span.begin; i < span.end; i = next(i))
    if (is(i, text)) {
      joined->operands.push_back(read({begin, i}));
      begin = i + 1;
    }
  joined->operands.push_back(read({begin, span.end}));
  return joined;
}

NodePointer ExpressionReader::read_operand(Span span) const {
  if (is(span.begin, "(") && next(span.begin) == span.end && !is(span.begin + 1, "{"))
    return read({span.begin + 1, span.end - 1});
  if (NodePointer compared = read_comparison_with_0(span))
    return compared;
  bool is_negation = is(span.begin, "!") && is_unary({span.begin + 1, span.end});
  if (is_negation) {
    NodePointer operand = read({span.begin + 1, span.end});
    if (operand->kind == Node::Leaf)
      return node(Node::Leaf, span);
    NodePointer negation = node(Node::Not, span);
    negation->operands.push_back(std::move(operand));
    return negation;
  }
  if (Span inner = passed_on(span); !inner.is_empty()) {
    NodePointer operand = read(inner);
    if (operand->kind != Node::Leaf)
      return operand;
  }
  return node(Node::Leaf, span);
}

NodePointer ExpressionReader::read_comparison_with_0(Span span) const {
  if (span.end - span.begin < 4)
    return nullptr;
  size_t comparison = span.end - 2;
  bool is_zero = is(span.end - 1, "0") || is(span.end - 1, "false");
  bool is_equal = is(comparison, "=="), is_comparison = is_equal || is(comparison, "!=");
  if (!is_zero || !is_comparison || !is_unary({span.begin, comparison}))
    return nullptr;
  NodePointer operand = read({span.begin, comparison});
  if (operand->kind == Node::Leaf || !is_equal)
    return operand->kind == Node::Leaf ? nullptr : std::move(operand);
  NodePointer negation = node(Node::Not, span);
  negation->operands.push_back(std::move(operand));
  return negation;
}

Span ExpressionReader::passed_on(Span span) const {
  bool is_call = is(span.begin + 1, "(") && next(span.begin + 1) == span.end;
  if (is(span.begin, "__builtin_expect") && is_call) {
    Span arguments = {span.begin + 2, span.end - 1};
    size_t comma = find_at_top(arguments, ",");
    return comma == kNone ? Span{0, 0} : Span{arguments.begin, comma};
  }
  auto is_type = [&](size_t at) { return is(at, "bool") || is(at, "_Bool") || is(at, "int") || is(at, "long"); };
  if (is_type(span.begin) && is_call)
    return {span.begin + 2, span.end - 1};
  bool is_cast = is(span.begin, "(") && is_type(span.begin + 1) && is(span.begin + 2, ")") && is(span.begin + 3, "(");
  return is_cast && next(span.begin + 3) == span.end ? Span{span.begin + 4, span.end - 1} : Span{0, 0};
}

bool ExpressionReader::is_unary(Span span) const {
  bool had_operand = false;
  for (size_t i = span.begin; i < span.end; i = next(i)) {
    bool is_open = is(i, "(") || is(i, "[");
    bool is_postfix = is(i, "++") || is(i, "--");
    if (is(i, ".") || is(i, "->") || is(i, "::"))
      had_operand = false;
    else if (is_open || is_word(tokens_[i].text.front())) {
      bool is_second = had_operand && !is_open && !is_cast_before(i);
      if (is_second)
        return false;
      had_operand = true;
    } else if (had_operand && !is_postfix && !is_cast_before(i))
      return false;
  }
  return true;
}

bool ExpressionReader::is_cast_before(size_t at) const {
  if (at == 0 || !is(at - 1, ")") || partner_[at - 1] == kNone)
    return false;
  size_t open = partner_[at - 1];
  bool is_called = open > 0 && (is_word(tokens_[open - 1].text.front()) || is(open - 1, ")"));
  for (size_t i = open + 1; i < at - 1 && !is_called; i++)
    if (!is_word(tokens_[i].text.front()) && !is(i, "*") && !is(i, "::") && !is(i, "&"))
      return false;
  bool is_operand =
      is_word(tokens_[at].text.front()) || is(at, "*") || is(at, "&") || is(at, "-") || is(at, "~") || is(at, "!");
  return !is_called && at - 1 > open + 1 && is_operand;
}

} // namespace pathprof
