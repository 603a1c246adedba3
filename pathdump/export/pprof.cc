// SPDX-License-Identifier: GPL-3.0-or-later
// Exports gzip-compressed profiles in pprof's format (profile.proto), which Go's pprof, Pyroscope, Parca and speedscope
// read.
//
// A sample describes the work of one path on one line. The stack consists of the open calls; the labels are the path
// ID, the line sequence and the mode. The path's execution count is attributed to its first line only, so that the
// counts add up to the total.
#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <optional>

#include <protozero/pbf_writer.hpp>
#include <zlib.h>

#include "pathdump/export/exports.h"
#include "pathdump/coverage/unique_names.h"
#include "pathdump/model/work.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

// Field numbers of profile.proto.
namespace field {
enum Profile : protozero::pbf_tag_type {
  SampleType = 1,
  Sample = 2,
  Mapping = 3,
  Location = 4,
  Function = 5,
  StringTable = 6,
  Comment = 13,
  DefaultSampleType = 14
};
enum ValueType : protozero::pbf_tag_type { Type = 1, Unit = 2 };
enum Sample : protozero::pbf_tag_type { LocationIds = 1, Values = 2, Label = 3 };
enum Label : protozero::pbf_tag_type { Key = 1, Text = 2 };
enum Mapping : protozero::pbf_tag_type {
  MappingId = 1,
  MappingFile = 5,
  BuildId = 6,
  HasFunctions = 7,
  HasInlined = 10
};
enum Location : protozero::pbf_tag_type { LocationId = 1, LocationMapping = 2, LocationLine = 4 };
enum Line : protozero::pbf_tag_type { LineFunction = 1, LineNumber = 2 };
enum Function : protozero::pbf_tag_type { FunctionId = 1, Name = 2, SystemName = 3, FileName = 4, StartLine = 5 };
} // namespace field

// Inline stack, innermost function first. Each entry consists of an index into `functions_` and a line number.
using InlineStack = std::vector<std::pair<uint64_t, uint32_t>>;

class Writer {
public:
  Writer(const Profile &profile, const std::string &file, const Names &names)
      : profile_(profile), names_(names), has_cycles_(profile.has_cycles()), callers_(profile, file), file_(file) {
    number("");
  }

  std::string run() {
    note_names();
    add_type("paths", "count");
    add_type("statements", "count");
    if (has_cycles_)
      add_type("cycles", "count");
    std::set<const pathprof::Function *> outermost =
        for_each_work(profile_, file_, names_, callers_, [this](const PathWork &work) { add(work); });
    add_mapping();
    std::string unknown = callers_.text_of_unknown(outermost, names_);
    if (!unknown.empty())
      out_.add_int64(field::Comment, number(unknown));
    out_.add_int64(field::DefaultSampleType, number("statements"));
    for (const std::string &text : strings_)
      out_.add_string(field::StringTable, text);
    return std::move(bytes_);
  }

private:
  // Registers the names of all functions, so that functions with the same name get unique names. Otherwise, pprof would
  // combine these functions even if they are in different files.
  void note_names() {
    for (const pathprof::Function &one : profile_.functions) {
      unique_names_.add(names_.function(one.notes.name), names_.file(one.file), one.notes.line);
      std::set<std::pair<uint32_t, uint32_t>> seen; // pairs of inline site and file
      for (const BlockNotes &block : one.notes.blocks)
        for (const LineRef &line : block.lines)
          if (line.site && seen.emplace(line.site, line.file).second)
            unique_names_.add(names_.function(one.notes.sites[line.site - 1].function),
                              names_.file((*one.files)[line.file]), 0);
    }
  }

  static int64_t saturated(Weight value) {
    return static_cast<int64_t>(std::min<Weight>(value, std::numeric_limits<int64_t>::max()));
  }

  int64_t number(const std::string &text) {
    auto [at, is_new] = number_of_.try_emplace(text, strings_.size());
    if (is_new)
      strings_.push_back(text);
    return static_cast<int64_t>(at->second);
  }

  void add_type(const char *type, const char *unit) {
    protozero::pbf_writer message(out_, field::SampleType);
    message.add_int64(field::Type, number(type));
    message.add_int64(field::Unit, number(unit));
  }

  // Adds a mapping that marks the information on functions and inlined code as complete, so that pprof does not try to
  // look up addresses in a program file.
  void add_mapping() {
    protozero::pbf_writer message(out_, field::Mapping);
    message.add_uint64(field::MappingId, 1);
    message.add_int64(field::MappingFile, number(title_of(profile_, file_)));
    if (!profile_.modules.empty())
      message.add_int64(field::BuildId, number(profile_.modules.front().build_id));
    for (protozero::pbf_tag_type has = field::HasFunctions; has <= field::HasInlined; has++)
      message.add_bool(has, true);
  }

  uint64_t function(const std::string &assembler_name, const std::string &file, uint32_t line) {
    std::string shown_file = names_.file(file);
    std::string shown = unique_names_.anywhere(names_.function(assembler_name), shown_file, line);
    auto [at, is_new] = functions_.try_emplace({assembler_name, shown_file, line}, functions_.size() + 1);
    if (is_new) {
      protozero::pbf_writer message(out_, field::Function);
      message.add_uint64(field::FunctionId, at->second);
      message.add_int64(field::Name, number(shown));
      message.add_int64(field::SystemName, number(assembler_name));
      message.add_int64(field::FileName, number(shown_file));
      message.add_int64(field::StartLine, line);
    }
    return at->second;
  }

  uint64_t function(const Function &one) { return function(one.notes.name, one.file, one.notes.line); }

  // Returns the inline stack of a line: the line itself, and the lines of the inlined calls that contain it.
  InlineStack inline_stack(const Function &one, const LineRef &line) {
    InlineStack stack;
    uint32_t number = line.line, site = line.site, file = line.file;
    while (site) {
      const InlineSite &inlined = one.notes.sites[site - 1];
      stack.push_back({function(inlined.function, (*one.files)[file], 0), number});
      number = inlined.line;
      file = inlined.file;
      site = inlined.parent;
    }
    stack.push_back({function(one), number});
    return stack;
  }

  uint64_t location(const InlineStack &stack) {
    auto [at, is_new] = locations_.try_emplace(stack, locations_.size() + 1);
    if (is_new) {
      protozero::pbf_writer message(out_, field::Location);
      message.add_uint64(field::LocationId, at->second);
      message.add_uint64(field::LocationMapping, 1);
      for (auto [function, line] : stack) {
        protozero::pbf_writer part(message, field::LocationLine);
        part.add_uint64(field::LineFunction, function);
        part.add_int64(field::LineNumber, line);
      }
    }
    return at->second;
  }

  void add(const PathWork &work) {
    std::vector<std::pair<std::string, std::string>> labels = {
        {"path", fmt::format("{} {}", names_.function(work.parts.front().function->notes.name), digits(work.hot.id))},
        {"lines", work.lines},
        {"mode", work.mode}};
    bool is_first = true;
    uint64_t cycles_left = work.hot.cycles.value_or(0);
    for (const ActivationWork &part : work.parts) {
      std::vector<uint64_t> callers;
      for (auto call = part.callers.rbegin(); call != part.callers.rend(); ++call)
        callers.push_back(location({{function(*call->function), call->line}}));
      for (const LineWork &line : part.lines) {
        std::vector<uint64_t> stack{location(inline_stack(*part.function, line.place))};
        stack.insert(stack.end(), callers.begin(), callers.end());
        std::vector<int64_t> values{is_first ? saturated(work.hot.count) : 0,
                                    saturated(Weight{work.hot.count} * line.statements)};
        if (has_cycles_) {
          bool is_last = &part == &work.parts.back() && &line == &part.lines.back();
          uint64_t share = is_last ? cycles_left : cycles_of(work.hot, line.statements);
          values.push_back(saturated(share));
          cycles_left -= share;
        }
        add_sample(stack, values, labels);
        is_first = false;
      }
    }
  }

  // Returns a line's share of the path's cycles. Cycles are measured per path, and are distributed among the lines in
  // proportion to their statements.
  static uint64_t cycles_of(const HotPath &hot, uint64_t statements) {
    return hot.statements ? static_cast<uint64_t>(Weight{hot.cycles.value_or(0)} * statements / hot.statements) : 0;
  }

  void add_sample(const std::vector<uint64_t> &stack, const std::vector<int64_t> &values,
                  const std::vector<std::pair<std::string, std::string>> &labels) {
    protozero::pbf_writer message(out_, field::Sample);
    message.add_packed_uint64(field::LocationIds, stack.begin(), stack.end());
    message.add_packed_int64(field::Values, values.begin(), values.end());
    for (const auto &[key, text] : labels) {
      protozero::pbf_writer label(message, field::Label);
      label.add_int64(field::Key, number(key));
      label.add_int64(field::Text, number(text));
    }
  }

  const Profile &profile_;
  const Names &names_;
  bool has_cycles_;
  Callers callers_;
  std::string file_;
  std::string bytes_;
  protozero::pbf_writer out_{bytes_};
  std::vector<std::string> strings_;
  std::map<std::string, size_t> number_of_;
  std::map<std::tuple<std::string, std::string, uint32_t>, uint64_t> functions_;
  std::map<InlineStack, uint64_t> locations_;
  UniqueNames unique_names_;
};

// Compresses data with gzip (RFC 1952). The header contains no file name and no timestamp.
std::string gzipped(std::string bytes) {
  static constexpr int kWithGzipHeader = 16, kMemoryLevel = 8;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kWithGzipHeader, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed;
  std::vector<unsigned char> buffer(size_t{1} << 16);
  stream.next_in = reinterpret_cast<unsigned char *>(bytes.data());
  size_t left = bytes.size();
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<unsigned>(std::min<size_t>(left, std::numeric_limits<unsigned>::max()));
      left -= stream.avail_in;
    }
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<unsigned>(buffer.size());
    status = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
    packed.append(reinterpret_cast<char *>(buffer.data()), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

} // namespace

void export_pprof(const Profile &profile, const std::string &file, const Names &names, Output &out) {
  if (out.width())
    throw Failure(kWrongUse,
                  "export: cannot write the binary pprof format to a terminal; use -o FILE, such as -o prog.pb.gz");
  out.write(gzipped(Writer(profile, file, names).run()));
}

} // namespace pathprof
