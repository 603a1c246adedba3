// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of other tools.  Each prints what the profile has of the functions that `names` selects; `file` is the
// profile's name, for errors.
#ifndef PATHPROF_PATHDUMP_EXPORT_EXPORTS_H
#define PATHPROF_PATHDUMP_EXPORT_EXPORTS_H

#include <string>

#include "pathdump/model/costs.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// A tracefile of lcov: line, branch and function counts (geninfo(1)).
void export_lcov(const Profile &profile, const std::string &file, const Names &names, Output &out);
// The same as Cobertura's XML (coverage-04.dtd): a package a folder, a class a file.
void export_cobertura(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Graphviz: a digraph a function, with the counts of its blocks and edges.
void export_dot(const Profile &profile, const std::string &file, const Names &names, Output &out);
// A row an executed path (RFC 4180); with measured costs (maybe null) a column more.
void export_csv(const Profile &profile, const std::string &file, const Names &names, const Costs *costs, Output &out);

// Executed paths as call stacks, for viewers of flame graphs: of a function's path the function, of a program's path
// the functions that are open at its end; and then the path itself, named by its lines.  Weights are executions ×
// statements. Lines "main;count;wc.c:12-14 [path 3] 120".
void export_collapsed(const Profile &profile, const std::string &file, const Names &names, Output &out);
// What pprof reads: its protocol buffer, packed.
void export_pprof(const Profile &profile, const std::string &file, const Names &names, Output &out);
// What KCachegrind reads.
void export_callgrind(const Profile &profile, const std::string &file, const Names &names, Output &out);
// "FILE:LINE: text", a row a path, hottest first.
void export_quickfix(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Lines, functions and outcomes of branches that never ran: workflow commands of GitHub, a code quality report of
// GitLab.
void export_github(const Profile &profile, const std::string &file, const Names &names, Output &out);
void export_gitlab(const Profile &profile, const std::string &file, const Names &names, Output &out);
// JSON of speedscope.app.
void export_speedscope(const Profile &profile, const std::string &file, const Names &names, Output &out);

} // namespace pathprof

#endif
