/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adds modules to the registry and removes modules from it.  */
#include "libpathrt/modules.h"

#include "libpathrt/file/write.h"
#include "libpathrt/handlers.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/process.h"
#include "libpathrt/switch.h"

void pathrt_add_module(struct pathrt_module *module) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  if (!pathrt_registry.modules)
    pathrt_own_counts();
  module->next = pathrt_registry.modules;
  __atomic_store_n(&pathrt_registry.modules, module, __ATOMIC_RELEASE);
  if (pathrt_registry.paused)
    module->pause();
  pathrt_install_handlers(module);
  pathrt_switch_add(module);
  pathrt_leave(&entry);
}

static void unlink_module(struct pathrt_module *module) {
  struct pathrt_module **link = &pathrt_registry.modules;
  while (*link && *link != module)
    link = &(*link)->next;
  if (*link)
    __atomic_store_n(link, module->next, __ATOMIC_RELEASE);
}

void pathrt_remove_module(struct pathrt_module *module) {
  struct pathrt_entry entry;
  if (pathrt_registry.restricted)
    unlink_module(module);
  if (!pathrt_enter(&entry, true))
    return;
  unlink_module(module);
  pathrt_remove_handlers(module);
  if (!pathrt_registry.modules)
    pathrt_disown_counts();
  pathrt_leave(&entry);
  pathrt_switch_remove(module);
}
