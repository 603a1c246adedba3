// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the markers in source files that exclude code from coverage.
#include "pathdump/coverage/exclusions.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <regex>

#include <fmt/format.h>

#include "pathdump/ui/program.h"

namespace pathprof {

static bool is_in(const std::vector<LineRange> &ranges, uint32_t line) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [line](const LineRange &range) { return range.first <= line && line <= range.second; });
}

bool ExcludedCode::has_line(uint32_t line) const {
  return is_in(lines, line);
}

bool ExcludedCode::has_branches(uint32_t line) const {
  return is_in(lines, line) || is_in(branches, line);
}

bool ExcludedCode::has_exceptions(uint32_t line) const {
  return has_branches(line) || is_in(exceptions, line);
}

namespace {

// Collects the ranges that the markers of one kind exclude.
class MarkerReader {
public:
  MarkerReader(std::vector<LineRange> &ranges, std::vector<std::string> &faults) : ranges_(ranges), faults_(faults) {}

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

  // Reports a region that is not closed. It excludes nothing, because the missing marker may be a typing error.
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

} // namespace

ExcludedCode find_exclusions(const std::vector<std::string> &lines) {
  static const std::regex pattern("(?:LCOV|GCOVR|GCOV)_EXCL_(EXCEPTION_BR_|BR_|)(LINE|START|STOP)");
  ExcludedCode code;
  MarkerReader of_lines(code.lines, code.faults), of_branches(code.branches, code.faults),
      of_exceptions(code.exceptions, code.faults);
  for (size_t i = 0; i < lines.size(); i++) {
    if (lines[i].find("_EXCL_") == std::string::npos)
      continue;
    for (std::sregex_iterator at(lines[i].begin(), lines[i].end(), pattern), end; at != end; ++at) {
      MarkerReader &reader = at->str(1).empty() ? of_lines : at->str(1) == "BR_" ? of_branches : of_exceptions;
      reader.add(at->str(), at->str(2), static_cast<uint32_t>(i + 1));
    }
  }
  for (MarkerReader *reader : {&of_lines, &of_branches, &of_exceptions})
    reader->finish();
  return code;
}

const ExcludedCode &Exclusions::of(const UnitSources &unit, const std::string &file) {
  size_t number = sources_.number_of(unit, file);
  auto [at, is_new] = files_.try_emplace(number);
  if (is_new)
    at->second = find_exclusions(sources_[number].lines);
  return at->second;
}

bool Exclusions::has(const Function &function, const MeasuredDecision &decision) {
  return decision.line && of(function, decision.at.front().file).has_branches(decision.line);
}

void Exclusions::warn() const {
  for (const auto &[number, code] : files_)
    for (const std::string &fault : code.faults)
      std::cerr << program_name << ": warning: " << sources_[number].shown << ": " << fault << "\n";
}

} // namespace pathprof
