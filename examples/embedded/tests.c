// SPDX-License-Identifier: GPL-3.0-or-later
/* Unit tests of the scheduler and of the state machine.  They run on the target.  */
#include "tests.h"

#include "scheduler.h"
#include "valve.h"

static int failures;

static void expect(bool is_true) {
  failures += !is_true;
}

static int calls;

static bool always(void) {
  calls++;
  return true;
}

static bool once(void) {
  calls += 100;
  return false;
}

static void test_scheduler(void) {
  struct scheduler scheduler = {.num_tasks = 0};
  expect(!scheduler_add(&scheduler, 0, 1, 1));
  expect(!scheduler_add(&scheduler, always, 0, 1));
  expect(scheduler_add(&scheduler, always, 2, 1));
  expect(scheduler_add(&scheduler, once, 1, 9));
  for (int tick = 0; tick < 4; tick++)
    scheduler_tick(&scheduler);
  expect(calls == 102 && scheduler.num_tasks == 1 && scheduler.overruns == 0);
}

static void test_valve(void) {
  struct valve valve = {VALVE_CLOSED, 0};
  struct valve_inputs in = {.pressure = 1000};
  expect(valve_step(&valve, &in) == VALVE_CLOSED);
  in.request = true;
  expect(valve_step(&valve, &in) == VALVE_CLOSED); /* without the key */
  in.key = true;
  expect(valve_step(&valve, &in) == VALVE_OPENING);
  expect(valve_step(&valve, &in) == VALVE_OPENING);
  in.at_end = true;
  expect(valve_step(&valve, &in) == VALVE_OPEN);
  in.request = false;
  expect(valve_step(&valve, &in) == VALVE_CLOSED);
  in.pressure = 7000;
  expect(valve_step(&valve, &in) == VALVE_FAULT);
  in.pressure = 1000;
  in.acknowledge = true;
  expect(valve_step(&valve, &in) == VALVE_CLOSED);
}

int run_tests(void) {
  test_scheduler();
  test_valve();
  return failures;
}
