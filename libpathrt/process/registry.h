/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The registry, which contains the process-wide state that all modules share.  Each module (executable or shared
 * library) contains a static copy of the runtime.  All copies that come from builds with the same layout of the
 * registry use the same registry (libpathrt/process/registry.c).  */
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
#include "profile/format/system.h"

/* The portion of a test run whose counts are being written.  */
struct pathrt_test_part {
  const char *name;                      /* empty if no test is active; the other fields are then meaningless */
  uint64_t serial;                       /* the registry's test_serial */
  uint64_t runs;                         /* 1 if no image reports this run yet */
  uint64_t processor_time, elapsed_time; /* microseconds */
};

/* Information about this process that is stored in a profile image.  */
struct pathrt_run {
  const struct pathrt_identity *identity; /* identity of the module */
  uint64_t runs;
  uint64_t forks;
  uint64_t resets;
  uint64_t threaded; /* 1 if the process has, or had, more than one thread */
  uint64_t switched; /* number of microseconds for which on-demand profiling was on */
  struct pathrt_test_part test;
};

/* Progress of a module during a write.  */
enum pathrt_turn {
  PATHRT_DONE,
  PATHRT_CHOSEN, /* to be written */
  PATHRT_GROUPED /* part of the file that is being written */
};

/* A module in the registry.  The caller of the module's functions must be inside the registry (pathrt_enter).  */
struct pathrt_module {
  struct pathrt_module *next;
  const struct pathrt_identity *identity;
  uint64_t run_owner_hash; /* hash of the profile's name if the run is recorded in this module's raw file, otherwise
                              0 */
  uint64_t written_to;     /* hash of the name of the profile to which this module was last written, or 0 if there is
                              none */
  bool keeps;              /* true if the module keeps counts of finished tests that have not been written yet */
  enum pathrt_turn turn;
  /* Computes a hash of the keys of all units.  If the records of the units cannot be read, prints a message and returns
   * false.  */
  bool (*key)(uint64_t *key);
  /* Returns an image of the counts, or null on failure.  In both cases, `commit` must be called afterwards.  */
  const struct pathprof_buffer *(*take_snapshot)(const struct pathrt_run *run, uint64_t *num_paths);
  /* Keeps the counts of the test that has just ended.  On failure, returns false and leaves the counts in the
   * counters.  */
  bool (*keep)(const struct pathrt_run *run);
  /* Notes that another test is active.  */
  void (*note_test)(void);
  /* Called at the end of a write.  `written` is true if the file now contains the counts of the snapshot; otherwise,
   * the counts are rolled back.  */
  void (*commit)(bool written);
  /* Records that a temporary file, which includes the snapshot, is about to replace the profile.  `name` and `inode`
   * identify the temporary file.  */
  void (*pending)(const char *name, uint64_t inode);
  /* Records that the profile whose name has the hash `run_owner_hash` now includes this run.  */
  void (*run_recorded)(void);
  /* Counts the paths of open activations as truncated.  If `may_go_on` is true, the counts are provisional.  */
  void (*close)(bool may_go_on);
  /* Returns the provisional counts that must be subtracted from the file because an exec failed and the process
   * continued.  Returns null if there are no such counts.  Must be called after `take_snapshot`.  The result is valid
   * until `commit` is called.  */
  const struct pathprof_buffer *(*withdrawn)(void);
  /* Removes the raw file at the end of the process, after all counts have been written to the profile.  */
  void (*end)(void);
  /* Renames the raw file after the name of the profile has changed.  */
  void (*move)(void);
  /* Called before the process restricts its system calls.  All counts must already have been written to the
   * profile.  */
  void (*restrict_calls)(void);
  /* Sets all counts to zero.  If `forked` is true, this process is the child of a fork, and unwritten snapshots belong
   * to its parent.  */
  void (*discard)(bool forked);
  /* Pause and resume counting.  */
  bool (*pause)(void);
  void (*resume)(void);
  /* Prints the most recently executed paths of all threads.  Returns false if no such paths are recorded.  */
  bool (*print)(int fd);
  /* Sets the action for a signal.  Handlers of a module must be installed with this function, because the code to which
   * a handler returns then belongs to the same module as the handler.  */
  int (*set_action)(int signal, const struct pathprof_action *action, struct pathprof_action *old);
  /* Handlers for the dump signal and for std::terminate.  */
  void (*on_signal)(int signal);
  void (*on_terminate)(void);
  /* The following members control on-demand profiling (libpathrt/switch.c).  */
  bool on_demand; /* true if the module contains code that was compiled with switch=1 */
  void (*set_switch)(bool on);
  void (*on_switch_signal)(int signal, siginfo_t *info, void *context);
  void *(*run_timer)(void *);
  /* The following functions support recordings (libpathrt/recording.c).  `mark` sets or removes the marks of all
   * counters.  `recorded` returns an image that contains the increase of each counter since its mark was set.  The
   * image is valid until the marks are removed.  */
  bool (*mark)(bool begin);
  const struct pathprof_buffer *(*recorded)(const struct pathrt_run *run);
};

enum { PATHRT_MAX_COUNTED = 64, PATHRT_TEST_SIZE = 1024 };

/* File names that functions construct while they are inside the registry.  They are not on the stack, because they are
 * too large for small stacks.  Each name is used by only one function, or by one function and its callees.  */
struct pathrt_scratch {
  struct pathrt_name announced;                    /* libpathrt/recording.c */
  struct pathrt_name made_folder, opened_folder;   /* libpathrt/file/folder.c */
  struct pathrt_name lock;                         /* libpathrt/file/lock.c */
  struct pathrt_name temporary, temporary_of_kept; /* libpathrt/file/replace.c and other_build.c */
  struct pathrt_name kept;                         /* libpathrt/file/other_build.c */
  struct pathrt_name beside, part, promoted_part;  /* libpathrt/file/add.c */
  struct pathrt_name orphan;                       /* libpathrt/file/adopt.c */
  struct pathrt_name group, other;                 /* libpathrt/file/write.c */
  struct pathrt_name started, moved, old;          /* libpathrt/continuous/create.c */
  struct pathrt_name raw_folder;                   /* libpathrt/continuous/continuous.c */
};

/* A test run that is already included in a file, or in the counts that are kept for the file.  */
struct pathrt_told_test {
  uint64_t file;   /* hash of the file name */
  uint64_t serial; /* the registry's test_serial */
};

struct pathrt_process_registry {
  uint64_t num_joined; /* number of modules that use the registry */
  uint64_t started;    /* size of this structure, or 0 before the environment has been read */
  bool off;
  bool continuous;
  bool verbose;
  bool forked; /* true if this process is the child of a fork and therefore inherited open activations */
  bool paused;
  bool is_ending; /* interrupted code will not continue */
  bool has_array_max;
  bool restricted;   /* true if the process has restricted its system calls; the runtime then makes no system calls
                        (libpathrt/restrict.h) */
  bool threaded;     /* true if the process has, or had, more than one thread */
  bool exiting;      /* true if the program has called exit; modules that are unloaded then need not free anything */
  bool exit_written; /* true if the counts of all modules have been written at exit */
  uint64_t array_max;
  struct pathrt_module *modules;

  /* Identity of the process that owns the counts (libpathrt/process/process.c).  */
  pid_t pid;
  unsigned char *mark; /* page that the kernel clears in copies of this process, or null if there is no such page */

  /* The thread that is in the registry (libpathrt/process/entry.c).  */
  uintptr_t writer; /* ID of the thread, or 0 */
  int waiting_fd;   /* 1 plus the descriptor of the file lock that the thread is waiting for, or 0 if it is not
                       waiting */
  bool interrupted; /* true if a signal handler entered the registry while the thread was waiting for the file lock */
  uint32_t wanted;  /* nonzero if a signal requested a dump while the registry was busy */

  /* Handlers whose code belongs to a module (libpathrt/handlers.c).  */
  int signal;
  struct pathrt_module *signal_owner;
  struct pathrt_module *terminate_owner;
  void (*old_terminate)(void);

  /* State of on-demand profiling (libpathrt/switch.c).  */
  bool switched_on;      /* current state, as set by the environment, the timer, a signal or the program */
  bool is_recorded;      /* true if profiling is on for a recording, regardless of `switched_on` */
  uint64_t switched_at;  /* time at which `switched_for` was last updated, in microseconds of the monotonic clock */
  uint64_t switched_for; /* time for which profiling was on, in microseconds, without the part that has already been
                            written */
  int switch_signal;
  uint64_t switch_on_for; /* nanoseconds per period */
  uint64_t switch_period; /* length of a duty-cycle period in nanoseconds; 0 if there is no timer */
  uint32_t timer_ends;
  pthread_t timer;
  struct pathrt_module *timer_owner;
  struct pathrt_module *switch_owner; /* owner of the signal handler */
  int request_signal;                 /* signal by which tools request a recording */
  struct pathrt_module *request_owner;
  void *announcement; /* memory mapping whose name tells tools which signal to send for a request; null if tools cannot
                         send requests */

  /* State of the recording that a tool has requested (libpathrt/recording.c).  */
  struct pathprof_recording *recording; /* null if there is no recording */
  int recording_fd;
  dev_t recording_device;
  ino_t recording_inode;
  pid_t recording_pid;                 /* process that is recorded */
  uint64_t recorded_at;                /* microseconds of the monotonic clock */
  int recording_timer;                 /* number of the kernel timer */
  struct pathprof_buffer recorded_sum; /* sum of the recorded counts of modules that were unloaded during the
                                          recording */

  /* The active test (libpathrt/process/test.c).  */
  uint64_t test_serial;      /* unique number of each run */
  bool test_goes_on;         /* true if this run continues an earlier run of the test, false if it is a new run */
  bool environment_test_ran; /* true if this process has already started a run of the test that PATHPROF_TEST names */
  uint64_t test_processor_time; /* processor time of the process, in microseconds, when the test was started or its time
                                   was last written */
  uint64_t test_elapsed_time;   /* likewise, for the monotonic clock */

  uint64_t resets; /* number of times that counts were discarded or the profile's name was changed since the last
                      write */
  uint64_t num_counted;
  uint64_t num_told_tests;

  bool has_stderr; /* true if descriptor 2 was open at program start; the following fields identify its file */
  dev_t stderr_device;
  ino_t stderr_inode;

  uint64_t told_file; /* hash of the name of a file whose directory has already been reported as unwritable */
  int told_error;

  /* Callback for residual paths (libpathrt/storage/residual.c).  */
  void (*residual_callback)(const char *function, unsigned long long path, void *data);
  void *residual_data;

  struct pathrt_registry_space *space; /* null if this module has not joined the registry of the process */
};

/* The part of the registry that is not needed before a module joins the registry of the process.  */
struct pathrt_registry_space {
  char test[PATHRT_TEST_SIZE];             /* name of the active test; empty if there is none */
  char environment_test[PATHRT_TEST_SIZE]; /* test that PATHPROF_TEST names */
  uint64_t counted[PATHRT_MAX_COUNTED];    /* hashes of the names of the files that already include this run */
  struct pathrt_told_test told_tests[PATHRT_MAX_COUNTED];
  struct pathrt_name pattern;
  char folder[4096]; /* working directory at program start, with a trailing slash; empty if unknown */
  struct pathrt_scratch scratch;
};

extern struct pathrt_process_registry *pathrt_process_registry; /* never null */
#define pathrt_registry (*pathrt_process_registry)
#define pathrt_space (*pathrt_registry.space)

/* Makes this module use the registry of the process, which is created by the first module.  Returns false if memory is
 * exhausted.  Must be called once per module, before the module reads or changes the registry.  */
bool pathrt_join_registry(void);
/* Called when a module that has joined is unloaded and no longer uses the registry.  The last module frees it.  */
void pathrt_leave_registry(void);

#endif
