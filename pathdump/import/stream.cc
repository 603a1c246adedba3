// SPDX-License-Identifier: GPL-3.0-or-later
// Finds streams in a file and verifies them. doc/format.md specifies the format.
#include "pathdump/import/stream.h"

#include <algorithm>
#include <cstring>
#include <iostream>

#include <fmt/format.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/program.h"
#include "profile/format/freestanding.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

constexpr uint64_t kHashSize = 4;
const std::string_view kMagic{PATHPROF_STREAM_MAGIC, PATHPROF_STREAM_MAGIC_SIZE};

uint32_t hash_of(std::string_view bytes) {
  uint32_t hash = PATHPROF_STREAM_HASH_START;
  for (char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * PATHPROF_STREAM_HASH_FACTOR;
  return hash;
}

class StreamReader {
public:
  StreamReader(const FreestandingProgram &program, const std::string &name) : program_(program), name_(name) {
    for (const FreestandingUnit &unit : program.units())
      counters_size_ += unit.counters_size;
  }

  // Returns the size of the records and counters of a stream.
  uint64_t size() const { return program_.records().size() + counters_size_; }

  // Returns true if `left`, the rest of the file after the magic of a stream, does not contain a complete stream but
  // contains the magic of another stream. The transfer of the first stream has then been interrupted.
  bool is_interrupted(std::string_view left) const {
    return left.substr(0, size() + kHashSize).find(kMagic) != std::string_view::npos && !is_complete(left);
  }

  // Verifies the stream that starts at `offset` in the file. `left` is the rest of the file after the magic. Returns
  // the counters of all units.
  std::string_view verify(std::string_view left, size_t offset) const {
    const std::vector<unsigned char> &records = program_.records();
    size_t compared = std::min(left.size(), records.size());
    if (memcmp(left.data(), records.data(), compared) != 0)
      fail(offset, fmt::format("the stream was written by another program or another build than {}; give the ELF file "
                               "of the program that wrote it",
                               visible(program_.file())));
    if (left.size() < size() + kHashSize)
      fail(offset, fmt::format("the stream ends after {} of {} bytes; transfer it again", left.size() + kMagic.size(),
                               size() + kHashSize + kMagic.size()));
    if (!is_complete(left))
      fail(offset, "the checksum of the stream is wrong; transfer it again");
    return left.substr(records.size(), counters_size_);
  }

  [[noreturn]] void fail(size_t offset, const std::string &reason) const {
    throw Failure(kBadData, fmt::format("{}: offset {}: {}", visible(name_), offset, reason));
  }

private:
  bool is_complete(std::string_view left) const {
    if (left.size() < size() + kHashSize)
      return false;
    const unsigned char *hash = reinterpret_cast<const unsigned char *>(left.data()) + size();
    return program_.number_at(hash, kHashSize) == hash_of(left.substr(0, size()));
  }

  const FreestandingProgram &program_;
  const std::string &name_;
  uint64_t counters_size_ = 0;
};

} // namespace

size_t read_streams(const FreestandingProgram &program, const std::string &name, std::string_view contents,
                    const std::function<void(size_t unit, const unsigned char *counters)> &visit) {
  StreamReader reader(program, name);
  size_t num_streams = 0, at = 0;
  for (; (at = contents.find(kMagic, at)) != std::string_view::npos; num_streams++) {
    for (; reader.is_interrupted(contents.substr(at + kMagic.size())); at = contents.find(kMagic, at + kMagic.size()))
      std::cerr << fmt::format(
          "{}: warning: {}: offset {}: the stream was interrupted by another stream; its counters are "
          "not imported\n",
          program_name, visible(name), at);
    std::string_view counters = reader.verify(contents.substr(at + kMagic.size()), at);
    const unsigned char *next = reinterpret_cast<const unsigned char *>(counters.data());
    for (size_t unit = 0; unit < program.units().size(); unit++) {
      visit(unit, next);
      next += program.units()[unit].counters_size;
    }
    at += kMagic.size() + program.records().size() + counters.size() + kHashSize;
  }
  if (num_streams == 0)
    reader.fail(contents.find(kMagic.substr(1, 6)),
                "the stream was transferred as text, which changed some bytes; transfer it in binary mode");
  return num_streams;
}

} // namespace pathprof
