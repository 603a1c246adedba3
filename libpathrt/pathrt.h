/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The public interface of pathrt, the runtime of the path profiler.
 *
 * The functions are weak symbols.  A program that calls a function in this form also builds and runs without the
 * profiler:
 *
 *     if (pathrt_dump)
 *       pathrt_dump();
 *
 * The functions act on all instrumented modules of the process (executable and shared libraries).  All functions except
 * pathrt_on_residual can be called from any thread and from signal handlers.  */
#ifndef PATHRT_H
#define PATHRT_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PATHRT_API
#define PATHRT_API __attribute__((weak, visibility("default")))
#endif

/* Merges the counts into the profile and sets them to zero.  Paths are not counted twice if the profile is also written
 * at exit.  Waits while another process or thread is writing the file.  Returns 0 on success or if the profiler is off.
 * On failure, prints the reason to stderr, keeps the counts and returns -1.  Does nothing in a child of vfork, because
 * the counts belong to its parent.  */
PATHRT_API int pathrt_dump(void);

/* Sets all counts to zero, for example to exclude the startup phase.  */
PATHRT_API void pathrt_reset(void);

/* Pause and resume counting.  Everything that is counted between the two calls is discarded.  A dump during the pause
 * writes the counts from before the pause.  The calls do not nest: a single resume cancels all preceding pauses.
 * Pausing does not make the program faster. pathrt_pause returns 0 on success.  If memory is exhausted, it returns -1
 * and counting continues.  */
PATHRT_API int pathrt_pause(void);
PATHRT_API void pathrt_resume(void);

/* Begin and end a test.  Paths are counted for the test `name` until the next call of pathrt_test_begin or
 * pathrt_test_end.  `pathdump tests` reports each test separately; all other commands report the sum.  Counts of
 * several runs of the same test are added.  The environment variable PATHPROF_TEST sets the test at program start;
 * pathrt_test_end returns to that test.  A null or empty name means no test.  The name is copied and is limited to 1023
 * bytes.
 *
 * A path is counted for the test that is active when the path ends.  A process has one active test, which also covers
 * its other threads and its children by fork.  Programs started by exec use PATHPROF_TEST.  Counts stay in memory until
 * they are written, for example at exit; in continuous mode, each call writes them. pathrt_reset discards the unwritten
 * counts of all tests.
 *
 * Both functions return 0 on success or if the profiler is off.  Otherwise they print the reason to stderr and return
 * -1; the unwritten counts then belong to no test, and no test is active, but no count is lost.  */
PATHRT_API int pathrt_test_begin(const char *name);
PATHRT_API int pathrt_test_end(void);

/* Turns on-demand profiling on or off for all code that was compiled with switch=1.  Paths in other code are always
 * counted.  PATHPROF_SWITCH sets the initial state, which is off by default.  A path is counted if it begins while
 * profiling is on.  With PATHPROF_SWITCH=DUTY/PERIOD, the new state lasts until the timer changes it.  */
PATHRT_API void pathrt_switch(int on);

/* Sets the pattern for the name of the profile.  This pattern overrides PATHPROF_FILE.  The pattern can contain %p
 * (process ID), %h (host), %e (program), %m (build ID), %t ($TMPDIR or /tmp), %q{VAR} (environment variable) and %%
 * (percent sign).  Relative names are relative to the working directory at program start.  The string is copied.  A
 * null or empty pattern selects the default, "%e.pathprof".  */
PATHRT_API void pathrt_set_file(const char *pattern);

/* Prints the most recently executed paths of each thread to a file descriptor.  Intended for crash handlers;
 * async-signal-safe.  The output contains the function of the activation that returned last, and the functions and path
 * IDs of the open activations, innermost first.  `pathdump path FILE FUNCTION ID` shows the blocks and lines of a path.
 * Only functions that were compiled with mode=acyclic and termination=exact are listed.  Returns 0 on success, or -1 if
 * no thread has executed such a function.  */
PATHRT_API int pathrt_last_paths(int fd);

/* Registers `callback` for residual paths (mode=preferential), which are paths outside the set of interesting paths.
 * The runtime calls it when such a path ends for the first time in this process, in functions compiled with notify=1.
 * `function` is the assembler name of the function, and `path` is the path ID for `pathdump path FILE FUNCTION ID`.
 * `data` is passed through.  Only one callback is registered at a time; null removes it.
 *
 * Each path is reported once, by the process that counts it.  A child of fork does not report inherited paths again.
 * Paths that ended before the callback was registered may never be reported.  In a small loop, a path may be reported
 * only when control leaves the loop.
 *
 * The callback runs on the thread that executes the path, in the middle of an instrumented function.  The restrictions
 * of signal handlers apply, and the callback must return.  */
typedef void (*pathrt_residual_callback)(const char *function, unsigned long long path, void *data);
PATHRT_API void pathrt_on_residual(pathrt_residual_callback callback, void *data);

#ifdef __cplusplus
}
#endif
#endif
