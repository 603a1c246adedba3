/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "libpathrt/process/registry.h"

struct pathrt_registry pathrt_registry;
