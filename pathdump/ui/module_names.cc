// SPDX-License-Identifier: GPL-3.0-or-later
// Rewrites mangled names with C++20 modules as names with scopes, and converts the demangled results.
#include "pathdump/ui/module_names.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace pathprof {

namespace {

// Prefixes of the scopes that represent modules. Identifiers with two leading underscores are reserved, so these
// prefixes do not occur in programs.
const std::string kMark = "__module_";
const std::string kPartitionMark = "__partition_";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Rewrites a mangled name, one component at a time.
class Rewriter {
public:
  explicit Rewriter(const std::string &mangled) : mangled_(mangled) {}

  std::string run() {
    out_ = "_Z";
    for (at_ = 2; at_ < mangled_.size();)
      copy_component();
    return has_module_ ? out_ : std::string();
  }

private:
  void copy_component() {
    if (is_digit(mangled_[at_]) && !is_in_literal())
      put(take_identifier());
    else if (is_module())
      rewrite_module();
    else
      copy_other(mangled_[at_]);
  }

  bool is_in_literal() const { return !scopes_.empty() && scopes_.back() == 'L'; }

  bool is_module() const {
    if (mangled_[at_] != 'W' || at_ + 1 == mangled_.size())
      return false;
    size_t next = at_ + (mangled_[at_ + 1] == 'P' ? 2 : 1);
    return next < mangled_.size() && is_digit(mangled_[next]);
  }

  // Reads the length and the identifier at the current position and returns the identifier.
  std::string take_identifier() {
    size_t length = 0;
    while (at_ < mangled_.size() && is_digit(mangled_[at_]) && length < mangled_.size())
      length = 10 * length + static_cast<size_t>(mangled_[at_++] - '0');
    std::string identifier = mangled_.substr(at_, length);
    at_ = std::min(mangled_.size(), at_ + length);
    return identifier;
  }

  void put(const std::string &identifier) { out_ += std::to_string(identifier.size()) + identifier; }

  // Rewrites an unscoped name, including its template arguments, as a nested name (N…E).
  void rewrite_module() {
    has_module_ = true;
    bool is_nested = !scopes_.empty() && scopes_.back() == 'N';
    if (!is_nested)
      out_ += 'N';
    while (is_module()) {
      bool is_partition = mangled_[at_ + 1] == 'P';
      at_ += is_partition ? 2 : 1;
      put((is_partition ? kPartitionMark : kMark) + take_identifier());
    }
    if (is_nested || at_ >= mangled_.size() || !is_digit(mangled_[at_]))
      return;
    put(take_identifier());
    if (at_ < mangled_.size() && mangled_[at_] == 'I')
      copy_arguments();
    out_ += 'E';
  }

  void copy_arguments() {
    size_t depth = scopes_.size();
    do {
      copy_component();
    } while (at_ < mangled_.size() && scopes_.size() > depth);
  }

  // Copies one character or token of the mangled name, and keeps track of the open constructs that an 'E' closes.
  void copy_other(char c) {
    size_t end = at_ + 1;
    if ((c == 'A' || is_in_literal()) && c != 'E') { // size of an array, or value of a literal
      while (end < mangled_.size() && is_digit(mangled_[end]))
        end++;
    } else if (c == 'S' || c == 'T') { // a substitution or a parameter
      while (c == 'S' && end < mangled_.size() && std::islower(static_cast<unsigned char>(mangled_[end])) &&
             end == at_ + 1)
        end++;
      if (end == at_ + 1) {
        end = mangled_.find('_', at_);
        end = end == std::string::npos ? mangled_.size() : end + 1;
      }
    } else if (c == 'E') {
      if (!scopes_.empty())
        scopes_.pop_back();
    } else if (std::string("NIFXJLZ").find(c) != std::string::npos) {
      scopes_ += c;
    }
    out_ += mangled_.substr(at_, end - at_);
    at_ = end;
  }

  const std::string &mangled_;
  std::string out_;
  std::string scopes_; // constructs that are still open: N for a nested name, I for template arguments, …
  size_t at_ = 0;
  bool has_module_ = false;
};

bool has_at(const std::string &text, size_t at, const std::string &wanted) {
  return text.compare(at, wanted.size(), wanted) == 0;
}

} // namespace

std::string module_initializer(const std::string &mangled) {
  static const std::string prefix = "_ZGI";
  std::string module;
  if (has_at(mangled, 0, prefix))
    module = with_modules_as_scopes("_ZN" + mangled.substr(prefix.size()) + "E");
  std::string name;
  for (size_t at = 3; at < module.size() && is_digit(module[at]);) { // the name has the form "_ZN15__module_shapesE"
    size_t length = 0;
    while (at < module.size() && is_digit(module[at]))
      length = 10 * length + static_cast<size_t>(module[at++] - '0');
    name += (name.empty() ? "" : "::") + module.substr(at, length);
    at += length;
  }
  std::string text = name.empty() ? std::string() : with_modules_behind_names(name + "::_");
  return text.empty() ? text : "initializer for module " + text.substr(2);
}

std::string with_modules_as_scopes(const std::string &mangled) {
  return mangled.find('W') == std::string::npos ? std::string() : Rewriter(mangled).run();
}

std::string with_modules_behind_names(const std::string &demangled) {
  std::string text, module;
  for (size_t at = 0; at < demangled.size();) {
    if (!is_word(demangled[at])) {
      text += demangled[at++];
      continue;
    }
    size_t end = at;
    while (end < demangled.size() && is_word(demangled[end]))
      end++;
    bool is_partition = has_at(demangled, at, kPartitionMark);
    if (is_partition || has_at(demangled, at, kMark)) {
      size_t begin = at + (is_partition ? kPartitionMark : kMark).size();
      module += (module.empty() ? "@" : is_partition ? ":" : ".") + demangled.substr(begin, end - begin);
      at = end + 2; // skips "::" as well
      continue;
    }
    text += demangled.substr(at, end - at) + module;
    module.clear();
    at = end;
  }
  return text;
}

} // namespace pathprof
