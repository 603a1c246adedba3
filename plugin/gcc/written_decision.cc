// SPDX-License-Identifier: GPL-3.0-or-later
// Matches decisions in GCC's trees with expressions in the source text.
#include "plugin/gcc/written_decision.h"

#include <algorithm>
#include <map>

#include "plugin/gcc/locations.h"
#include "plugin/gcc/written_expression.h"

namespace pathprof {

namespace {

// Each ?: in an expression can be interpreted as part of the decision diagram or as a single condition. If an
// expression contains more ?: operators than this limit, not all combinations of interpretations are tried.
constexpr size_t kMostChoices = 6;

// ---- diagrams ----

// The decision diagram of a source expression, and the tokens of each condition in the expression.
struct Written {
  DecisionDiagram diagram;
  std::vector<Span> conditions;
};

class Lowering {
public:
  // If bit i of `values` is set, the i-th ?: in the expression is treated as a single condition.
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
    return of.kind == Node::Leaf || (of.kind == Node::Conditional && choice_ < 32 && (values_ >> choice_++ & 1));
  }

  // Counts the conditions in the expression and stores the token range of each condition.
  size_t number(const Node &of) {
    num_choices_ += of.kind == Node::Conditional;
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
    auto behind = [&](size_t i) { // Index of the first condition after the i-th operand
      size_t first = at_;
      for (size_t j = 0; j <= i; j++)
        first += size_of(*of.operands[j]);
      return static_cast<uint32_t>(kFirstCondition + first);
    };
    if (of.kind == Node::Not)
      return lower(*of.operands[0], if_false, if_true);
    if (of.kind == Node::Conditional) {
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
  std::map<const Node *, size_t> sizes_; // Number of conditions of each node that is not itself a condition
};

// Returns the senses of the conditions that make the two diagrams equal, or an empty list if no combination of senses
// does. If `is_opposite` is true, the outcome of `written` is inverted before the comparison.
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

// ---- search ----

// Returns the source range of the tokens. If the ends are not in the same macro, an end that is in a macro is replaced
// with the corresponding end of the macro invocation. Exception: if the first token is a '!' outside a macro, the end
// of the range is not replaced.
source_range range_of_tokens(const SourceToken &first, const SourceToken &last, bool is_negation) {
  source_range range = in_argument({first.location, last.location});
  bool begins_in_macro = is_of_macro(range.m_start), ends_in_macro = is_of_macro(range.m_finish);
  if (begins_in_macro && ends_in_macro) {
    source_range in_one = in_one_macro(range);
    range = is_known(in_one.m_start) ? in_one : source_range{first.use.m_start, last.use.m_finish};
  } else if (begins_in_macro && !ends_in_macro)
    range.m_start = first.use.m_start;
  else if (ends_in_macro && !begins_in_macro && !is_negation)
    range.m_finish = last.use.m_finish;
  return range;
}

// An expression around a source position. `is_statement` is true if it is the complete condition of an if, while or
// for.
struct Root {
  NodePointer tree;
  bool is_statement;
};

class Finder {
public:
  Finder(const DecisionInTree &decision, const std::vector<SourceToken> &tokens)
      : diagram_(decision.diagram), conditions_(decision.conditions), tokens_(tokens), reader_(tokens) {
    for (const ConditionInTree &condition : conditions_)
      add_place(condition.place);
    add_place(decision.place);
  }

  // Returns true if the statement that contains the decision may contain a ?:.
  bool may_be_in_choice() const {
    if (places_.empty())
      return true;
    auto ends_statement = [&](size_t at) { return reader_.is(at, ";") || reader_.is(at, "{") || reader_.is(at, "}"); };
    size_t begin = places_.front(), end = begin;
    while (begin > 0 && !ends_statement(begin - 1))
      begin--;
    while (end < tokens_.size() && !ends_statement(end))
      end++;
    return begin == 0 || end == tokens_.size() || has_word({begin, end}, "?");
  }

  // First tries expressions that contain the locations of all conditions. Other expressions are tried afterwards,
  // because a front end may give a condition the location of an expression around the decision.
  WrittenDecision find() const {
    if (diagram_.size() == 1)
      return find_single();
    for (bool has_all : {true, false})
      for (size_t place : places_)
        if (WrittenDecision found = find_around(place, has_all); !found.conditions.empty())
          return found;
    return {};
  }

private:
  // Returns the index of the token at this location, or kNone.
  size_t token_at(location_t location) const {
    for (size_t i = 0; i < tokens_.size() && is_known(location); i++)
      if (tokens_[i].location == location)
        return i;
    return kNone;
  }

  void add_place(location_t location) {
    if (size_t at = token_at(location); at != kNone)
      places_.push_back(at);
  }

  // Finds a decision with a single condition, which must be the complete parenthesized condition of a statement.
  WrittenDecision find_single() const {
    for (size_t place : places_) {
      Span span = reader_.is_statement(place) ? reader_.condition_of(place) : Span{0, 0};
      NodePointer root = reader_.read(span);
      bool is_condition = !span.is_empty() && (root->kind == Node::Leaf || root->kind == Node::Conditional);
      if (is_condition)
        return {ranges({{}, {root->span}}, {Sense::Same}, {}), Sense::Same};
    }
    return {};
  }

  WrittenDecision find_around(size_t place, bool has_all) const {
    std::vector<Root> roots = roots_around(place);
    for (size_t i = 0; i < roots.size(); i++)
      if (WrittenDecision found = find_in(*roots[i].tree, whole_of(roots, i), has_all, place);
          !found.conditions.empty())
        return found;
    return {};
  }

  // Returns the expressions in all brackets around the position, from the innermost to the outermost.
  std::vector<Root> roots_around(size_t place) const {
    std::vector<Root> roots;
    if (reader_.is_statement(place)) {
      roots.push_back({reader_.read(reader_.condition_of(place)), true});
      return roots;
    }
    for (size_t open = place;;) {
      size_t at = open;
      open = reader_.bracket_around(at);
      Span span = reader_.expression_around(reader_.inside(open), at);
      bool is_in_statement = open != kNone && open > 0 && reader_.is_statement(open - 1);
      roots.push_back({reader_.read(span), is_in_statement && reader_.condition_of(open - 1).is(span)});
      if (open == kNone || reader_.is(open, "{") || is_in_statement)
        return roots;
    }
  }

  // Returns the largest of the `roots` that contains `roots[i]` as an operand, possibly in parentheses.
  static const Root &whole_of(const std::vector<Root> &roots, size_t i) {
    std::vector<const Node *> path;
    while (i + 1 < roots.size() && find_path(*roots[i + 1].tree, roots[i].tree->span, path))
      i++;
    return roots[i];
  }

  // Appends the nodes on the path from the expression to the operand with this span. Returns false if there is no such
  // operand.
  static bool find_path(const Node &from, Span span, std::vector<const Node *> &path) {
    path.push_back(&from);
    if (from.span.is(span))
      return true;
    for (const NodePointer &operand : from.operands)
      if (find_path(*operand, span, path))
        return true;
    path.pop_back();
    return false;
  }

  // Searches for the decision in the expression and its operands.
  WrittenDecision find_in(const Node &root, const Root &whole, bool has_all, size_t place) const {
    auto is_in = [&](size_t at) { return root.span.has(at) || reader_.is_statement(at); };
    if (root.kind == Node::Leaf || !is_in(place) || (has_all && !std::all_of(places_.begin(), places_.end(), is_in)))
      return {};
    if (WrittenDecision found = match(root, whole); !found.conditions.empty())
      return found;
    for (const NodePointer &operand : root.operands)
      if (WrittenDecision found = find_in(*operand, whole, has_all, place); !found.conditions.empty())
        return found;
    return {};
  }

  WrittenDecision match(const Node &part, const Root &whole) const {
    std::vector<const Node *> path;
    find_path(*whole.tree, part.span, path);
    while (path.size() > 1 && path[path.size() - 2]->kind == Node::Not)
      path.pop_back();
    const Node *parent = path.size() > 1 ? path[path.size() - 2] : nullptr;
    bool is_whole = !parent || (parent->kind == Node::Conditional && parent->operands[0].get() == path.back());
    bool is_statement = !parent && whole.is_statement;
    Lowering plain(0);
    Written written = plain.run(*path.back());
    size_t num_choices = std::min(plain.num_choices(), kMostChoices);
    for (unsigned values = 0;; written = Lowering(values).run(*path.back())) {
      if (written.diagram.size() == diagram_.size() && agrees(written, *whole.tree)) {
        std::vector<Sense> same = compare(diagram_, written.diagram, false);
        std::vector<Sense> opposite = compare(diagram_, written.diagram, true);
        if (is_statement && !same.empty()) // Front ends do not exchange the arms of statements.
          opposite.clear();
        Sense outcome = !is_whole || same.empty() == opposite.empty() ? Sense::Unknown
                        : same.empty()                                ? Sense::Opposite
                                                                      : Sense::Same;
        if (!same.empty() || !opposite.empty())
          return {ranges(written, same, opposite), outcome};
      }
      if (++values == 1u << num_choices)
        return {};
    }
  }

  // Compares a condition in the tree with the corresponding condition in the source. Returns false if the condition in
  // the source does not contain all variables of the condition in the tree, or if the location of the condition in the
  // tree is in a different operand.
  bool agrees(const Written &written, const Node &whole) const {
    for (size_t i = 0; i < conditions_.size(); i++) {
      Span span = written.conditions[i];
      if (!reader_.may_be_operand(span))
        return false;
      for (const std::string &name : conditions_[i].variables)
        if (!has_word(span, name))
          return false;
      size_t place = token_at(conditions_[i].place);
      const Node *operand = place == kNone ? nullptr : leaf_with(whole, place);
      bool is_in_other = operand && !span.has(operand->span.begin) && !operand->span.has(span.begin);
      if (is_in_other)
        return false;
    }
    return true;
  }

  bool has_word(Span span, const std::string &word) const {
    for (size_t i = span.begin; i < span.end; i++)
      if (tokens_[i].text == word)
        return true;
    return false;
  }

  // Returns the leaf that contains this token, or null.
  static const Node *leaf_with(const Node &from, size_t at) {
    if (from.operands.empty())
      return from.span.has(at) ? &from : nullptr;
    for (const NodePointer &operand : from.operands)
      if (const Node *leaf = leaf_with(*operand, at))
        return leaf;
    return nullptr;
  }

  // Returns the ranges and senses of the conditions. The diagrams can be equal whether or not the
  // outcome is inverted, for example for a single ?:. The sense of a condition is then known only if it is the same
  // either way.
  std::vector<ConditionRange> ranges(const Written &written, const std::vector<Sense> &same,
                                     const std::vector<Sense> &opposite) const {
    std::vector<ConditionRange> found;
    for (size_t i = 0; i < written.conditions.size(); i++) {
      Span span = written.conditions[i];
      ConditionRange range;
      if (!span.is_empty()) {
        range.is_negation = reader_.is(span.begin, "!");
        range.range = range_of_tokens(tokens_[span.begin], tokens_[span.end - 1], range.is_negation);
        bool is_certain = same.empty() || opposite.empty() || same[i] == opposite[i];
        range.sense = !is_certain ? Sense::Unknown : same.empty() ? opposite[i] : same[i];
      }
      found.push_back(range);
    }
    return found;
  }

  const DecisionDiagram &diagram_;
  const std::vector<ConditionInTree> &conditions_;
  const std::vector<SourceToken> &tokens_;
  ExpressionReader reader_;
  std::vector<size_t> places_; // Tokens at the locations of the decision's parts
};

// Returns the tokens in the source range, or an empty span if the start or the end of the range is unknown.
Span tokens_in(source_range range, const std::vector<SourceToken> &tokens) {
  Span span = {kNone, 0};
  bool ends_in_macro = is_of_macro(range.m_finish);
  for (size_t i = 0; i < tokens.size(); i++) {
    location_t location = tokens[i].location;
    if (location == range.m_start && span.begin == kNone)
      span.begin = i;
    // Outside macros, the end of a range is the last character of the last token.
    bool is_before_end = !ends_in_macro && is_known(location) && !is_of_macro(location) && location <= range.m_finish;
    if (location == range.m_finish || is_before_end)
      span.end = i + 1;
  }
  return span;
}

// Returns the number of conditions in the expression that contain one of the names, or of all if there are no names.
size_t num_conditions_with(const Node &of, const std::vector<SourceToken> &tokens,
                           const std::vector<std::string> &names) {
  if (of.kind == Node::Leaf)
    return names.empty() ||
           std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(of.span.begin),
                       tokens.begin() + static_cast<std::ptrdiff_t>(of.span.end), [&](const SourceToken &token) {
                         return std::find(names.begin(), names.end(), token.text) != names.end();
                       });
  size_t num = 0;
  for (const NodePointer &operand : of.operands)
    num += num_conditions_with(*operand, tokens, names);
  return num;
}

} // namespace

bool joins_conditions(source_range range, const std::vector<std::string> &names) {
  bool is_of_c = lang_GNU_C() || lang_GNU_CXX();
  if (!is_of_c || !is_known(range.m_start))
    return false;
  const std::vector<SourceToken> &tokens =
      tokens_around(linemap_resolve_location(line_table, range.m_start, LRK_MACRO_EXPANSION_POINT, nullptr));
  Span span = tokens_in(range, tokens);
  if (span.is_empty())
    return false;
  NodePointer root = ExpressionReader(tokens).read(span);
  const Node *joined = root.get();
  while (joined->kind == Node::Not)
    joined = joined->operands[0].get();
  return (joined->kind == Node::And || joined->kind == Node::Or) && num_conditions_with(*joined, tokens, names) > 1;
}

WrittenDecision written_decision(const DecisionInTree &decision) {
  location_t inside = decision.place;
  for (const ConditionInTree &condition : decision.conditions)
    if (is_known(condition.place)) {
      inside = condition.place;
      break;
    }
  bool is_of_c = lang_GNU_C() || lang_GNU_CXX(); // Other front ends, such as gdc, may invert conditions.
  if (!is_of_c)
    return {{}, Sense::Same};
  if (!is_known(inside))
    return {};
  location_t outside = linemap_resolve_location(line_table, inside, LRK_MACRO_EXPANSION_POINT, nullptr);
  const std::vector<SourceToken> &tokens = tokens_around(outside);
  Finder finder(decision, tokens);
  WrittenDecision written = finder.find();
  if (written.outcome == Sense::Unknown && !finder.may_be_in_choice())
    written.outcome = Sense::Same;
  return written;
}

} // namespace pathprof
