// SPDX-License-Identifier: GPL-3.0-or-later
// Opens ELF files for libelf, and reads their build IDs.
#ifndef PATHPROF_PATHDUMP_UI_ELF_FILE_H
#define PATHPROF_PATHDUMP_UI_ELF_FILE_H

#include <memory>
#include <string>
#include <vector>

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

namespace pathprof {

// An open file descriptor.
class Descriptor {
public:
  explicit Descriptor(const std::string &file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (number_ >= 0)
      close(number_);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  // Returns the number of the descriptor, or −1 if the file could not be opened.
  int number() const { return number_; }

private:
  int number_;
};

struct CloseElf {
  void operator()(Elf *elf) const { elf_end(elf); }
};
using ElfFile = std::unique_ptr<Elf, CloseElf>;

// Returns the bytes of the GNU build ID, or nothing if the file has none.
inline std::vector<unsigned char> build_id_of(Elf *elf) {
  const void *bytes = nullptr;
  ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  const unsigned char *begin = static_cast<const unsigned char *>(bytes);
  return size > 0 ? std::vector<unsigned char>(begin, begin + size) : std::vector<unsigned char>();
}

} // namespace pathprof

#endif
