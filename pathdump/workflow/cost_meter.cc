// SPDX-License-Identifier: GPL-3.0-or-later
// Runs perf and callgrind, and reads their results.
#include "pathdump/workflow/cost_meter.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <fmt/format.h>

#include "pathdump/cost/callgrind.h"
#include "pathdump/cost/perf.h"
#include "pathdump/cost/stored_cost.h"
#include "pathdump/ui/failure.h"
#include "pathdump/workflow/child.h"
#include "pathdump/workflow/drivers.h"
#include "profile/model/file.h"
#include "profile/model/visible.h"

namespace pathprof {

// Samples per second. The number is not a divisor of typical timer rates, so samples do not coincide with periodic work
// of the program. perf stores 8 kB of the stack with each sample.
static constexpr const char *kFrequency = "997";
static constexpr const char *kCycleCounter = "cycles", *kSoftwareClock = "cpu-clock";

static bool is_empty(const std::string &file) {
  std::error_code error;
  auto size = std::filesystem::file_size(file, error);
  return error || size == 0;
}

// Throws Failure if the program cannot be found or executed. perf and valgrind would report this in their own words.
static void check_program(const std::string &program) {
  std::string path = in_path(program);
  bool is_found = program.find('/') != std::string::npos || path != program;
  if (!is_found || access(path.c_str(), X_OK) != 0)
    cannot_start("record", program, is_found ? errno : ENOENT);
}

static std::string first_line_of(const std::string &file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      return visible(line);
  return "";
}

static std::vector<std::string> perf_record(const std::string &event, const std::string &output) {
  return {"perf", "record", "-q", "-F", kFrequency, "-e", event, "--call-graph", "dwarf", "-o", output, "--"};
}

// If the machine does not support an event, perf substitutes another one, so the recorded event is checked.
std::string CostMeter::why_not(const std::string &event) const {
  if (!is_executable("perf"))
    return "perf is not installed";
  std::string data = scratch_.file("probe.data"), log = scratch_.file("probe.log");
  Child child{perf_record(event, data), {}, "/dev/null", log};
  child.words.emplace_back("true");
  Ended ended = run_child("record", child);
  stop_if_interrupted(ended);
  if (ended.is_good()) {
    child.words = {"perf", "evlist", "-i", data};
    ended = run_child("record", child);
    stop_if_interrupted(ended);
  }
  std::string message = first_line_of(log);
  if (ended.is_good() && message.find(event) != std::string::npos)
    return "";
  if (ended.is_good())
    message += " is measured instead";
  return fmt::format("perf cannot measure {} ({})", event, message.empty() ? ended.text() : message);
}

// Selects the first event that perf can measure. Returns an empty string, or the reason why there is none.
std::string CostMeter::select_perf(bool only_cycles) {
  std::string reason = why_not(kCycleCounter);
  if (reason.empty()) {
    event_ = kCycleCounter;
    return "";
  }
  if (!only_cycles)
    reason = why_not(kSoftwareClock);
  if (reason.empty())
    event_ = kSoftwareClock;
  return reason;
}

CostMeter::CostMeter(const std::string &tool) {
  bool has_valgrind = is_executable("valgrind");
  if (tool == "callgrind") {
    if (!has_valgrind)
      throw Failure(kWrongUse, "record: --cost=callgrind: valgrind is not installed; install it or use --cost=perf");
    return;
  }
  std::string reason = select_perf(tool == "cycles");
  if (reason.empty() || (tool == "auto" && has_valgrind))
    return;
  if (tool == "auto")
    throw Failure(kWrongUse, fmt::format("record: --cost: {}, and valgrind is not installed; install perf (linux-perf) "
                                         "or valgrind",
                                         reason));
  throw Failure(kWrongUse, fmt::format("record: --cost={}: {}; use {}", tool, reason,
                                       tool == "cycles" ? "--cost=perf or --cost=callgrind" : "--cost=callgrind"));
}

std::vector<std::string> CostMeter::measured(const std::vector<std::string> &program) {
  check_program(program.front());
  std::vector<std::string> words;
  if (event_.empty())
    words = {"valgrind",
             "-q",
             "--tool=callgrind",
             "--trace-children=yes",
             "--log-file=" + scratch_.file("log.%p"),
             fmt::format("--callgrind-out-file={}", scratch_.file(fmt::format("callgrind-{}.%p", num_runs_)))};
  else
    words = perf_record(event_, scratch_.file(fmt::format("perf-{}.data", num_runs_)));
  num_runs_++;
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

std::string CostMeter::text_of_run(size_t run) const {
  return scratch_.file(fmt::format("perf-{}.txt", run));
}

// Converts perf's samples of a run to text. A run without samples yields an empty file.
void CostMeter::convert(size_t run) const {
  std::string data = scratch_.file(fmt::format("perf-{}.data", run)), log = scratch_.file("script.log");
  if (is_empty(data))
    throw Failure(kBadData, "perf wrote no data; see its messages above");
  Child child{{"perf", "script", "-i", data, "--no-inline", "--no-demangle", "-F", "event,period,ip,sym,symoff,dso"},
              {},
              "/dev/null",
              text_of_run(run)};
  child.errors = log;
  Ended ended = run_child("record", child);
  stop_if_interrupted(ended);
  if (!ended.is_good())
    throw Failure(kBadData, fmt::format("'perf script' failed with {}: {}", ended.text(), first_line_of(log)));
}

Measurement CostMeter::read_perf_runs(const Profile &profile) {
  Measurement sum = {"perf", "", event_, {}, 0, {}};
  bool any = false;
  for (size_t run = 0; run < num_runs_; run++) {
    if (!is_converted_)
      convert(run);
    if (is_empty(text_of_run(run)))
      continue;
    Measurement one = read_perf(text_of_run(run), profile);
    sum.event = one.event;
    add_measurement(sum, one);
    any = true;
  }
  is_converted_ = true;
  if (!any)
    throw Failure(kBadData, "the run was too short for perf to take samples; use --runs N or --cost=callgrind");
  return sum;
}

// Each process of the run has a file of its own. The file of a process that was killed can be missing or empty.
Measurement CostMeter::read_callgrind_runs(const Profile &profile) const {
  Measurement sum = {"callgrind", "", "", {}, 0, {}};
  std::vector<std::string> files = names_in(scratch_.file(""));
  std::sort(files.begin(), files.end());
  for (const std::string &name : files)
    if (name.rfind("callgrind-", 0) == 0 && !is_empty(scratch_.file(name))) {
      Measurement one = read_callgrind(scratch_.file(name), profile);
      sum.event = one.event;
      add_measurement(sum, one);
    }
  if (sum.total == 0)
    throw Failure(kBadData, "callgrind wrote no costs; a program that is killed is not measured");
  return sum;
}

Measurement CostMeter::read(const Profile &profile) {
  Measurement sum = event_.empty() ? read_callgrind_runs(profile) : read_perf_runs(profile);
  if (sum.costs.empty())
    throw Failure(kBadData, fmt::format("{} measured no cost in instrumented functions", sum.tool));
  return sum;
}

} // namespace pathprof
