// SPDX-License-Identifier: GPL-3.0-or-later
/* The state machine of a valve.  */
#include "valve.h"

enum { MAX_PRESSURE = 6000, MIN_PRESSURE = 200, MAX_TICKS = 5 };

static enum valve_state next_state(const struct valve *valve, const struct valve_inputs *in) {
  if (in->pressure > MAX_PRESSURE || (valve->state == VALVE_OPEN && in->pressure < MIN_PRESSURE))
    return VALVE_FAULT;
  switch (valve->state) {
  case VALVE_CLOSED:
    return (in->request && in->key) || in->remote ? VALVE_OPENING : VALVE_CLOSED;
  case VALVE_OPENING:
    if (in->at_end)
      return VALVE_OPEN;
    return valve->ticks >= MAX_TICKS ? VALVE_FAULT : VALVE_OPENING;
  case VALVE_OPEN:
    return in->request || in->remote ? VALVE_OPEN : VALVE_CLOSED;
  case VALVE_FAULT:
    return in->acknowledge && !in->request && !in->remote ? VALVE_CLOSED : VALVE_FAULT;
  }
  return VALVE_FAULT;
}

enum valve_state valve_step(struct valve *valve, const struct valve_inputs *inputs) {
  enum valve_state next = next_state(valve, inputs);
  valve->ticks = next == valve->state ? valve->ticks + 1 : 0;
  return valve->state = next;
}
