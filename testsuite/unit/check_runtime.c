/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unit tests of libpathrt/: tables against a model, and whole program runs.
 *
 * This program is its own specimen: it holds two hand-made units and the runtime, and runs itself
 * as "check_runtime SCENARIO".  The runner has PATHPROF_MODE=off, so that it writes no profile
 * itself.  */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libpathrt/snapshot/snapshot.h"
#include "libpathrt/memory/pages.h"
#include "libpathrt/pathrt.h"
#include "libpathrt/storage/cycles.h"
#include "libpathrt/storage/table.h"
#include "profile/format/abi.h"
#include "profile/format/counts.h"
#include "profile/format/image.h"

#include <check.h>

/* ---- the specimen ---- */

/* clang-format off */
/* Notes: version, source, number of functions; each: shared prefix, rest of the name, checksum,
 * storage, number of paths.  The payload, which the runtime never looks at, follows.  */
#define ARRAY "\1"
#define TABLE "\2"
#define NONE "\0"
#define SIXTY_THOUSAND "\xe0\xd4\3"
static const char notes_a[] = "\1\3" "a.c" "\3"
                              "\0\1" "f" "cccc" ARRAY "\x0a"
                              "\0\1" "g" "cccc" NONE "\0"
                              "\0\1" "h" "cccc" TABLE SIXTY_THOUSAND
                              "payload";
static const char notes_b[] = "\1\3" "b.c" "\1"
                              "\0\1" "m" "cccc" ARRAY "\4"
                              "payload";
/* b.c in another build: m has five paths.  */
static const char notes_c[] = "\1\3" "b.c" "\1"
                              "\0\1" "m" "dddd" ARRAY "\5"
                              "payload";

/* clang-format on */

static uint64_t counters_a[10], counters_b[5], counters_twin[5];
static struct pathprof_table tables_a[1];

/* A table that code looks into.  */
struct cached_table {
  struct pathprof_table head;
  struct pathprof_slot cache[PATHPROF_INLINE_CACHE_SIZE];
};

/* As instrumented code calls.  */
static void count(struct cached_table *table, uint64_t id) {
  __pathrt_count(&table->head, id + 1, table->cache);
}

static void count_atomic(struct cached_table *table, uint64_t id) {
  __pathrt_count_atomic(&table->head, id + 1, table->cache);
}

/* As the runtime counts in a table that no code looks into.  */
static void count_unseen(struct pathprof_table *table, uint64_t id) {
  pathrt_table_add(table, id, 1, NULL, false);
}

/* As in instrumented code, this brings the runtime into the link.  */
extern const char link_symbol __asm__(PATHPROF_LINK_SYMBOL);

/* clang-format off */
#define UNIT(name, notes, counters, num_counters, tables, num_tables)                              \
  static struct pathprof_unit name                                                                 \
      __attribute__((section(PATHPROF_UNITS_SECTION), used, aligned(8))) = {                       \
          PATHPROF_ABI_VERSION, sizeof notes, (const unsigned char *)notes, sizeof notes - 1,      \
          counters, num_counters, tables, num_tables, &link_symbol}
/* clang-format on */

UNIT(unit_a, notes_a, counters_a, 10, tables_a, 1);
/* Alignment may leave zeros between records.  */
static uint64_t padding[3] __attribute__((section(PATHPROF_UNITS_SECTION), used, aligned(8)));
UNIT(unit_b, notes_b, counters_b, 4, NULL, 0);
UNIT(unit_twin, notes_b, counters_twin, 4, NULL, 0); /* the same source, compiled twice */

enum { F, H, M, NUM_FUNCTIONS };

/* One call of each function: paths f 3, h 7 and 59999, m 1 (twice, once in the twin).  */
static void work(unsigned times) {
  while (times--) {
    counters_a[3]++;
    count_unseen(&tables_a[0], 7);
    count_unseen(&tables_a[0], 59999);
    counters_b[1]++;
    counters_twin[1]++;
  }
}

static void *dump_often(void *unused) {
  for (int i = 0; i < 20; i++)
    if (pathrt_dump() != 0)
      exit(9);
  return unused;
}

static void dump_in_handler(int signal) {
  (void)signal;
  pathrt_dump();
}

static int other_build(const char *unused) {
  (void)unused;
  unit_b.notes = unit_twin.notes = (const unsigned char *)notes_c;
  unit_b.key = unit_twin.key = 77;
  unit_b.num_counters = unit_twin.num_counters = 5;
  work(1);
  return 7;
}

static int other_abi(const char *unused) {
  (void)unused;
  unit_b.abi_version = 99;
  work(1);
  return 7;
}

static int bad_notes(const char *unused) {
  (void)unused;
  unit_b.num_counters = unit_twin.num_counters = 1;
  work(1);
  return 7;
}

static int plain(const char *times) {
  work(times ? (unsigned)atoi(times) : 1);
  return 7;
}

static int dumps(const char *times) {
  for (int i = 0; i < atoi(times); i++) {
    work(5);
    if (pathrt_dump() != 0)
      return 9;
  }
  return 7;
}

static int dumps_in_threads(const char *unused) {
  (void)unused;
  pthread_t threads[4];
  work(5);
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, dump_often, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 7;
}

static int forks(const char *unused) {
  (void)unused;
  work(5);
  pid_t child = fork();
  work(child ? 2 : 3);
  if (child)
    waitpid(child, NULL, 0);
  return 7;
}

static int forks_while_dumping(const char *times) {
  pthread_t thread;
  pthread_create(&thread, NULL, dump_often, NULL);
  for (int i = 0; i < atoi(times); i++) {
    pid_t child = fork();
    if (!child) {
      work(1);
      exit(0);
    }
    waitpid(child, NULL, 0);
  }
  pthread_join(thread, NULL);
  return 7;
}

static int changes_folder(const char *unused) {
  (void)unused;
  work(1);
  return chdir("/") == 0 ? 7 : 9;
}

static int quick_exits(const char *unused) {
  (void)unused;
  work(1);
  quick_exit(7);
}

static int resets(const char *unused) {
  (void)unused;
  work(1);
  pathrt_reset();
  work(2);
  return 7;
}

static int sets_file(const char *pattern) {
  work(1);
  pathrt_set_file(pattern);
  return 7;
}

static int file_size_limit(const char *unused) {
  (void)unused;
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  work(1);
  return 7;
}

static int broken_stderr(const char *unused) {
  (void)unused;
  int ends[2];
  if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0)
    return 9;
  close(ends[0]);
  work(1);
  return 7;
}

static int closed_stdio(const char *unused) {
  (void)unused;
  work(1);
  for (int fd = 0; fd < 3; fd++)
    close(fd);
  return 7;
}

static int broken_environment(const char *unused) {
  (void)unused;
  work(1);
  environ = (char **)8;
  return 7;
}

static int dumps_in_handler(const char *unused) {
  (void)unused;
  struct itimerval soon = {{0, 0}, {0, 0}}, never = {{0, 0}, {0, 0}};
  signal(SIGALRM, dump_in_handler);
  /* One signal a dump: if they came faster than they are handled, nothing else would run.  */
  for (int i = 0; i < 200; i++) {
    soon.it_value.tv_usec = 1 + i * 3;
    setitimer(ITIMER_REAL, &soon, NULL);
    work(1);
    pathrt_dump();
  }
  setitimer(ITIMER_REAL, &never, NULL);
  return 7;
}

static const struct {
  const char *name;
  int (*run)(const char *argument);
} scenarios[] = {
    {"other-build", other_build},
    {"other-abi", other_abi},
    {"bad-notes", bad_notes},
    {"work", plain},
    {"dumps", dumps},
    {"threads", dumps_in_threads},
    {"fork", forks},
    {"fork-while-dumping", forks_while_dumping},
    {"chdir", changes_folder},
    {"quick-exit", quick_exits},
    {"reset", resets},
    {"set-file", sets_file},
    {"file-size", file_size_limit},
    {"broken-stderr", broken_stderr},
    {"no-stdio", closed_stdio},
    {"no-environment", broken_environment},
    {"handler", dumps_in_handler},
};

static int run_scenario(char **argv) {
  for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
    if (strcmp(scenarios[i].name, argv[1]) == 0)
      return scenarios[i].run(argv[2]);
  return 99;
}

/* ---- running it ---- */

static char folder[64];
static char self[4096];

static void make_folder(void) {
  strcpy(folder, "/tmp/check_runtime.XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
}

static void remove_folder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(system(command), 0);
}

static char output[65536];

static const char *slurp(const char *name, size_t *size) {
  int fd = open(name, O_RDONLY);
  ck_assert_msg(fd >= 0, "%s does not exist", name);
  ssize_t n = read(fd, output, sizeof output - 1);
  ck_assert_int_ge(n, 0);
  output[n] = '\0';
  close(fd);
  if (size)
    *size = (size_t)n;
  return output;
}

static int lines_in(const char *text) {
  int n = 0;
  for (; *text; text++)
    n += *text == '\n';
  return n;
}

static pid_t start_program(const char *variable, const char *value, const char *what, const char *argument) {
  pid_t pid = fork();
  if (pid)
    return pid;
  int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  dup2(out, 1);
  dup2(err, 2);
  close(out);
  close(err);
  unsetenv("PATHPROF_MODE");
  if (!variable || strcmp(variable, "PATHPROF_FILE") != 0)
    setenv("PATHPROF_FILE", "p", 1);
  if (variable)
    setenv(variable, value, 1);
  execl(self, "check_runtime", what, argument, NULL);
  _exit(127);
}

/* Runs a scenario with one more environment variable.  The program's status and stdout must be
 * untouched; returns what it wrote to stderr.  */
static const char *run_with(const char *variable, const char *value, const char *what, const char *argument) {
  int status;
  size_t size;
  pid_t pid = start_program(variable, value, what, argument);
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%s: status %x, stderr %s", what, status,
                slurp("stderr", NULL));
  slurp("stdout", &size);
  ck_assert_uint_eq(size, 0);
  return slurp("stderr", NULL);
}

static void run_silently(const char *what, const char *argument) {
  ck_assert_str_eq(run_with(NULL, NULL, what, argument), "");
}

/* Names in the folder that start so, beside `prefix` itself; the last one in *found.  */
static int count_files(const char *prefix, char found[256]) {
  int n = 0;
  DIR *dir = opendir(".");
  for (struct dirent *entry; (entry = readdir(dir));)
    if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && strcmp(entry->d_name, prefix) != 0) {
      n++;
      snprintf(found, 256, "%s", entry->d_name);
    }
  closedir(dir);
  return n;
}

struct totals {
  uint64_t runs, forks, modules, units;
  uint64_t count[NUM_FUNCTIONS];
};

/* Reads a profile; every count must belong to a path that `work` executes.  */
static struct totals totals_of(const char *name) {
  struct totals totals = {0};
  struct pathprof_image image;
  struct pathprof_error error;
  struct pathprof_program program;
  struct pathprof_unit_notes unit;
  static struct pathprof_index index;
  size_t size;
  const char *data = slurp(name, &size);
  ck_assert_msg(pathprof_image_open(&image, (const unsigned char *)data, size, &error), "%s: %s", name, error.reason);
  pathprof_get_program(&image.section[PATHPROF_SECTION_PROGRAM], &program);
  totals.runs = program.runs;
  totals.forks = program.forks;
  totals.modules = program.num_modules;
  struct pathprof_cursor *units = &image.section[PATHPROF_SECTION_UNITS];
  struct pathprof_cursor *counts = &image.section[PATHPROF_SECTION_COUNTS];
  totals.units = pathprof_get_varint(units);
  for (uint64_t u = 0; u < totals.units; u++) {
    pathprof_get_unit(units, &unit);
    pathprof_index_open(&index, unit.notes, 0);
    bool is_a = memcmp(index.source.data, "a.c", 3) == 0;
    struct pathprof_function_counts function = {UINT64_MAX, 0};
    for (uint64_t left = pathprof_get_varint(counts); left; left--) {
      pathprof_get_function(counts, function.index, &function);
      int which = !is_a ? M : function.index == 0 ? F : H;
      ck_assert(which != H || function.index == 2);
      uint64_t id = UINT64_MAX, count;
      for (uint64_t i = 0; i < function.num_paths; i++) {
        id = pathprof_get_path(counts, id, &count);
        ck_assert(id == (which == F ? 3u : which == M ? 1u : i == 0 ? 7u : 59999u));
        totals.count[which] += count;
      }
    }
  }
  ck_assert(pathprof_cursor_ok(units) && pathprof_cursor_ok(counts));
  ck_assert_uint_eq(pathprof_cursor_left(counts), 0);
  return totals;
}

static void assert_profile(const char *name, uint64_t runs, uint64_t works) {
  struct totals totals = totals_of(name);
  ck_assert_uint_eq(totals.runs, runs);
  ck_assert_uint_eq(totals.modules, 1);
  ck_assert_uint_eq(totals.units, 2);
  ck_assert_uint_eq(totals.count[F], works);
  ck_assert_uint_eq(totals.count[H], 2 * works);
  ck_assert_uint_eq(totals.count[M], 2 * works);
}

/* Neither temporaries nor lock files stay.  */
static void assert_clean(const char *name) {
  char found[256] = "";
  ck_assert_msg(count_files(name, found) == 0, "%s was left behind", found);
}

/* ---- tables ---- */

enum { MANY_IDS = 50000, MANY_COUNTS = 200000, HOT = 1000 };

/* Distinct for distinct ranks, all over the 64 bits.  */
static uint64_t id_of(uint64_t rank) {
  return rank * 0x9e3779b97f4a7c15u;
}

static uint64_t rank_of(uint64_t id) {
  return id * 0xf1de83e19937733du;
}

static int compare_counts(const void *a, const void *b) {
  const struct pathprof_count *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static uint64_t take(struct pathrt_snapshot *taker, struct cached_table *table) {
  memset(taker, 0, sizeof *taker);
  pathrt_snapshot_table(taker, &table->head);
  return pathprof_sort_counts(&taker->counts);
}

START_TEST(table_counts_like_a_model) {
  static struct pathprof_count model[MANY_IDS];
  static struct cached_table table;
  struct pathrt_snapshot taker;
  uint64_t random = 1, used = 0;
  for (int i = 0; i < MANY_IDS; i++)
    model[i] = (struct pathprof_count){id_of((uint64_t)i), 0};
  for (int i = 0; i < MANY_COUNTS; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint64_t rank = (random >> 33) % ((random >> 62) ? MANY_IDS : 10);
    errno = 4711;
    count(&table, id_of(rank));
    ck_assert_int_eq(errno, 4711);
    used += model[rank].count++ == 0;
  }
  qsort(model, MANY_IDS, sizeof model[0], compare_counts);
  for (int round = 0; round < 2; round++) {
    uint64_t n = take(&taker, &table), at = 0;
    const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
    ck_assert_uint_eq(n, used);
    for (int i = 0; i < MANY_IDS; i++)
      if (model[i].count) {
        ck_assert_uint_eq(counts[at].id, model[i].id);
        ck_assert_uint_eq(counts[at++].count, model[i].count);
      }
    pathrt_roll_back(&taker);
    pathrt_snapshot_free(&taker);
  }
  take(&taker, &table);
  pathrt_snapshot_free(&taker);
  ck_assert_uint_eq(take(&taker, &table), 0);
  pathrt_snapshot_free(&taker);
}
END_TEST

START_TEST(table_counts_in_a_raised_array) {
  static struct cached_table table;
  struct pathrt_snapshot taker;
  count(&table, 7); /* before the limit is raised */
  pathrt_table_use_array(&table.head, 60000);
  for (int i = 0; i < 3; i++) {
    count(&table, 7);
    count(&table, 59999);
  }
  count(&table, 60000); /* out of bounds, but not out of the array */
  count(&table, UINT64_MAX);
  ck_assert_uint_eq(take(&taker, &table), 3);
  const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
  ck_assert(counts[0].id == 7 && counts[0].count == 4);
  ck_assert(counts[1].id == 59999 && counts[1].count == 3);
  ck_assert(counts[2].id == 60000 && counts[2].count == 1);
  pathrt_snapshot_free(&taker);
}
END_TEST

/* As instrumented code counts; whether it needed no call.  */
static bool count_inline(struct cached_table *table, uint64_t id) {
  struct pathprof_slot *slot = &table->cache[(id + 1) % PATHPROF_INLINE_CACHE_SIZE];
  bool is_hit = slot->key == id + 1;
  if (is_hit)
    slot->count++;
  else
    count(table, id);
  return is_hit;
}

/* So often that the path gets its slot of the inline cache if that is free.  */
static void make_hot(struct cached_table *table, uint64_t id) {
  for (int i = 0; i < HOT; i++)
    count_inline(table, id);
}

static void assert_counts(struct cached_table *table, const struct pathprof_count *wanted, uint64_t n) {
  struct pathrt_snapshot taker;
  ck_assert_uint_eq(take(&taker, table), n);
  const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
  for (uint64_t i = 0; i < n; i++)
    ck_assert(counts[i].id == wanted[i].id && counts[i].count == wanted[i].count);
  pathrt_roll_back(&taker);
  pathrt_snapshot_free(&taker);
}

START_TEST(hot_paths_are_counted_in_the_cache) {
  static struct cached_table table;
  const uint64_t hot = 7, other = 7 + 5 * PATHPROF_INLINE_CACHE_SIZE, last = UINT64_MAX - 1;
  make_hot(&table, hot);
  make_hot(&table, last);
  ck_assert(count_inline(&table, hot) && count_inline(&table, last));
  make_hot(&table, other); /* whose slot is taken */
  ck_assert(!count_inline(&table, other));
  count(&table, hot); /* code that is not inlined counts there too */
  const struct pathprof_count counts[] = {{hot, HOT + 2}, {other, HOT + 1}, {last, HOT + 1}};
  assert_counts(&table, counts, 3);
  ck_assert(table.cache[(hot + 1) % PATHPROF_INLINE_CACHE_SIZE].count > HOT / 2);
  /* Taking counts leaves the slots to their paths.  */
  ck_assert(count_inline(&table, hot));
}
END_TEST

START_TEST(rare_paths_leave_the_cache_alone) {
  static struct cached_table table;
  for (uint64_t id = 0; id < 10 * PATHPROF_INLINE_CACHE_SIZE; id++)
    count_inline(&table, id);
  make_hot(&table, 3);
  ck_assert(count_inline(&table, 3));
}
END_TEST

START_TEST(cache_and_raised_array_add_up) {
  static struct cached_table table;
  make_hot(&table, 7); /* before the limit is raised */
  pathrt_table_use_array(&table.head, 60000);
  make_hot(&table, 7);
  make_hot(&table, 8);
  ck_assert(!count_inline(&table, 8)); /* the inline cache takes no more paths */
  const struct pathprof_count counts[] = {{7, 2 * HOT}, {8, HOT + 1}};
  assert_counts(&table, counts, 2);
}
END_TEST

/* As in the child of a fork, where the same addresses get fresh memory.  */
START_TEST(caches_are_restored) {
  static struct cached_table table;
  struct pathprof_buffer saved = {0};
  make_hot(&table, 7);
  make_hot(&table, 60000);
  pathrt_save_cache(&saved, &table.head);
  memset(&table, 0, sizeof table);
  pathrt_restore_caches(&saved);
  pathprof_buffer_free(&saved);
  ck_assert(count_inline(&table, 7) && count_inline(&table, 60000) && !count_inline(&table, 8));
  const struct pathprof_count counts[] = {{7, 1}, {8, 1}, {60000, 1}};
  assert_counts(&table, counts, 3);
}
END_TEST

/* A limit for which there is no memory costs nothing.  */
START_TEST(table_goes_on_without_memory_for_an_array) {
  static struct cached_table table;
  struct pathrt_snapshot taker;
  pathrt_table_use_array(&table.head, UINT64_MAX / 16);
  count(&table, 7);
  ck_assert_uint_eq(take(&taker, &table), 1);
  pathrt_snapshot_free(&taker);
}
END_TEST

static long resident_pages(void) {
  long size, resident = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  ck_assert_int_eq(fscanf(statm, "%ld %ld", &size, &resident), 2);
  fclose(statm);
  return resident;
}

START_TEST(small_tables_share_pages) {
  enum { TABLES = 1000 };
  static struct pathprof_table tables[TABLES];
  memset(tables, 0, sizeof tables);
  long before = resident_pages();
  for (int i = 0; i < TABLES; i++)
    for (uint64_t id = 0; id < 3; id++)
      count_unseen(&tables[i], id << 40);
  ck_assert_int_lt(resident_pages() - before, 500);
}
END_TEST

START_TEST(untouched_pages_of_counters_are_skipped) {
  enum { COUNTERS = 1 << 21 };
  static uint64_t counters[COUNTERS];
  static struct pathrt_pages pages;
  struct pathrt_snapshot taker;
  counters[5] = 1;
  counters[1 << 20] = 2;
  counters[COUNTERS - 1] = 3;
  long before = resident_pages();
  memset(&taker, 0, sizeof taker);
  taker.sparse = true;
  pathrt_pages_begin(&pages);
  taker.pages = &pages;
  pathrt_snapshot_counters(&taker, counters, COUNTERS);
  ck_assert_uint_eq(pathprof_sort_counts(&taker.counts), 3);
  const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
  ck_assert(counts[0].id == 5 && counts[0].count == 1);
  ck_assert(counts[1].id == 1 << 20 && counts[1].count == 2);
  ck_assert(counts[2].id == COUNTERS - 1 && counts[2].count == 3);
  ck_assert_int_lt(resident_pages() - before, 400);
  pathrt_pages_end(&pages);
  pathrt_snapshot_free(&taker);
}
END_TEST

/* By page faults: what is read maps the kernel's page of zeros, which is not resident.  */
START_TEST(untouched_heads_are_skipped) {
  enum { TABLES = 2000, COUNTED = 1234 };
  static struct pathprof_table tables[TABLES];
  static struct pathrt_pages pages;
  struct pathrt_snapshot taker;
  struct rusage before, after;
  count_unseen(&tables[COUNTED], 7);
  memset(&taker, 0, sizeof taker);
  taker.sparse = true;
  pathrt_pages_begin(&pages);
  taker.pages = &pages;
  getrusage(RUSAGE_SELF, &before);
  for (int i = 0; i < TABLES; i++)
    pathrt_snapshot_table(&taker, &tables[i]);
  getrusage(RUSAGE_SELF, &after);
  const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
  ck_assert_uint_eq(pathprof_sort_counts(&taker.counts), 1);
  ck_assert(counts[0].id == 7 && counts[0].count == 1);
  ck_assert_int_lt(after.ru_minflt - before.ru_minflt, 100);
  pathrt_pages_end(&pages);
  pathrt_snapshot_free(&taker);
}
END_TEST

enum { THREADS = 4, COUNTS_A_THREAD = 200000 };
static struct cached_table shared_table;

static void *count_in_thread(void *argument) {
  uint64_t random = (uintptr_t)argument;
  for (int i = 0; i < COUNTS_A_THREAD; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    count(&shared_table, id_of((random >> 33) % 5000));
  }
  return NULL;
}

static struct cached_table atomic_table;

/* As code instrumented with update=atomic does, or, where that is not inlined, all in the runtime.  */
static void *count_atomically(void *argument) {
  uint64_t random = (uintptr_t)argument;
  for (int i = 0; i < COUNTS_A_THREAD; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint64_t id = (random >> 33) % (i % 2 ? 5000 : 100);
    struct pathprof_slot *slot = &atomic_table.cache[(id + 1) % PATHPROF_INLINE_CACHE_SIZE];
    if (i % 3 && __atomic_load_n(&slot->key, __ATOMIC_RELAXED) == id + 1)
      __atomic_fetch_add(&slot->count, 1, __ATOMIC_RELAXED);
    else
      count_atomic(&atomic_table, id);
  }
  return NULL;
}

/* No count is lost, whoever gets which slot when, and wherever somebody only looks in between.  */
START_TEST(threads_share_a_table_atomically) {
  pthread_t threads[THREADS];
  uint64_t wanted[5000] = {0};
  for (uintptr_t t = 0; t < THREADS; t++) {
    uint64_t random = t + 1;
    for (int i = 0; i < COUNTS_A_THREAD; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      wanted[(random >> 33) % (i % 2 ? 5000 : 100)]++;
    }
    pthread_create(&threads[t], NULL, count_atomically, (void *)(t + 1));
  }
  uint64_t taken[5000] = {0};
  for (int round = 0; round < 20; round++) {
    struct pathrt_snapshot taker;
    if (round == 19)
      for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    uint64_t executed = take(&taker, &atomic_table);
    const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
    for (uint64_t i = 0; i < executed; i++)
      taken[counts[i].id] += counts[i].count;
    pathrt_snapshot_free(&taker);
  }
  ck_assert(memcmp(taken, wanted, sizeof wanted) == 0);
  ck_assert_ptr_eq(atomic_table.head.cache, atomic_table.cache);
}
END_TEST

static uint64_t sum_of_shared_table(void) {
  struct pathrt_snapshot taker;
  uint64_t sum = 0, n = take(&taker, &shared_table);
  const struct pathprof_count *counts = (const struct pathprof_count *)taker.counts.data;
  ck_assert_uint_le(n, 5000);
  for (uint64_t i = 0; i < n; i++) {
    ck_assert_uint_lt(rank_of(counts[i].id), 5000);
    sum += counts[i].count;
  }
  pathrt_snapshot_free(&taker);
  return sum;
}

/* Counts may be lost; nothing else may happen.  */
START_TEST(threads_share_a_table) {
  pthread_t threads[THREADS];
  for (int round = 0; round < 2; round++) {
    for (uintptr_t i = 0; i < THREADS; i++)
      pthread_create(&threads[i], NULL, count_in_thread, (void *)(i + 1));
    /* Taken while threads count, a count may be taken twice: only ids are checked.  */
    for (int i = 0; round && i < 10; i++)
      sum_of_shared_table();
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
    uint64_t sum = sum_of_shared_table();
    if (round)
      break;
    ck_assert_uint_le(sum, THREADS * COUNTS_A_THREAD);
    ck_assert_uint_ge(sum, THREADS * COUNTS_A_THREAD / 10);
  }
}
END_TEST

/* ---- runs ---- */

START_TEST(runs_are_merged) {
  run_silently("work", "1");
  assert_profile("p", 1, 1);
  run_silently("work", "10");
  assert_profile("p", 2, 11);
  run_silently("quick-exit", NULL);
  assert_profile("p", 3, 12);
  run_silently("chdir", NULL);
  assert_profile("p", 4, 13);
  run_silently("reset", NULL);
  assert_profile("p", 5, 15);
  run_silently("no-environment", NULL);
  assert_profile("p", 6, 16);
  assert_clean("p");
}
END_TEST

START_TEST(a_raised_limit_changes_no_ids) {
  ck_assert_str_eq(run_with("PATHPROF_ARRAY_MAX", "60000", "work", "3"), "");
  ck_assert_str_eq(run_with("PATHPROF_ARRAY_MAX", "59999", "work", "3"), "");
  assert_profile("p", 2, 6);
}
END_TEST

START_TEST(dumps_and_exit_add_up) {
  run_silently("dumps", "3");
  assert_profile("p", 1, 15);
  run_silently("threads", NULL);
  assert_profile("p", 2, 20);
  assert_clean("p");
}
END_TEST

/* A handler that dumps while the program dumps is refused.  */
START_TEST(dumping_within_a_dump) {
  run_silently("handler", NULL);
  assert_profile("p", 1, 200);
}
END_TEST

START_TEST(a_forked_child_starts_at_zero) {
  int status;
  pid_t pid = start_program(NULL, NULL, "fork", NULL);
  waitpid(pid, &status, 0);
  ck_assert_int_eq(status, 7 << 8);
  ck_assert_str_eq(slurp("stderr", NULL), "");
  assert_profile("p", 2, 10);
  ck_assert_uint_eq(totals_of("p").forks, 1);
  assert_clean("p");
}
END_TEST

START_TEST(children_forked_during_a_dump) {
  run_silently("fork-while-dumping", "50");
  assert_profile("p", 51, 50);
  ck_assert_uint_eq(totals_of("p").forks, 50);
  assert_clean("p");
}
END_TEST

START_TEST(many_processes_share_a_file) {
  enum { PROCESSES = 16 };
  pid_t pids[PROCESSES];
  for (int i = 0; i < PROCESSES; i++)
    pids[i] = start_program(NULL, NULL, "dumps", "20");
  for (int i = 0; i < PROCESSES; i++) {
    int status;
    waitpid(pids[i], &status, 0);
    ck_assert_int_eq(status, 7 << 8);
  }
  ck_assert_str_eq(slurp("stderr", NULL), "");
  assert_profile("p", PROCESSES, PROCESSES * 20 * 5);
  assert_clean("p");
}
END_TEST

START_TEST(mode_and_verbose) {
  struct stat status;
  ck_assert_str_eq(run_with("PATHPROF_MODE", "off", "dumps", "1"), "");
  ck_assert_int_ne(stat("p", &status), 0);
  const char *text = run_with("PATHPROF_MODE", "sometimes", "work", NULL);
  ck_assert_str_eq(text, "pathrt: error: PATHPROF_MODE: unknown value 'sometimes'; expected 'exit', "
                         "'continuous' or 'off'; using 'exit'\n");
  assert_profile("p", 1, 1);
  text = run_with("PATHPROF_VERBOSE", "1", "work", NULL);
  ck_assert_str_eq(text, "pathrt: note: p: written, 4 executed paths\n");
  text = run_with("PATHPROF_ARRAY_MAX", "12x", "work", NULL);
  ck_assert_int_eq(lines_in(text), 1);
  assert_profile("p", 3, 3);
}
END_TEST

/* ---- file names ---- */

START_TEST(patterns_are_expanded) {
  char name[256], host[128];
  setenv("WHO", "50% me", 1);
  setenv("TMPDIR", folder, 1);
  setenv("EMPTY", "", 1);
  ck_assert_str_eq(run_with("PATHPROF_FILE", "%t/deep/er/%q{WHO}-%%%q{EMPTY}.x", "work", NULL), "");
  assert_profile("deep/er/50% me-%.x", 1, 1);
  run_with("PATHPROF_FILE", "%h-x", "work", NULL);
  gethostname(host, sizeof host);
  snprintf(name, sizeof name, "%s-x", host);
  assert_profile(name, 1, 1);
  run_with("PATHPROF_FILE", "m%m", "work", NULL);
  ck_assert_int_eq(count_files("m", name), 1);
  ck_assert_uint_ge(strlen(name), 1 + 16);
  ck_assert_uint_eq(strspn(name + 1, "0123456789abcdef"), strlen(name) - 1);
  pid_t pid = start_program("PATHPROF_FILE", "%p.p", "work", NULL);
  waitpid(pid, NULL, 0);
  snprintf(name, sizeof name, "%d.p", (int)pid);
  assert_profile(name, 1, 1);
  run_with("PATHPROF_FILE", "", "work", NULL); /* the default */
  snprintf(name, sizeof name, "%s.pathprof", strrchr(self, '/') + 1);
  assert_profile(name, 1, 1);
  run_with(NULL, NULL, "set-file", "set-%%");
  assert_profile("set-%", 1, 1);
}
END_TEST

/* As nothing it would make the root folder of a folder's name.  */
START_TEST(a_variable_that_is_not_set_is_told) {
  const char *text = run_with("PATHPROF_FILE", "%q{UNSET_VARIABLE}/x", "work", NULL);
  ck_assert_str_eq(text,
                   "pathrt: error: PATHPROF_FILE: '%q{UNSET_VARIABLE}': the variable UNSET_VARIABLE is not set; its "
                   "name is used instead\n");
  assert_profile("UNSET_VARIABLE/x", 1, 1);
  text = run_with(NULL, NULL, "set-file", "set-%q{UNSET_VARIABLE}");
  ck_assert_int_eq(lines_in(text), 1);
  assert_profile("set-UNSET_VARIABLE", 1, 1);
}
END_TEST

START_TEST(unknown_patterns_are_kept) {
  const char *text = run_with("PATHPROF_FILE", "a%zb%q{c%", "work", NULL);
  ck_assert_int_eq(lines_in(text), 3);
  ck_assert_ptr_nonnull(strstr(text, "PATHPROF_FILE: unknown conversion '%z' is kept"));
  assert_profile("a%zb%q{c%", 1, 1);
}
END_TEST

/* ---- what can go wrong ---- */

static void write_file(const char *name, const char *data, size_t size) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  ck_assert_int_eq(write(fd, data, size), (ssize_t)size);
  close(fd);
}

/* The file stays; this run is beside it.  */
static void assert_refused(const char *data, size_t size, const char *why) {
  char copy[4096], found[256];
  size_t size_after;
  memcpy(copy, data, size);
  write_file("p", copy, size);
  const char *text = run_with(NULL, NULL, "dumps", "2");
  ck_assert_int_eq(lines_in(text), 2);
  ck_assert_msg(strstr(text, why) != NULL, "%s", text);
  ck_assert_ptr_nonnull(strstr(text, "pathrt: error: p: offset "));
  ck_assert_ptr_nonnull(strstr(text, "this run is in p."));
  const char *after = slurp("p", &size_after);
  ck_assert(size_after == size && memcmp(after, copy, size) == 0);
  ck_assert_int_eq(count_files("p", found), 1);
  assert_profile(found, 1, 10);
  unlink(found);
}

START_TEST(unreadable_profiles_stay) {
  size_t size;
  char valid[4096];
  assert_refused("hello", 5, "offset 0: not a pathprof profile");
  assert_refused("", 0, "offset 0: not a pathprof profile");
  unlink("p");
  run_silently("work", NULL);
  const char *data = slurp("p", &size);
  memcpy(valid, data, size);
  assert_refused(valid, size - 1, "truncated");
  valid[8]++;
  assert_refused(valid, size, "unsupported major version");
}
END_TEST

START_TEST(another_build_is_renamed) {
  char first[256], second[256];
  run_silently("work", "2");
  const char *text = run_with(NULL, NULL, "other-build", NULL);
  ck_assert_int_eq(lines_in(text), 1);
  ck_assert_ptr_nonnull(strstr(text, "pathrt: note: p: profile of another build of "));
  ck_assert_ptr_nonnull(strstr(
      text,
      "(function 'm' in b.c has a different number of paths: 5 in this build, 4 in the older build); kept as p."));
  ck_assert_int_eq(count_files("p", first), 1);
  assert_profile("p", 1, 1);
  assert_profile(first, 1, 2);
  /* Both builds have the build id of this program: the name is taken.  */
  text = run_with(NULL, NULL, "work", "3");
  ck_assert_ptr_nonnull(strstr(text, "4 in this build, 5 in the older build"));
  snprintf(second, sizeof second, "%.250s.1", first);
  assert_profile("p", 1, 3);
  assert_profile(first, 1, 2);
  assert_profile(second, 1, 1);
  /* What was kept of the same build before is added to.  */
  run_with(NULL, NULL, "other-build", NULL);
  assert_profile("p", 1, 1);
  assert_profile(first, 2, 5);
  assert_profile(second, 1, 1);
  ck_assert_int_eq(count_files("p", first), 2);
}
END_TEST

START_TEST(programs_survive_what_cannot_be_written) {
  struct stat status;
  const char *text = run_with("PATHPROF_FILE", "/proc/no/such/p", "work", NULL);
  ck_assert_str_eq(text, "pathrt: error: /proc/no/such/p: cannot create the directory (No such file or "
                         "directory)\n");
  write_file("file", "", 0);
  text = run_with("PATHPROF_FILE", "file/p", "work", NULL);
  ck_assert_int_eq(lines_in(text), 1);
  text = run_with("PATHPROF_FILE", "/dev/null", "work", NULL);
  ck_assert_str_eq(text, "pathrt: error: /dev/null: not a regular file; the counts are not written\n");
  ck_assert(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
  ck_assert_int_eq(symlink("file", "link"), 0);
  text = run_with("PATHPROF_FILE", "link", "work", NULL);
  ck_assert_int_eq(lines_in(text), 1);
  run_with("PATHPROF_FILE", "/proc/no/such/p", "broken-stderr", NULL);
  run_silently("no-stdio", NULL);
  assert_profile("p", 1, 1);
  assert_clean("p");
}
END_TEST

/* SIGXFSZ must not reach the program, and the old profile stays.  */
START_TEST(programs_survive_a_full_disk) {
  run_silently("work", NULL);
  int status;
  char found[256];
  pid_t pid = start_program(NULL, NULL, "file-size", NULL);
  waitpid(pid, &status, 0);
  ck_assert_int_eq(status, 7 << 8);
  assert_profile("p", 1, 1);
  ck_assert_msg(count_files("p", found) == 0, "%s was left behind", found);
}
END_TEST

START_TEST(an_unwritable_folder_gives_one_line) {
  ck_assert_int_eq(mkdir("closed", 0755), 0);
  ck_assert_int_eq(chmod("closed", 0555), 0);
  if (access("closed", W_OK) == 0)
    return; /* we are root */
  const char *text = run_with("PATHPROF_FILE", "closed/p", "work", NULL);
  ck_assert_str_eq(text, "pathrt: error: closed/p: cannot lock the file (Permission denied); set PATHPROF_FILE to a "
                         "writable file\n");
}
END_TEST

START_TEST(records_that_do_not_fit) {
  struct stat status;
  const char *text = run_with(NULL, NULL, "other-abi", NULL);
  ck_assert_int_eq(lines_in(text), 1);
  ck_assert_ptr_nonnull(strstr(text, "different version of the pathprof plugin"));
  text = run_with(NULL, NULL, "bad-notes", NULL);
  ck_assert_ptr_nonnull(strstr(text, "notes do not match the counters"));
  ck_assert_int_ne(stat("p", &status), 0);
  assert_clean("p");
}
END_TEST

/* While others have the processor the time-stamp counter goes on: measuring then took longer, too.  */
START_TEST(measuring_takes_longer_beside_others) {
  ck_assert_uint_eq(pathrt_stretch_of("1000000000 0 12\n"), 256);
  ck_assert_uint_eq(pathrt_stretch_of("1000000000 500000000 12\n"), 384);
  ck_assert_uint_eq(pathrt_stretch_of("20000000 60000000 3"), 4 * 256);
  ck_assert_uint_eq(pathrt_stretch_of("20000000 18446744073709551615 3"), 64 * 256);
  ck_assert_uint_eq(pathrt_stretch_of("1000 60000000 3"), 256); /* too little to tell */
  ck_assert_uint_eq(pathrt_stretch_of(""), 256);
  ck_assert_uint_eq(pathrt_stretch_of("none of these"), 256);
  ck_assert_uint_eq(pathrt_stretch_of("99999999999999999999999 1 1"), 256);
  ck_assert_uint_ge(pathrt_cost_in_place(), pathrt_cost_of_cycles());
}
END_TEST

START_TEST(the_mode_of_the_file_stays) {
  struct stat status;
  run_silently("work", NULL);
  ck_assert_int_eq(chmod("p", 0640), 0);
  run_silently("work", NULL);
  ck_assert_int_eq(stat("p", &status), 0);
  ck_assert_uint_eq(status.st_mode & 0777, 0640);
}
END_TEST

static Suite *make_suite(void) {
  Suite *suite = suite_create("runtime");
  TCase *tables = tcase_create("tables");
  tcase_set_timeout(tables, 900);
  tcase_add_test(tables, table_counts_like_a_model);
  tcase_add_test(tables, table_counts_in_a_raised_array);
  tcase_add_test(tables, hot_paths_are_counted_in_the_cache);
  tcase_add_test(tables, rare_paths_leave_the_cache_alone);
  tcase_add_test(tables, cache_and_raised_array_add_up);
  tcase_add_test(tables, caches_are_restored);
  tcase_add_test(tables, table_goes_on_without_memory_for_an_array);
  tcase_add_test(tables, small_tables_share_pages);
  tcase_add_test(tables, untouched_pages_of_counters_are_skipped);
  tcase_add_test(tables, untouched_heads_are_skipped);
  tcase_add_test(tables, threads_share_a_table);
  tcase_add_test(tables, threads_share_a_table_atomically);
  suite_add_tcase(suite, tables);
  TCase *runs = tcase_create("runs");
  tcase_set_timeout(runs, 900);
  tcase_add_checked_fixture(runs, make_folder, remove_folder);
  tcase_add_test(runs, runs_are_merged);
  tcase_add_test(runs, a_raised_limit_changes_no_ids);
  tcase_add_test(runs, dumps_and_exit_add_up);
  tcase_add_test(runs, dumping_within_a_dump);
  tcase_add_test(runs, a_forked_child_starts_at_zero);
  tcase_add_test(runs, children_forked_during_a_dump);
  tcase_add_test(runs, many_processes_share_a_file);
  tcase_add_test(runs, mode_and_verbose);
  tcase_add_test(runs, patterns_are_expanded);
  tcase_add_test(runs, a_variable_that_is_not_set_is_told);
  tcase_add_test(runs, unknown_patterns_are_kept);
  tcase_add_test(runs, unreadable_profiles_stay);
  tcase_add_test(runs, another_build_is_renamed);
  tcase_add_test(runs, programs_survive_what_cannot_be_written);
  tcase_add_test(runs, programs_survive_a_full_disk);
  tcase_add_test(runs, an_unwritable_folder_gives_one_line);
  tcase_add_test(runs, records_that_do_not_fit);
  tcase_add_test(runs, the_mode_of_the_file_stays);
  tcase_add_test(runs, measuring_takes_longer_beside_others);
  suite_add_tcase(suite, runs);
  return suite;
}

int main(int argc, char **argv) {
  if (padding[0])
    return 1;
  if (argc > 1 && strcmp(argv[1], "run-tests") != 0)
    return run_scenario(argv);
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0)
    return 1;
  if (argc == 1) {
    setenv("PATHPROF_MODE", "off", 1);
    execl(self, self, "run-tests", NULL);
    return 1;
  }
  SRunner *runner = srunner_create(make_suite());
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
