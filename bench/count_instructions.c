// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the instructions that a program executes under QEMU: -plugin count_instructions.so,out=FILE.
//
// Debian packages QEMU's emulators, but not the header of their plugin interface, so the declarations that are needed
// are repeated here. They belong to version 1 of the interface (QEMU 4.2 to 8.2).
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
typedef void (*on_translation)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*on_exit)(qemu_plugin_id_t, void *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, on_translation);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, enum qemu_plugin_op, void *, uint64_t);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, on_exit, void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

EXPORT int qemu_plugin_version = 1;

static uint64_t num_executed;
static char output[4096];

// Adds the length of a translated block to the counter whenever the block is executed.
static void count(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &num_executed,
                                           qemu_plugin_tb_n_insns(block));
}

static void write_count(qemu_plugin_id_t id, void *unused) {
  (void)id;
  (void)unused;
  FILE *file = fopen(output, "w");
  if (file) {
    fprintf(file, "%" PRIu64 "\n", num_executed);
    fclose(file);
  }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
  static const char option[] = "out=";
  (void)info;
  if (argc != 1 || strncmp(argv[0], option, sizeof option - 1) != 0) {
    fprintf(stderr, "count_instructions: expected the argument out=FILE\n");
    return -1;
  }
  snprintf(output, sizeof output, "%s", argv[0] + sizeof option - 1);
  qemu_plugin_register_vcpu_tb_trans_cb(id, count);
  qemu_plugin_register_atexit_cb(id, write_count, NULL);
  return 0;
}
