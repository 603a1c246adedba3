// SPDX-License-Identifier: GPL-3.0-or-later
// Writes files into a temporary directory and renames it.
#include "pathdump/coverage/output_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nettle/sha2.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace fs = std::filesystem;

static constexpr const char *kSums = "SHA256SUMS";

std::string sha256_text(std::string_view bytes) {
  sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const uint8_t *>(bytes.data()));
  sha256_digest(&context, sizeof digest, digest);
  std::string text;
  for (uint8_t byte : digest)
    text += fmt::format("{:02x}", byte);
  return text;
}

std::string file_name_for(const std::string &text) {
  static constexpr size_t kMost = 120; // well below the limit of 255 bytes of file systems, even with a suffix
  static const std::string allowed = "_.-+@$";
  std::string name;
  for (char c : text) {
    bool is_allowed = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                      allowed.find(c) != std::string::npos;
    name += is_allowed ? c : '_';
  }
  if (name.size() > kMost)
    name = fmt::format("{}-{}", name.substr(0, kMost), sha256_text(text).substr(0, 8));
  bool is_hidden = name.empty() || name.front() == '.';
  return is_hidden ? "_" + name : name;
}

// ---- checks of an existing directory ----

// States why a directory cannot be written.
struct Refusal {
  std::string text;
};

[[noreturn]] static void refuse(const std::string &what, const std::string &why) {
  throw Refusal{fmt::format("{} {}", visible(what), why)};
}

static Failure failure_of(const OutputFolder &kind, const Refusal &refusal) {
  return Failure(kWrongUse, fmt::format("coverage: {}: {}", kind.option, refusal.text));
}

[[noreturn]] static void refuse_file(const fs::path &path, const char *why) {
  refuse(
      path.string(),
      fmt::format("{}, so the directory is not overwritten; specify another directory or remove this directory", why));
}

static std::string contents_of(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    refuse(path.string(), "cannot be read");
  return text.str();
}

// Parses checksum lines of the form "<digest> <name>".
static std::map<std::string, std::string> listed_in(const std::string &sums) {
  static constexpr size_t kDigits = 64, kBlanks = 2;
  std::map<std::string, std::string> listed;
  std::istringstream lines(sums);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > kDigits + kBlanks)
      listed[line.substr(kDigits + kBlanks)] = line.substr(0, kDigits);
  return listed;
}

// Returns all files and empty directories in the directory tree.
static std::set<fs::path> files_in(const fs::path &folder) {
  std::set<fs::path> files;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
    if (entry.is_symlink() || !entry.is_directory() || fs::is_empty(entry.path()))
      files.insert(entry.path());
  return files;
}

static fs::path resolved(const std::string &folder) {
  fs::path path = fs::weakly_canonical(folder.empty() ? fs::path(".") : fs::path(folder));
  return path.has_filename() ? path : path.parent_path();
}

static void check(const OutputFolder &kind, const fs::path &folder) {
  if (!fs::exists(folder))
    return;
  if (!fs::is_directory(folder))
    refuse(folder.string(), "is not a directory");
  if (folder == fs::current_path())
    refuse(folder.string(), "is the working directory; specify another directory");
  std::set<fs::path> files = files_in(folder);
  bool has_sums = files.count(folder / kSums) && fs::symlink_status(folder / kSums).type() == fs::file_type::regular;
  std::map<std::string, std::string> listed;
  if (has_sums)
    listed = listed_in(contents_of(folder / kSums));
  for (const fs::path &path : files) {
    if (has_sums && path == folder / kSums)
      continue;
    auto own = listed.find(path.lexically_relative(folder).generic_string());
    if (own == listed.end() || fs::symlink_status(path).type() != fs::file_type::regular)
      refuse_file(path, "was not written by pathdump");
    if (sha256_text(contents_of(path)) != own->second)
      refuse_file(path, "has changed since it was written");
  }
  for (const auto &[name, sum] : listed)
    if (!files.count(folder / name))
      refuse_file(folder / name, "has been removed since it was written");
  if (!files.empty() && (!listed.count(kind.name) || contents_of(folder / kind.name).rfind(kind.beginning, 0) != 0))
    refuse_file(folder, fmt::format("was not written by {}", kind.option).c_str());
}

void check_output_folder(const OutputFolder &kind, const std::string &folder) {
  try {
    check(kind, resolved(folder));
  } catch (const fs::filesystem_error &error) {
    throw failure_of(kind, {error.path1().string() + " " + error.code().message()});
  } catch (const Refusal &refusal) {
    throw failure_of(kind, refusal);
  }
}

// ---- writing ----

// A temporary directory.  The destructor removes the directory unless it has been renamed.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const fs::path &beside) {
    std::string pattern = (beside.parent_path() / ".pathprof-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      refuse(beside.string(), fmt::format("cannot be created: {}", std::strerror(errno)));
    path_ = pattern;
    mode_t mask = umask(0);
    umask(mask);
    chmod(pattern.c_str(), 0777 & ~mask);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

static void write_file(const fs::path &path, const std::string &text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file)
    throw fs::filesystem_error("", path, std::error_code(errno ? errno : EIO, std::generic_category()));
}

static void write(const OutputFolder &kind, const fs::path &folder, const OutputFiles &files) {
  check(kind, folder);
  TemporaryFolder made(folder), aside(folder);
  std::string sums;
  for (const auto &[name, text] : files) {
    write_file(made.path() / name, text);
    sums += fmt::format("{}  {}\n", sha256_text(text), name);
  }
  write_file(made.path() / kSums, sums);
  fs::path earlier = aside.path() / "earlier";
  bool had_one = fs::exists(folder);
  if (had_one)
    fs::rename(folder, earlier);
  std::error_code failed;
  fs::rename(made.path(), folder, failed);
  if (failed && had_one)
    fs::rename(earlier, folder);
  if (failed)
    throw fs::filesystem_error("", folder, failed);
}

void write_output_folder(const OutputFolder &kind, const std::string &folder, const OutputFiles &files) {
  try {
    write(kind, resolved(folder), files);
    std::cerr << fmt::format("{}: {} written to {}; next: open {}\n", program_name, plural(files.size() + 1, "file"),
                             visible(folder), visible((fs::path(folder) / kStartPage).string()));
  } catch (const fs::filesystem_error &error) {
    throw failure_of(kind, {error.path1().string() + " cannot be written: " + error.code().message()});
  } catch (const Refusal &refusal) {
    throw failure_of(kind, refusal);
  }
}

} // namespace pathprof
