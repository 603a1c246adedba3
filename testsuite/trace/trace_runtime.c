/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs that trace_plugin.cc changed record to, and its text in the file TRACE_FILE at exit: a line
 * a step, "activation name" or "activation block".  */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { WORDS_OF_A_STEP = 2, LARGEST_BLOCK = 1 << 20 };

uint64_t trace_next, trace_activations;
static uint64_t *steps;

/* Before every constructor of the program; pages come as they are written.  */
static void map_steps(void) {
  const size_t room = (size_t)1 << 36;
  steps = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (steps == MAP_FAILED)
    abort();
  trace_next = (uintptr_t)steps;
}
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = map_steps;

__attribute__((destructor)) static void print_steps(void) {
  const uint64_t *end = (const uint64_t *)trace_next;
  const char *name = getenv("TRACE_FILE");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (!file)
    return;
  for (const uint64_t *step = steps; step < end; step += WORDS_OF_A_STEP) {
    if (step[1] < LARGEST_BLOCK)
      fprintf(file, "%" PRIu64 " %" PRIu64 "\n", step[0], step[1]);
    else
      fprintf(file, "%" PRIu64 " %s\n", step[0], (const char *)step[1]);
  }
  fclose(file);
}
