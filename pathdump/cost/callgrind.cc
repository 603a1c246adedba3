// SPDX-License-Identifier: GPL-3.0-or-later
// Reads callgrind's output, whose format is described in valgrind's manual under "Callgrind Format Specification".
#include "pathdump/cost/callgrind.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "pathdump/cost/instrumented.h"
#include "pathdump/ui/failure.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

using Place = std::pair<std::string, uint32_t>; // file and line

struct Node {
  double self = 0;
  std::map<Place, double> lines;
  std::map<std::pair<Place, std::string>, double> calls; // inclusive costs by call site and callee
};

// Parses a callgrind file into costs per function.
class Reader {
public:
  explicit Reader(const std::string &file) : file_(file), in_(file) {
    if (!in_)
      throw Failure(kBadData, fmt::format("{}: cannot be read", visible(file)));
  }

  void read() {
    std::string line;
    while (std::getline(in_, line)) {
      number_++;
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      if (line.empty() || line[0] == '#')
        continue;
      if (!read_assignment(line) && !read_header(line))
        read_costs(line);
    }
    if (event_.empty())
      fail(fmt::format("missing 'events:' line; write the file with {}", kCallgrindCommand));
    if (calls_pending_)
      fail("missing costs after the last 'calls=' line");
    if (nodes_.empty())
      fail(fmt::format("missing costs; write the file with {}", kCallgrindCommand));
  }

  const std::string &event() const { return event_; }
  const std::map<std::string, Node> &nodes() const { return nodes_; }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw Failure(kBadData, fmt::format("{}:{}: {}", visible(file_), number_, what));
  }

  // Resolves a compressed name: "(3) name" assigns the number 3 to the name, and a later "(3)" stands for the name.
  std::string name(std::map<std::string, std::string> &names, const std::string &text) const {
    if (text.empty() || text[0] != '(')
      return text;
    size_t end = text.find(')');
    if (end == std::string::npos)
      fail(fmt::format("missing ')' in '{}'", visible(text)));
    std::string key = text.substr(0, end + 1);
    if (size_t begin = text.find_first_not_of(' ', end + 1); begin != std::string::npos)
      names[key] = text.substr(begin);
    auto found = names.find(key);
    if (found == names.end())
      fail(fmt::format("{} has not been defined", visible(key)));
    return found->second;
  }

  bool read_assignment(const std::string &line) {
    size_t equals = line.find('=');
    if (equals == std::string::npos || line.find_first_of(": ") < equals)
      return false;
    std::string key = line.substr(0, equals), value = line.substr(equals + 1);
    if (key == "fl" || key == "fi" || key == "fe")
      source_ = name(files_, value);
    else if (key == "cfi" || key == "cfl")
      name(files_, value);
    else if (key == "ob" || key == "cob")
      name(objects_, value);
    else if (key == "fn")
      function_ = name(functions_, value), has_function_ = true;
    else if (key == "cfn")
      callee_ = name(functions_, value);
    else if (key == "calls")
      calls_pending_ = true;
    else if (key != "jump" && key != "jcnd" && key != "jfi" && key != "jfn")
      fail(fmt::format("unknown key '{}='", visible(key)));
    return true;
  }

  bool read_header(const std::string &line) {
    size_t colon = line.find(':');
    if (colon == std::string::npos)
      return false;
    std::string key = line.substr(0, colon), value = line.substr(std::min(colon + 2, line.size()));
    if (key == "events")
      event_ = value.substr(0, value.find(' '));
    else if (key == "positions") {
      num_positions_ = value == "instr line" ? 2 : 1;
      if (value != "line" && value != "instr line")
        fail(fmt::format("unknown value '{}' for positions; expected 'line' or 'instr line'", visible(value)));
      positions_.assign(num_positions_, 0);
    }
    return true;
  }

  // Updates `position` from a word: "12" is absolute, "+3" and "-3" are relative to the previous position, and "*"
  // repeats the previous position.
  void move(uint64_t &position, const std::string &word) const {
    if (word == "*")
      return;
    bool is_relative = word[0] == '+' || word[0] == '-';
    const char *begin = word.c_str() + is_relative;
    char *end = nullptr;
    uint64_t value = strtoull(begin, &end, 0);
    if (end == begin || *end || *begin < '0' || *begin > '9')
      fail(fmt::format("'{}' is not a position", visible(word)));
    position = word[0] == '+' ? position + value : word[0] == '-' ? position - value : value;
  }

  void read_costs(const std::string &line) {
    std::vector<std::string> words;
    for (size_t begin = 0; (begin = line.find_first_not_of(" \t", begin)) != std::string::npos;) {
      size_t end = std::min(line.find_first_of(" \t", begin), line.size());
      words.push_back(line.substr(begin, end - begin));
      begin = end;
    }
    if (event_.empty() || !has_function_ || words.size() < num_positions_)
      fail(fmt::format("'{}' is not a cost line", visible(line)));
    for (size_t i = 0; i < num_positions_; i++)
      move(positions_[i], words[i]);
    double cost = 0;
    if (words.size() > num_positions_) {
      const std::string &word = words[num_positions_];
      if (word.find_first_not_of("0123456789") != std::string::npos)
        fail(fmt::format("'{}' is not a cost", visible(word)));
      cost = strtod(word.c_str(), nullptr);
    }
    add({source_, static_cast<uint32_t>(positions_.back())}, cost);
  }

  void add(const Place &place, double cost) {
    Node &node = nodes_[function_];
    if (calls_pending_) {
      node.calls[{place, callee_}] += cost;
    } else {
      node.self += cost;
      node.lines[place] += cost;
    }
    calls_pending_ = false;
  }

  const std::string &file_;
  std::ifstream in_;
  uint64_t number_ = 0; // number of the current line
  std::map<std::string, std::string> files_, functions_, objects_;
  std::string event_, source_, function_, callee_;
  bool has_function_ = false, calls_pending_ = false;
  size_t num_positions_ = 1;
  std::vector<uint64_t> positions_ = {0};
  std::map<std::string, Node> nodes_;
};

// For each uninstrumented function, computes the fraction of its inclusive cost that is spent neither in instrumented
// functions nor in the runtime. The computation is iterative because functions can call each other recursively.
class Foreign {
public:
  Foreign(const std::map<std::string, Node> &nodes, const InstrumentedNames &names) {
    static constexpr int kMostSteps = 100;
    for (const auto &[name, node] : nodes)
      if (!names.has(name))
        parts_[name] = 1;
    bool changed = true;
    for (int step = 0; changed && step < kMostSteps; step++) {
      changed = false;
      for (auto &[name, part] : parts_) {
        double now = part_of(nodes.at(name), InstrumentedNames::is_runtime(name));
        changed |= std::fabs(now - part) > 1e-9;
        part = now;
      }
    }
  }

  bool has(const std::string &name) const { return parts_.count(name); }
  double part(const std::string &name) const { return parts_.at(name); }

private:
  double part_of(const Node &node, bool is_runtime) const {
    double own = is_runtime ? 0 : node.self, all = node.self;
    for (const auto &[call, cost] : node.calls) {
      all += cost;
      if (auto found = parts_.find(call.second); found != parts_.end() && !is_runtime)
        own += cost * found->second;
    }
    return all > 0 ? own / all : 1;
  }

  std::map<std::string, double> parts_;
};

} // namespace

Measurement read_callgrind(const std::string &file, const Profile &profile) {
  Reader reader(file);
  reader.read();
  InstrumentedNames names(profile);
  Foreign foreign(reader.nodes(), names);
  Measurement measurement = {"callgrind", visible(file), visible(reader.event()), {}, 0, {}};
  double inside = 0, runtime = 0;
  for (const auto &[name, node] : reader.nodes()) {
    measurement.total += node.self;
    runtime += InstrumentedNames::is_runtime(name) ? node.self : 0;
    if (!names.has(name))
      continue;
    for (const auto &[place, cost] : node.lines)
      measurement.costs.push_back({{{name, place.first, place.second}}, cost, ""});
    inside += node.self;
    for (const auto &[call, cost] : node.calls) {
      const auto &[place, callee] = call;
      double part = foreign.has(callee) ? cost * foreign.part(callee) : 0;
      if (part == 0)
        continue;
      measurement.costs.push_back({{{name, place.first, place.second}}, part, visible(name_of_callee(callee))});
      inside += part;
    }
  }
  if (runtime > 0)
    measurement.outside[kRuntimeReason] = runtime;
  if (double rest = measurement.total - inside - runtime; rest > 0.5)
    measurement.outside["in code that no instrumented function called"] = rest;
  return measurement;
}

} // namespace pathprof
