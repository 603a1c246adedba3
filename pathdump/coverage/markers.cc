// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the markers in source files that exclude or justify code.
#include "pathdump/coverage/markers.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pathdump/ui/program.h"
#include "profile/model/masked.h"

namespace pathprof {

static bool is_in(const std::vector<LineRange> &ranges, uint32_t line) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [line](const LineRange &range) { return range.first <= line && line <= range.second; });
}

void MarkedCode::refuse(const std::string &doubt) {
  for (std::vector<LineRange> *ranges : {&lines, &branches, &exceptions}) {
    is_refused |= !ranges->empty();
    ranges->clear();
  }
  for (JustifiedLines &marked : justified)
    marked.fault = "the source file " + doubt;
}

bool MarkedCode::has_line(uint32_t line) const {
  return is_in(lines, line);
}

bool MarkedCode::has_branches(uint32_t line) const {
  return is_in(lines, line) || is_in(branches, line);
}

bool MarkedCode::has_exceptions(uint32_t line) const {
  return has_branches(line) || is_in(exceptions, line);
}

namespace {

// Collects the ranges that the markers of one kind exclude.
class ExclusionReader {
public:
  ExclusionReader(std::vector<LineRange> &ranges, std::vector<std::string> &faults)
      : ranges_(ranges), faults_(faults) {}

  void add(const std::string &marker, const std::string &position, uint32_t line) {
    if (position == "LINE") {
      ranges_.push_back({line, line});
    } else if (position == "START") {
      if (start_)
        faults_.push_back(fmt::format("line {}: {} in a region that starts on line {}", line, marker, start_));
      else
        start_ = line;
      name_ = marker;
    } else if (!start_) {
      faults_.push_back(fmt::format("line {}: {} without a start", line, marker));
    } else {
      if (line > start_)
        ranges_.push_back({start_, line - 1});
      start_ = 0;
    }
  }

  // Reports a region that is not closed. Such a region excludes nothing, because its stop marker may be missing due to
  // a typo.
  void finish() {
    if (start_)
      faults_.push_back(fmt::format("line {}: {} without a stop excludes nothing", start_, name_));
  }

private:
  std::vector<LineRange> &ranges_;
  std::vector<std::string> &faults_;
  uint32_t start_ = 0; // first line of the open region, or 0
  std::string name_;   // marker that starts the open region
};

// Collects the ranges that markers justify.
class JustificationReader {
public:
  explicit JustificationReader(MarkedCode &code) : code_(code) {}

  // Reads the markers of a line. `mask` is the line without comments and literals (masked()).
  void read(const std::string &text, const std::string &mask, uint32_t line) {
    static const std::regex pattern("(^|[^A-Za-z0-9_])PATHPROF_JUSTIFY(_START|_STOP|)(?![A-Za-z0-9_])[ \t]*");
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
      auto name = static_cast<size_t>(at->position() + at->length(1));
      if (mask[name] != text[name] && mask[name] != ' ')
        continue; // in a literal
      if (at->str(2) == "_STOP")
        stop(line);
      else
        begin(line, reason_at(text, static_cast<size_t>(at->position() + at->length())), at->str(2) == "_START");
    }
  }

  void finish() {
    if (open_.lines.first)
      add_fault(open_.lines.first, "PATHPROF_JUSTIFY_START without a stop justifies nothing");
  }

private:
  void begin(uint32_t line, const std::string &reason, bool is_start) {
    if (reason.empty())
      add_fault(line, "PATHPROF_JUSTIFY without a reason in parentheses justifies nothing");
    else if (!is_start)
      code_.justified.push_back({{line, line}, reason});
    else if (open_.lines.first)
      add_fault(line, fmt::format("PATHPROF_JUSTIFY_START in a region that starts on line {}", open_.lines.first));
    else
      open_ = {{line, line}, reason};
  }

  void stop(uint32_t line) {
    if (!open_.lines.first) {
      add_fault(line, "PATHPROF_JUSTIFY_STOP without a start");
      return;
    }
    open_.lines.second = line;
    code_.justified.push_back(std::move(open_));
    open_ = {};
  }

  // Returns the text between the parenthesis at `open` and its counterpart, without leading and trailing blanks, or an
  // empty string if there are no parentheses.
  static std::string reason_at(const std::string &text, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < text.size(); i++) {
      depth += text[i] == '(';
      if (depth == 0)
        break;
      if (text[i] != ')' || --depth > 0)
        continue;
      size_t first = text.find_first_not_of(" \t", open + 1), last = text.find_last_not_of(" \t", i - 1);
      return first < i ? text.substr(first, last - first + 1) : "";
    }
    return "";
  }

  void add_fault(uint32_t line, const std::string &fault) {
    code_.faults.push_back(fmt::format("line {}: {}", line, fault));
  }

  MarkedCode &code_;
  JustifiedLines open_ = {}; // the open region; its first line is 0 if there is none
};

} // namespace

MarkedCode find_markers(const std::vector<std::string> &lines) {
  static const std::regex pattern("(?:LCOV|GCOVR|GCOV)_EXCL_(EXCEPTION_BR_|BR_|)(LINE|START|STOP)");
  MarkedCode code;
  ExclusionReader of_lines(code.lines, code.faults), of_branches(code.branches, code.faults),
      of_exceptions(code.exceptions, code.faults);
  JustificationReader justifications(code);
  const std::string mask = masked(fmt::format("{}", fmt::join(lines, "\n")));
  size_t begin = 0; // offset of the line
  for (size_t i = 0; i < lines.size(); begin += lines[i++].size() + 1) {
    if (lines[i].find("PATHPROF_JUSTIFY") != std::string::npos)
      justifications.read(lines[i], mask.substr(begin, lines[i].size()), static_cast<uint32_t>(i + 1));
    if (lines[i].find("_EXCL_") == std::string::npos)
      continue;
    for (std::sregex_iterator at(lines[i].begin(), lines[i].end(), pattern), end; at != end; ++at) {
      ExclusionReader &reader = at->str(1).empty() ? of_lines : at->str(1) == "BR_" ? of_branches : of_exceptions;
      reader.add(at->str(), at->str(2), static_cast<uint32_t>(i + 1));
    }
  }
  for (ExclusionReader *reader : {&of_lines, &of_branches, &of_exceptions})
    reader->finish();
  justifications.finish();
  return code;
}

const MarkedCode &Markers::of(const UnitSources &unit, const std::string &file) {
  size_t number = sources_.number_of(unit, file);
  auto [at, is_new] = files_.try_emplace(number);
  if (is_new) {
    at->second = find_markers(sources_[number].lines);
    at->second.is_missing = !sources_[number].is_found;
    if (const std::string &doubt = sources_[number].doubt; !doubt.empty())
      at->second.refuse(doubt);
  }
  return at->second;
}

bool Markers::has(const Function &function, const MeasuredDecision &decision) {
  return decision.line && of(function, decision.at.front().file).has_branches(decision.line);
}

std::vector<std::pair<std::string, const MarkedCode *>> Markers::by_shown_name() const {
  std::vector<std::pair<std::string, const MarkedCode *>> files;
  for (const auto &[number, code] : files_)
    files.emplace_back(sources_[number].shown, &code);
  return files;
}

// Prints a warning to standard error unless `printed` contains it.
static void warn_once(const std::string &text, std::set<std::string> &printed) {
  if (printed.insert(text).second)
    std::cerr << program_name << ": warning: " << text << "\n";
}

void Markers::warn() const {
  std::set<std::string> printed;
  for (const auto &[number, code] : files_)
    for (const std::string &fault : code.faults)
      warn_once(fmt::format("{}: {}", sources_[number].shown, fault), printed);
}

void Markers::warn_of_sources() const {
  std::set<std::string> printed;
  for (const auto &[number, code] : files_)
    if (const SourceFile &file = sources_[number]; !file.doubt.empty())
      warn_once(text_of_doubt(file) + (code.is_refused ? ", and its exclusion markers were not applied" : ""), printed);
}

} // namespace pathprof
