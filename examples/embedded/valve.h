// SPDX-License-Identifier: GPL-3.0-or-later
/* The state machine of a valve that is opened by a motor.  */
#ifndef VALVE_H
#define VALVE_H

#include <stdbool.h>

enum valve_state { VALVE_CLOSED, VALVE_OPENING, VALVE_OPEN, VALVE_FAULT };

struct valve_inputs {
  bool request;     /* an operator wants the valve to be open */
  bool key;         /* the key switch allows the operation */
  bool remote;      /* a remote command, which does not need the key */
  bool at_end;      /* the end switch is closed */
  int pressure;     /* in millibars */
  bool acknowledge; /* an operator acknowledges a fault */
};

struct valve {
  enum valve_state state;
  unsigned ticks; /* time in the current state */
};

/* Advances the state machine by one tick and returns the new state.  */
enum valve_state valve_step(struct valve *valve, const struct valve_inputs *inputs);

#endif
