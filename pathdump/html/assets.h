// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the template, style sheet and script of the page, which `embed` compiles into the program.
#ifndef PATHPROF_PATHDUMP_HTML_ASSETS_H
#define PATHPROF_PATHDUMP_HTML_ASSETS_H

#include <string_view>

namespace pathprof::html {

struct Asset {
  std::string_view text;
  std::string_view sha256; // hexadecimal
};
extern const Asset page_html, page_css, page_js;

} // namespace pathprof::html

#endif
