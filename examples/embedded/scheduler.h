// SPDX-License-Identifier: GPL-3.0-or-later
/* A cooperative scheduler: each task is called once per period, tasks with a higher priority first.  */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stdbool.h>

enum { MAX_TASKS = 4 };

struct task {
  bool (*run)(void); /* returns false to remove the task */
  unsigned period;   /* in ticks */
  unsigned priority;
  unsigned next; /* tick of the next call */
};

struct scheduler {
  struct task tasks[MAX_TASKS];
  unsigned num_tasks;
  unsigned now;
  unsigned overruns; /* number of calls that were late */
};

bool scheduler_add(struct scheduler *scheduler, bool (*run)(void), unsigned period, unsigned priority);
/* Calls all tasks that are due, and advances the clock by one tick.  */
void scheduler_tick(struct scheduler *scheduler);

#endif
