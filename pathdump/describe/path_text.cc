// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the descriptions of paths, and shortens them to the width of the terminal.
#include "pathdump/describe/path_text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/text.h"

namespace pathprof {

static constexpr size_t kUnlimited = SIZE_MAX;

PathElement text_element(std::string text, bool is_heading) {
  PathElement element;
  element.text = std::move(text);
  element.is_heading = is_heading;
  return element;
}

std::vector<std::string> code_items(const PathElements &path) {
  std::vector<std::string> items;
  for (const PathElement &element : path) {
    std::string code = element.is_decision() ? element.place + ":" + element.outcome : element.text;
    for (const std::string &event : element.events)
      code += (code.empty() ? "" : " ") + event;
    items.push_back(element.open + element.start + element.own_file + code + element.close);
  }
  return items;
}

std::string codes_of(const PathElements &path) {
  return fmt::format("{}", fmt::join(code_items(path), " "));
}

// Returns the items, with each item that is longer than a line broken at blanks or, if a word is too long, within it.
static std::vector<std::string> broken(const std::vector<std::string> &items, size_t width) {
  std::vector<std::string> result;
  for (const std::string &item : items) {
    std::string rest = item;
    while (num_characters(rest) > width && width > 0) {
      size_t end = position_of(rest, width), blank = rest.rfind(' ', end);
      bool is_at_blank = blank != std::string::npos && blank > 0;
      result.push_back(rest.substr(0, is_at_blank ? blank : end));
      rest.erase(0, is_at_blank ? blank + 1 : end);
    }
    result.push_back(rest);
  }
  return result;
}

std::vector<std::string> wrapped(const std::vector<std::string> &items, size_t first_width, size_t width) {
  std::vector<std::string> lines(1);
  bool is_first = true;
  for (const std::string &item : broken(items, width)) {
    std::string separator = std::exchange(is_first, false) ? "" : " ";
    size_t length = num_characters(lines.back()) + separator.size() + num_characters(item);
    bool is_only_choice = first_width == width && lines.back().empty();
    if (is_only_choice || length <= (lines.size() == 1 ? first_width : width))
      lines.back() += separator + item;
    else
      lines.push_back(item);
  }
  return lines;
}

// ---- decisions that paths share ----

// Returns a key for each element that is a decision. Different paths of a function have different sets of keys. The key
// of an element that is not a decision is empty.
static std::vector<std::string> keys_of(const PathElements &path) {
  std::map<std::string, size_t> visits;
  std::vector<std::string> keys;
  for (const PathElement &element : path) {
    keys.emplace_back();
    if (!element.is_decision())
      continue;
    std::string place = fmt::format("{}\n{}\n{}", element.function.first, element.function.second, element.place);
    size_t visit = ++visits[place];
    keys.back() = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", place, visit, element.start, element.outcome, element.condition,
                              fmt::join(element.events, " "));
  }
  return keys;
}

static std::set<std::string> shared_keys(const std::vector<const PathElements *> &rows) {
  std::map<std::string, size_t> times;
  for (const PathElements *row : rows)
    for (const std::string &key : keys_of(*row))
      times[key]++;
  std::set<std::string> shared;
  for (const auto &[key, number] : times)
    if (!key.empty() && number == rows.size())
      shared.insert(key);
  return shared;
}

// ---- class ListedPaths ----

void ListedPaths::add(const PathElements &path) {
  for (const PathElement &element : path) {
    if (!element.is_decision())
      continue;
    decisions_[{element.function, element.line}][element.condition].insert(element.place);
    has_truth_ |= element.outcome == "T" || element.outcome == "F";
  }
}

bool ListedPaths::needs_column(const PathElement &decision) const {
  auto line = decisions_.find({decision.function, decision.line});
  if (line == decisions_.end())
    return true;
  auto same = line->second.find(decision.condition);
  if (same == line->second.end() || same->second.size() > 1)
    return true;
  return decision.condition.empty() && line->second.size() > 1;
}

// Returns true if the text of the decision's condition is printed, shortened to `limit` characters. The text is omitted
// if another condition on the same line would look alike.
bool ListedPaths::is_shown(const PathElement &decision, size_t limit) const {
  if (decision.condition.empty() || limit == 0)
    return false;
  auto line = decisions_.find({decision.function, decision.line});
  if (limit == kUnlimited || line == decisions_.end())
    return true;
  std::string own = cut_middle(decision.condition, limit);
  return std::none_of(line->second.begin(), line->second.end(), [&](const auto &other) {
    return other.first != decision.condition && cut_middle(other.first, limit) == own;
  });
}

std::string ListedPaths::code(const PathElement &decision) const {
  return (needs_column(decision) ? decision.place : decision.line) + ":" + decision.outcome;
}

std::string ListedPaths::text(const PathElement &element, Style style) const {
  if (!element.is_decision())
    return element.text;
  if (is_shown(element, style.limit))
    return code(element) + " " + cut_middle(element.condition, style.limit);
  return element.condition.empty() ? code(element) : element.place + ":" + element.outcome;
}

std::vector<std::string> ListedPaths::items(const PathElements &path, Style style) const {
  std::vector<std::string> items;
  std::vector<std::string> keys = style.shared ? keys_of(path) : std::vector<std::string>(path.size());
  auto is_left_out = [&](size_t i) { return style.shared && style.shared->count(keys[i]); };
  std::string separator, own_file;
  auto append = [&](const std::string &item) {
    if (!items.empty())
      items.back() += separator;
    items.push_back(item);
    separator = ";";
  };
  for (size_t i = 0; i < path.size(); i++) {
    const PathElement *element = &path[i];
    own_file += element->own_file;
    std::string open = element->open;
    if (is_left_out(i)) {
      while (element->close.empty() && i + 1 < path.size() && path[i + 1].open.empty() && is_left_out(i + 1)) {
        element = &path[++i];
        own_file += element->own_file;
      }
      append(open + "…");
    } else {
      std::string text = this->text(*element, style);
      open += element->start;
      if (element->takes_own_file)
        open += std::exchange(own_file, "");
      std::string separator_of_events = text.empty() ? "" : "; ";
      for (const std::string &event : element->events) {
        text += separator_of_events + event;
        separator_of_events = "; ";
      }
      append(open + text);
    }
    if (!items.empty())
      items.back() += element->close;
    if (element->is_heading || !element->close.empty())
      separator.clear();
  }
  return items;
}

std::vector<std::string> ListedPaths::items(const PathElements &path) const {
  return items(path, {kUnlimited, nullptr});
}

std::vector<std::string> ListedPaths::fit_row(const PathElements &path, const Shared *shared, size_t width,
                                              Style &chosen) const {
  static constexpr size_t kMostLines = 6, kCode = 12; // kCode: room for the code of a decision
  for (size_t limit : {kUnlimited, size_t{48}, size_t{40}, size_t{32}, size_t{24}, size_t{20}}) {
    chosen = {limit, shared};
    std::vector<std::string> lines = wrapped(items(path, chosen), width, width);
    if (lines.size() == 1 && num_characters(lines.front()) <= width)
      return lines;
  }
  for (size_t limit : {size_t{64}, size_t{40}, size_t{16}}) {
    chosen = {std::min(limit, std::max(width, 2 * kCode) - kCode), shared};
    std::vector<std::string> lines = wrapped(items(path, chosen), width, width);
    if (lines.size() <= kMostLines)
      return lines;
  }
  chosen = {0, shared};
  return wrapped(items(path, chosen), width, width);
}

// Records the conditions whose source text is not shown in full.
void ListedPaths::note_texts(const PathElements &path, Style style) {
  std::vector<std::string> keys = keys_of(path);
  for (size_t i = 0; i < path.size(); i++) {
    const PathElement &element = path[i];
    bool is_left_out = style.shared && style.shared->count(keys[i]);
    has_shared_ |= is_left_out;
    if (is_left_out || element.condition.empty())
      continue;
    bool is_shown = this->is_shown(element, style.limit);
    if (is_shown && num_characters(element.condition) <= style.limit)
      continue;
    auto function = std::find_if(legend_.begin(), legend_.end(),
                                 [&](const auto &known) { return known.first == element.function; });
    if (function == legend_.end())
      function = legend_.insert(legend_.end(), {element.function, {}});
    std::pair<std::string, std::string> line{is_shown && !needs_column(element) ? element.line : element.place,
                                             element.condition};
    if (std::find(function->second.begin(), function->second.end(), line) == function->second.end())
      function->second.push_back(std::move(line));
  }
}

void ListedPaths::fit_group(const std::vector<const PathElements *> &rows, size_t width,
                            std::vector<std::string> &texts) {
  Style whole{kUnlimited, nullptr};
  std::vector<std::vector<std::string>> lines;
  for (const PathElements *row : rows)
    lines.push_back({fmt::format("{}", fmt::join(items(*row, whole), " "))});
  std::vector<Style> styles(rows.size(), whole);
  bool fit =
      std::all_of(lines.begin(), lines.end(), [&](const auto &line) { return num_characters(line.front()) <= width; });
  Shared shared = rows.size() > 1 ? shared_keys(rows) : Shared();
  for (size_t i = 0; i < rows.size() && !fit; i++)
    lines[i] = fit_row(*rows[i], &shared, width, styles[i]);
  std::map<std::vector<std::string>, size_t> times;
  for (const auto &text : lines)
    times[text]++;
  for (size_t i = 0; i < rows.size(); i++) {
    if (times[lines[i]] > 1) {
      styles[i] = {0, nullptr};
      lines[i] = wrapped(items(*rows[i], styles[i]), width, width);
    }
    note_texts(*rows[i], styles[i]);
    texts.push_back(fmt::format("{}", fmt::join(lines[i], "\n")));
  }
}

std::vector<std::string> ListedPaths::fit(const std::vector<const PathElements *> &rows, size_t width) {
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> groups;
  for (size_t i = 0; i < rows.size(); i++) {
    auto first = std::find_if(rows[i]->begin(), rows[i]->end(), [](const auto &one) { return one.is_decision(); });
    groups[first == rows[i]->end() ? std::pair<std::string, std::string>() : first->function].push_back(i);
  }
  std::vector<std::string> texts(rows.size());
  for (const auto &[function, members] : groups) {
    std::vector<const PathElements *> paths;
    std::vector<std::string> of_group;
    for (size_t i : members)
      paths.push_back(rows[i]);
    fit_group(paths, width, of_group);
    for (size_t i = 0; i < members.size(); i++)
      texts[members[i]] = std::move(of_group[i]);
  }
  return texts;
}

void ListedPaths::print_legend(Output &out) {
  auto has_number = [](const std::string &place) { return place.find('#') != std::string::npos; };
  std::vector<std::string> meanings;
  if (has_truth_)
    meanings.push_back("T is true, F is false");
  for (const auto &[line, conditions] : decisions_)
    if (auto unknown = conditions.find(""); unknown != conditions.end() && meanings.size() < 2)
      if (std::any_of(unknown->second.begin(), unknown->second.end(), has_number))
        meanings.push_back("#2 is the second condition at its position; its source text is unknown");
  if (has_shared_)
    meanings.push_back("… stands for decisions that all listed paths of the same function share");
  if (is_explained_ || (meanings.empty() && legend_.empty()))
    return;
  is_explained_ = true;
  out.write("\n");
  if (!meanings.empty())
    print_remark(fmt::format("{}", fmt::join(meanings, "; ")), out);
  if (legend_.empty())
    return;
  print_remark("Conditions that are not shown in full above:", out);
  for (const auto &[function, lines] : legend_) {
    out.print("{} {}\n", paint(out, Colour::Name, function.first),
              paint(out, Colour::Place, "(" + function.second + ")"));
    for (const auto &[place, condition] : lines)
      out.print("{}  {}\n", paint(out, Colour::Place, fmt::format("{:>10}", place)), condition);
  }
}

} // namespace pathprof
