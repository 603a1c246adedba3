// SPDX-License-Identifier: GPL-3.0-or-later
// Parses demangled names: nested brackets, operators whose names resemble brackets, and the position of the function's
// own name.
//
// A name is parsed once, from left to right. Each template argument list is shortened when it ends, so that enclosing
// lists and the table of default arguments see only shortened arguments.
#include "pathdump/ui/cxx_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

// The default template arguments of a class template in the C++ library, starting with the argument at index `first`.
// $1 refers to the first template argument.
struct Defaults {
  size_t first;
  std::vector<std::string> arguments;
};

const std::map<std::string, Defaults> &library_defaults() {
  static const std::map<std::string, Defaults> table = [] {
    const std::string traits = "std::char_traits<$1>", allocator = "std::allocator<$1>",
                      pairs = "std::allocator<std::pair<$1 const, $2>>";
    std::map<std::string, Defaults> all = {
        {"unique_ptr", {1, {"std::default_delete<$1>"}}},
        {"stack", {1, {"std::deque<$1>"}}},
        {"queue", {1, {"std::deque<$1>"}}},
        {"priority_queue", {1, {"std::vector<$1>", "std::less<$1>"}}},
        {"istream_iterator", {1, {"char", "std::char_traits<char>", "long"}}},
        {"ostream_iterator", {1, {"char", "std::char_traits<char>"}}},
        {"match_results", {1, {"std::allocator<std::sub_match<$1>>"}}},
        {"basic_regex", {1, {"std::regex_traits<$1>"}}},
    };
    for (const char *sequence : {"vector", "deque", "list", "forward_list"})
      all[sequence] = {1, {allocator}};
    for (const char *set : {"set", "multiset"})
      all[set] = {1, {"std::less<$1>", allocator}};
    for (const char *map : {"map", "multimap"})
      all[map] = {2, {"std::less<$1>", pairs}};
    for (const char *set : {"unordered_set", "unordered_multiset"})
      all[set] = {1, {"std::hash<$1>", "std::equal_to<$1>", allocator}};
    for (const char *map : {"unordered_map", "unordered_multimap"})
      all[map] = {2, {"std::hash<$1>", "std::equal_to<$1>", pairs}};
    for (const char *text : {"basic_string", "basic_stringbuf", "basic_istringstream", "basic_ostringstream",
                             "basic_stringstream", "basic_syncbuf", "basic_osyncstream"})
      all[text] = {1, {traits, allocator}};
    for (const char *stream : {"basic_string_view", "basic_ios", "basic_streambuf", "basic_istream", "basic_ostream",
                               "basic_iostream", "basic_filebuf", "basic_ifstream", "basic_ofstream", "basic_fstream",
                               "istreambuf_iterator", "ostreambuf_iterator"})
      all[stream] = {1, {traits}};
    return all;
  }();
  return table;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}

bool ends_with(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Returns the library's alias for basic_X<C>: X for char, and X with a prefix for other character types.
std::optional<std::string> library_alias(const std::string &name, const std::vector<std::string> &arguments) {
  static const std::string basic = "basic_";
  static const std::map<std::string, std::string> prefixes = {
      {"char", ""}, {"wchar_t", "w"}, {"char8_t", "u8"}, {"char16_t", "u16"}, {"char32_t", "u32"}};
  if (name.compare(0, basic.size(), basic) != 0 || arguments.size() != 1 || !library_defaults().count(name))
    return std::nullopt;
  auto prefix = prefixes.find(arguments.front());
  std::string rest = name.substr(basic.size());
  bool is_text = rest == "string" || rest == "string_view";
  if (prefix == prefixes.end() || (prefix->second[0] == 'u' && !is_text))
    return std::nullopt;
  return prefix->second + rest;
}

std::string with_arguments(std::string pattern, const std::vector<std::string> &arguments) {
  for (size_t at; (at = pattern.find('$')) != std::string::npos;) {
    const std::string argument = arguments[static_cast<size_t>(pattern[at + 1] - '1')];
    if (argument.find('$') != std::string::npos)
      return {};
    pattern.replace(at, 2, argument);
  }
  return pattern;
}

void drop_defaults(const std::string &name, std::vector<std::string> &arguments) {
  auto found = library_defaults().find(name);
  if (found == library_defaults().end())
    return;
  const auto &[first, defaults] = found->second;
  if (arguments.size() > first + defaults.size())
    return;
  while (arguments.size() > first &&
         arguments.back() == with_arguments(defaults[arguments.size() - 1 - first], arguments))
    arguments.pop_back();
}

// A name with shortened types, and the positions of its parts that are not enclosed in brackets.
struct Outline {
  std::string text;           // the name with shortened types
  std::vector<size_t> spaces; // positions in `text`
  std::vector<std::pair<size_t, size_t>>
      groups;                             // parenthesized parts, each as first position and position after the end
  size_t operator_at = std::string::npos; // position of the first "operator"
};

// Parses a demangled name from left to right.
class Reader {
public:
  explicit Reader(const std::string &text) : text_(text) {}

  // Returns nothing if the brackets do not match.
  std::optional<Outline> read() {
    Outline outline;
    outline.text = sequence('\0', &outline);
    if (failed_ || at_ != text_.size())
      return std::nullopt;
    return outline;
  }

private:
  static constexpr int kDeepest = 500;

  bool sees(const char *what) const { return text_.compare(at_, std::char_traits<char>::length(what), what) == 0; }

  // Parses text up to the closing bracket `close`. A template argument also ends at a comma.
  std::string sequence(char close, Outline *outline) {
    std::string out;
    size_t operator_end = 0; // position in `out`, or 0 if there is no operator
    failed_ |= ++depth_ > kDeepest;
    while (!failed_ && at_ < text_.size()) {
      char c = text_[at_];
      if (c == close || (close == '>' && c == ','))
        break;
      if (is_word(c))
        operator_end = word(out, outline, operator_end);
      else if (c == '<' && !is_comparison(out, operator_end))
        arguments(out);
      else if (c == '(' || c == '{')
        group(out, outline, c == '(' ? ')' : '}');
      else if (c == '[')
        square(out);
      else if (c == ')' || c == '}' || (c == '>' && close == '\0'))
        failed_ = true;
      else
        other(out, outline);
    }
    depth_--;
    ends_in_operator_ = operator_end && operator_end == out.find_last_not_of(' ') + 1;
    return out;
  }

  // Returns true if a '<' after `out` is a comparison operator, as in "(sizeof (int))<(8)". A '<' that begins template
  // arguments follows a name, and only the name of an operator can end in ')'.
  static bool is_comparison(const std::string &out, size_t operator_end) {
    return !out.empty() && out.back() == ')' && operator_end != out.size();
  }

  void other(std::string &out, Outline *outline) {
    char c = text_[at_++];
    if (c == ' ' && outline)
      outline->spaces.push_back(out.size());
    out += c;
    if (c == '<')
      while (at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '='))
        out += text_[at_++];
  }

  // Parses an identifier or a number. If the identifier is "operator", also parses the operator symbol and returns the
  // end of the operator's name in `out`. Otherwise, returns `operator_end` unchanged.
  size_t word(std::string &out, Outline *outline, size_t operator_end) {
    size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_]))
      at_++;
    std::string name = text_.substr(begin, at_ - begin);
    if (sees("::") && is_inline_namespace(name) && ends_with(out, "::") && is_in_library(out)) {
      at_ += 2;
      return operator_end;
    }
    if (name != "operator") {
      out += name;
      return operator_end;
    }
    if (outline && outline->operator_at == std::string::npos)
      outline->operator_at = out.size();
    out += name;
    for (const char *symbol :
         {"()", "[]", "<=>", "<<=", ">>=", "->*", "->", "<<", ">>", "<=", ">=", "<", ">", ",", "\"\""})
      if (sees(symbol)) {
        out += symbol;
        at_ += std::char_traits<char>::length(symbol);
        break;
      }
    if (sees(" <")) // start of template arguments
      at_++, out += ' ';
    return out.size();
  }

  // Returns true for the inline namespaces of C++ standard libraries, such as "__cxx11", "__1" in libc++, and "_V2" in
  // std::chrono.
  static bool is_inline_namespace(const std::string &name) {
    return name == "__cxx11" || name == "__ndk1" || name == "_V2" ||
           (name.size() > 2 && name.compare(0, 2, "__") == 0 &&
            std::all_of(name.begin() + 2, name.end(), [](char c) { return c >= '0' && c <= '9'; }));
  }

  // Returns true if the qualified name at the end of `out` begins with "std::".
  static bool is_in_library(const std::string &out) {
    size_t begin = out.size();
    while (begin > 0 && (is_word(out[begin - 1]) || out[begin - 1] == ':'))
      begin--;
    return out.compare(begin, 5, "std::") == 0;
  }

  void group(std::string &out, Outline *outline, char close) {
    size_t begin = out.size();
    out += text_[at_++];
    out += sequence(close, nullptr);
    failed_ |= at_ >= text_.size();
    if (failed_)
      return;
    at_++;
    out += close;
    if (outline && close == ')' && out.compare(begin, std::string::npos, "(anonymous namespace)") != 0)
      outline->groups.emplace_back(begin, out.size());
  }

  void square(std::string &out) {
    static const std::string tag = "[abi:";
    size_t end = text_.find(']', at_);
    failed_ |= end == std::string::npos;
    if (failed_)
      return;
    if (text_.compare(at_, tag.size(), tag) != 0)
      out += text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
  }

  // Parses a template argument list from '<' to '>' and shortens it together with the preceding name.
  void arguments(std::string &out) {
    std::vector<std::string> list;
    do {
      at_++; // '<' or ','
      while (at_ < text_.size() && text_[at_] == ' ')
        at_++;
      list.push_back(sequence('>', nullptr));
      while (!list.back().empty() && list.back().back() == ' ')
        list.back().pop_back();
      failed_ |= at_ >= text_.size();
    } while (!failed_ && text_[at_] == ',');
    if (failed_)
      return;
    at_++;
    size_t name = out.size();
    while (name > 0 && (is_word(out[name - 1]) || out[name - 1] == ':'))
      name--;
    static const std::string library = "std::";
    if (out.compare(name, library.size(), library) == 0) {
      name += library.size();
      drop_defaults(out.substr(name), list);
      if (std::optional<std::string> alias = library_alias(out.substr(name), list)) {
        out.replace(name, std::string::npos, *alias);
        return;
      }
    }
    out += '<';
    for (size_t i = 0; i < list.size(); i++)
      out += (i ? ", " : "") + list[i];
    out += ends_in_operator_ ? " >" : ">";
  }

  const std::string &text_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  bool ends_in_operator_ = false; // true if the last sequence ended in an operator name
};

// Components of a function's name.
struct Parts {
  std::string result, name, parameters, rest; // "int", "ns::f<int>", "(int)", " const"
};

bool is_qualifier(const std::string &text, size_t at) {
  for (const char *word : {"const", "volatile", "&", "noexcept", "restrict", "[clone"})
    if (text.compare(at, std::char_traits<char>::length(word), word) == 0)
      return true;
  return false;
}

// Splits a function name into its parts. Returns nothing if no parameters follow the name, or if the result type
// encloses the name, as in a function that returns a function pointer.
std::optional<Parts> parts_of(const Outline &outline) {
  const std::string &text = outline.text;
  if (outline.groups.empty())
    return std::nullopt;
  for (const auto &[begin, end] : outline.groups)
    if (std::string inner = text.substr(begin + 1, end - begin - 2);
        inner[0] == '*' || inner[0] == '&' || inner.find("::*") < inner.find_first_of("(<,"))
      return std::nullopt;
  auto [begin, end] = outline.groups.back();
  if (end < text.size() && text[end] != ' ')
    return std::nullopt;
  size_t name = 0;
  for (size_t space : outline.spaces)
    if (space < begin && space < outline.operator_at &&
        !(space > 0 && text[space - 1] == ')' && is_qualifier(text, space + 1)))
      name = space + 1;
  std::string result = text.substr(0, name);
  if (ends_with(result, " to ") || ends_with(result, " for ")) // "virtual thunk to "
    result.clear(), name = 0;
  return Parts{result, text.substr(name, begin - name), text.substr(begin, end - begin), text.substr(end)};
}

} // namespace

std::string cxx_name(const std::string &demangled, NameDetail detail) {
  static constexpr size_t kLong = 40; // width of function columns, in characters
  std::optional<Outline> outline;
  if (detail != NameDetail::Full)
    outline = Reader(demangled).read();
  if (!outline)
    return demangled;
  std::optional<Parts> parts;
  if (detail != NameDetail::Types)
    parts = parts_of(*outline);
  if (!parts)
    return outline->text;
  std::string whole = parts->name + parts->parameters + parts->rest;
  if (detail == NameDetail::Parameters || num_characters(whole) <= kLong || parts->parameters.size() <= 5)
    return whole;
  return parts->name + "(...)" + parts->rest;
}

} // namespace pathprof
