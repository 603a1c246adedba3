/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What belongs to the process, not to a module.
 *
 * Each module (program or shared object) has a static copy of the runtime, so each has a registry;
 * by the rules of dynamic linking all use one of them, the program's where it exports it (the
 * driver sees to that), else that of the first module in sight.  The copies may come from different
 * builds: these structures may change only together with the version in the symbol's name.  */
#ifndef PATHRT_REGISTRY_H
#define PATHRT_REGISTRY_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libpathrt/process/build_id.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/signals.h"
#include "profile/format/bytes.h"
#include "profile/format/recording.h"

/* A part of a test's run whose counts are taken.  */
struct pathrt_test_part {
  const char *name;                      /* empty: no test is under way, and nothing else matters */
  uint64_t serial;                       /* the registry's test_serial */
  uint64_t runs;                         /* 1 if nothing tells of the run yet */
  uint64_t processor_time, elapsed_time; /* microseconds */
};

/* What the image says about this process.  */
struct pathrt_run {
  const struct pathrt_identity *identity; /* of the module */
  uint64_t runs;
  uint64_t forks;
  uint64_t resets;
  uint64_t threaded; /* 1 if the process has, or had, more than one thread */
  uint64_t switched; /* microseconds for which it was switched on */
  struct pathrt_test_part test;
};

/* What is still to be done with a module while modules are written.  */
enum pathrt_turn {
  PATHRT_DONE,
  PATHRT_CHOSEN, /* to be written */
  PATHRT_GROUPED /* into the file that is being written */
};

/* A module whose counts are written.  All functions need the registry entered.  */
struct pathrt_module {
  struct pathrt_module *next;
  const struct pathrt_identity *identity;
  uint64_t run_owner_hash; /* hash of the file of whose raw files this module's tells of the run, 0: none */
  uint64_t written_to;     /* hash of the file that has this module's notes, 0: none */
  bool keeps;              /* it has counts of tests that are over, which are not in the file yet */
  enum pathrt_turn turn;
  /* The hash of the units' keys.  False after a message where the records cannot be read.  */
  bool (*key)(uint64_t *key);
  /* Returns an image of the counts, or null if that fails.  A call of `commit` must follow in both cases.  */
  const struct pathprof_buffer *(*take_snapshot)(const struct pathrt_run *run, uint64_t *num_paths);
  /* Puts the counts aside that belong to a test which is over.  False where that failed; they are counts as before.  */
  bool (*keep)(const struct pathrt_run *run);
  /* Another test is under way.  */
  void (*note_test)(void);
  /* The counts that were taken are written, or else belong to the counters again.  */
  void (*commit)(bool written);
  /* A file with what was taken, of that name and inode, is about to become the profile.  */
  void (*pending)(const char *name, uint64_t inode);
  /* Notes that the file of `run_owner_hash` has recorded this run.  */
  void (*run_recorded)(void);
  /* Counts what is open as cut short: the process ends, or `may_go_on`.  */
  void (*close)(bool may_go_on);
  /* What `take_snapshot` has found is to be subtracted from the file, because the process has gone on; null: nothing.
   * Valid until `commit`.  */
  const struct pathprof_buffer *(*withdrawn)(void);
  /* All counts are written, and nothing is expected to be counted any more.  */
  void (*end)(void);
  /* The name of the file has changed.  */
  void (*move)(void);
  /* The process is about to restrict its system calls, and all counts are written.  */
  void (*restrict_calls)(void);
  /* Sets all counts to zero; `forked`: in a child, where all that was taken is its parent's.  */
  void (*discard)(bool forked);
  /* Puts the counts aside, and back.  */
  bool (*pause)(void);
  void (*resume)(void);
  /* Prints the paths of all threads; false where none are kept.  */
  bool (*print)(int fd);
  /* Handlers for the program's signal and for std::terminate.  */
  void (*on_signal)(int signal);
  void (*on_terminate)(void);
  /* Lets the instrumented bodies run, or the plain ones (libpathrt/switch.c), and what that takes.  */
  bool on_demand; /* some of its code was compiled with switch=1 */
  void (*set_switch)(bool on);
  void (*on_switch_signal)(int signal, siginfo_t *info, void *context);
  void *(*run_timer)(void *);
  /* What a recording asks for (libpathrt/recording.c): remembers what counters have, or forgets it; an image of what
   * they counted since, which is valid until that.  */
  bool (*mark)(bool begin);
  const struct pathprof_buffer *(*recorded)(const struct pathrt_run *run);
};

enum { PATHRT_MAX_COUNTED = 64, PATHRT_TEST_SIZE = 1024 };

/* A run of a test that a file, or counts that are kept for it, include.  */
struct pathrt_told_test {
  uint64_t file;   /* hash of the name */
  uint64_t serial; /* the registry's test_serial */
};

struct pathrt_registry {
  uint64_t started; /* sizeof this structure once the environment was read */
  bool off;
  bool continuous;
  bool verbose;
  bool forked; /* this process began as a fork: frames were open at its start */
  bool paused;
  bool is_ending; /* no code that was interrupted goes on */
  bool has_array_max;
  bool restricted; /* the process may make few system calls, so the runtime makes none: libpathrt/restrict.h */
  bool threaded;   /* the process has, or had, more than one thread */
  bool exiting;    /* the program called exit: objects that are closed now need not free anything */
  uint64_t array_max;
  struct pathrt_module *modules;

  /* Whose memory this is: libpathrt/process/process.c.  */
  pid_t pid;
  unsigned char *mark; /* a page that is zero in a copy of this process; null: no such page */

  /* Who is at work: libpathrt/process/entry.c.  */
  uintptr_t writer; /* the thread, 0: none */
  int waiting_fd;   /* 1 + the descriptor on which it waits for a file's lock, 0: it does not wait */
  bool interrupted; /* a signal handler of the waiting thread was at work */
  uint32_t wanted;  /* a signal asked for a dump while somebody was at work */

  /* Handlers that point into a module (libpathrt/handlers.c).  */
  int signal;
  struct pathrt_module *signal_owner;
  struct pathrt_module *terminate_owner;
  void (*old_terminate)(void);

  /* What was compiled with switch=1: libpathrt/switch.c.  */
  bool switched_on;      /* as the environment, the timer, the signal and the program say */
  bool is_recorded;      /* and it is on for a recording anyway */
  uint64_t switched_at;  /* since when time is added up while it is on, in microseconds of the monotonic clock */
  uint64_t switched_for; /* microseconds that are not yet in a file */
  int switch_signal;
  uint64_t switch_on_for; /* nanoseconds in each period */
  uint64_t switch_period; /* 0: no timer */
  uint32_t timer_ends;
  pthread_t timer;
  struct pathrt_module *timer_owner;
  struct pathrt_module *switch_owner; /* of the signal's handler */
  int request_signal;                 /* by which tools ask for a recording */
  struct pathrt_module *request_owner;
  void *announcement; /* a mapping by which tools know; null: they cannot ask */

  /* What is recorded for a tool: libpathrt/recording.c.  */
  struct pathprof_recording *recording; /* null: nothing */
  int recording_fd;
  dev_t recording_device;
  ino_t recording_inode;
  pid_t recording_pid;                 /* of the process whose recording it is */
  uint64_t recorded_at;                /* microseconds of the monotonic clock */
  int recording_timer;                 /* as the kernel numbers it */
  struct pathprof_buffer recorded_sum; /* what modules counted that are closed */

  /* The test that is under way: libpathrt/process/test.c.  */
  char test[PATHRT_TEST_SIZE];             /* its name, empty: none */
  char environment_test[PATHRT_TEST_SIZE]; /* what PATHPROF_TEST names */
  uint64_t test_serial;                    /* another one for each run */
  bool test_goes_on;                       /* it is no run of its own, but goes on behind another test */
  bool environment_test_ran;               /* this process has a run of it already */
  uint64_t test_processor_time;            /* microseconds of this process's before those that are still to be told */
  uint64_t test_elapsed_time;              /* likewise, of the monotonic clock */

  uint64_t resets; /* how often counts were forgotten or went to another file since the last write */
  uint64_t counted[PATHRT_MAX_COUNTED]; /* hashes of the files that know of this run */
  uint64_t num_counted;
  struct pathrt_told_test told_tests[PATHRT_MAX_COUNTED];
  uint64_t num_told_tests;

  bool has_stderr; /* descriptor 2 was open at start; which file it was: */
  dev_t stderr_device;
  ino_t stderr_inode;

  uint64_t told_file; /* hash of a file beside which nothing can be made, which is said already */
  int told_error;

  /* Who wants to know of residual paths: libpathrt/storage/residual.c.  */
  void (*residual_callback)(const char *function, unsigned long long path, void *data);
  void *residual_data;

  struct pathrt_name pattern;
  char folder[4096]; /* working directory at start, with a slash; empty where it is unknown */
};

extern struct pathrt_registry pathrt_registry __asm__("__pathrt_registry_v6") __attribute__((visibility("default")));

#endif
