// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files to be read: the one place for pathdump and the plugin.
//
// A name can lead anywhere: to a folder, a device without an end, a FIFO that nobody writes to, a terminal.  Nothing
// here waits for any of them, and nothing is read whole before it is known what it is.
#ifndef PATHPROF_PROFILE_MODEL_FILE_H
#define PATHPROF_PROFILE_MODEL_FILE_H

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profile/format/bytes.h"

namespace pathprof {

// What is wrong with an input, for "FILE: offset N: reason".
struct LoadError {
  std::string file;
  std::optional<uint64_t> offset;
  std::string reason;

  std::string message() const; // fit to be shown (profile/model/visible.h)
};

// What may be opened.
enum class Accept {
  Regular, // regular files only
  Streams, // and what has no size: "-" is standard input, others are pipes and devices
};

// The bytes of a profile, mapped, or of a stream read.  Unmapped when the last copy goes.  A stream is read on only as
// long as what came so far can be the beginning of a profile; a pipe other than standard input that gives no byte for
// kMostSilence seconds is an error.
class FileBytes {
public:
  static constexpr int kMostSilence = 10;
  static std::optional<FileBytes> open(const std::string &name, LoadError *error, Accept accept = Accept::Streams);
  // Takes over what is in the buffer.
  static FileBytes from(pathprof_buffer *buffer);
  const unsigned char *data() const { return bytes_.get(); }
  size_t size() const { return size_; }

private:
  std::shared_ptr<const unsigned char> bytes_;
  size_t size_ = 0;
};

// A text: a source, a scheme.
struct TextFile {
  std::string text;
  timespec changed = {}; // when its contents were changed last
};

// The names of what is in a folder, in no order; those that can be read.
std::vector<std::string> names_in(const std::string &folder);

inline constexpr size_t kMostText = size_t{64} << 20; // bytes

// Of a regular file of at most kMostText bytes.
std::optional<TextFile> read_text_file(const std::string &name, LoadError *error);

} // namespace pathprof

#endif
