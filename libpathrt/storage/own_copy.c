/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Finds the current thread's copy of the counters for update=thread.  Shared libraries loaded at run time have little
 * space for thread-local variables, so this file is linked only into modules that need its thread-local variable.  */
#include "libpathrt/storage/own_copy.h"

#include <errno.h>
#include <stddef.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/storage/thread.h"

__thread uint64_t __pathrt_to_own = PATHPROF_NO_COPY;

static void forget(void) {
  __pathrt_to_own = PATHPROF_NO_COPY;
}

/* If the thread has taken over the state of a thread that has ended, reuses the copy in that state.  */
static __attribute__((noinline)) uint64_t find_copy(void) {
  int saved_errno = errno;
  struct pathrt_thread *thread = pathrt_thread_self(true);
  bool has_copy = thread && pathrt_thread_map_copy(thread);
  if (has_copy) {
    pathrt_thread_forget_copy_with(forget);
    __pathrt_to_own = thread->tls_counter_offset;
  }
  errno = saved_errno;
  return has_copy ? thread->tls_counter_offset : 0;
}

uint64_t __pathrt_thread(void) {
  return __pathrt_to_own != PATHPROF_NO_COPY ? __pathrt_to_own : find_copy();
}

#if defined __x86_64__
#define REGISTER(n, at) "\tmovups\t%xmm" #n ", " #at "(%rsp)\n"
#define RESTORED(n, at) "\tmovups\t" #at "(%rsp), %xmm" #n "\n"
#define EACH_VECTOR(action)                                                                                            \
  action(0, 0) action(1, 16) action(2, 32) action(3, 48) action(4, 64) action(5, 80) action(6, 96) action(7, 112)      \
      action(8, 128) action(9, 144) action(10, 160) action(11, 176) action(12, 192) action(13, 208) action(14, 224)    \
          action(15, 240)

/* Returns the result of __pathrt_thread in rax.  Preserves all other general-purpose registers and the low 16 bytes of
 * each vector register (the SSE registers, which every processor has).  The caller must have moved the stack pointer
 * below its red zone and aligned it to a multiple of 8.  */
__asm__(".text\n"
        "\t.globl\t" PATHPROF_THREAD_KEEPING_SYMBOL "\n"
        "\t.hidden\t" PATHPROF_THREAD_KEEPING_SYMBOL "\n"
        "\t.type\t" PATHPROF_THREAD_KEEPING_SYMBOL ", @function\n" PATHPROF_THREAD_KEEPING_SYMBOL ":\n"
        "\t.cfi_startproc\n"
        "\tpushq\t%rbp\n"
        "\t.cfi_adjust_cfa_offset 8\n"
        "\t.cfi_rel_offset %rbp, 0\n"
        "\tmovq\t%rsp, %rbp\n"
        "\t.cfi_def_cfa_register %rbp\n"
        "\tpushq\t%rcx\n"
        "\tpushq\t%rdx\n"
        "\tpushq\t%rsi\n"
        "\tpushq\t%rdi\n"
        "\tpushq\t%r8\n"
        "\tpushq\t%r9\n"
        "\tpushq\t%r10\n"
        "\tpushq\t%r11\n"
        "\tsubq\t$256, %rsp\n"
        "\tandq\t$-16, %rsp\n" EACH_VECTOR(REGISTER) /**/
        "\tcld\n"
        "\tcall\t" PATHPROF_THREAD_SYMBOL "\n" EACH_VECTOR(RESTORED) /**/
        "\tleaq\t-64(%rbp), %rsp\n"
        "\tpopq\t%r11\n"
        "\tpopq\t%r10\n"
        "\tpopq\t%r9\n"
        "\tpopq\t%r8\n"
        "\tpopq\t%rdi\n"
        "\tpopq\t%rsi\n"
        "\tpopq\t%rdx\n"
        "\tpopq\t%rcx\n"
        "\tpopq\t%rbp\n"
        "\t.cfi_def_cfa %rsp, 8\n"
        "\tret\n"
        "\t.cfi_endproc\n"
        "\t.size\t" PATHPROF_THREAD_KEEPING_SYMBOL ", . - " PATHPROF_THREAD_KEEPING_SYMBOL "\n");
#endif
