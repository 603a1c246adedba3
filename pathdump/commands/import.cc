// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump import`: converts dumps of the counters of a freestanding program, such as a Linux kernel, to a
// profile.
#include <iostream>

#include "pathdump/commands/commands.h"
#include "pathdump/import/freestanding_program.h"
#include "pathdump/import/imported_counts.h"
#include "pathdump/import/memory_dump.h"
#include "pathdump/import/stream.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string program;
  std::vector<std::string> dumps;
  std::string address;
};

std::string text_of(AddressRange range) {
  return fmt::format("0x{:x} to 0x{:x}", range.start, range.end);
}

std::string_view text_of(const FileBytes &file) {
  return {reinterpret_cast<const char *>(file.data()), file.size()};
}

class Importer {
public:
  Importer(const FreestandingProgram &program, const Options &options)
      : program_(program), options_(options), counts_(program) {}

  void add(const std::string &name, std::string_view contents) {
    DumpKind kind = kind_of_dump(contents);
    if (kind != DumpKind::Memory && !options_.address.empty())
      throw Failure(kWrongUse, fmt::format("import: {} contains addresses itself or is a stream; --address can be used "
                                           "only with copies of memory",
                                           visible(name)));
    if (kind == DumpKind::Stream) {
      Streams streams = read_streams(program_, name, contents, [this](size_t unit, const unsigned char *counters) {
        counts_.add(unit, counters);
      });
      num_runs_ += streams.num_runs;
      num_resets_ += streams.num_resets;
      return;
    }
    if (program_.images().size() > 1)
      throw Failure(kBadData, fmt::format("{}: a copy of memory does not identify the counters of kernel modules; give "
                                          "only {}, or use the debugfs file pathprof/raw of the kernel",
                                          visible(name), visible(options_.program)));
    add_memory(name, memory_of(name, kind, contents));
    num_runs_++;
  }

  const ImportedCounts &counts() const { return counts_; }
  FileBytes image() const { return counts_.image(num_runs_, num_resets_); }

private:
  MemoryDump memory_of(const std::string &name, DumpKind kind, std::string_view contents) const {
    MemoryDump memory;
    if (kind == DumpKind::IntelHex)
      memory.add_intel_hex(name, contents);
    else if (kind == DumpKind::SRecords)
      memory.add_s_records(name, contents);
    else if (!options_.address.empty())
      memory.add(program_.address_of(options_.address), contents);
    else if (AddressRange range = program_.counters(); contents.size() == range.size())
      memory.add(range.start, contents);
    else
      throw Failure(kBadData,
                    fmt::format("{}: {}, but the counters of {} occupy {} ({}); dump this range, or state the "
                                "address of the first byte with --address",
                                visible(name), plural(contents.size(), "byte"), visible(options_.program),
                                plural(range.size(), "byte"), text_of(range)));
    return memory;
  }

  void add_memory(const std::string &name, const MemoryDump &memory) {
    const std::vector<unsigned char> &records = program_.images()[0].records;
    std::vector<unsigned char> dumped = memory.bytes(program_.records_address(), records.size());
    if (!dumped.empty() && dumped != records)
      throw Failure(kBadData, fmt::format("{}: the memory contains another program or another build than {}; give the "
                                          "ELF file of the program that was executed",
                                          visible(name), visible(options_.program)));
    for (size_t i = 0; i < program_.units().size(); i++) {
      const FreestandingUnit &unit = program_.units()[i];
      if (!unit.counters_size)
        continue;
      std::vector<unsigned char> counters = memory.bytes(unit.counters, unit.counters_size);
      if (counters.empty())
        throw Failure(kBadData, fmt::format("{}: the dump does not contain all counters of {}, which are at {}; dump "
                                            "this range",
                                            visible(name), visible(options_.program), text_of(program_.counters())));
      counts_.add(i, counters.data());
    }
  }

  const FreestandingProgram &program_;
  const Options &options_;
  ImportedCounts counts_;
  uint64_t num_runs_ = 0;
  uint64_t num_resets_ = 0;
};

void warn_of_saturation(const ImportedCounts &counts) {
  if (uint64_t n = counts.num_saturated())
    std::cerr << program_name << ": note: " << plural(n, "counter") << (n == 1 ? " has" : " have")
              << " the largest value, 4294967295; the real counts can be larger\n";
}

FileBytes read(const std::string &name) {
  LoadError error;
  std::optional<FileBytes> file = FileBytes::open(name, &error, Accept::Regular);
  if (!file)
    throw Failure(kBadData, error.message());
  return *file;
}

int run(const Options &options) {
  FreestandingProgram program(options.program);
  if (options.dumps.empty() && options.output != "-")
    throw Failure(kWrongUse, "import: --output requires a dump: import PROGRAM DUMP... -o OUT");
  if (options.dumps.empty()) {
    AddressRange range = program.counters();
    Output out(options);
    out.print("counters: {}, {}\n", text_of(range), plural(range.size(), "byte"));
    out.commit();
    return kGood;
  }
  if (options.output == "-")
    throw Failure(kWrongUse, "import: missing --output option; use -o FILE to name the profile");
  std::vector<std::pair<std::string, FileBytes>> dumps;
  for (const std::string &name : options.dumps)
    if (FileBytes file = read(name); is_object_file(text_of(file)))
      program.add_module(name);
    else
      dumps.emplace_back(name, file);
  if (dumps.empty())
    throw Failure(kWrongUse, "import: missing dump; use import PROGRAM DUMP... [MODULE...] -o OUT");
  Importer importer(program, options);
  for (const auto &[name, file] : dumps)
    importer.add(name, text_of(file));
  FileBytes image = importer.image();
  Output out(options);
  out.write({reinterpret_cast<const char *>(image.data()), image.size()});
  out.commit();
  warn_of_saturation(importer.counts());
  return kGood;
}

} // namespace

Run declare_import(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_operand("PROGRAM", options->program, "ELF file of the program (target=freestanding)").required();
  command.add_operand("DUMP...", options->dumps,
                      "dumps to add up: files that contain streams of pathrt_write(), Intel HEX files, S-record files, "
                      "or copies of memory, and the modules (.ko) of a Linux kernel; without DUMP, the command prints "
                      "the addresses of the counters");
  command.add_option("--address", options->address, "ADDRESS",
                     "address of the first byte of a copy of memory, as a number or a symbol (default: the first "
                     "counter)");
  add_common_options(command, *options, 0);
  return [options] { return run(*options); };
}

} // namespace pathprof
