// SPDX-License-Identifier: GPL-3.0-or-later
// Escapes the names in a profile. Names come from object files and the environment and can contain terminal control
// sequences.
#include "pathdump/ui/visible_names.h"

#include <algorithm>

#include "profile/model/visible.h"

namespace pathprof {

static void make_visible(std::string &text) {
  text = visible(text);
}

static void make_visible(Function &function) {
  make_visible(function.file);
  make_visible(function.notes.name);
  make_visible(function.notes.left_out);
  for (InlineSite &site : function.notes.sites)
    make_visible(site.function);
  for (std::string &callee : function.callees)
    make_visible(callee);
}

void make_names_visible(Profile &profile) {
  make_visible(profile.program);
  for (Module &module : profile.modules)
    make_visible(module.name);
  for (std::unique_ptr<UnitSources> &unit : profile.sources)
    std::for_each(unit->files.begin(), unit->files.end(), [](std::string &file) { make_visible(file); });
  std::for_each(profile.functions.begin(), profile.functions.end(), [](Function &one) { make_visible(one); });
  for (InterproceduralUnit &unit : profile.interprocedural_units)
    make_visible(unit.source);
}

} // namespace pathprof
