// SPDX-License-Identifier: GPL-3.0-or-later
/* A cooperative scheduler.  */
#include "scheduler.h"

#include <stddef.h>

bool scheduler_add(struct scheduler *scheduler, bool (*run)(void), unsigned period, unsigned priority) {
  if (!run || period == 0 || scheduler->num_tasks == MAX_TASKS)
    return false;
  struct task *task = &scheduler->tasks[scheduler->num_tasks++];
  task->run = run;
  task->period = period;
  task->priority = priority;
  task->next = scheduler->now;
  return true;
}

static struct task *most_urgent(struct scheduler *scheduler) {
  struct task *best = NULL;
  for (unsigned i = 0; i < scheduler->num_tasks; i++) {
    struct task *task = &scheduler->tasks[i];
    if (task->next <= scheduler->now && (!best || task->priority > best->priority))
      best = task;
  }
  return best;
}

void scheduler_tick(struct scheduler *scheduler) {
  struct task *task;
  while ((task = most_urgent(scheduler))) {
    if (task->next < scheduler->now)
      scheduler->overruns++;
    task->next = scheduler->now + task->period;
    if (!task->run())
      *task = scheduler->tasks[--scheduler->num_tasks];
  }
  scheduler->now++;
}
