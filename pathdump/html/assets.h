// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the templates, style sheets and scripts of the pages, which `embed` compiles into the program.
#ifndef PATHPROF_PATHDUMP_HTML_ASSETS_H
#define PATHPROF_PATHDUMP_HTML_ASSETS_H

#include <string_view>

namespace pathprof::html {

struct Asset {
  std::string_view text;
  std::string_view sha256; // hexadecimal
};
extern const Asset page_html, page_css, page_js;
extern const Asset tree_css, tree_js; // of the pages of `coverage --html`

} // namespace pathprof::html

#endif
