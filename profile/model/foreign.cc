// SPDX-License-Identifier: GPL-3.0-or-later
// Recognising other files by their first bytes.
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

// The default of PATHPROF_FILE, beside the program or in the working directory.
std::string of_program(const std::string &program) {
  std::string name = fs::path(program).filename().string() + ".pathprof";
  for (const fs::path &path : {fs::path(program).parent_path() / name, fs::path(name)})
    if (is_there(path))
      return "this is a program, its profile is " + path.string();
  return "this is a program: built with pathprof-gcc, it writes its profile, " + name +
         ", into the working directory when it runs";
}

std::string of_elf(const std::string &name, const unsigned char *data, size_t size) {
  if (size < offsetof(Elf64_Ehdr, e_machine))
    return of_program(name);
  uint16_t type;
  std::memcpy(&type, data + offsetof(Elf64_Ehdr, e_type), sizeof type);
  switch (type) {
  case ET_REL:
    return "this is an object file; the program that it is linked into writes a profile when it runs";
  case ET_CORE:
    return "this is a core dump; what the program counted until then is in its profile only with "
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
    {"!<arch>\n", 8, "this is a static library; the program that it is linked into writes a profile when it runs"},
    {"adcg", 4, "this is data of gcov (.gcda); pathprof-gcc in the place of gcc --coverage makes profiles of paths"},
    {"gcda", 4, "this is data of gcov (.gcda); pathprof-gcc in the place of gcc --coverage makes profiles of paths"},
    {"oncg", 4, "these are notes of gcov (.gcno); pathprof-gcc in the place of gcc --coverage makes profiles of paths"},
    {"gcno", 4, "these are notes of gcov (.gcno); pathprof-gcc in the place of gcc --coverage makes profiles of paths"},
    {"\x81rforpl\xff", 8, "this is a raw profile of LLVM, which llvm-profdata reads"},
    {"\xfflprofi\x81", 8, "this is a profile of LLVM, which llvm-profdata reads"},
    {"PERFILE2", 8, "this is data of perf, which 'perf report' reads"},
    {"\x1f\x8b", 2, "this is compressed: 'zcat FILE | pathdump report -' reads it"},
    {"\xfd"
     "7zXZ",
     5, "this is compressed: 'xzcat FILE | pathdump report -' reads it"},
    {"\x28\xb5\x2f\xfd", 4, "this is compressed: 'zstdcat FILE | pathdump report -' reads it"},
    {"BZh", 3, "this is compressed: 'bzcat FILE | pathdump report -' reads it"},
    {"{\"format\": \"pathprof-json\"", 26,
     "this is what pathdump export wrote, for other tools; name the profile itself"},
};

bool is_text(const unsigned char *data, size_t size) {
  return std::none_of(data, data + std::min<size_t>(size, 512),
                      [](unsigned char c) { return c < ' ' && !std::isspace(c); });
}

// Empty if it cannot be told.
std::string kind_of(const std::string &name, const unsigned char *data, size_t size) {
  if (size > SELFMAG && std::memcmp(data, ELFMAG, SELFMAG) == 0)
    return of_elf(name, data, size);
  for (const Kind &kind : kinds)
    if (size >= kind.size && std::memcmp(data, kind.magic, kind.size) == 0)
      return kind.what;
  if (is_text(data, size))
    return "this is text; instrumented programs write profiles, *.pathprof";
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
    error->reason += "; there is no *.pathprof in it";
  for (size_t i = 0; i < std::min<size_t>(found.size(), 3); i++)
    error->reason += (i ? " " : "; name a profile in it: ") + found[i];
}

} // namespace pathprof
