// SPDX-License-Identifier: GPL-3.0-or-later
// Prints GitHub workflow commands and GitLab code quality reports.
#include "pathdump/ui/annotations.h"

#include <map>

#include <zlib.h>

#include "pathdump/ui/json.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// Percent-encodes '%' and the characters in `special`.
static std::string escaped(const std::string &text, const std::string &special) {
  std::string result;
  for (char c : text)
    result += c == '%' || special.find(c) != std::string::npos ? fmt::format("%{:02X}", static_cast<unsigned char>(c))
                                                               : std::string(1, c);
  return result;
}

// Returns an identifier that is the same for this finding in later reports. The identifier does not include the line,
// which changes when lines are inserted above the finding.
static std::string fingerprint(const Annotation &one, size_t ordinal) {
  std::string text = fmt::format("{} {} {} {}", one.check, one.file,
                                 one.check == std::string("function-never-ran") ? one.text : "", ordinal);
  auto digest = [&](uLong seed) {
    return crc32_z(seed, reinterpret_cast<const unsigned char *>(text.data()), text.size());
  };
  return fmt::format("{:08x}{:08x}", digest(0), digest(1));
}

std::string text_of_unexecuted(uint32_t first, uint32_t last) {
  return first == last ? fmt::format("Line {} was never executed", first)
                       : fmt::format("Lines {} to {} were never executed", first, last);
}

Annotation annotation_of_outcomes(const std::string &file, uint32_t line, const char *check,
                                  const std::vector<std::string> &outcomes) {
  return {file, line, line, check,
          fmt::format("{} {} never taken", enumeration(outcomes), outcomes.size() == 1 ? "was" : "were")};
}

void print_for_whole_report(const std::string &text, Output &out) {
  out.print("::warning title=pathprof::{}\n", escaped(text, ""));
}

static void print_for_github(const std::vector<Annotation> &annotations, Output &out) {
  for (const Annotation &one : annotations)
    out.print("::warning file={},line={},endLine={},title=pathprof {}::{}\n", escaped(one.file, ":,"), one.first,
              one.last, one.check, escaped(one.text, ""));
}

static void print_for_gitlab(const std::vector<Annotation> &annotations, Output &out) {
  Json findings = Json::array();
  std::map<std::string, size_t> ordinals;
  for (const Annotation &one : annotations)
    findings.push_back({{"description", one.text},
                        {"check_name", one.check},
                        {"fingerprint", fingerprint(one, ordinals[one.check + one.file]++)},
                        {"severity", "info"},
                        {"location", {{"path", one.file}, {"lines", {{"begin", one.first}, {"end", one.last}}}}}});
  out.print("{}\n", dump_indented(findings));
}

void print_annotations(const std::vector<Annotation> &annotations, bool for_gitlab, Output &out) {
  if (for_gitlab)
    print_for_gitlab(annotations, out);
  else
    print_for_github(annotations, out);
}

} // namespace pathprof
