// SPDX-License-Identifier: GPL-3.0-or-later
// Finds streams in a file and verifies them. doc/format.md specifies the format.
#include "pathdump/import/stream.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/program.h"
#include "profile/format/freestanding.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

constexpr uint64_t kHashSize = 4;
constexpr uint64_t kNumWords = sizeof(pathprof_freestanding_unit) / sizeof(uintptr_t);
const std::string_view kMagic{PATHPROF_STREAM_MAGIC, PATHPROF_STREAM_MAGIC_SIZE};
const std::string_view kModuleMagic{PATHPROF_MODULE_STREAM_MAGIC, PATHPROF_STREAM_MAGIC_SIZE};
const std::string_view kResetMagic{PATHPROF_RESET_MAGIC, PATHPROF_STREAM_MAGIC_SIZE};

uint32_t hash_of(std::string_view bytes) {
  uint32_t hash = PATHPROF_STREAM_HASH_START;
  for (char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * PATHPROF_STREAM_HASH_FACTOR;
  return hash;
}

const unsigned char *bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char *>(text.data());
}

// Returns the position of the next stream, or npos.
size_t find_magic(std::string_view text, size_t from = 0) {
  constexpr size_t common_size = 6; // of both magics
  for (size_t at = from; (at = text.find(kMagic.substr(0, common_size), at)) != std::string_view::npos; at++)
    if (std::string_view magic = text.substr(at, kMagic.size()); magic == kMagic || magic == kModuleMagic)
      return at;
  return std::string_view::npos;
}

// Returns true if the counters of the program's stream at `offset` were cleared while functions were active.
bool was_reset(std::string_view contents, size_t offset) {
  return offset >= kResetMagic.size() &&
         contents.substr(offset - kResetMagic.size(), kResetMagic.size()) == kResetMagic;
}

// Returns the name of the module whose stream starts at `offset`, or an empty string if the stream is the program's.
std::string module_at(std::string_view contents, size_t offset) {
  if (contents.substr(offset, kMagic.size()) == kMagic)
    return {};
  std::string_view name = contents.substr(offset + kModuleMagic.size(), PATHPROF_MODULE_STREAM_NAME_SIZE);
  return std::string(name.substr(0, name.find('\0')));
}

// Reads streams of one image.
class StreamReader {
public:
  StreamReader(const FreestandingProgram &program, const FreestandingImage &image, const std::string &name)
      : program_(program), image_(image), name_(name) {
    if (!image.module.empty())
      header_size_ = PATHPROF_MODULE_STREAM_NAME_SIZE + sizeof(uint64_t);
    for (size_t i = 0; i < image.num_units; i++)
      counters_size_ += program.units()[image.first_unit + i].counters_size;
  }

  // Returns the size of the header, the records and the counters of a stream.
  uint64_t size() const { return header_size_ + image_.records.size() + counters_size_; }

  // Returns true if `left`, the rest of the file after the magic of a stream, does not contain a complete stream but
  // contains the magic of another stream. The transfer of the first stream has then been interrupted.
  bool is_interrupted(std::string_view left) const {
    return find_magic(left.substr(0, size() + kHashSize)) != std::string_view::npos && !is_complete(left);
  }

  // Verifies the stream that starts at `offset` in the file. `left` is the rest of the file after the magic. Returns
  // the counters of all units.
  std::string_view verify(std::string_view left, size_t offset) const {
    if (!matches(left.substr(std::min(left.size(), header_size_))))
      fail(offset, fmt::format("the stream was written by another program or another build than {}; give the ELF file "
                               "of the program that wrote it",
                               visible(image_.file)));
    if (left.size() < size() + kHashSize)
      fail(offset, fmt::format("the stream ends after {} of {} bytes; transfer it again", left.size() + kMagic.size(),
                               size() + kHashSize + kMagic.size()));
    if (!is_complete(left))
      fail(offset, "the checksum does not match; transfer the stream again");
    return left.substr(header_size_ + image_.records.size(), counters_size_);
  }

  [[noreturn]] void fail(size_t offset, const std::string &reason) const {
    throw Failure(kBadData, fmt::format("{}: offset {}: {}", visible(name_), offset, reason));
  }

private:
  // The words of the record of a unit.
  using Words = std::array<uint64_t, kNumWords>;
  enum { NOTES = 2, COUNTERS = 4 };

  bool is_complete(std::string_view left) const {
    return left.size() >= size() + kHashSize &&
           program_.number_at(bytes_of(left) + size(), kHashSize) == hash_of(left.substr(0, size()));
  }

  // Decodes the complete records in `bytes`. A kernel and its modules can be loaded at any address, so the addresses of
  // notes and counters are made relative to the first ones.
  std::vector<Words> relative_records(const unsigned char *bytes, size_t size) const {
    std::vector<Words> records(size / (kNumWords * program_.pointer_size()));
    for (Words &words : records)
      for (uint64_t &word : words) {
        word = program_.number_at(bytes, program_.pointer_size());
        bytes += program_.pointer_size();
      }
    for (int field : {NOTES, COUNTERS}) {
      auto first = std::find_if(records.begin(), records.end(), [&](const Words &words) { return words[field + 1]; });
      uint64_t base = first == records.end() ? 0 : (*first)[field];
      for (Words &words : records)
        words[field] = words[field + 1] ? words[field] - base : 0;
    }
    return records;
  }

  // Returns true if the records at the start of `left`, as far as they are present, are those of the image.
  bool matches(std::string_view left) const {
    size_t compared = std::min(left.size(), image_.records.size());
    return relative_records(bytes_of(left), compared) == relative_records(image_.records.data(), compared);
  }

  const FreestandingProgram &program_;
  const FreestandingImage &image_;
  const std::string &name_;
  uint64_t header_size_ = 0;
  uint64_t counters_size_ = 0;
};

void warn(const std::string &name, size_t offset, const std::string &message) {
  std::cerr << fmt::format("{}: warning: {}: offset {}: {}\n", program_name, visible(name), offset, message);
}

const FreestandingImage *image_of(const FreestandingProgram &program, const std::string &module) {
  for (const FreestandingImage &image : program.images())
    if (image.module == module)
      return &image;
  return nullptr;
}

} // namespace

Streams read_streams(const FreestandingProgram &program, const std::string &name, std::string_view contents,
                     const std::function<void(size_t unit, const unsigned char *counters)> &visit) {
  std::set<std::string> unknown_modules;
  Streams streams;
  size_t at = 0;
  while ((at = find_magic(contents, at)) != std::string_view::npos) {
    std::string module = module_at(contents, at);
    size_t start = at + kMagic.size();
    std::string_view left = contents.substr(start);
    const FreestandingImage *image = image_of(program, module);
    if (!image) {
      if (unknown_modules.insert(module).second)
        warn(name, at,
             fmt::format("the counters of the kernel module {} are not imported; give its object file (.ko), too",
                         visible(module)));
      at = start;
      continue;
    }
    StreamReader reader(program, *image, name);
    if (reader.is_interrupted(left)) {
      warn(name, at, "the stream was interrupted by another stream; its counters are not imported");
      at = start;
      continue;
    }
    std::string_view counters = reader.verify(left, at);
    for (size_t unit = image->first_unit; unit < image->first_unit + image->num_units; unit++) {
      visit(unit, bytes_of(counters));
      counters.remove_prefix(program.units()[unit].counters_size);
    }
    streams.num_runs += module.empty();
    streams.num_resets += module.empty() && was_reset(contents, at);
    at = start + reader.size() + kHashSize;
  }
  if (streams.num_runs == 0)
    StreamReader(program, program.images()[0], name)
        .fail(contents.find(kMagic.substr(1, 6)),
              "the stream was transferred as text, which changed some bytes; transfer it in binary mode");
  return streams;
}

} // namespace pathprof
