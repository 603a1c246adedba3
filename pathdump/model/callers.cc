// SPDX-License-Identifier: GPL-3.0-or-later
// Infers callers from counts.
#include "pathdump/model/callers.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "pathdump/model/lines.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

Callers::Callers(const Profile &profile, const std::string &file) : profile_(profile), callees_(profile) {
  for (const Function &function : profile.functions) {
    if (is_left_out(function))
      continue;
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    called_[&function].activations = totals_of(function, *decoded).calls;
    if (!function.notes.direct_calls.empty())
      add_calls(function, *decoded);
  }
}

// Adds the direct calls in a function. The count of a call is the count of its block. This count is too high if an
// earlier call in the block did not return, but it is never too low.
void Callers::add_calls(const Function &function, const Decoded &decoded) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<uint64_t> edges = count_edges(function, decoded);
  std::vector<unsigned __int128> counts(static_cast<size_t>(graph.num_blocks()), 0);
  for (int e = 0; e < graph.num_edges(); e++)
    counts[static_cast<size_t>(graph.edge(e).dst)] += edges[static_cast<size_t>(e)];
  for (const DirectCall &call : function.notes.direct_calls)
    if (counts[call.block])
      if (const Function *callee = callees_.find(function, *call.callee))
        add_call(function, *callee, call.line, counts[call.block]);
}

void Callers::add_call(const Function &caller, const Function &callee, uint32_t line, unsigned __int128 count) {
  if (&callee != &caller) // the first call of a recursive function comes from another function
    called_[&callee].sites[&caller][line] += count;
  called_[&callee].from_sites += count;
}

bool Callers::is_known(const Called &called) const {
  return called.sites.size() == 1 && called.from_sites >= called.activations;
}

std::vector<OpenCall> Callers::of(const Function &function) const {
  std::vector<OpenCall> open;
  std::vector<const Function *> seen{&function};
  for (const Function *at = &function;;) {
    auto called = called_.find(at);
    if (called == called_.end() || !is_known(called->second))
      break;
    const auto &[caller, lines] = *called->second.sites.begin();
    if (std::find(seen.begin(), seen.end(), caller) != seen.end())
      break;
    open.insert(open.begin(), {caller, lines.size() == 1 ? lines.begin()->first : 0});
    seen.push_back(caller);
    at = caller;
  }
  return open;
}

std::string Callers::text_of_unknown(const std::set<const Function *> &outermost, const Names &names) const {
  static constexpr size_t kMost = 5;
  std::vector<std::string> several, others;
  for (const Function &function : profile_.functions) {
    auto called = called_.find(&function);
    if (!outermost.count(&function) || function.notes.name == "main" || called == called_.end())
      continue;
    (called->second.sites.size() > 1 ? several : others).push_back(names.function(function.notes.name));
  }
  auto list = [](const char *why, std::vector<std::string> functions) {
    size_t number = functions.size();
    functions.resize(std::min(number, kMost));
    return fmt::format("{} {}: {}{}", plural(number, "function"), why, fmt::join(functions, ", "),
                       number > kMost ? ", ..." : "");
  };
  std::vector<std::string> parts;
  if (!several.empty())
    parts.push_back(list("with several callers", std::move(several)));
  if (!others.empty())
    parts.push_back(list("with an unknown caller", std::move(others)));
  return parts.empty() ? "" : fmt::format("stacks begin at {}", fmt::join(parts, "; at "));
}

} // namespace pathprof
