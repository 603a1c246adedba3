// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the output of 'perf script' and attributes its samples to source lines.
//
// A sample consists of a line with its event, followed by a line per frame of its call chain, innermost first, and an
// empty line:
//
//   gawk  4711  12.3456:     250000 cycles:u:
//               55d1c0 sc_parse_field+0x1a0 (/usr/bin/gawk)
//     field.c:812
//
// The event line is missing if 'perf script' was told to print only frames.
#include "pathdump/cost/perf.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "pathdump/cost/instrumented.h"
#include "pathdump/cost/line_table.h"
#include "pathdump/ui/failure.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Frame {
  uint64_t address = 0; // in the process
  std::string symbol;
  std::optional<uint64_t> offset;
  std::string binary;
  std::string file; // file of the source line, if the text contains it
  uint32_t line = 0;

  bool is_inlined() const { return binary == "inlined"; }
  bool operator<(const Frame &o) const {
    return std::tie(address, symbol, offset, binary, file, line) <
           std::tie(o.address, o.symbol, o.offset, o.binary, o.file, o.line);
  }
};

struct Sample {
  double period = 1;
  std::vector<Frame> frames;
};

class Reader {
public:
  explicit Reader(const std::string &file) : file_(file), in_(file) {
    if (!in_)
      throw Failure(kBadData, fmt::format("{}: cannot be read", visible(file)));
  }

  std::vector<Sample> read() {
    std::string line;
    while (std::getline(in_, line)) {
      number_++;
      if (line.find('\0') != std::string::npos || line.rfind("PERFILE", 0) == 0)
        fail(fmt::format("perf.data is not text; generate the input with {}", kPerfCommands));
      if (line.find_first_not_of(" \t\r") == std::string::npos)
        has_chains_ = true, finish();
      else if (line[0] != '#')
        read_line(line);
    }
    finish();
    if (!has_chains_ && samples_.size() == 1)
      divide();
    if (samples_.empty())
      fail(fmt::format("missing samples; generate the input with {}", kPerfCommands));
    return std::move(samples_);
  }

  const std::string &event() const { return event_; }

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw Failure(kBadData, fmt::format("{}:{}: {}", visible(file_), number_, what));
  }

  // Splits the frames into samples. Called if the input contains neither empty lines nor event lines. Each sample
  // consists of one frame and the preceding frames of functions that are inlined at its address.
  void divide() {
    Sample all = std::move(samples_.front());
    samples_.clear();
    for (Frame &frame : all.frames) {
      bool goes_on = !samples_.empty() && samples_.back().frames.back().is_inlined();
      if (!goes_on)
        samples_.emplace_back().period = all.period;
      samples_.back().frames.push_back(std::move(frame));
    }
  }

  void finish() {
    if (!sample_.frames.empty())
      samples_.push_back(std::move(sample_));
    sample_ = {};
  }

  void read_line(const std::string &line) {
    static const std::regex frame("^(.*?)\\s*\\b([0-9a-f]+) (\\S.*?)(?:\\+0x([0-9a-f]+))? \\((.+)\\)\\s*$");
    static const std::regex source("^\\s+(\\S.*):([0-9]+)(?: \\(discriminator [0-9]+\\))?\\s*$");
    // Matches lines that contain both an event and a frame. 'perf script' without -F prints such lines if 'perf record'
    // did not record call chains.
    static const std::regex without_chain("^.*[0-9.]+: +([0-9]+ +)?[A-Za-z]\\S*: +[0-9a-f]+ \\S.*$");
    std::smatch match;
    if (std::regex_match(line, without_chain))
      fail(fmt::format("missing call chains; generate the input with {}", kPerfCommands));
    if (std::regex_match(line, match, frame))
      return read_frame(match);
    if (std::regex_match(line, match, source) && !sample_.frames.empty()) {
      sample_.frames.back().file = match[1];
      sample_.frames.back().line = static_cast<uint32_t>(strtoul(match[2].str().c_str(), nullptr, 10));
      return;
    }
    static const std::regex nowhere("^\\s*((\\?\\?)?:0|[^\\s:]+\\[[0-9a-f]+\\])\\s*$"); // perf found no line
    if (std::regex_match(line, nowhere) && !sample_.frames.empty())
      return;
    if (!read_head(line))
      fail(fmt::format("'{}' is not part of a perf sample; generate the input file with {}", visible(line),
                       kPerfCommands));
  }

  // Adds a frame to the current sample. If other text precedes the frame on its line, the frame starts a new sample.
  void read_frame(const std::smatch &match) {
    std::string head = match[1];
    if (head.find_first_not_of(" \t") != std::string::npos) {
      finish();
      read_head(head);
    }
    Frame frame;
    frame.address = strtoull(match[2].str().c_str(), nullptr, 16);
    frame.symbol = match[3];
    if (match[4].matched)
      frame.offset = strtoull(match[4].str().c_str(), nullptr, 16);
    frame.binary = match[5];
    sample_.frames.push_back(std::move(frame));
  }

  // Starts a sample if the line is an event line, such as "250000" or "... 250000 cycles:u:". Returns false for other
  // lines.
  bool read_head(const std::string &line) {
    static const std::regex alone("^\\s*([0-9]+)\\s*$"), with_event("^.*?(?:([0-9]+) +)?([A-Za-z][^\\s]*):\\s*$");
    std::smatch match;
    bool is_alone = std::regex_match(line, match, alone);
    if (!is_alone && !std::regex_match(line, match, with_event))
      return false;
    finish();
    has_chains_ = true;
    if (match[1].matched)
      sample_.period = strtod(match[1].str().c_str(), nullptr);
    if (is_alone || match[1].matched)
      event_ = is_alone ? "periods" : match[2].str();
    return true;
  }

  const std::string &file_;
  std::ifstream in_;
  uint64_t number_ = 0;
  std::string event_ = "samples";
  bool has_chains_ = false;
  Sample sample_;
  std::vector<Sample> samples_;
};

// Kind of event that transfers control to a kernel function.
enum class KernelEntry { Call, Exception, Interrupt };

// Returns true if the frame is in the kernel image. Frames in kernel modules need not be recognized, because control
// enters a module only through the kernel image.
bool is_kernel(const Frame &frame) {
  static const std::string kImage = "vmlinux";
  const std::string &binary = frame.binary;
  size_t image = binary.rfind('/') + 1;
  return binary.rfind("[kernel", 0) == 0 || binary.rfind("[guest.kernel", 0) == 0 ||
         binary.compare(image, kImage.size(), kImage) == 0;
}

// Classifies a kernel function by its name. Interrupts are independent of the program, whereas exceptions, such as page
// faults, are caused by the interrupted instruction.
KernelEntry entry_of(const std::string &symbol) {
  static const std::regex interrupt(
      "(asm_)?(sysvec_|common_interrupt|spurious_interrupt|exc_nmi).*|(smp_)?apic_timer_interrupt|irq_entries_start.*|"
      "ret_from_intr|(common|reschedule|call_function(_single)?|irq_work|thermal)_interrupt|do_IRQ|__do_softirq|"
      "end_repeat_nmi|nmi|el[01]h?t?_(64_)?(irq|fiq|error)(_handler|_invalid)?");
  static const std::regex exception("(asm_)?exc_.*|(async_)?page_fault|el[01]h?t?_(64_)?(sync|da|ia)(_handler)?");
  if (std::regex_match(symbol, interrupt))
    return KernelEntry::Interrupt;
  return std::regex_match(symbol, exception) ? KernelEntry::Exception : KernelEntry::Call;
}

// Attributes samples to positions in instrumented code.
class Locator {
public:
  Locator(Measurement &measurement, const Profile &profile) : measurement_(measurement), names_(profile) {
    for (const Module &module : profile.modules)
      modules_.insert(last_part(module.name));
  }

  void add(const Sample &sample) {
    measurement_.total += sample.period;
    std::string callee;
    std::vector<CostPosition> inlined;
    for (const Frame &frame : sample.frames) {
      if (frame.is_inlined()) {
        if (frame.line)
          inlined.push_back({frame.symbol, frame.file, frame.line});
        continue;
      }
      if (is_kernel(frame)) {
        KernelEntry entry = entry_of(frame.symbol);
        if (entry == KernelEntry::Interrupt)
          return outside("in interrupts", sample);
        callee = entry == KernelEntry::Call ? frame.symbol : "";
        continue;
      }
      if (InstrumentedNames::is_runtime(frame.symbol))
        return outside(kRuntimeReason, sample);
      if (is_instrumented(frame, !callee.empty()))
        return found(frame, !callee.empty(), inlined, sample, callee);
      callee = frame.symbol;
      inlined.clear();
    }
    outside("in code without an instrumented caller in the call chain", sample);
  }

  // Throws Failure if the input contains neither offsets nor source lines for the samples in instrumented code.
  void check_positions() const {
    if (!has_positions_ && !measurement_.costs.empty())
      throw Failure(kBadData, fmt::format("{}: missing function offsets; generate the input with {}", measurement_.file,
                                          kPerfCommands));
  }

private:
  static std::string last_part(const std::string &file) { return file.substr(file.rfind('/') + 1); }
  bool is_module(const std::string &binary) const { return modules_.empty() || modules_.count(last_part(binary)); }

  // Returns true if the profile contains the frame's function or a function inlined at the frame's address.
  bool is_instrumented(const Frame &frame, bool is_caller) {
    if (!is_module(frame.binary))
      return false;
    if (names_.has(frame.symbol))
      return true;
    std::vector<CostPosition> frames = located(frame, is_caller);
    return std::any_of(frames.begin(), frames.end(),
                       [&](const CostPosition &position) { return names_.has(position.function); });
  }

  void outside(const std::string &reason, const Sample &sample) { measurement_.outside[reason] += sample.period; }

  void found(const Frame &frame, bool is_caller, const std::vector<CostPosition> &inlined, const Sample &sample,
             const std::string &callee) {
    MeasuredCost cost = {{}, sample.period, visible(name_of_callee(callee))};
    has_positions_ |= frame.line || frame.offset;
    if (frame.line) {
      cost.frames = inlined;
      cost.frames.push_back({frame.symbol, frame.file, frame.line});
    } else {
      cost.frames = located(frame, is_caller);
    }
    if (cost.frames.empty())
      cost.frames.push_back({frame.symbol, "", 0});
    measurement_.costs.push_back(std::move(cost));
    measurement_.num_samples++;
  }

  // Returns the source positions at the frame's address. For a caller, the address in the frame is the return address,
  // which is after the call, so the preceding address is used.
  std::vector<CostPosition> located(const Frame &frame, bool is_caller) {
    if (frame.line || !frame.offset || frame.binary.empty() || frame.binary[0] == '[' || !is_module(frame.binary))
      return {};
    auto known = known_.find({frame, is_caller});
    if (known != known_.end())
      return known->second;
    std::unique_ptr<LineTable> &table = tables_[frame.binary];
    if (!table) {
      table = std::make_unique<LineTable>(frame.binary);
      if (!table->is_readable())
        throw Failure(kBadData,
                      fmt::format("{}: cannot read the symbols of {}; on a machine that has them, use 'perf script -F "
                                  "+srcline' to add source lines to the text",
                                  measurement_.file, visible(frame.binary)));
    }
    uint64_t before = is_caller && *frame.offset > 0;
    return known_[{frame, is_caller}] = table->find(frame.symbol, *frame.offset - before, frame.address - before);
  }

  Measurement &measurement_;
  bool has_positions_ = false;
  InstrumentedNames names_;
  std::set<std::string> modules_;
  std::map<std::string, std::unique_ptr<LineTable>> tables_;
  std::map<std::pair<Frame, bool>, std::vector<CostPosition>> known_;
};

} // namespace

Measurement read_perf(const std::string &file, const Profile &profile) {
  Reader reader(file);
  std::vector<Sample> samples = reader.read();
  Measurement measurement = {"perf", visible(file), visible(reader.event()), {}, 0, {}};
  Locator locator(measurement, profile);
  for (const Sample &sample : samples)
    locator.add(sample);
  locator.check_positions();
  return measurement;
}

} // namespace pathprof
