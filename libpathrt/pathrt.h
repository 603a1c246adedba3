/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* pathrt: what an instrumented program may say to the path profiler's runtime.
 *
 * The functions are weak: a program that calls them as
 *
 *     if (pathrt_dump)
 *       pathrt_dump();
 *
 * builds and runs without the profiler too.  They act on all instrumented modules of the process,
 * program and shared objects.  All but pathrt_on_residual may be called from any thread, and from signal
 * handlers.  */
#ifndef PATHRT_H
#define PATHRT_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PATHRT_API
#define PATHRT_API __attribute__((weak, visibility("default")))
#endif

/* Writes what was counted so far, merging it into the profile file, and sets the counts to zero:
 * dumps and the profile written at exit add up to the truth.  Waits while another process or thread
 * writes.
 *
 * Returns 0 (also where the profiler is off), or -1 after a line on stderr that says why nothing
 * was written; the counts are then kept.  In a child of vfork, whose counts are its parent's, it
 * does nothing.  */
PATHRT_API int pathrt_dump(void);

/* Sets all counts to zero: forgets what ran so far, start-up for instance.  */
PATHRT_API void pathrt_reset(void);

/* What is counted between pause and resume is forgotten, all else is kept; what is written
 * meanwhile has the counts up to the pause.  Pausing what is paused and resuming what runs does
 * nothing, so one resume ends any number of pauses.  The program runs no faster while paused.
 *
 * pathrt_pause returns 0, or -1 if there was not enough memory: then the counts go on.  */
PATHRT_API int pathrt_pause(void);
PATHRT_API void pathrt_resume(void);

/* What is counted from here on until pathrt_test_end, or the next pathrt_test_begin, belongs to the test of that name:
 * "pathdump tests" shows the tests apart, all other commands their sum.  Runs of one name add up.  At start the test is
 * the one that PATHPROF_TEST names, and pathrt_test_end goes back to it; a null or empty name is no test.  The text is
 * copied, and has at most 1023 bytes.
 *
 * A path belongs to the test that is under way when it ends.  A process has one test at a time: what other threads
 * count meanwhile belongs to it, too, and so does what children of fork count; programs that are started by exec have
 * what PATHPROF_TEST names.  Counts are kept in memory until they are written, as at exit; in continuous mode they are
 * written each time.  pathrt_reset forgets what is not written yet of all tests.
 *
 * Both return 0 (also where the profiler is off), or -1 after a line on stderr: then what was not written yet belongs
 * to no test, and none is under way, but no count is lost.  */
PATHRT_API int pathrt_test_begin(const char *name);
PATHRT_API int pathrt_test_end(void);

/* Switches what was compiled with switch=1 on or off, in all modules; other code counts always.  At start it is as
 * PATHPROF_SWITCH says: off, unless that is "on".  The paths are counted that begin while it is on.  Under
 * PATHPROF_SWITCH=DUTY/PERIOD this holds until the timer's next turn.  */
PATHRT_API void pathrt_switch(int on);

/* Names the file to be written from now on, in place of PATHPROF_FILE: a pattern with %p (process
 * id), %h (host), %e (program), %m (build id), %t ($TMPDIR or /tmp), %q{VAR} (environment
 * variable), %% (percent sign).  Relative to the working directory at program start.  The text is
 * copied; null or empty names the default, "%e.pathprof".  */
PATHRT_API void pathrt_set_file(const char *pattern);

/* Prints to a file descriptor what each thread runs and ran last, for crash handlers: its open
 * activations, innermost first, and the one that it left last, with the number of the path that each is
 * in.  "pathdump path FILE FUNCTION NUMBER" shows the blocks and lines of it.  Needs functions that were
 * compiled with termination=exact and acyclic paths; others are not listed.  Async-signal-safe.
 *
 * Returns 0, or -1 where no thread has such an activation.  */
PATHRT_API int pathrt_last_paths(int fd);

/* Has `callback` called when a residual path (mode=preferential) ends for the first time in this process: one that is
 * not among the interesting ones.  Functions tell of theirs if they were compiled with notify=1.  `function` is the
 * function's assembler name, and "pathdump path FILE FUNCTION NUMBER" shows the path with the number `path`; `data` is
 * what was given here.  One callback is known at a time, null: none.
 *
 * Each path is told of once, in the process that counts it: what a child of fork inherits was told of.  Of a path that
 * ran before there was a callback nothing may be heard.  In a small loop a path may be told of when control leaves the
 * loop.
 *
 * It is called on the thread that runs the path, in the middle of an instrumented function: what holds for signal
 * handlers holds for it, and it must return.  */
typedef void (*pathrt_residual_callback)(const char *function, unsigned long long path, void *data);
PATHRT_API void pathrt_on_residual(pathrt_residual_callback callback, void *data);

#ifdef __cplusplus
}
#endif
#endif
