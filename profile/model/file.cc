// SPDX-License-Identifier: GPL-3.0-or-later
// Opens and reads files without blocking.
#include "profile/model/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/format/image.h"
#include "profile/model/visible.h"

namespace pathprof {

std::string LoadError::message() const {
  return visible(file + ": " + (offset ? "offset " + std::to_string(*offset) + ": " : "") + reason);
}

namespace {

// A file descriptor that the destructor closes, unless it is standard input.
class OpenFile {
public:
  // Opens the file without blocking.  A FIFO without a writer is treated as empty, and reading from a device that is
  // not ready fails.
  OpenFile(const std::string &name, Accept accept) : is_stdin_(accept == Accept::Streams && name == "-") {
    fd_ = is_stdin_ ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd_ < 0 || fstat(fd_, &status_) != 0)
      reason_ = std::strerror(errno);
    else if (S_ISDIR(status_.st_mode))
      reason_ = std::strerror(EISDIR);
    else if (accept == Accept::Regular && !is_regular())
      reason_ = "not a regular file";
  }
  ~OpenFile() {
    if (fd_ >= 0 && !is_stdin_)
      close(fd_);
  }
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  bool is_good() const { return reason_.empty(); }
  const std::string &reason() const { return reason_; }
  bool is_regular() const { return S_ISREG(status_.st_mode); }
  // Returns true if the whole file can be mapped.  Standard input is never mapped, because parts of it may already have
  // been read.
  bool can_be_mapped() const { return is_regular() && status_.st_size > 0 && !is_stdin_; }
  int fd() const { return fd_; }
  const struct stat &status() const { return status_; }

  // Reads at most `size` bytes.  Returns the number of bytes, 0 at the end of the file, or nothing after an error,
  // which reason() describes.
  std::optional<size_t> read_some(void *bytes, size_t size) {
    for (;;) {
      ssize_t n = read(fd_, bytes, size);
      if (n >= 0)
        return static_cast<size_t>(n);
      bool is_idle = errno == EAGAIN || errno == EWOULDBLOCK;
      if (errno == EINTR || (is_idle && (is_stdin_ || S_ISFIFO(status_.st_mode)) && wait()))
        continue;
      if (reason_.empty())
        reason_ = is_idle ? "no data is available" : std::strerror(errno);
      return std::nullopt;
    }
  }

private:
  // Waits for data on standard input, which may be in non-blocking mode, or on a pipe that has a writer, such as a pipe
  // created by a shell.
  bool wait() {
    pollfd events = {fd_, POLLIN, 0};
    int ready = poll(&events, 1, is_stdin_ ? -1 : FileBytes::kMostSilence * 1000);
    if (ready == 0)
      reason_ = "no data for " + std::to_string(FileBytes::kMostSilence) +
                " seconds; use '-' to read from standard input without a time limit";
    return ready > 0 || (ready < 0 && errno == EINTR);
  }

  bool is_stdin_;
  int fd_ = -1;
  struct stat status_ = {};
  std::string reason_;
};

// Returns true if more data can complete a profile that starts with these bytes.  Otherwise, reading must stop, because
// the source might be an infinite device.
bool wants_more(const std::vector<unsigned char> &bytes) {
  static constexpr size_t kSizeAt = 16;
  if (std::memcmp(bytes.data(), PATHPROF_MAGIC, std::min<size_t>(bytes.size(), PATHPROF_MAGIC_SIZE)) != 0)
    return false;
  pathprof_cursor header = pathprof_cursor_over(bytes.data(), bytes.size(), 0);
  header.pos = std::min(bytes.size(), kSizeAt);
  uint64_t size = pathprof_get_u64(&header);
  return !pathprof_cursor_ok(&header) || bytes.size() <= size;
}

std::optional<std::vector<unsigned char>> read_stream(OpenFile &file) {
  std::vector<unsigned char> bytes;
  for (;;) {
    size_t size = bytes.size();
    bytes.resize(size + (size_t{1} << 16));
    std::optional<size_t> n = file.read_some(bytes.data() + size, bytes.size() - size);
    if (!n)
      return std::nullopt;
    bytes.resize(size + *n);
    if (*n == 0 || !wants_more(bytes))
      return bytes;
  }
}

} // namespace

std::optional<FileBytes> FileBytes::open(const std::string &name, LoadError *error, Accept accept) {
  OpenFile opened(name, accept);
  FileBytes file;
  std::string reason = opened.reason();
  if (opened.is_good() && opened.can_be_mapped()) {
    file.size_ = static_cast<size_t>(opened.status().st_size);
    void *data = mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, opened.fd(), 0);
    if (data == MAP_FAILED)
      reason = std::strerror(errno);
    else
      file.bytes_ = {static_cast<const unsigned char *>(data),
                     [size = file.size_](const unsigned char *p) { munmap(const_cast<unsigned char *>(p), size); }};
  } else if (opened.is_good()) {
    auto bytes = read_stream(opened);
    if (bytes) {
      auto holder = std::make_shared<std::vector<unsigned char>>(std::move(*bytes));
      file.size_ = holder->size();
      file.bytes_ = {holder, holder->data()};
    }
    reason = opened.reason();
  }
  if (reason.empty())
    return file;
  *error = {name, std::nullopt, reason};
  return std::nullopt;
}

FileBytes FileBytes::from(pathprof_buffer *buffer) {
  auto holder = std::shared_ptr<pathprof_buffer>(new pathprof_buffer(*buffer), [](pathprof_buffer *old) {
    pathprof_buffer_free(old);
    delete old;
  });
  *buffer = {};
  FileBytes bytes;
  bytes.size_ = holder->size;
  bytes.bytes_ = {holder, holder->data};
  return bytes;
}

std::vector<std::string> names_in(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  return names;
}

std::optional<TextFile> read_text_file(const std::string &name, LoadError *error) {
  OpenFile opened(name, Accept::Regular);
  TextFile file;
  std::string reason = opened.reason();
  for (size_t size = 0; reason.empty();) {
    file.text.resize(size + (size_t{1} << 16));
    std::optional<size_t> n = opened.read_some(file.text.data() + size, file.text.size() - size);
    size += n.value_or(0);
    file.text.resize(size);
    reason = opened.reason();
    if (size > kMostText)
      reason = "larger than " + std::to_string(kMostText >> 20) + " MiB";
    else if (n == size_t{0}) {
      file.changed = opened.status().st_mtim;
      return file;
    }
  }
  *error = {name, std::nullopt, reason};
  return std::nullopt;
}

} // namespace pathprof
