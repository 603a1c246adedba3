// SPDX-License-Identifier: GPL-3.0-or-later
// Combines a profile with the objects that show it.
#ifndef PATHPROF_PATHDUMP_MODEL_PROFILE_VIEW_H
#define PATHPROF_PATHDUMP_MODEL_PROFILE_VIEW_H

#include <string>

#include "pathdump/describe/decisions.h"
#include "pathdump/describe/sources.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

// A profile, the names of its functions, its source files, a formatter and a decoder of its paths. The members refer to
// each other, so a view cannot be copied.
struct ProfileView {
  // Keeps references to the profile and to the names. `file_name` is the name of the profile's file.
  ProfileView(const Profile &of, const std::string &file_name, const Names &shown_names,
              PathFormatter::Form form = PathFormatter::Form::Conditions)
      : profile(of), file(file_name), names(shown_names), sources(names, file), formatter(names, &sources, form),
        decoder(profile, file) {}
  // Shows paths in the form that --lines and --codes select.
  ProfileView(const Profile &of, const std::string &file_name, const Names &shown_names, const CommonOptions &options)
      : ProfileView(of, file_name, shown_names, PathFormatter::form_of(options)) {}
  ProfileView(const ProfileView &) = delete;
  ProfileView &operator=(const ProfileView &) = delete;

  // Returns the function that contains an intraprocedural path.
  const Function &function(const HotPath &hot) const { return profile.functions[hot.function]; }
  // Returns the completed labels of the paths. `is_short` affects
  // interprocedural paths (see ShownPath::path_label).
  std::vector<PathLabel> labels(const std::vector<HotPath> &paths, bool is_short = true) {
    std::vector<PathLabel> labels;
    for (const HotPath &hot : paths)
      labels.push_back(path_label(profile, decoder, hot, formatter, is_short));
    complete(labels, formatter);
    return labels;
  }
  Json json(const HotPath &hot) {
    if (hot.is_of_program())
      return program_path_json(hot, ShownPath(profile, hot.program, hot.id), formatter);
    return path_json(hot, function(hot), decoder.path(hot), formatter);
  }

  const Profile &profile;
  const std::string file;
  const Names &names;
  Sources sources;
  PathFormatter formatter;
  Decoder decoder;
};

} // namespace pathprof

#endif
