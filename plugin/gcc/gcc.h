// SPDX-License-Identifier: GPL-3.0-or-later
// Includes GCC's headers in the required order. Include this file after every C++ header, because system.h poisons
// names that C++ headers use.
#ifndef PATHPROF_PLUGIN_GCC_GCC_H
#define PATHPROF_PLUGIN_GCC_GCC_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "version.h"
#include "config.h"
#include "system.h"
#include "coretypes.h"
#include "backend.h"
#include "tm.h"
#include "target.h"
#include "rtl.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "context.h"
#include "diagnostic-core.h"
#include "intl.h"
#include "dumpfile.h"
#include "stringpool.h"
#include "attribs.h"
#include "fold-const.h"
#include "stor-layout.h"
#include "varasm.h"
#include "cgraph.h"
#include "cfganal.h"
#include "cfghooks.h"
#include "cfgloop.h"
#include "sbitmap.h"
#include "tree-ssa-loop-manip.h"
#include "cfgloopmanip.h"
#include "predict.h"
#include "ssa.h"
#include "gimple-iterator.h"
#include "gimple-predict.h"
#include "gimplify.h"
#include "gimple-pretty-print.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-ssa.h"
#include "internal-fn.h"
#include "memmodel.h"
#include "ipa-modref-tree.h"
#include "ipa-modref.h"
#include "file-prefix-map.h"
#include "asan.h"
#include "langhooks.h"
#include "toplev.h"
#include "options.h"
#include "opts.h"

#pragma GCC diagnostic pop

#include "plugin/gcc/compat.h"

#endif
