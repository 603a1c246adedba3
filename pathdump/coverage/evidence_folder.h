// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that evidence is written to: a set of files that appears as a whole, and replaces nothing but an earlier
// one of its kind.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_FOLDER_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_FOLDER_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace pathprof {

// SHA-256 of bytes, in hexadecimal.
std::string sha256_text(std::string_view bytes);

// Text by the file's name in the folder, in which '/' separates sub-folders.
using EvidenceFiles = std::map<std::string, std::string>;

// Throws Failure where `folder` is something that write_evidence would not replace: no folder, or one with a file that
// an earlier call did not write, or that has changed since.
void check_evidence_folder(const std::string &folder);

// Writes the files and a list of their checksums, SHA256SUMS, which `sha256sum -c` reads.  The folder has all of it or
// is as it was.  Throws Failure.
void write_evidence(const std::string &folder, const EvidenceFiles &files);

// A part of a file's name for any text: letters, digits and "_.-+@$" stay, others become '_'; what is too long for a
// file system is cut, and has its checksum instead.
std::string file_name_for(const std::string &text);

} // namespace pathprof

#endif
