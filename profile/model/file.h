// SPDX-License-Identifier: GPL-3.0-or-later
// Opens files for reading, for pathdump and the plugin.
//
// A name can refer to a directory, an infinite device, a FIFO without a writer or a terminal.  These functions never
// block on such a file, and never read a whole file before its kind is known.
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

// An error in an input file, which is reported as "FILE: offset N: reason".
struct LoadError {
  std::string file;
  std::optional<uint64_t> offset;
  std::string reason;

  std::string message() const; // returns the message, escaped for output (profile/model/visible.h)
};

// The kinds of files that may be opened.
enum class Accept {
  Regular, // only regular files may be opened
  Streams, // standard input ("-"), pipes and devices may also be opened
};

// The bytes of a profile: a mapped regular file, or the contents of a stream.  The file is unmapped when the last copy
// is destroyed.  A stream is read only as long as its contents can be the beginning of a profile.  If a pipe other than
// standard input provides no data for kMostSilence seconds, it is not read any further, and an error is reported.
class FileBytes {
public:
  static constexpr int kMostSilence = 10;
  static std::optional<FileBytes> open(const std::string &name, LoadError *error, Accept accept = Accept::Streams);
  // Takes ownership of the contents of the buffer.
  static FileBytes from(pathprof_buffer *buffer);
  const unsigned char *data() const { return bytes_.get(); }
  size_t size() const { return size_; }

private:
  std::shared_ptr<const unsigned char> bytes_;
  size_t size_ = 0;
};

// The contents of a text file, such as a source file or a scheme file.
struct TextFile {
  std::string text;
  timespec changed = {}; // time of the last modification of the contents
};

// Returns the names of the directory entries in no particular order, or nothing if the directory cannot be read.
std::vector<std::string> names_in(const std::string &folder);

inline constexpr size_t kMostText = size_t{64} << 20; // maximum size of a text file in bytes

// Reads a regular file of at most kMostText bytes.
std::optional<TextFile> read_text_file(const std::string &name, LoadError *error);

} // namespace pathprof

#endif
