// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes measured costs to blocks and paths.
#include "pathdump/model/costs.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

// A block that contains a line.
struct Place {
  size_t function;
  int block;
  bool is_inlined;
  uint32_t file; // index into Function::files
};

std::string last_part(const std::string &file) {
  return file.substr(file.rfind('/') + 1);
}

// Normalizes a file name: "../src/./a.c" gives "/src/a.c".
std::string normalized_file(const std::string &file) {
  std::string text;
  for (size_t begin = 0; begin <= file.size();) {
    size_t end = std::min(file.find('/', begin), file.size());
    std::string part = file.substr(begin, end - begin);
    if (part == ".." && text.rfind('/') != std::string::npos)
      text.erase(text.rfind('/'));
    else if (!part.empty() && part != "." && part != "..")
      text += "/" + part;
    begin = end + 1;
  }
  return text;
}

// Returns true if one name is a suffix of the other. Tools use different prefixes for the same file.
bool same_file(const std::string &a, const std::string &b) {
  const std::string &longer = a.size() < b.size() ? b : a, &shorter = a.size() < b.size() ? a : b;
  return longer.compare(longer.size() - shorter.size(), shorter.size(), shorter) == 0;
}

// Returns 2 if `name` matches the path of the file, 1 if it matches only the printed name (for example, because the
// source tree was moved), and 0 if it matches neither.
int nearness(const UnitSources &unit, uint32_t file, const std::string &name) {
  return same_file(normalized_file(unit.paths[file]), name)   ? 2
         : same_file(normalized_file(unit.files[file]), name) ? 1
                                                              : 0;
}

} // namespace

class CostJoin {
public:
  CostJoin(Costs &costs, const Profile &profile, const std::string &file) : costs_(costs), profile_(profile) {
    entered_.resize(profile.functions.size());
    costs.each_.resize(profile.functions.size());
    costs.of_function_.resize(profile.functions.size());
    costs.callees_.resize(profile.functions.size());
    for (size_t i = 0; i < profile.functions.size(); i++)
      add_function(i, file);
  }

  void add(const MeasuredCost &measured) {
    costs_.has_lines_ |= measured.frames.front().line != 0;
    static const std::vector<Place> nowhere;
    std::vector<Place> places = places_of(measured);
    size_t function = function_of(measured);
    bool is_near = false;
    if (places.empty() && function != kNone) {
      places = near(function, measured.frames.back());
      is_near = true;
    }
    if (places.empty() && function == kNone)
      return add_rest(costs_.outside_, "in functions that are not instrumented", measured.cost);
    costs_.instrumented_ += measured.cost;
    double executions = 0;
    for (const Place &place : places)
      executions += entered_[place.function][static_cast<size_t>(place.block)];
    if (executions == 0)
      return add_rest(costs_.rest_, why_not(function, places), measured.cost);
    costs_.attributed_ += measured.cost;
    costs_.near_ += is_near ? measured.cost : 0;
    for (const Place &place : places) {
      double entered = entered_[place.function][static_cast<size_t>(place.block)];
      if (entered == 0)
        continue;
      costs_.of_function_[place.function] += measured.cost * entered / executions;
      costs_.each_[place.function][static_cast<size_t>(place.block)] += measured.cost / executions;
      if (!measured.callee.empty())
        costs_.callees_[place.function][place.block][measured.callee] += measured.cost / executions;
    }
  }

  static void add_rest(std::vector<Costs::Rest> &list, const std::string &reason, double cost) {
    auto rest = std::find_if(list.begin(), list.end(), [&](const Costs::Rest &r) { return r.reason == reason; });
    if (rest == list.end())
      list.push_back({reason, cost});
    else
      rest->cost += cost;
  }

private:
  static constexpr size_t kNone = SIZE_MAX;

  void add_function(size_t index, const std::string &file) {
    const Function &function = profile_.functions[index];
    entered_[index].assign(function.notes.blocks.size(), 0);
    costs_.each_[index].assign(function.notes.blocks.size(), 0);
    for (const std::string &name : names_in_tools(function.notes.name))
      by_name_[name].push_back(index);
    if (is_left_out(function))
      return;
    count_blocks(index, file);
    for (size_t block = 0; block < function.notes.blocks.size(); block++)
      for (const LineRef &at : function.notes.blocks[block].lines)
        if (at.file < function.files->size())
          lines_[{last_part((*function.files)[at.file]), at.line}].push_back(
              {index, static_cast<int>(block), at.site != 0, at.file});
  }

  void count_blocks(size_t index, const std::string &file) {
    const Function &function = profile_.functions[index];
    std::vector<double> &entered = entered_[index];
    if (function.activity) {
      for (size_t block = 0; block < entered.size() && block < function.activity->entered.size(); block++)
        entered[block] = static_cast<double>(function.activity->entered[block]);
      return;
    }
    if (function.paths.empty() && function.cut_short.empty())
      return;
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    for (const auto *paths : {&function.paths, &function.cut_short})
      for (const ExecutedPath &executed : *paths) {
        Path path = *decoded->regenerate(executed.id);
        for (size_t i = path.context_blocks; i < path.blocks.size(); i++)
          entered[static_cast<size_t>(path.blocks[i])] += static_cast<double>(executed.count);
      }
  }

  // Returns the functions with this name. If there are none and the name denotes a clone, returns the functions with
  // the name of the function from which the clone was made.
  std::vector<size_t> functions_called(const std::string &name) const {
    for (const std::string &candidate : names_of_clone(name))
      if (auto found = by_name_.find(candidate); found != by_name_.end())
        return found->second;
    return {};
  }

  // Returns the outermost instrumented function among the frames.
  size_t function_of(const MeasuredCost &measured) const {
    for (auto frame = measured.frames.rbegin(); frame != measured.frames.rend(); ++frame) {
      std::vector<size_t> functions = functions_called(frame->function);
      if (functions.size() == 1)
        return functions.front();
      for (int least : {2, 1})
        for (size_t index : functions) {
          const Function &function = profile_.functions[index];
          if (nearness(*function.sources, function.notes.file, normalized_file(frame->file)) >= least)
            return index;
        }
    }
    return kNone;
  }

  std::vector<Place> at(const CostPosition &position) const {
    std::vector<Place> places;
    auto found = lines_.find({last_part(position.file), position.line});
    if (found == lines_.end() || position.line == 0)
      return places;
    std::string file = normalized_file(position.file);
    int nearest = 1;
    for (const Place &place : found->second) {
      int near = nearness(*profile_.functions[place.function].sources, place.file, file);
      if (near > nearest)
        places.clear();
      nearest = std::max(nearest, near);
      if (near == nearest)
        places.push_back(place);
    }
    return places;
  }

  // Returns the blocks on the line of the measured position. Prefers blocks of an outer function, because code that was
  // inlined before instrumentation belongs to the outer function. If no outer function has blocks on the line, returns
  // the blocks of a function that was inlined with its counters. If there are no such blocks, returns the blocks on the
  // line of the call that was inlined.
  std::vector<Place> places_of(const MeasuredCost &measured) const {
    for (const CostPosition &position : measured.frames) {
      std::vector<Place> all = at(position);
      for (auto frame = measured.frames.rbegin(); frame != measured.frames.rend(); ++frame) {
        std::vector<size_t> functions = functions_called(frame->function);
        std::vector<Place> places;
        for (const Place &place : all)
          if (std::find(functions.begin(), functions.end(), place.function) != functions.end())
            places.push_back(place);
        if (!places.empty())
          return places;
      }
      all.erase(std::remove_if(all.begin(), all.end(), [](const Place &place) { return place.is_inlined; }), all.end());
      if (!all.empty())
        return all;
    }
    return {};
  }

  // Returns the blocks to which code on a line without blocks, such as the start of a function, is attributed. These
  // are the blocks on the nearest line above or, if there are none, the first blocks of the function. If the line is
  // unknown, returns all blocks of the function that contain statements.
  std::vector<Place> near(size_t index, const CostPosition &position) const {
    const Function &function = profile_.functions[index];
    std::map<uint32_t, std::vector<Place>> by_line;
    std::vector<Place> all, first;
    for (size_t block = 0; block < function.notes.blocks.size(); block++) {
      Place place = {index, static_cast<int>(block), false, 0};
      if (function.notes.blocks[block].statements)
        all.push_back(place);
      for (const LineRef &at : function.notes.blocks[block].lines)
        if (at.site == 0 && at.file == function.notes.file)
          by_line[at.line].push_back(place);
    }
    if (position.line == 0 || !same_file(normalized_file(function.file), normalized_file(position.file)))
      return all;
    for (int edge : function.notes.graph.succs(kEntryBlock))
      first.push_back({index, function.notes.graph.edge(edge).dst, false, 0});
    auto above = by_line.upper_bound(position.line);
    return above == by_line.begin() ? first : std::prev(above)->second;
  }

  std::string why_not(size_t function, const std::vector<Place> &places) const {
    if (function != kNone && is_left_out(profile_.functions[function]))
      return "in functions that were left out";
    return places.empty() ? "on lines without a block" : "on lines that were not executed in the profiled runs";
  }

  Costs &costs_;
  const Profile &profile_;
  std::vector<std::vector<double>> entered_; // executions of the blocks, by function and block
  std::map<std::string, std::vector<size_t>> by_name_;
  std::map<std::pair<std::string, uint32_t>, std::vector<Place>>
      lines_; // blocks by file name (last component) and line
};

Costs::Costs(const Profile &profile, const std::string &file, const Measurement &measurement)
    : tool_(measurement.tool), file_(measurement.file), event_(measurement.event), total_(measurement.total) {
  CostJoin join(*this, profile, file);
  for (const MeasuredCost &cost : measurement.costs)
    join.add(cost);
  for (const auto &[reason, cost] : measurement.outside)
    CostJoin::add_rest(outside_, reason, cost);
  for (std::vector<Rest> *list : {&rest_, &outside_})
    std::stable_sort(list->begin(), list->end(), [](const Rest &a, const Rest &b) { return a.cost > b.cost; });
}

double Costs::of(size_t function, const Path &path, uint64_t count) const {
  return of(function, path, path.context_blocks, count);
}

double Costs::of(size_t function, const Path &path, size_t first_block, uint64_t count) const {
  double sum = 0;
  for (size_t i = first_block; i < path.blocks.size(); i++)
    sum += each_[function][static_cast<size_t>(path.blocks[i])];
  return sum * static_cast<double>(count);
}

std::vector<std::string> Costs::callees(size_t function, const Path &path) const {
  std::map<std::string, double> sums;
  for (size_t i = path.context_blocks; i < path.blocks.size(); i++)
    if (auto found = callees_[function].find(path.blocks[i]); found != callees_[function].end())
      for (const auto &[name, cost] : found->second)
        sums[name] += cost;
  std::vector<std::string> names;
  for (const auto &[name, cost] : sums)
    names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string &a, const std::string &b) { return sums[a] > sums[b]; });
  return names;
}

static std::string rest_text(const std::vector<Costs::Rest> &list, double whole) {
  std::string text;
  for (const Costs::Rest &rest : list)
    text += fmt::format("{}{:.2f}% {}", text.empty() ? "" : ", ", per_cent(rest.cost, whole), rest.reason);
  return text;
}

std::vector<std::string> Costs::text() const {
  std::vector<std::string> text = {fmt::format(
      "Ranked by {}, measured by {} ({}); shares are relative to the total cost attributed to paths ({:.0f})", event_,
      tool_, file_, attributed_)};
  text.push_back(
      fmt::format("Paths account for {:.2f}% of the cost of instrumented code and its callees, including {:.2f}% on "
                  "lines without a block, attributed to the nearest line above",
                  per_cent(attributed_, instrumented_), per_cent(near_, instrumented_)));
  if (!has_lines_ && instrumented_ > 0)
    text.back() += "; the costs have no source lines, because the program was compiled without -g";
  if (!rest_.empty())
    text.back() += "; not attributed: " + rest_text(rest_, instrumented_);
  if (!outside_.empty())
    text.push_back(fmt::format("Instrumented code accounts for {:.2f}% of the cost of the whole run; other costs: {}",
                               per_cent(instrumented_, total_), rest_text(outside_, total_)));
  return text;
}

Json Costs::json() const {
  auto list_json = [](const std::vector<Rest> &list) {
    Json json = Json::array();
    for (const Rest &rest : list)
      json.push_back({{"reason", rest.reason}, {"cost", std::round(rest.cost)}});
    return json;
  };
  return {{"tool", tool_},
          {"file", file_},
          {"event", event_},
          {"total", std::round(total_)},
          {"instrumented", std::round(instrumented_)},
          {"attributed", std::round(attributed_)},
          {"by_nearest_line", std::round(near_)},
          {"not_attributed", list_json(rest_)},
          {"outside", list_json(outside_)}};
}

} // namespace pathprof
