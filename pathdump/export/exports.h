// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the exports to formats of other tools. Each function exports the functions that `names` selects; `file` is
// the name of the profile for error messages.
#ifndef PATHPROF_PATHDUMP_EXPORT_EXPORTS_H
#define PATHPROF_PATHDUMP_EXPORT_EXPORTS_H

#include <string>

#include "pathdump/coverage/covered.h"
#include "pathdump/model/costs.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// Exports an lcov tracefile with line, branch and function counts (geninfo(1)). Its FN records include the number of
// the function's last line, which lcov 1 would read as the name of the function.
void export_lcov(const Profile &profile, const CoveredFiles &files, Output &out);
// Exports the same tracefile for lcov 1: FN records do not include the number of the function's last line.
void export_lcov1(const Profile &profile, const CoveredFiles &files, Output &out);
// Exports line, branch and function coverage in Cobertura's XML format (coverage-04.dtd): one package per directory,
// one class per file.
void export_cobertura(const Profile &profile, const CoveredFiles &files, Output &out);
// Exports line and branch coverage in SonarQube's generic format for test coverage.
void export_sonarqube(const Profile &profile, const CoveredFiles &files, Output &out);
// Exports one Graphviz digraph per function, with block and edge counts.
void export_dot(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Exports comma-separated values (RFC 4180) with one row per executed path. If `costs` is not null, the measured costs
// are an additional column.
void export_csv(const Profile &profile, const std::string &file, const Names &names, const Costs *costs, Output &out);

// Exports executed paths as call stacks for flame graph viewers. Each stack consists of the functions that are active
// at the end of the path, followed by a frame for the path itself. The name of this frame contains the path's lines.
// For an intraprocedural path, the active functions are the path's function and its callers. The weight of a path is
// its number of executions multiplied by its number of statements. An output line looks like "main;count;wc.c:12-14
// [path 3] 120".
void export_collapsed(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Exports a compressed protocol buffer for pprof.
void export_pprof(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Exports a file for KCachegrind.
void export_callgrind(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Exports one row "FILE:LINE: text" per path, hottest paths first.
void export_quickfix(const Profile &profile, const std::string &file, const Names &names, Output &out);
// Exports unexecuted lines, functions and branch outcomes as GitHub workflow commands or as a GitLab code quality
// report.
void export_github(const Profile &profile, const CoveredFiles &files, Output &out);
void export_gitlab(const Profile &profile, const CoveredFiles &files, Output &out);
// Exports JSON for speedscope.app.
void export_speedscope(const Profile &profile, const std::string &file, const Names &names, Output &out);

} // namespace pathprof

#endif
