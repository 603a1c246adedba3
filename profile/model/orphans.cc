// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the raw files and parts of a profile, and adds their counts.
#include "profile/model/orphans.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/model/byte_order.h"
#include "profile/model/foreign.h"
#include "profile/format/merge.h"
#include "profile/format/owner.h"
#include "profile/format/part.h"
#include "profile/format/raw.h"
#include "profile/format/raw_convert.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

// A file descriptor that the destructor closes.
class Descriptor {
public:
  Descriptor(const std::string &name, int flags) : fd_(open(name.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0)
      close(fd_);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return fd_; }

private:
  int fd_;
};

std::optional<FileBytes> convert(const std::string &name, const FileBytes &given, LoadError *error) {
  FileBytes raw = in_own_byte_order(given);
  pathprof_buffer image = {};
  pathprof_error wrong = {};
  if (pathprof_raw_convert(raw.data(), raw.size(), &image, &wrong))
    return FileBytes::from(&image);
  pathprof_buffer_free(&image);
  *error = {name, wrong.offset, wrong.reason};
  return std::nullopt;
}

// Identifies a version of a file by inode and modification time.  A merge replaces the profile with a file that has a
// different inode.
using Version = std::pair<uint64_t, int64_t>;

Version version_of(const std::string &name) {
  struct stat status;
  if (stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) // a pipe cannot be read twice
    return {};
  return {status.st_ino, status.st_mtim.tv_sec * int64_t{1000000000} + status.st_mtim.tv_nsec};
}

bool are_of_one_build(const pathprof_image &a, const pathprof_image &b) {
  auto of_a = modules_of(a);
  for (const auto &[name, keys] : modules_of(b)) {
    auto same = of_a.find(name);
    if (same != of_a.end() &&
        std::none_of(keys.begin(), keys.end(), [&](uint64_t key) { return same->second.count(key) != 0; }))
      return false;
  }
  return true;
}

// Returns a note that contains the command for adding the raw file to the profile.  The first operand of the command is
// the profile itself, unless it is missing.
std::string explain_unknown(const std::string &raw, const std::string &profile) {
  std::string target = profile_of_raw(raw);
  return visible(raw) +
         ": not included, because its process may still be running in another container or on another machine; "
         "after the process has ended, use 'pathdump merge -o " +
         visible(target) + " " + (profile.empty() ? "" : visible(profile) + " ") + visible(raw) + " && rm " +
         visible(raw) + "'";
}

// Returns the files in the directory of the profile that `is_wanted` accepts.  The arguments of `is_wanted` are the
// names of the file and of the profile.
template <typename IsWanted>
std::vector<std::string> beside(const std::string &profile, IsWanted is_wanted) {
  std::filesystem::path path(profile);
  std::string base = path.filename().string();
  std::vector<std::string> found;
  for (const std::string &other : names_in(path.has_parent_path() ? path.parent_path().string() : "."))
    if (is_wanted(other.c_str(), base.c_str()))
      found.push_back(profile.substr(0, profile.size() - base.size()) + other);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> parts_of(const std::string &profile) {
  return beside(profile, [](const char *name, const char *base) {
    uint64_t user;
    return pathprof_is_part_name(name, base, &user);
  });
}

// Computes the sum of the counts of a profile, its raw files and its parts.
class Sum {
public:
  explicit Sum(std::vector<std::string> *notes) : notes_(notes) {}

  // Initializes the sum with the image of a profile.  Returns false if the image is invalid.
  bool start(const FileBytes &bytes) {
    pathprof_error wrong = {};
    bytes_ = bytes;
    return pathprof_image_open(&image_, bytes_->data(), bytes_->size(), &wrong);
  }

  // Adds raw files.  `profile` is the name of the profile, or empty if the profile is missing.  A process has one raw
  // file per module.  The files of a process are added together, so that the sum never contains only part of a run.
  void add_raws(const std::vector<std::string> &names, const std::string &profile) {
    std::vector<ProcessCounts> processes;
    for (const std::string &name : names) {
      LoadError error;
      bool may_be_alive = false;
      std::optional<FileBytes> raw = read_dead(name, &error, &may_be_alive), image;
      if (raw)
        image = convert(name, *raw, &error);
      if (image)
        add_to_process(processes, name, owner_of(*raw), *image);
      else if (!error.reason.empty())
        notes_->push_back(error.message() + "; not included");
      else if (may_be_alive)
        notes_->push_back(explain_unknown(name, profile));
    }
    for (const ProcessCounts &process : processes)
      add(process.names, process.image);
  }

  // Adds a part (FILE.uUSER), which contains the counts of a user who could not change the profile.  If the file is not
  // owned by the user whose ID is in its name, the runtime did not write the file, so it is not added.
  void add_part(const std::string &name) {
    LoadError error;
    struct stat status;
    uint64_t user =
        std::strtoull(name.c_str() + name.rfind(PATHPROF_PART_SUFFIX) + std::strlen(PATHPROF_PART_SUFFIX), nullptr, 10);
    if (lstat(name.c_str(), &status) != 0)
      return;
    if (!S_ISREG(status.st_mode) || status.st_uid != user) {
      notes_->push_back(visible(name) + ": not owned by user " + std::to_string(user) + "; not included");
      return;
    }
    if (std::optional<FileBytes> bytes = FileBytes::open(name, &error, Accept::Regular))
      add({name}, *bytes);
    else
      notes_->push_back(error.message() + "; not included");
  }

  const std::optional<FileBytes> &bytes() const { return bytes_; }

private:
  // The counts in raw files of one process.
  struct ProcessCounts {
    std::vector<std::string> names; // names of the raw files
    std::string owner;
    FileBytes image; // sum of the counts
  };

  // Returns the identity of the process that created the raw file, or an empty string if the identity is unknown.
  static std::string owner_of(const FileBytes &raw) {
    pathprof_raw_header header;
    if (raw.size() < sizeof header)
      return {};
    std::memcpy(&header, raw.data(), sizeof header);
    return header.owner.pid ? std::string(reinterpret_cast<const char *>(&header.owner), sizeof header.owner) : "";
  }

  // Adds the counts of a raw file to those of the same process.  Raw files of different builds are kept separate.  A
  // process has such files if it has executed another program.
  void add_to_process(std::vector<ProcessCounts> &processes, const std::string &name, const std::string &owner,
                      const FileBytes &image) {
    pathprof_image one = {}, more = {};
    pathprof_error wrong = {};
    bool in_second = false;
    for (ProcessCounts &process : processes) {
      pathprof_buffer sum = {};
      if (owner.empty() || process.owner != owner ||
          !pathprof_image_open(&one, process.image.data(), process.image.size(), &wrong) ||
          !pathprof_image_open(&more, image.data(), image.size(), &wrong) || !are_of_one_build(one, more))
        continue;
      if (pathprof_merge(&one, 1, &more, 1, &sum, &wrong, &in_second)) {
        process.names.push_back(name);
        process.image = FileBytes::from(&sum);
        return;
      }
      pathprof_buffer_free(&sum);
    }
    processes.push_back({{name}, owner, image});
  }

  // Reads the raw file of a dead process.  Returns nothing, without an error, if a process can still update the file,
  // if the process ended before it completed the file's header, or if the counts are already in the profile.
  static std::optional<FileBytes> read_dead(const std::string &name, LoadError *error, bool *may_be_alive) {
    static const unsigned char zeros[8] = {};
    std::filesystem::path path(name);
    Descriptor file(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    Descriptor folder(path.has_parent_path() ? path.parent_path().string() : ".", O_RDONLY | O_DIRECTORY);
    if (file.get() < 0 && errno != ENOENT)
      *error = {name, std::nullopt, std::strerror(errno)};
    pathprof_life life = file.get() < 0 ? PATHPROF_ALIVE : pathprof_raw_life(file.get());
    *may_be_alive = life == PATHPROF_UNKNOWN;
    if (life != PATHPROF_DEAD)
      return std::nullopt;
    std::optional<FileBytes> bytes = FileBytes::open(name, error, Accept::Regular);
    if (bytes)
      bytes = in_own_byte_order(*bytes);
    if (!bytes || bytes->size() < sizeof zeros || std::memcmp(bytes->data(), zeros, sizeof zeros) == 0 ||
        pathprof_raw_is_settled(bytes->data(), bytes->size(), folder.get()))
      return std::nullopt;
    return bytes;
  }

  // Adds an image that was read from the files `names`.
  void add(const std::vector<std::string> &names, const FileBytes &bytes) {
    pathprof_image more = {};
    pathprof_error wrong = {};
    pathprof_buffer sum = {};
    bool in_second = false;
    if (!pathprof_image_open(&more, bytes.data(), bytes.size(), &wrong))
      note_not_included(names, wrong.reason);
    else if (!bytes_)
      start(bytes);
    else if (!are_of_one_build(image_, more))
      note_not_included(names, "comes from another build");
    else if (pathprof_merge(&image_, 1, &more, 1, &sum, &wrong, &in_second))
      start(FileBytes::from(&sum));
    else
      note_not_included(names, wrong.reason);
    pathprof_buffer_free(&sum);
  }

  void note_not_included(const std::vector<std::string> &names, const std::string &reason) {
    for (const std::string &name : names)
      notes_->push_back(visible(name) + ": " + reason + "; not included");
  }

  std::vector<std::string> *notes_;
  std::optional<FileBytes> bytes_;
  pathprof_image image_ = {};
};

// Tries once to open and add the files.  Another process might merge the files at the same time.
std::optional<FileBytes> try_open(const std::string &name, LoadError *error, std::vector<std::string> *notes,
                                  Accept accept) {
  Sum sum(notes);
  bool is_missing = access(name.c_str(), F_OK) != 0 && errno == ENOENT;
  std::optional<FileBytes> file = FileBytes::open(name, error, accept);
  if (file && pathprof_is_raw(file->data(), file->size()))
    return convert(name, *file, error);
  if ((!file && !is_missing) || (file && !sum.start(*file)))
    return file;
  sum.add_raws(raw_files_of(name), is_missing ? "" : name);
  for (const std::string &part : parts_of(name))
    sum.add_part(part);
  return sum.bytes();
}

} // namespace

std::map<std::string, std::set<uint64_t>> modules_of(const pathprof_image &image) {
  std::map<std::string, std::set<uint64_t>> modules;
  pathprof_cursor cursor = image.section[PATHPROF_SECTION_PROGRAM];
  pathprof_program program;
  pathprof_get_program(&cursor, &program);
  pathprof_module module;
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);)
    modules[{reinterpret_cast<const char *>(module.name.data), module.name.size}].insert(module.units_key);
  return modules;
}

std::vector<std::string> raw_files_of(const std::string &profile) {
  return beside(profile, pathprof_is_raw_name);
}

std::optional<FileBytes> open_with_orphans(const std::string &name, LoadError *error, std::vector<std::string> *notes,
                                           Accept accept) {
  enum { kTries = 20 };
  std::optional<FileBytes> bytes;
  if (name == "-" && accept == Accept::Streams) {
    bytes = FileBytes::open(name, error);
    bool is_raw = bytes && pathprof_is_raw(bytes->data(), bytes->size());
    return is_raw ? convert(name, *bytes, error) : bytes;
  }
  for (int i = 0; i < kTries; i++) {
    Version before = version_of(name);
    notes->clear();
    bytes = try_open(name, error, notes, accept);
    if (version_of(name) == before)
      break;
  }
  if (!bytes && !error->offset)
    explain_unopened(error);
  return bytes;
}

std::string profile_of_raw(const std::string &name) {
  const std::string suffix = ".raw";
  if (name.size() <= suffix.size() || name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
    return {};
  size_t dot = name.rfind('.', name.size() - suffix.size() - 1);
  std::string base = name.substr(0, dot == std::string::npos ? 0 : dot);
  return pathprof_is_raw_name(name.c_str(), base.c_str()) ? base : "";
}

} // namespace pathprof
