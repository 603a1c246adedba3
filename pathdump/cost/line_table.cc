// SPDX-License-Identifier: GPL-3.0-or-later
// Reads symbols and source lines with elfutils' libdw.
#include "pathdump/cost/line_table.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include "pathdump/ui/names.h"

namespace pathprof {

struct LineTable::State {
  Dwfl_Callbacks callbacks = {};
  Dwfl *dwfl = nullptr;
  Dwfl_Module *module = nullptr;
  std::map<std::string, std::set<Dwarf_Addr>> symbols; // addresses by assembler name and by C++ name
};

// Reads only the file itself and the file with its separate debug information, if there is such a file.
LineTable::LineTable(const std::string &file) : state_(std::make_unique<State>()) {
  state_->callbacks.find_elf = dwfl_build_id_find_elf;
  state_->callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
  state_->callbacks.section_address = dwfl_offline_section_address;
  state_->dwfl = dwfl_begin(&state_->callbacks);
  if (!state_->dwfl)
    return;
  state_->module = dwfl_report_offline(state_->dwfl, "", file.c_str(), -1);
  dwfl_report_end(state_->dwfl, nullptr, nullptr);
  int number = state_->module ? dwfl_module_getsymtab(state_->module) : 0;
  for (int i = 1; i < number; i++) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char *name = dwfl_module_getsym_info(state_->module, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (!name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF)
      continue;
    for (const std::string &one : names_in_tools(name))
      state_->symbols[one].insert(address);
  }
}

LineTable::~LineTable() {
  if (state_->dwfl)
    dwfl_end(state_->dwfl);
}

bool LineTable::is_readable() const {
  return !state_->symbols.empty();
}

static std::string linkage_name(Dwarf_Die *die) {
  Dwarf_Attribute attribute;
  const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  if (!name)
    name = dwarf_diename(die);
  return name ? name : "";
}

static CostPosition line_at(Dwfl_Module *module, Dwarf_Addr address) {
  Dwfl_Line *line = dwfl_module_getsrc(module, address);
  int number = 0;
  const char *file = line ? dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
  return {"", file ? file : "", static_cast<uint32_t>(number)};
}

// Returns the position at which the inlined function was called.
static CostPosition call_site(Dwarf_Die *unit, Dwarf_Die *inlined) {
  Dwarf_Attribute attribute;
  Dwarf_Word file = 0, line = 0;
  Dwarf_Files *files = nullptr;
  size_t number = 0;
  dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file);
  dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line);
  const char *name = nullptr;
  if (dwarf_getsrcfiles(unit, &files, &number) == 0 && file < number)
    name = dwarf_filesrc(files, file, nullptr, nullptr);
  return {"", name ? name : "", static_cast<uint32_t>(line)};
}

// Returns the functions among `starts` that can start at `start` in a process.
static std::vector<Dwarf_Addr> possible_starts(const std::set<Dwarf_Addr> &starts, uint64_t start) {
  static constexpr uint64_t kPage = 4096; // the smallest page size
  std::vector<Dwarf_Addr> possible;
  std::copy_if(starts.begin(), starts.end(), std::back_inserter(possible),
               [&](Dwarf_Addr one) { return starts.size() == 1 || (one - start) % kPage == 0; });
  return possible;
}

std::vector<CostPosition> LineTable::find(const std::string &symbol, uint64_t offset, uint64_t in_process) const {
  auto found = state_->symbols.find(symbol);
  if (found == state_->symbols.end())
    return {};
  std::vector<Dwarf_Addr> starts = possible_starts(found->second, in_process - offset);
  if (starts.size() != 1)
    return {};
  Dwarf_Addr address = starts.front() + offset;
  CostPosition position = line_at(state_->module, address);
  std::vector<CostPosition> frames;
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit = dwfl_module_addrdie(state_->module, address, &bias);
  Dwarf_Die *scopes = nullptr, *around = nullptr;
  // Of the scopes at the address, only the innermost scope, `scopes[0]`, is used. dwarf_getscopes_die returns the
  // scopes that enclose this scope, including the inlined instances.
  if (unit && dwarf_getscopes(unit, address - bias, &scopes) > 0) {
    int number = dwarf_getscopes_die(&scopes[0], &around);
    for (int i = 0; i < number; i++)
      if (dwarf_tag(&around[i]) == DW_TAG_inlined_subroutine) {
        position.function = linkage_name(&around[i]);
        frames.push_back(position);
        position = call_site(unit, &around[i]);
      }
  }
  free(around);
  free(scopes);
  position.function = symbol;
  frames.push_back(position);
  return frames;
}

} // namespace pathprof
