/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts the paths of open activations and writes all counts when the process ends or a module is unloaded.  */
#include "libpathrt/end.h"

#include "libpathrt/file/write.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/process.h"
#include "libpathrt/recording.h"

static void close_frames(struct pathrt_module *only, bool may_go_on) {
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    if (!only || each == only)
      each->close(may_go_on);
}

/* Once system calls are restricted, the paths of open activations cannot be counted provisionally, because the runtime
 * cannot allocate memory for provisional counts.  */
void pathrt_write_at_end(struct pathrt_module *only, bool may_go_on) {
  struct pathrt_entry entry;
  if (pathrt_registry.restricted)
    close_frames(only, false);
  if (!pathrt_registry.started || pathrt_registry.off || !pathrt_owns_counts() || !pathrt_enter(&entry, true))
    return;
  close_frames(only, may_go_on);
  if (only)
    pathrt_recording_end_module(only);
  else
    pathrt_recording_end(PATHPROF_RECORDING_DONE);
  pathrt_leave(&entry);
  pathrt_registry.is_ending = true;
  bool ok = pathrt_write(only) && pathrt_owns_counts();
  pathrt_registry.is_ending = false;
  if (!ok || !pathrt_enter(&entry, true))
    return;
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    if (!only || each == only)
      each->end();
  pathrt_leave(&entry);
}
