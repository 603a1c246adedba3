// SPDX-License-Identifier: GPL-3.0-or-later
// Implements --sort and --cost.
#include "pathdump/cost/cost_option.h"

#include <set>

#include <fmt/format.h>

#include "pathdump/cost/callgrind.h"
#include "pathdump/cost/perf.h"
#include "pathdump/cost/stored_cost.h"
#include "pathdump/ui/command_line.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "profile/model/visible.h"

namespace pathprof {

static constexpr const char *kPerf = "perf:", *kCallgrind = "callgrind:", *kTsc = "tsc";

static bool begins(const std::string &text, const std::string &with) {
  return text.size() > with.size() && text.compare(0, with.size(), with) == 0;
}

bool is_cost_value(const std::string &word) {
  static const std::set<std::string> kWords = {kDefaultCost, kTsc, "perf", "callgrind", "cycles"};
  return kWords.count(word) || begins(word, kPerf) || begins(word, kCallgrind);
}

void add_cost_option(Subcommand &command, std::string &cost) {
  command
      .add_option(
          "--cost", cost, "[WHAT]",
          "rank by measured cost: without WHAT, the cost that 'pathprof record --cost' stored with the profile; "
          "callgrind:FILE (a callgrind.out.PID file), perf:FILE (output of perf script) or tsc (cycles in the profile)")
      .check([](const std::string &word) {
        bool is_known = word == kDefaultCost || word == kTsc || begins(word, kPerf) || begins(word, kCallgrind);
        return is_known
                   ? ""
                   : fmt::format("unknown cost '{}'; accepted: callgrind:FILE, perf:FILE, tsc, auto", visible(word));
      });
}

void add_rank_options(Subcommand &command, RankOptions &options) {
  command
      .add_option(
          "--sort", options.sort, "KEY",
          "share (default; the share of costs if --cost is given; otherwise, the share of cycles if the profile "
          "contains cycles and measuring took at most half of all cycles; otherwise, the share of statements), "
          "statements (executions times statements), cycles, cost (given with --cost), count (executions) or name")
      .accept("sort key", {"share", "statements", "cycles", "cost", "count", "name"});
  add_cost_option(command, options.cost);
}

// Attributes the measured costs to paths. Throws Failure if none of the costs can be attributed to a path, because all
// rows would show 0.
static std::unique_ptr<Costs> join(const Profile &profile, const std::string &file, const Measurement &measurement,
                                   const char *commands) {
  auto costs = std::make_unique<Costs>(profile, file, measurement);
  if (costs->attributed() > 0)
    return costs;
  throw Failure(
      kBadData,
      fmt::format("{}: no cost can be attributed to the executed paths in {}; measure the same program with {}",
                  measurement.file, visible(file), commands));
}

std::unique_ptr<Costs> open_costs(const std::string &command, const std::string &cost, const Profile &profile,
                                  const std::string &file) {
  if (cost == kDefaultCost)
    return join(profile, file, read_stored_cost(command, file), kMeasureCommand);
  if (begins(cost, kCallgrind))
    return join(profile, file, read_callgrind(cost.substr(std::string(kCallgrind).size()), profile), kCallgrindCommand);
  if (begins(cost, kPerf))
    return join(profile, file, read_perf(cost.substr(std::string(kPerf).size()), profile), kPerfCommands);
  return nullptr;
}

// Throws Failure if the options contradict each other or need data that the profile does not contain.
static void check_options(const std::string &command, const RankOptions &options, const Profile &profile,
                          const std::string &file) {
  bool has_cycles = profile.has_cycles();
  if (options.sort == "cycles" && !has_cycles)
    throw Failure(kWrongUse, fmt::format("{}: {} has no cycles; use metric=tsc to measure them", command, file));
  if (options.cost == kTsc && !has_cycles)
    throw Failure(kWrongUse,
                  fmt::format("{}: --cost=tsc: {} has no cycles; use metric=tsc to measure them", command, file));
  if (options.sort == "cost" && options.cost.empty())
    throw Failure(kWrongUse, fmt::format("{}: --sort=cost needs costs from another tool; use --cost=WHAT to "
                                         "specify them, or use --sort=share to rank by the profile's own figures",
                                         command));
  if (!options.cost.empty() && (options.sort == "statements" || options.sort == "cycles"))
    throw Failure(kWrongUse,
                  fmt::format("{}: --cost cannot be combined with --sort={}; use --sort=cost", command, options.sort));
}

static void refuse_dear_cycles(const Basis &basis, const std::string &command, const std::string &file) {
  if (basis.knows_cost && !basis.is_dear())
    return;
  throw Failure(kWrongUse,
                fmt::format("{}: --cost=tsc: the cycles in {} are unreliable because {}; use --sort=cycles to rank "
                            "by them nevertheless",
                            command, file,
                            basis.knows_cost
                                ? fmt::format("measuring took {:.1f}% of all cycles", basis.share_of_measuring())
                                : "the profile does not contain the cost of measuring"));
}

Basis basis_of(const std::string &command, const RankOptions &options, const Profile &profile, const std::string &file,
               const Costs *costs) {
  check_options(command, options, profile, file);
  Basis basis = basis_of(profile, options.cost == kTsc ? "cycles" : options.sort);
  if (options.cost == kTsc)
    refuse_dear_cycles(basis, command, file);
  basis.costs = costs;
  if (costs)
    basis.by_cycles = false;
  if (options.sort == "count" || options.sort == "name")
    basis.order = options.sort;
  return basis;
}

std::string cost_hint(const std::string &command, const Basis &basis, const std::string &file) {
  if (basis.costs || basis.by_cycles)
    return {};
  return has_stored_cost(file)
             ? fmt::format("Statements are not time; '{} {} --cost' ranks by the cost stored with the profile",
                           program_name, command)
             : fmt::format("Statements are not time; {} measures the cost", kMeasureCommand);
}

void print_cost_hint(const std::string &command, const Basis &basis, const std::string &file, Output &out) {
  std::string hint = cost_hint(command, basis, file);
  if (hint.empty())
    return;
  out.write("\n");
  print_remark(hint, out);
}

} // namespace pathprof
