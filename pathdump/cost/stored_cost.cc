// SPDX-License-Identifier: GPL-3.0-or-later
// Reads, writes and adds up the costs that are stored next to profiles.
#include "pathdump/cost/stored_cost.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/output.h"
#include "profile/model/file.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

constexpr const char *kFormat = "pathprof-cost";
constexpr int kVersion = 1;

bool is_before(const CostPosition &a, const CostPosition &b) {
  return std::tie(a.function, a.file, a.line) < std::tie(b.function, b.file, b.line);
}

bool is_before(const MeasuredCost &a, const MeasuredCost &b) {
  if (a.callee != b.callee)
    return a.callee < b.callee;
  return std::lexicographical_compare(
      a.frames.begin(), a.frames.end(), b.frames.begin(), b.frames.end(),
      [](const CostPosition &left, const CostPosition &right) { return is_before(left, right); });
}

// Sorts the costs by position, and adds up the costs of the same position.
void add_up(std::vector<MeasuredCost> &costs) {
  std::stable_sort(costs.begin(), costs.end(),
                   [](const MeasuredCost &a, const MeasuredCost &b) { return is_before(a, b); });
  std::vector<MeasuredCost> sums;
  for (MeasuredCost &cost : costs)
    if (sums.empty() || is_before(sums.back(), cost))
      sums.push_back(std::move(cost));
    else
      sums.back().cost += cost.cost;
  costs = std::move(sums);
}

bool has_same_unit(const Measurement &a, const Measurement &b) {
  return a.tool == b.tool && a.event == b.event;
}

// ---- the file ----

struct CostFile {
  Measurement measurement;
  ProfileContents measured; // modules of the measured run
};

Json json_of(const ProfileContents &contents) {
  Json modules = Json::array();
  for (const auto &[name, keys] : contents.modules)
    for (uint64_t key : keys)
      modules.push_back({{"name", name}, {"key", fmt::format("{:016x}", key)}});
  return modules;
}

Json json_of(const MeasuredCost &cost) {
  Json frames = Json::array();
  for (const CostPosition &frame : cost.frames)
    frames.push_back({frame.function, frame.file, frame.line});
  Json json = {{"at", std::move(frames)}, {"cost", cost.cost}};
  if (!cost.callee.empty())
    json["callee"] = cost.callee;
  return json;
}

void write(const std::string &file, const Measurement &measurement, const ProfileContents &contents) {
  Json head = {{"format", kFormat},         {"version", kVersion},        {"modules", json_of(contents)},
               {"tool", measurement.tool},  {"event", measurement.event}, {"total", measurement.total},
               {"outside", Json::object()}, {"costs", Json::array()}};
  for (const auto &[reason, cost] : measurement.outside)
    head["outside"][reason] = cost;
  std::string text = dump(head);
  CommonOptions options;
  options.output = file;
  Output out(options);
  out.write(text.substr(0, text.size() - std::string("]}").size()));
  for (size_t i = 0; i < measurement.costs.size(); i++)
    out.print("{}\n{}", i ? "," : "", dump(json_of(measurement.costs[i])));
  out.write("\n]}\n");
  out.commit();
}

// Returns the number, which must not be negative. Throws a JSON exception if the value is not a number.
double amount(const Json &json) {
  auto value = json.get<double>();
  if (!(value >= 0))
    throw std::range_error("negative cost");
  return value;
}

CostFile parse(const std::string &file, const std::string &text) {
  Json json = Json::parse(text);
  if (json.at("format") != kFormat)
    throw std::range_error("the format is not '" + std::string(kFormat) + "'");
  if (json.at("version") != kVersion)
    throw std::range_error(fmt::format("unknown version; expected {}", kVersion));
  CostFile cost;
  cost.measurement = {json.at("tool").get<std::string>(),
                      visible(file),
                      visible(json.at("event").get<std::string>()),
                      {},
                      amount(json.at("total")),
                      {}};
  for (const auto &[reason, value] : json.at("outside").items())
    cost.measurement.outside[visible(reason)] = amount(value);
  for (const Json &module : json.at("modules")) {
    auto key = module.at("key").get<std::string>();
    uint64_t number = 0;
    if (std::from_chars(key.data(), key.data() + key.size(), number, 16).ptr != key.data() + key.size())
      throw std::range_error("invalid key of a module");
    cost.measured.modules[module.at("name").get<std::string>()].insert(number);
  }
  for (const Json &one : json.at("costs")) {
    MeasuredCost measured = {{}, amount(one.at("cost")), visible(one.value("callee", std::string()))};
    for (const Json &frame : one.at("at"))
      measured.frames.push_back(
          {frame.at(0).get<std::string>(), frame.at(1).get<std::string>(), frame.at(2).get<uint32_t>()});
    if (measured.frames.empty())
      throw std::range_error("cost without a position");
    cost.measurement.costs.push_back(std::move(measured));
  }
  return cost;
}

// Reads the file, which exists. Throws Failure if the file is invalid.
CostFile read_file(const std::string &file) {
  LoadError error;
  std::optional<TextFile> text = read_text_file(file, &error);
  if (!text)
    throw Failure(kBadData, error.message());
  std::string reason;
  try {
    return parse(file, text->text);
  } catch (const Json::exception &wrong) {
    reason = wrong.what();
  } catch (const std::range_error &wrong) {
    reason = wrong.what();
  }
  throw Failure(kBadData, fmt::format("{}: not a stored cost: {}; measure it again with {}", visible(file),
                                      visible(reason), kMeasureCommand));
}

// Returns the reason why the cost does not describe the profile, or an empty string.
std::string mismatch(const CostFile &cost, const ProfileContents &contents) {
  if (contents.is_other_build_than(cost.measured))
    return fmt::format("another build of {} was measured", visible(contents.names_of_other_builds(cost.measured)));
  bool is_there = std::any_of(cost.measured.modules.begin(), cost.measured.modules.end(),
                              [&](const auto &module) { return contents.modules.count(module.first) != 0; });
  return is_there ? "" : fmt::format("another program was measured ({})", visible(cost.measured.names()));
}

ProfileContents contents_or_none(const std::string &profile) {
  return contents_of(profile).value_or(ProfileContents());
}

// Returns the cost that is stored with the profile, or nothing if there is none that describes the profile.
std::optional<Measurement> usable_cost_of(const std::string &profile) {
  if (!has_stored_cost(profile))
    return std::nullopt;
  try {
    CostFile cost = read_file(cost_file_of(profile));
    if (mismatch(cost, contents_or_none(profile)).empty())
      return std::move(cost.measurement);
  } catch (const Failure &) {
    // an invalid file is treated like a missing file
  }
  return std::nullopt;
}

// If the cost that is stored with the profile was measured with an older build, whose profile the runtime has renamed
// to FILE.BUILDID, renames the cost to FILE.BUILDID.cost. Does nothing if that file exists, or if the stored cost is
// invalid.
void keep_with_older_build(const std::string &profile) {
  if (!has_stored_cost(profile))
    return;
  try {
    CostFile cost = read_file(cost_file_of(profile));
    if (mismatch(cost, contents_or_none(profile)).empty())
      return;
    for (const std::string &sibling : siblings_of(profile))
      if (!has_stored_cost(sibling) && mismatch(cost, contents_or_none(sibling)).empty()) {
        std::filesystem::rename(cost_file_of(profile), cost_file_of(sibling));
        return;
      }
  } catch (const Failure &) {
    // an invalid file is treated like a missing file
  }
}

} // namespace

void add_measurement(Measurement &sum, const Measurement &other, double weight) {
  sum.total += weight * other.total;
  sum.num_samples += other.num_samples;
  for (const auto &[reason, cost] : other.outside)
    sum.outside[reason] += weight * cost;
  for (MeasuredCost cost : other.costs) {
    cost.cost *= weight;
    sum.costs.push_back(std::move(cost));
  }
  add_up(sum.costs);
}

std::string cost_file_of(const std::string &profile) {
  return profile + ".cost";
}

bool has_stored_cost(const std::string &profile) {
  std::error_code ignored;
  return profile != "-" && std::filesystem::exists(cost_file_of(profile), ignored);
}

Measurement read_stored_cost(const std::string &command, const std::string &profile) {
  if (!has_stored_cost(profile))
    throw Failure(kWrongUse, fmt::format("{}: --cost: no cost is stored with {}; measure it with {}", command,
                                         visible(profile), kMeasureCommand));
  CostFile cost = read_file(cost_file_of(profile));
  if (std::string wrong = mismatch(cost, contents_or_none(profile)); !wrong.empty())
    throw Failure(kBadData, fmt::format("{} does not match {}: {}; measure this build with {}", cost.measurement.file,
                                        visible(profile), wrong, kMeasureCommand));
  return std::move(cost.measurement);
}

bool add_to_stored_cost(const std::string &profile, Measurement measurement) {
  std::optional<Measurement> before = usable_cost_of(profile);
  bool is_other = before && !has_same_unit(*before, measurement);
  if (before && !is_other)
    add_measurement(measurement, *before);
  keep_with_older_build(profile);
  write(cost_file_of(profile), measurement, contents_or_none(profile));
  return is_other;
}

StoredCosts stored_costs_of(const std::vector<std::string> &profiles) {
  StoredCosts costs;
  for (const std::string &profile : profiles)
    costs.push_back(usable_cost_of(profile));
  return costs;
}

std::string store_merged_cost(const std::string &merged, const std::vector<std::string> &profiles,
                              const std::vector<uint64_t> &weights, const StoredCosts &costs) {
  std::string reason;
  std::optional<Measurement> sum;
  for (size_t i = 0; i < costs.size() && reason.empty(); i++) {
    if (!costs[i]) {
      reason = fmt::format("{} has no stored cost", visible(profiles[i]));
    } else if (!sum) {
      sum = Measurement{costs[i]->tool, "", costs[i]->event, {}, 0, {}};
      add_measurement(*sum, *costs[i], static_cast<double>(weights[i]));
    } else if (has_same_unit(*sum, *costs[i])) {
      add_measurement(*sum, *costs[i], static_cast<double>(weights[i]));
    } else {
      reason = fmt::format("{} was measured in {} by {}, but {} in {} by {}", visible(profiles[0]), sum->event,
                           sum->tool, visible(profiles[i]), costs[i]->event, costs[i]->tool);
    }
  }
  if (reason.empty()) {
    write(cost_file_of(merged), *sum, contents_or_none(merged));
    return {};
  }
  std::error_code ignored;
  std::filesystem::remove(cost_file_of(merged), ignored);
  bool any = std::any_of(costs.begin(), costs.end(), [](const auto &cost) { return cost.has_value(); });
  return any ? reason : std::string();
}

} // namespace pathprof
