/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines a symbol that is referenced by code whose counters are relative to %gs, so that the linker includes this
 * file.  */
#include "libpathrt/storage/segment.h"

#include <link.h>
#include <sys/auxv.h>

#include "libpathrt/process/message.h"
#include "profile/format/abi.h"
#include "profile/format/system.h"

extern const char pathrt_link_segment_symbol __asm__(PATHPROF_LINK_SEGMENT_SYMBOL);
extern const char pathrt_link_symbol __asm__(PATHPROF_LINK_SYMBOL);
const char pathrt_link_segment_symbol = PATHPROF_ABI_VERSION;
const char *const pathrt_needs_module __attribute__((used)) = &pathrt_link_symbol;

/* The ELF header of this module.  The linker defines this symbol.  */
extern const ElfW(Ehdr) __ehdr_start __attribute__((weak, visibility("hidden")));

/* Aborts the process if this module is a shared library.  A thread has only one base of %gs, which is the offset from
 * the program's counter section to the thread's copy of that section, so code in a shared library would change memory
 * at wrong addresses.  */
static void check_module(void) {
  uintptr_t program = pathprof_sys_auxiliary(AT_PHDR);
  if (!program || !&__ehdr_start || program == (uintptr_t)&__ehdr_start + __ehdr_start.e_phoff)
    return;
  pathrt_error("a shared library contains code that was compiled for executables; recompile the library with -fPIC",
               NULL);
  pathprof_sys_abort();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
/* Runs before all constructors of the program, which may create threads.  */
static __attribute__((constructor(99))) void use_segment(void) {
  check_module();
  pathrt_uses_segment = true;
}
#pragma GCC diagnostic pop
