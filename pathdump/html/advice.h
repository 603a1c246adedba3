// SPDX-License-Identifier: GPL-3.0-or-later
// Formats the suggestions at the start of an HTML page.
#ifndef PATHPROF_PATHDUMP_HTML_ADVICE_H
#define PATHPROF_PATHDUMP_HTML_ADVICE_H

#include <functional>
#include <string>

#include "pathdump/model/profile_view.h"

namespace pathprof::html {

// Returns the address of a function's view in the page, or an empty string if the page has none.
using AddressOf = std::function<std::string(const Function &)>;

// Returns the first suggestions as markup, or an empty string if there are none. Each suggestion is a link to the view
// of its function.
std::string advice_text(ProfileView &view, const AddressOf &address_of);

} // namespace pathprof::html

#endif
