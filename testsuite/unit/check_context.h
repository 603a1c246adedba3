// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef PATHPROF_TESTSUITE_CHECK_CONTEXT_H
#define PATHPROF_TESTSUITE_CHECK_CONTEXT_H

#include "testsuite/unit/suite.h"

// Tests of core/models/intracontext.h, for check_core.
pathprof::testing::TestCase context_tests();

#endif
