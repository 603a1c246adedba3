// SPDX-License-Identifier: GPL-3.0-or-later
// Writes coverage as a tree of HTML pages.
#include "pathdump/html/tree.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "pathdump/coverage/print_summary.h"
#include "pathdump/html/assets.h"
#include "pathdump/html/text.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof::html {

namespace {

std::string cell(const Tally &tally) {
  if (tally.is_empty())
    return "<td></td>";
  std::string justified =
      tally.justified ? fmt::format(" <span class=\"justified\">+{}</span>", tally.justified) : std::string();
  return fmt::format("<td class=\"share\" title=\"{} of {} covered, {} justified\"><meter value=\"{:.2f}\" max=\"100\">"
                     "</meter>{} <span class=\"faint\">{}/{}</span>{}</td>",
                     tally.covered, tally.total.get_str(), tally.justified, tally.share(), share_text(tally),
                     tally.covered, short_number(tally.total), justified);
}

std::string cells(const FileSummary &summary) {
  std::string text;
  for (const SummaryCriterion &criterion : kSummaryCriteria)
    text += cell(summary.*criterion.tally);
  return text;
}

std::string headings(const char *first) {
  std::string text = fmt::format("<tr><th>{}</th>", first);
  for (const SummaryCriterion &criterion : kSummaryCriteria)
    text += fmt::format("<th>{}</th>", criterion.heading);
  return text + "</tr>\n";
}

std::string page(const std::string &title, const std::string &body, const char *script = "") {
  return fmt::format("{}<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<title>{}</title>\n<link rel=\"stylesheet\" "
                     "href=\"style.css\">\n<body>\n<main>\n{}</main>\n{}</body>\n</html>\n",
                     kPagesFolder.beginning, escape(title), body, script);
}

// A directory with its files and subdirectories. The names of directories end in a slash.
struct Folder {
  FileSummary total;
  std::map<std::string, Folder> folders;
  std::map<std::string, const FileSummary *> files;
};

class Tree {
public:
  Tree(const CoverageSummary &summary, ProfileView &view) : summary_(summary), view_(view) {
    for (const std::unique_ptr<UnitSources> &unit : view.profile.sources)
      for (const std::string &file : unit->files)
        sources_.try_emplace(view.names.file(file), unit.get(), file);
    for (const Function &function : view.profile.functions)
      if (!is_left_out(function) && view.names.selects(function))
        functions_[{view.names.file(function.file), function.notes.line}].push_back(&function);
  }

  OutputFiles pages() {
    for (const auto &[name, file] : summary_.files)
      name_page(name);
    for (const auto &[name, file] : summary_.files)
      pages_[page_of_.at(name)] = file_page(name, file);
    pages_[kStartPage] = index_page();
    pages_["style.css"] = std::string(tree_css.text);
    pages_["index.js"] = std::string(tree_js.text);
    return std::move(pages_);
  }

private:
  // Chooses a unique name for the page of a file.
  void name_page(const std::string &name) {
    std::string base = file_name_for(name), free = base + ".html";
    for (int i = 2; free == kStartPage || !used_.insert(free).second; i++)
      free = fmt::format("{}.{}.html", base, i);
    page_of_[name] = free;
  }

  // ---- index ----

  std::string index_page() {
    Folder top;
    for (const auto &[name, file] : summary_.files)
      add(top, name, file);
    std::string rows;
    add_rows(top, "", 0, rows);
    std::string title = fmt::format("Coverage of {}", title_of(view_.profile, view_.file));
    return page(title,
                fmt::format("<h1>{}</h1>\n<input type=\"search\" placeholder=\"Search files\" aria-label=\"Search "
                            "files\" hidden>\n<table>\n{}<tr class=\"folder\"><td>total</td>{}</tr>\n{}</table>\n{}",
                            escape(title), headings("file"), cells(summary_.total), rows, justifications()),
                "<script src=\"index.js\"></script>\n");
  }

  static void add(Folder &top, const std::string &name, const FileSummary &file) {
    Folder *folder = &top;
    size_t begin = 0;
    for (size_t slash; (slash = name.find('/', begin)) != std::string::npos; begin = slash + 1) {
      folder = &folder->folders[name.substr(begin, slash + 1 - begin)];
      folder->total.add(file);
    }
    folder->files[name.substr(begin)] = &file;
  }

  void add_rows(const Folder &folder, const std::string &above, int depth, std::string &rows) const {
    std::string indent = fmt::format("style=\"padding-left:{}em\"", depth * 1.4);
    for (const auto &[name, inner] : folder.folders) {
      std::string path = above + name;
      rows += fmt::format("<tr class=\"folder\" data-name=\"{}\"><td {}>{}</td>{}</tr>\n", escape(path), indent,
                          escape(name), cells(inner.total));
      add_rows(inner, path, depth + 1, rows);
    }
    for (const auto &[name, file] : folder.files) {
      std::string path = above + name;
      rows += fmt::format("<tr data-name=\"{}\"><td {}><a href=\"{}\">{}</a></td>{}</tr>\n", escape(path), indent,
                          escape(page_of_.at(path)), escape(name), cells(*file));
    }
  }

  std::string justifications() const {
    if (summary_.justifications.empty())
      return "";
    std::string rows;
    for (const Justification &one : summary_.justifications)
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escape(one.place),
                          escape(one.reason), escape(one.author), escape(one.ticket), escape(one.fault));
    return "<h2>Justified code</h2>\n<table><tr><th>place</th><th>reason</th><th>author</th><th>ticket</th>"
           "<th>fault</th></tr>\n" +
           rows + "</table>\n";
  }

  // ---- pages of files ----

  std::string file_page(const std::string &name, const FileSummary &file) {
    auto details = summary_.details.find(name);
    std::string body =
        fmt::format("<h1><a href=\"index.html\">{}</a> / {}</h1>\n<table>\n{}<tr><td>total</td>{}</tr>\n"
                    "</table>\n",
                    escape(title_of(view_.profile, view_.file)), escape(name), headings("file"), cells(file));
    if (details == summary_.details.end())
      return page(name, body);
    body += functions_of(name, details->second);
    body += "<p class=\"key\"><span class=\"run\">executed</span><span class=\"partly\">executed, but outcomes or "
            "conditions are missing</span><span class=\"missed\">not executed</span><span class=\"justified\">justified"
            "</span><span class=\"excluded\">excluded</span> branches: + taken, - not taken, # not executed; "
            "conditions: effect of T and F shown (+) or not (-)</p>\n";
    return page(name, body + source_of(name, details->second));
  }

  // Returns a list of the functions of a file, each with its executed paths.
  std::string functions_of(const std::string &name, const CoveredFile &covered) {
    std::string text = "<h2>Functions</h2>\n";
    for (const CoveredFunction &function : covered.functions) {
      text += fmt::format("<details><summary>{0} <span class=\"faint\">{1}</span></summary>\n"
                          "<p><a href=\"#L{2}\">line {2}</a></p>\n",
                          escape(function.name),
                          function.calls ? "called " + plural(function.calls, "time") : "never called", function.line);
      auto bodies = functions_.find({name, function.line});
      if (bodies != functions_.end())
        for (const Function *body : bodies->second)
          if (bodies->second.size() == 1 || view_.names.full(body->notes.name) == function.name)
            text += paths_of(*body);
      text += "</details>\n";
    }
    return text;
  }

  std::string paths_of(const Function &function) {
    static constexpr size_t kMost = 100;
    if (function.in_program)
      return "<p>The function has only interprocedural paths.</p>\n";
    std::vector<ExecutedPath> paths;
    for (const ExecutedPath &path : function.paths)
      if (path.count > 0)
        paths.push_back(path);
    std::stable_sort(paths.begin(), paths.end(),
                     [](const ExecutedPath &a, const ExecutedPath &b) { return a.count > b.count; });
    std::string text =
        fmt::format("<p>{} of {} paths executed</p>\n", paths.size(), short_number(num_own_paths(function)));
    if (paths.empty())
      return text;
    const Decoded &decoded = view_.decoder.decoded(static_cast<size_t>(&function - view_.profile.functions.data()));
    text += "<table><tr><th>count</th><th>path</th><th>decisions</th></tr>\n";
    for (size_t i = 0; i < std::min(paths.size(), kMost); i++)
      text +=
          fmt::format("<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n", paths[i].count,
                      paths[i].id, escape(view_.formatter.shown(function, *decoded.regenerate(paths[i].id))));
    text += "</table>\n";
    if (paths.size() > kMost)
      text += fmt::format("<p>... and {}</p>\n", plural(paths.size() - kMost, "more path"));
    return text;
  }

  std::string source_of(const std::string &name, const CoveredFile &covered) {
    auto source = sources_.find(name);
    const std::vector<std::string> none;
    const SourceFile *file =
        source == sources_.end()
            ? nullptr
            : &view_.sources[view_.sources.number_of(*source->second.first, source->second.second)];
    const std::vector<std::string> &lines = file ? file->lines : none;
    size_t last = lines.size();
    if (!covered.lines.empty())
      last = std::max<size_t>(last, covered.lines.rbegin()->first);
    std::string text = "<h2>Source</h2>\n";
    if (file && !file->doubt.empty())
      text += fmt::format("<p>{}</p>\n", escape(text_of_doubt(*file)));
    if (lines.empty())
      text += "<p>The source file was not found.</p>\n";
    text += "<table class=\"source\">\n";
    auto reasons = summary_.justified_lines.find(name);
    for (uint32_t line = 1; line <= last; line++)
      text += row_of(line, line <= lines.size() ? lines[line - 1] : "", covered,
                     reasons == summary_.justified_lines.end() ? nullptr : &reasons->second);
    return text + "</table>\n";
  }

  std::string row_of(uint32_t line, const std::string &source, const CoveredFile &covered,
                     const std::map<uint32_t, std::string> *reasons) const {
    auto count = covered.lines.find(line);
    bool is_complete = true;
    std::string marks = marks_of(line, covered, is_complete);
    std::string title;
    const char *style = "";
    if (count != covered.lines.end())
      style = count->second == 0 ? "missed" : is_complete ? "run" : "partly";
    else if (covered.excluded_lines.count(line))
      style = "excluded";
    if (reasons)
      if (auto reason = reasons->find(line); reason != reasons->end()) {
        style = "justified";
        title = fmt::format(" title=\"{}\"", escape(reason->second));
      }
    return fmt::format("<tr id=\"L{0}\"><td class=\"number faint\">{0}</td><td>{1}</td>"
                       "<td class=\"number\">{2}</td><td class=\"{3}\"{4}>{5}</td></tr>\n",
                       line, marks, count == covered.lines.end() ? "" : std::to_string(count->second), style, title,
                       escape(without_tabs(source)));
  }

  // Returns the marks of the branches and conditions on a line. Sets `*is_complete` to false if an outcome or a
  // condition is not covered.
  static std::string marks_of(uint32_t line, const CoveredFile &covered, bool &is_complete) {
    std::string marks;
    if (auto branches = covered.branches.find(line); branches != covered.branches.end())
      for (const CoveredBranch &branch : branches->second) {
        std::string signs, title;
        for (size_t i = 0; i < branch.taken.size(); i++) {
          signs += !branch.has_run() ? '#' : branch.taken[i] ? '+' : '-';
          is_complete &= branch.taken[i] > 0;
          title += fmt::format("{}{}:{} {}", i ? ", " : "", branch.place, branch.outcomes[i],
                               plural(branch.taken[i], "time"));
        }
        marks += fmt::format("<span title=\"{}\">[{}]</span>", escape(title), signs);
      }
    if (auto decisions = covered.decisions.find(line); decisions != covered.decisions.end())
      for (const CoveredDecision &decision : decisions->second)
        for (size_t i = 0; i < decision.conditions.size(); i++) {
          auto [if_false, if_true] = decision.shows_effect[i];
          is_complete &= if_false && if_true;
          marks += fmt::format(" <span title=\"condition {}\">T{}F{}</span>", escape(decision.conditions[i]),
                               if_true ? '+' : '-', if_false ? '+' : '-');
        }
    return marks;
  }

  const CoverageSummary &summary_;
  ProfileView &view_;
  OutputFiles pages_;
  std::set<std::string> used_;                                                          // names of pages
  std::map<std::string, std::string> page_of_;                                          // by source file
  std::map<std::string, std::pair<const UnitSources *, std::string>> sources_;          // by name as printed
  std::map<std::pair<std::string, uint32_t>, std::vector<const Function *>> functions_; // by file and line
};

} // namespace

OutputFiles coverage_pages(const CoverageSummary &summary, ProfileView &view) {
  return Tree(summary, view).pages();
}

} // namespace pathprof::html
