// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a directory of evidence files atomically.  Replaces only a directory that it has written earlier.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_FOLDER_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_FOLDER_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace pathprof {

// Returns the SHA-256 checksum of `bytes` in hexadecimal.
std::string sha256_text(std::string_view bytes);

// Contents of the files by their names relative to the directory, with '/' as separator.
using EvidenceFiles = std::map<std::string, std::string>;

// Throws Failure if write_evidence would refuse to replace `folder`: it is not a directory, or it contains a file that
// an earlier call did not write or that has changed since.
void check_evidence_folder(const std::string &folder);

// Writes the files and the list of their checksums, SHA256SUMS, for `sha256sum -c`.  Writes all files or leaves the
// directory unchanged.  Throws Failure.
void write_evidence(const std::string &folder, const EvidenceFiles &files);

// Returns a component of a file name for any text: keeps letters, digits and "_.-+@$", and replaces other characters by
// '_'.  Truncates a long text and appends its checksum.
std::string file_name_for(const std::string &text);

} // namespace pathprof

#endif
