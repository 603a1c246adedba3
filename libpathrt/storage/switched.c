/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "libpathrt/storage/switched.h"

struct pathrt_switched __pathrt_switched;
