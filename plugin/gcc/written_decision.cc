// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/written_decision.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_place.h"
#include "plugin/gcc/source_tokens.h"

namespace pathprof {

namespace {

constexpr size_t kNone = SIZE_MAX;
// Conditional operators in an expression, each of which may be part of the diagram or a condition of its own.
constexpr size_t kMostChoices = 6;

// Tokens from `begin` to before `end`.
struct Span {
  size_t begin, end;
  bool is_empty() const { return begin >= end; }
  bool has(size_t at) const { return begin <= at && at < end; }
};

struct Node {
  enum Kind { Leaf, Not, And, Or, Choice } kind = Leaf;
  Span span;
  std::vector<std::unique_ptr<Node>> operands;
};
using NodePointer = std::unique_ptr<Node>;

NodePointer node(Node::Kind kind, Span span) {
  auto made = std::make_unique<Node>();
  made->kind = kind;
  made->span = span;
  return made;
}

// ---- reading ----

class Reader {
public:
  explicit Reader(const std::vector<SourceToken> &tokens) : tokens_(tokens), partner_(tokens.size(), kNone) {
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

  bool is(size_t at, const char *text) const { return at < tokens_.size() && tokens_[at].text == text; }

  // Returns the bracket around a token, or kNone.
  size_t bracket_around(size_t at) const {
    while (at-- > 0)
      if (partner_[at] != kNone && partner_[at] < at)
        at = partner_[at];
      else if (is(at, "(") || is(at, "[") || is(at, "{"))
        return partner_[at] == kNone ? kNone : at;
    return kNone;
  }

  // Returns what is between a bracket and its partner; all tokens if `open` is kNone.
  Span inside(size_t open) const { return open == kNone ? Span{0, tokens_.size()} : Span{open + 1, partner_[open]}; }

  // Returns the expression in the span that the token is part of.
  Span expression_around(Span span, size_t at) const {
    Span found = span;
    for (size_t i = span.begin; i < span.end; i = next(i)) {
      bool is_end = is(i, ";") || is(i, ",") || is(i, "{") || is(i, "}");
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

  // Returns true if the token is a keyword with a condition in parentheses behind it.
  bool is_statement(size_t at) const {
    return (is(at, "if") || is(at, "while") || is(at, "for")) && is(at + 1, "(") && partner_[at + 1] != kNone;
  }

  // Returns the condition of an if, while or for: what is behind an initialization, a declaration or a comma.
  Span condition_of(size_t statement) const {
    Span span = inside(statement + 1);
    size_t first = find_at_top(span, ";");
    if (first != kNone)
      span.begin = first + 1;
    size_t second = find_at_top(span, ";");
    if (second != kNone)
      span.end = second;
    return span.is_empty() ? span : expression_around(span, span.end - 1);
  }

  NodePointer read(Span span) const {
    if (span.is_empty() || has_at_top(span, [&](size_t i) { return is(i, ",") || is(i, ";") || is_assignment(i); }))
      return node(Node::Leaf, span);
    if (size_t question = find_at_top(span, "?"); question != kNone)
      return read_choice(span, question);
    for (auto [text, kind] : {std::pair("||", Node::Or), std::pair("&&", Node::And)})
      if (has_at_top(span, [&, text = text](size_t i) { return is(i, text); }))
        return read_joined(span, text, kind);
    return read_operand(span);
  }

private:
  // Behind a token, or behind the bracket that it opens.
  size_t next(size_t at) const {
    return at < partner_.size() && partner_[at] != kNone && partner_[at] > at ? partner_[at] + 1 : at + 1;
  }

  template <typename Test>
  bool has_at_top(Span span, Test test) const {
    for (size_t i = span.begin; i < span.end; i = next(i))
      if (test(i))
        return true;
    return false;
  }

  size_t find_at_top(Span span, const char *text) const {
    for (size_t i = span.begin; i < span.end; i = next(i))
      if (is(i, text))
        return i;
    return kNone;
  }

  bool is_assignment(size_t at) const {
    static const char *const operators[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
    return std::any_of(std::begin(operators), std::end(operators), [&](const char *text) { return is(at, text); });
  }

  NodePointer read_choice(Span span, size_t question) const {
    size_t colon = question + 1;
    for (int open = 1; colon < span.end; colon = next(colon)) {
      open += is(colon, "?") - is(colon, ":");
      if (open == 0)
        break;
    }
    if (colon >= span.end)
      return node(Node::Leaf, span);
    NodePointer choice = node(Node::Choice, span);
    bool has_middle = colon > question + 1; // a ?: b has none
    if (!has_middle)
      return node(Node::Leaf, span);
    choice->operands.push_back(read({span.begin, question}));
    choice->operands.push_back(read({question + 1, colon}));
    choice->operands.push_back(read({colon + 1, span.end}));
    return choice;
  }

  NodePointer read_joined(Span span, const char *text, Node::Kind kind) const {
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

  // What neither && nor || nor ?: joins at its top.
  NodePointer read_operand(Span span) const {
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

  // Of (a && b) == 0, and the like.
  NodePointer read_comparison_with_0(Span span) const {
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

  // Returns the argument of __builtin_expect, or what is cast to a truth value or an integer.
  Span passed_on(Span span) const {
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

  // Returns true if no binary operator is at the top of the span.
  bool is_unary(Span span) const {
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

  // Returns true if a parenthesis that may end a cast is in front of the token.
  bool is_cast_before(size_t at) const {
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

  const std::vector<SourceToken> &tokens_;
  std::vector<size_t> partner_; // by bracket
};

// ---- diagrams ----

// A diagram of an expression, and the tokens of its conditions.
struct Written {
  DecisionDiagram diagram;
  std::vector<Span> conditions;
};

class Lowering {
public:
  // Bits of `values` are the ?: that are conditions, in their order.
  explicit Lowering(unsigned values) : values_(values) {}

  Written run(const Node &root) {
    number(root);
    written_.diagram.resize(written_.conditions.size());
    at_ = choice_ = 0;
    lower(root, kOutcomeTrue, kOutcomeFalse);
    return std::move(written_);
  }

  size_t num_choices() const { return num_choices_; }

private:
  bool is_condition(const Node &of) {
    return of.kind == Node::Leaf || (of.kind == Node::Choice && choice_ < 32 && (values_ >> choice_++ & 1));
  }

  // Returns the number of conditions.
  size_t number(const Node &of) {
    num_choices_ += of.kind == Node::Choice;
    if (is_condition(of)) {
      written_.conditions.push_back(of.span);
      return 1;
    }
    size_t num = 0;
    for (const NodePointer &operand : of.operands)
      num += number(*operand);
    sizes_[&of] = num;
    return num;
  }

  size_t size_of(const Node &of) const {
    auto at = sizes_.find(&of);
    return at == sizes_.end() ? 1 : at->second;
  }

  void lower(const Node &of, uint32_t if_true, uint32_t if_false) {
    if (is_condition(of)) {
      written_.diagram[at_++] = {if_false, if_true};
      return;
    }
    auto behind = [&](size_t i) { // first condition behind the i-th operand
      size_t first = at_;
      for (size_t j = 0; j <= i; j++)
        first += size_of(*of.operands[j]);
      return static_cast<uint32_t>(kFirstCondition + first);
    };
    if (of.kind == Node::Not)
      return lower(*of.operands[0], if_false, if_true);
    if (of.kind == Node::Choice) {
      uint32_t second = behind(0), third = behind(1);
      lower(*of.operands[0], second, third);
      lower(*of.operands[1], if_true, if_false);
      return lower(*of.operands[2], if_true, if_false);
    }
    for (size_t i = 0; i < of.operands.size(); i++) {
      bool is_last = i + 1 == of.operands.size();
      uint32_t next = is_last ? 0 : static_cast<uint32_t>(kFirstCondition + at_ + size_of(*of.operands[i]));
      bool is_and = of.kind == Node::And;
      lower(*of.operands[i], is_last || !is_and ? if_true : next, is_last || is_and ? if_false : next);
    }
  }

  unsigned values_;
  size_t choice_ = 0, num_choices_ = 0, at_ = 0;
  Written written_;
  std::map<const Node *, size_t> sizes_; // number of conditions of those that are not one
};

// Returns the senses of conditions for which the two diagrams are the same if the outcome has the same or the opposite
// value; nothing if there are none.
std::vector<Sense> compare(const DecisionDiagram &tree, const DecisionDiagram &written, bool is_opposite) {
  std::vector<Sense> senses;
  for (size_t i = 0; i < tree.size(); i++) {
    auto follower = [&](size_t value) {
      uint32_t next = written[i][value];
      return next < kFirstCondition ? next ^ static_cast<uint32_t>(is_opposite) : next;
    };
    if (tree[i][0] == follower(0) && tree[i][1] == follower(1))
      senses.push_back(Sense::Same);
    else if (tree[i][0] == follower(1) && tree[i][1] == follower(0))
      senses.push_back(Sense::Opposite);
    else
      return {};
  }
  return senses;
}

// ---- finding ----

// If one end is in the source and the other one in a macro, the text has the use of the macro; but what the macro makes
// stays if only a '!' is in front of it.
source_range range_of(const SourceToken &first, const SourceToken &last, bool is_negation) {
  source_range range = in_argument({first.location, last.location});
  bool begins_in_macro = is_of_macro(range.m_start), ends_in_macro = is_of_macro(range.m_finish);
  if (begins_in_macro && !ends_in_macro)
    range.m_start = first.use.m_start;
  else if (ends_in_macro && !begins_in_macro && !is_negation)
    range.m_finish = last.use.m_finish;
  return range;
}

class Finder {
public:
  Finder(const DecisionDiagram &diagram, const std::vector<SourceToken> &tokens, std::vector<size_t> places)
      : diagram_(diagram), tokens_(tokens), reader_(tokens), places_(std::move(places)) {}

  // An expression that contains all places is preferred: a front end may give a condition the place of something around
  // the decision.
  std::vector<ConditionRange> find() const {
    if (diagram_.size() == 1)
      return find_single();
    for (bool has_all : {true, false})
      for (size_t place : places_)
        if (std::vector<ConditionRange> found = find_around(place, has_all); !found.empty())
          return found;
    return {};
  }

private:
  // A decision of one condition is all that a statement has in its parentheses.
  std::vector<ConditionRange> find_single() const {
    for (size_t place : places_) {
      Span span = reader_.is_statement(place) ? reader_.condition_of(place) : Span{0, 0};
      NodePointer root = reader_.read(span);
      if (!span.is_empty() && (root->kind == Node::Leaf || root->kind == Node::Choice))
        return ranges({{}, {root->span}}, {Sense::Same}, {});
    }
    return {};
  }

  std::vector<ConditionRange> find_around(size_t place, bool has_all) const {
    if (reader_.is_statement(place))
      return find_in(*reader_.read(reader_.condition_of(place)), has_all, place);
    for (size_t open = place, at = place;; at = open) {
      open = reader_.bracket_around(at);
      NodePointer root = reader_.read(reader_.expression_around(reader_.inside(open), at));
      if (std::vector<ConditionRange> found = find_in(*root, has_all, place); !found.empty())
        return found;
      bool is_last = open == kNone || reader_.is(open, "{") || (open > 0 && reader_.is_statement(open - 1));
      if (is_last)
        return {};
    }
  }

  // Looks for the decision in the expression and its operands.
  std::vector<ConditionRange> find_in(const Node &root, bool has_all, size_t place) const {
    auto is_in = [&](size_t at) { return root.span.has(at) || reader_.is_statement(at); };
    if (root.kind == Node::Leaf || !is_in(place) || (has_all && !std::all_of(places_.begin(), places_.end(), is_in)))
      return {};
    if (std::vector<ConditionRange> found = match(root); !found.empty())
      return found;
    for (const NodePointer &operand : root.operands)
      if (std::vector<ConditionRange> found = find_in(*operand, has_all, place); !found.empty())
        return found;
    return {};
  }

  std::vector<ConditionRange> match(const Node &root) const {
    Lowering plain(0);
    Written written = plain.run(root);
    size_t num_choices = std::min(plain.num_choices(), kMostChoices);
    for (unsigned values = 0;; written = Lowering(values).run(root)) {
      if (written.diagram.size() == diagram_.size()) {
        std::vector<Sense> same = compare(diagram_, written.diagram, false);
        std::vector<Sense> opposite = compare(diagram_, written.diagram, true);
        if (!same.empty() || !opposite.empty())
          return ranges(written, same, opposite);
      }
      if (++values == 1u << num_choices)
        return {};
    }
  }

  // Of a decision that is one ?: the senses are known only as far as they do not depend on that of the outcome.
  std::vector<ConditionRange> ranges(const Written &written, const std::vector<Sense> &same,
                                     const std::vector<Sense> &opposite) const {
    std::vector<ConditionRange> found;
    for (size_t i = 0; i < written.conditions.size(); i++) {
      Span span = written.conditions[i];
      ConditionRange range;
      if (!span.is_empty()) {
        range.is_negation = reader_.is(span.begin, "!");
        range.range = range_of(tokens_[span.begin], tokens_[span.end - 1], range.is_negation);
        bool is_certain = same.empty() || opposite.empty() || same[i] == opposite[i];
        range.sense = !is_certain ? Sense::Unknown : same.empty() ? opposite[i] : same[i];
      }
      found.push_back(range);
    }
    return found;
  }

  const DecisionDiagram &diagram_;
  const std::vector<SourceToken> &tokens_;
  Reader reader_;
  std::vector<size_t> places_;
};

} // namespace

std::vector<ConditionRange> written_conditions(const DecisionDiagram &diagram, const std::vector<location_t> &places) {
  if (places.empty())
    return {};
  location_t outside = linemap_resolve_location(line_table, places.front(), LRK_MACRO_EXPANSION_POINT, nullptr);
  std::vector<SourceToken> tokens = tokens_around(outside);
  std::vector<size_t> known;
  for (location_t place : places)
    for (size_t i = 0; i < tokens.size(); i++)
      if (tokens[i].location == place) {
        known.push_back(i);
        break;
      }
  return known.empty() ? std::vector<ConditionRange>() : Finder(diagram, tokens, std::move(known)).find();
}

} // namespace pathprof
