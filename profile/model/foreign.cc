// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies files of other formats by their first bytes.
#include "profile/model/foreign.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include <elf.h>

#include "profile/format/image.h"
#include "profile/format/raw.h"

namespace pathprof {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Returns a message that names the default profile of a program. The profile can be next to the program or in the
// working directory.
std::string of_program(const std::string &program) {
  std::string name = fs::path(program).filename().string() + ".pathprof";
  for (const fs::path &path : {fs::path(program).parent_path() / name, fs::path(name)})
    if (is_there(path))
      return "the file is a program; its profile is " + path.string();
  return "the file is a program; if it is built with pathprof-gcc and executed, it writes its profile " + name +
         " to the working directory";
}

std::string of_elf(const std::string &name, const unsigned char *data, size_t size) {
  if (size < offsetof(Elf64_Ehdr, e_machine))
    return of_program(name);
  uint16_t type;
  std::memcpy(&type, data + offsetof(Elf64_Ehdr, e_type), sizeof type);
  switch (type) {
  case ET_REL:
    return "the file is an object file; link it into a program and run the program to get a profile";
  case ET_CORE:
    return "the file is a core dump; to get a profile of a program that crashes, run it with "
           "PATHPROF_MODE=continuous";
  default:
    return of_program(name);
  }
}

struct Kind {
  const char *magic;
  size_t size;
  const char *what;
};

const Kind kinds[] = {
    {"!<arch>\n", 8, "the file is a static library; link it into a program and run the program to get a profile"},
    {"adcg", 4,
     "the file contains gcov data (.gcda); use pathprof-gcc instead of gcc --coverage to get a path profile"},
    {"gcda", 4,
     "the file contains gcov data (.gcda); use pathprof-gcc instead of gcc --coverage to get a path profile"},
    {"oncg", 4,
     "the file contains gcov notes (.gcno); use pathprof-gcc instead of gcc --coverage to get a path profile"},
    {"gcno", 4,
     "the file contains gcov notes (.gcno); use pathprof-gcc instead of gcc --coverage to get a path profile"},
    {"\x81rforpl\xff", 8, "the file is a raw LLVM profile; use llvm-profdata to read it"},
    {"\xfflprofi\x81", 8, "the file is an LLVM profile; use llvm-profdata to read it"},
    {"PERFILE2", 8, "the file contains perf data; use 'perf report' to read it"},
    {"\x1f\x8b", 2, "the file is compressed; use 'zcat FILE | pathdump report -' to read it"},
    {"\xfd"
     "7zXZ",
     5, "the file is compressed; use 'xzcat FILE | pathdump report -' to read it"},
    {"\x28\xb5\x2f\xfd", 4, "the file is compressed; use 'zstdcat FILE | pathdump report -' to read it"},
    {"BZh", 3, "the file is compressed; use 'bzcat FILE | pathdump report -' to read it"},
    {"{\"format\": \"pathprof-json\"", 26, "the file was exported by pathdump for other tools; use the profile itself"},
};

bool is_text(const unsigned char *data, size_t size) {
  return std::none_of(data, data + std::min<size_t>(size, 512),
                      [](unsigned char c) { return c < ' ' && !std::isspace(c); });
}

// Returns a description of the file's kind, or an empty string if the kind is unknown.
std::string kind_of(const std::string &name, const unsigned char *data, size_t size) {
  if (size > SELFMAG && std::memcmp(data, ELFMAG, SELFMAG) == 0)
    return of_elf(name, data, size);
  for (const Kind &kind : kinds)
    if (size >= kind.size && std::memcmp(data, kind.magic, kind.size) == 0)
      return kind.what;
  if (is_text(data, size))
    return "the file is text; use a profile that an instrumented program wrote (*.pathprof)";
  return {};
}

} // namespace

void explain_foreign(const unsigned char *data, size_t size, LoadError *error) {
  bool begins_well = size >= PATHPROF_MAGIC_SIZE && std::memcmp(data, PATHPROF_MAGIC, PATHPROF_MAGIC_SIZE) == 0;
  if (begins_well || pathprof_is_raw(data, size))
    return;
  if (size == 0) {
    error->reason = "not a pathprof profile: the file is empty";
    return;
  }
  std::string kind = kind_of(error->file, data, size);
  if (!kind.empty())
    error->reason += "; " + kind;
}

void explain_unopened(LoadError *error) {
  std::error_code ignored;
  if (!fs::is_directory(error->file, ignored))
    return;
  std::vector<std::string> found;
  for (const std::string &name : names_in(error->file))
    if (fs::path(name).extension() == ".pathprof")
      found.push_back((fs::path(error->file) / name).string());
  std::sort(found.begin(), found.end());
  if (found.empty())
    error->reason += "; the directory contains no *.pathprof files";
  for (size_t i = 0; i < std::min<size_t>(found.size(), 3); i++)
    error->reason += (i ? " " : "; use a profile in this directory: ") + found[i];
}

} // namespace pathprof
