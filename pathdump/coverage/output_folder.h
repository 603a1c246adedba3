// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a directory of files atomically.  Replaces only a directory that it has written earlier.
#ifndef PATHPROF_PATHDUMP_COVERAGE_OUTPUT_FOLDER_H
#define PATHPROF_PATHDUMP_COVERAGE_OUTPUT_FOLDER_H

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace pathprof {

// Returns the SHA-256 checksum of `bytes` in hexadecimal.
std::string sha256_text(std::string_view bytes);

// Maps file names, relative to the directory and with '/' as separator, to file contents.
using OutputFiles = std::map<std::string, std::string>;

// A kind of output directory of `coverage`.  Directories of this kind are recognized by a marker file, which begins
// with a fixed text.
struct OutputFolder {
  const char *option;           // for messages
  const char *name, *beginning; // name of the marker file, and the text at its beginning
};

// Throws Failure if write_output_folder() would refuse to replace `folder`.  It refuses if `folder` is the working
// directory or not a directory, or if its contents are not exactly the files that write_output_folder() has written for
// the same kind of directory.
void check_output_folder(const OutputFolder &kind, const std::string &folder);

// Name of the page that links to the other files of an output directory.
inline constexpr const char *kStartPage = "index.html";

// Writes the files, and their checksums in a file SHA256SUMS that `sha256sum -c` can check.  Either writes all files or
// leaves the directory unchanged.  Prints a line to standard error that names the start page.  Throws Failure on
// errors.
void write_output_folder(const OutputFolder &kind, const std::string &folder, const OutputFiles &files);

// Converts a string to a file name component.  Keeps letters, digits and "_.-+@$", and replaces all other characters
// with '_'.  Truncates long strings and appends their checksums.
std::string file_name_for(const std::string &text);

} // namespace pathprof

#endif
