// SPDX-License-Identifier: GPL-3.0-or-later
// Warns about input that does not match the code.
#include "plugin/options/mismatch.h"

#include <cstring>

#include "diagnostic.h"

namespace pathprof {

// Returns true if the command line contains -Werror=coverage-mismatch or -Wno-error=coverage-mismatch.
static bool is_severity_given() {
  for (unsigned i = 0; i < save_decoded_options_count; i++) {
    const cl_decoded_option &option = save_decoded_options[i];
    if (option.opt_index == OPT_Werror_ && option.arg && strcmp(option.arg, "coverage-mismatch") == 0)
      return true;
  }
  return false;
}

using Severity = decltype(diagnostic_classify_diagnostic(global_dc, 0, {}, UNKNOWN_LOCATION));

// Sets the severity of -Wcoverage-mismatch diagnostics, and returns the previous severity.
static Severity set_severity(Severity severity) {
  return diagnostic_classify_diagnostic(global_dc, OPT_Wcoverage_mismatch, severity, UNKNOWN_LOCATION);
}

void warn_of_mismatch(location_t location, const std::string &text) {
  bool is_given = is_severity_given();
  auto severity = Severity(COMPAT_DK_UNSPECIFIED);
  if (!is_given)
    severity = set_severity(severity);
  warning_at(location, OPT_Wcoverage_mismatch, "pathprof: %s", text.c_str());
  if (!is_given)
    set_severity(severity);
}

} // namespace pathprof
