// SPDX-License-Identifier: GPL-3.0-or-later
/* A board with a Cortex-M3, as QEMU emulates it: qemu-system-arm -M mps2-an385 -nographic -semihosting -kernel board.elf.
 * The counters are written to the file board.dump of the host by semihosting, which debug probes support, too.  */
#include <pathrt_freestanding.h>

#include "../tests.h"

#define SYS_OPEN 0x01
#define SYS_CLOSE 0x02
#define SYS_WRITE 0x05
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT 0x20026
#define MODE_WB 5

extern char initial_stack[], data_begin[], data_end[], data_in_flash[], bss_begin[], bss_end[];

static int file;

static int semihost(int operation, const void *arguments) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static void put(const void *data, size_t size) {
  const void *arguments[] = {(void *)file, data, (void *)size};
  semihost(SYS_WRITE, arguments);
}

static void write_counters(void) {
  static const char name[] = "board.dump";
  const void *arguments[] = {name, (void *)MODE_WB, (void *)(sizeof name - 1)};
  file = semihost(SYS_OPEN, arguments);
  pathrt_write(put);
  semihost(SYS_CLOSE, &file);
}

__attribute__((noreturn)) static void reset(void) {
  for (char *to = data_begin, *from = data_in_flash; to < data_end;)
    *to++ = *from++;
  for (char *at = bss_begin; at < bss_end;)
    *at++ = 0;
  pathrt_clear();
  int status[] = {APPLICATION_EXIT, run_tests()};
  write_counters();
  for (;;)
    semihost(SYS_EXIT_EXTENDED, status);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {initial_stack, reset};

/* GCC can call this function in freestanding programs.  */
void *memset(void *to, int byte, size_t size) {
  for (unsigned char *at = to; size; size--) {
    *at++ = (unsigned char)byte;
    __asm__ volatile("");
  }
  return to;
}
