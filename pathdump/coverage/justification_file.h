// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the file that justifies why functions, decisions and paths are not covered.
//
// The file is JSON. It belongs to the source tree and is edited by people.
#ifndef PATHPROF_PATHDUMP_COVERAGE_JUSTIFICATION_FILE_H
#define PATHPROF_PATHDUMP_COVERAGE_JUSTIFICATION_FILE_H

#include <string>
#include <vector>

#include "pathdump/describe/sources.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

inline const char *const kJustifications = "pathprof-justifications.json";

// Justifies a function, one of its decisions, or one of its paths.
struct JustificationEntry {
  std::string function;                // as find_function() accepts it
  size_t decision = 0;                 // number of the decision in the function, from 1, in source order; 0: none
  std::vector<std::string> conditions; // texts of the conditions of the decision
  std::string path;                    // ID of the path, or empty
  std::string decisions;               // decisions on the path, as printed
  std::string hash;                    // hash_of() the function
  std::string reason, author, ticket;  // the ticket can be empty
};

// Returns true if a text, such as a reason, is empty or blank.
bool is_blank(const std::string &text);

// Returns the first 16 hexadecimal digits of the SHA-256 of the function's source, without comments and without blanks
// between words and operators, or an empty string if the source cannot be read.
std::string hash_of(const Function &function, Sources &sources);
// Returns why the function's source may differ from the compiled source, or an empty string.
std::string doubt_about(const Function &function, Sources &sources);

// Returns the name of the justification file of the source tree.
std::string justifications_of_tree(const Names &names);
// Returns the entries of the justification file `path`. If `path` is empty, returns the entries of the justification
// file of the source tree, or an empty list if this file does not exist.
std::vector<JustificationEntry> justifications_for(const std::string &path, const Names &names);

// Returns the entries of a file. Throws Failure if it cannot be read or is not valid.
std::vector<JustificationEntry> read_justifications(const std::string &path);
// Adds an entry to a file, which is created if it does not exist. Replaces an entry for the same function, decision or
// path. Throws Failure if the file cannot be read or written.
void add_justification(const std::string &path, const JustificationEntry &entry);

} // namespace pathprof

#endif
