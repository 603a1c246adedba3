// SPDX-License-Identifier: GPL-3.0-or-later
// Assembles an HTML page from its parts.
#include "pathdump/html/page.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "pathdump/html/advice.h"
#include "pathdump/html/assets.h"
#include "pathdump/html/coverage.h"
#include "pathdump/html/details.h"
#include "pathdump/html/hottest_line.h"
#include "pathdump/html/source.h"
#include "pathdump/html/table.h"
#include "pathdump/html/text.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/model/sequences.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/text.h"
#include "pathdump/ui/unfinished.h"

namespace pathprof::html {

namespace {

class Page {
public:
  Page(const Profile &profile, const std::string &file, const CommonOptions &options, const Limits &limits,
       const Additions &additions)
      : names_(options, {&profile}), view_(profile, file, names_, options),
        ranking_(rank(profile, file, view_.names, view_.decoder, limits, additions.listed(), additions.basis)),
        files_(view_.sources), additions_(additions),
        details_(profile, ranking_, view_.formatter, view_.decoder, files_,
                 additions.changed ? &*additions.changed : nullptr),
        coverage_(profile, view_.formatter, view_.decoder, details_, files_, additions.tested),
        glossary_(ranking_.basis), title_(title_of(profile, file)) {
    view_.formatter.mark_calls(profile);
    for (const RankedFunction &ranked : ranking_.functions)
      ranked_[ranked.index] = &ranked;
  }

  void print(Output &out) {
    std::string data = data_text(); // generated first, because this step determines the source files of the page
    std::map<std::string, std::string> parts = {
        {"version", PACKAGE_VERSION},
        {"program", escape(title_)},
        {"script", std::string(page_js.text)},
        {"script-hash", csp_hash(page_js.sha256)},
        {"style", std::string(page_css.text)},
        {"style-hash", csp_hash(page_css.sha256)},
        {"tabs", tabs_text()},
        {"summary", summary_text()},
        {"notes", notes_text()},
        {"advice", advice_text(view_,
                               [this](const Function &function) {
                                 return address_of(static_cast<size_t>(&function - view_.profile.functions.data()));
                               })},
        {"leading", leading_text()},
        {"hot", hot_text()},
        {"sequences", sequences_text()},
        {"functions", functions_text()},
        {"left-out", left_out_text()},
        {"data", std::move(data)},
    };
    for (const char *term : {"line", "paths", "source"})
      glossary_.add(term);
    if (additions_.leading)
      for (const std::string &term : additions_.leading->columns())
        glossary_.add(term);
    if (additions_.tested)
      glossary_.add("tests");
    if (has_prime_)
      for (const char *term : {"blocks", "kind"})
        glossary_.add(term);
    parts["glossary"] = glossary_.list(); // generated last, because the tables add terms to the glossary
    print_filled(out, page_html.text, parts);
    if (additions_.changed)
      additions_.changed->ask_for(view_.sources, view_.profile, view_.names);
    view_.sources.warn();
    if (details_.lacks_graphviz())
      std::cerr << program_name
                << ": Graphviz layout 'dot' is not available, so the page contains no graphs; use 'dot -c' to register "
                   "the layout\n";
  }

private:
  // Replaces each {{name}} in a single pass; the inserted text is not scanned again.
  static void print_filled(Output &out, std::string_view page, const std::map<std::string, std::string> &parts) {
    for (;;) {
      size_t begin = page.find("{{"), end = page.find("}}", begin);
      out.write(page.substr(0, begin));
      if (begin == std::string_view::npos)
        return;
      out.write(parts.at(std::string(page.substr(begin + 2, end - begin - 2))));
      page.remove_prefix(end + 2);
    }
  }

  const Function &function_of(const RankedFunction &ranked) const { return view_.profile.functions[ranked.index]; }
  std::string name_of(const Function &function) const { return view_.names.function(function.notes.name); }
  // Returns the file name (without directories) and line of the function, such as "a.c:12".
  std::string short_location_of(const Function &function) const {
    std::string location = view_.names.location(function);
    return location.substr(location.rfind('/') + 1);
  }

  // Returns the address of the function's view in the page, or an empty string if the function is not shown in detail.
  std::string address_of(size_t function) const {
    auto at = ranked_.find(function);
    bool is_shown = at != ranked_.end() && at->second->is_detailed;
    return is_shown ? "f=" + url_encode(at->second->key) : "";
  }
  std::string address_of(const HotPath &hot) const {
    if (hot.is_of_program())
      return fmt::format("u={}&p={}", hot.program, hot.id);
    std::string address = address_of(hot.function);
    return address.empty() ? "" : fmt::format("{}&p={}", address, hot.id);
  }
  static std::string maybe_link(const std::string &address, const std::string &text) {
    return address.empty() ? escape(text) : link(address, text);
  }

  std::string tabs_text() const {
    std::string text;
    if (additions_.leading)
      text = fmt::format("<a href=\"#{}\">{}</a>", additions_.leading->id(), additions_.leading->title());
    text += "<a href=\"#hot\">Hot paths</a>";
    if (!ranking_.sequences.empty())
      text += "<a href=\"#sequences\">Sequences</a>";
    return text + "<a href=\"#functions\">Functions</a>";
  }

  std::string summary_text() const {
    ExecutedFunctions executed = executed_functions(view_.profile, unfinished_of(view_.profile));
    std::string basis;
    for (const std::string &line : basis_text(ranking_.basis, ranking_.weight))
      basis += " " + escape(line) + ".";
    if (std::string counted = counted_text(view_.profile, view_.names); !counted.empty())
      basis += " Counted: " + escape(counted) + ".";
    if (!additions_.hint.empty())
      basis += " " + escape(additions_.hint) + ".";
    return fmt::format("<b>{}</b> {}, {}<b>{}</b> of {} functions executed, <b>{}</b> distinct paths executed "
                       "<b>{}</b> times.{}",
                       grouped(view_.profile.runs), view_.profile.runs == 1 ? "run" : "runs",
                       executed.is_lower_bound ? "at least " : "", grouped(executed.number),
                       grouped(ranking_.functions.size()), grouped(ranking_.num_paths), grouped(ranking_.executions),
                       basis);
  }

  // Returns notes about limitations of the data.
  std::string notes_text() const {
    std::string text;
    auto note = [&](const std::string &what) { text += "<p class=\"note\">" + what + "</p>\n"; };
    for (const RankedFunction &ranked : ranking_.functions)
      if (function_of(ranked).is_pruned)
        note(fmt::format("Path sequences in {} were truncated because the forest was full; set PATHPROF_FOREST_MAX to "
                         "a larger value.",
                         escape(name_of(function_of(ranked)))));
    for (const std::string &warning : warnings_of(view_.profile))
      note("<strong>WARNING</strong>: " + escape(warning) + ".");
    for (const std::string &doubt : view_.sources.doubts())
      note("<strong>WARNING</strong>: " + escape(doubt) + ".");
    note_missing(note, "Source not found", view_.sources.missing(),
                 "use <code>--source-prefix OLD=NEW</code> to specify its new location");
    note_missing(note, "Source not read", view_.sources.unreadable(), "only regular files of up to 64 MiB are read");
    if (additions_.changed)
      note(fmt::format("Lines marked <b>+</b> have changed since {}.", escape(additions_.changed->revision())));
    if (details_.lacks_graphviz())
      note("The page contains no graphs, because Graphviz’s layout “dot” was not available when the page was created.");
    return text;
  }

  template <typename Note>
  static void note_missing(const Note &note, const char *what, const std::vector<const SourceFile *> &files,
                           const char *hint) {
    if (!files.empty())
      note(fmt::format("{}: <code>{}</code>{} ({}).", what, escape(files.front()->shown),
                       files.size() > 1 ? fmt::format(" and {} more", files.size() - 1) : "", hint));
  }

  std::string leading_text() {
    if (!additions_.leading)
      return {};
    return additions_.leading->section(
        {glossary_, view_.formatter, view_.decoder, [&](const HotPath &hot) { return address_of(hot); }});
  }

  std::string hot_text() {
    std::vector<Head> heads = {{"rank", true}, {"share", true}, {"cumul.", true}, {"count", true}};
    if (additions_.leading)
      for (const std::string &term : additions_.leading->columns())
        heads.push_back({term, true});
    if (view_.profile.has_cycles())
      heads.insert(heads.end(), {{"cycles", true}, {"each", true}});
    heads.insert(heads.end(), {{"stmts", true}, {"path", true}, {"from"}, {"to"}, {"function"}});
    std::vector<std::string> codes =
        hottest_lines(ranking_.hottest, [&](const HotPath &hot) { return code_text(hot); });
    if (!codes.empty())
      heads.push_back({"hottest line"});
    heads.push_back({view_.formatter.heading()});
    Table table(glossary_, "Paths by cost", heads);
    uint64_t rank = 0;
    double cumulative = 0;
    std::vector<PathLabel> rows = view_.labels(ranking_.hottest);
    for (; rank < rows.size(); rank++) {
      const HotPath &hot = ranking_.hottest[rank];
      add_hot(table, hot, rows[rank], codes.empty() ? nullptr : &codes[rank], rank + 1,
              cumulative += ranking_.share_of(hot.weight));
    }
    if (ranking_.hottest.empty())
      return "<p>No path was executed.</p>\n";
    std::string more;
    if (ranking_.num_paths > ranking_.hottest.size())
      more = fmt::format(
          "<p class=\"more\">The {} hottest of {} paths; the view of each function lists its own paths.</p>\n", rank,
          grouped(ranking_.num_paths));
    return table.finish() + more;
  }

  // Returns the source text of each row's hottest line. If no row has source text, returns an empty vector, and the
  // table omits the column.
  template <typename Row, typename Code>
  static std::vector<std::string> hottest_lines(const std::vector<Row> &rows, Code code) {
    std::vector<std::string> codes;
    for (const Row &row : rows)
      codes.push_back(code(row));
    bool any = std::any_of(codes.begin(), codes.end(), [](const std::string &text) { return !text.empty(); });
    return any ? codes : std::vector<std::string>();
  }

  // Returns the line number and source text of a path's hottest line.
  std::string code_text(const HotPath &hot) {
    if (hot.is_of_program())
      return code_text(hottest_line(ShownPath(view_.profile, hot.program, hot.id)));
    return code_text(hottest_line(view_.profile.functions[hot.function], view_.decoder.path(hot)));
  }

  std::string code_text(const std::optional<SourceLine> &at) {
    const std::string *text = at ? view_.sources.line(*at->function, at->file, at->line) : nullptr;
    return text ? fmt::format("<b>{}</b> <code>{}</code>", at->line, escape(stripped(*text))) : "";
  }

  void add_hot(Table &table, const HotPath &hot, const PathLabel &row, const std::string *code, uint64_t rank,
               double cumulative) {
    const Function &function = view_.profile.functions[hot.function];
    table.begin_row();
    table.number(rank);
    table.share(ranking_.share_of(hot.weight), ranking_.share_of(ranking_.hottest.front().weight));
    table.number(fmt::format("{:.2f}%", cumulative));
    table.number(hot.count);
    if (additions_.leading)
      for (const std::string &cell : additions_.leading->cells(hot))
        table.number(cell);
    if (view_.profile.has_cycles()) {
      bool is_known = hot.cycles && hot.count;
      table.number(is_known ? grouped(*hot.cycles) : "-");
      table.number(is_known ? fmt::format("{:.1f}", static_cast<double>(*hot.cycles) / static_cast<double>(hot.count))
                            : "-");
    }
    table.number(hot.statements);
    table.number(maybe_link(address_of(hot), digits(hot.id)));
    table.cell(row.start);
    table.cell(row.end);
    bool residual = !hot.is_of_program() && is_residual(function, hot.id);
    table.name(maybe_link(address_of(hot.function), name_of(function)) +
                   (residual ? " <span class=\"tag\">residual</span>" : ""),
               view_.names.location(function));
    if (code)
      table.cell("<div>" + *code + "</div>", "hottest");
    table.cell("<div>" + escape(row.path) + "</div>", "trail");
    table.end_row();
  }

  std::string sequences_text() {
    if (ranking_.sequences.empty())
      return {};
    Table table(glossary_, "Path sequences by executed statements",
                {{"rank", true}, {"share", true}, {"count", true}, {"length", true}, {"function"}, {"sequence"}});
    uint64_t rank = 0;
    for (const Sequence &sequence : ranking_.sequences) {
      const Function &function = view_.profile.functions[sequence.function];
      std::string address = address_of(sequence.function);
      table.begin_row();
      table.number(++rank);
      table.share(ranking_.share_of(sequence), ranking_.share_of(ranking_.sequences.front()));
      table.number(sequence.count);
      table.number(sequence.paths.size());
      table.name(maybe_link(address, name_of(function)), view_.names.location(function));
      table.cell(maybe_link(address.empty() ? "" : fmt::format("{}&q={}", address, rank), ids_text(sequence)) +
                     steps_text(function, sequence),
                 "steps");
      table.end_row();
    }
    return "<section id=\"sequences\" class=\"list\" aria-labelledby=\"sequences-title\">\n<h2 id=\"sequences-title\">"
           "Sequences of paths</h2>\n" +
           table.finish() + "</section>\n";
  }

  std::string steps_text(const Function &function, const Sequence &sequence) {
    std::string text = "<ol>";
    for (const SequenceStep &step : steps_of(sequence)) {
      Path path = *view_.decoder.decoded(sequence.function).regenerate(step.path);
      text += fmt::format("<li><b>{}</b>{} {} → {} <span>{}</span></li>", step.path,
                          step.times > 1 ? fmt::format(" ×{}", step.times) : "", to_string(path.start),
                          to_string(path.end), escape(view_.formatter.shown(function, path)));
    }
    return text + "</ol>";
  }

  std::string functions_text() {
    std::vector<Head> heads = {
        {"share", true}, {"calls", true}, {"executions", true}, {"executed", true}, {"static", true}, {"uncut", true},
        {"mode"},        {"stage"},       {"function"},         {"place"}};
    std::vector<std::string> codes =
        hottest_lines(ranking_.functions, [&](const RankedFunction &ranked) { return code_of(ranked); });
    if (!codes.empty())
      heads.push_back({"hottest line"});
    Table table(glossary_, "Functions by path cost", heads);
    size_t num_detailed = 0;
    for (const RankedFunction &ranked : ranking_.functions) {
      const FunctionNotes &notes = function_of(ranked).notes;
      bool is_cut = notes.num_paths_uncut != num_own_paths(function_of(ranked));
      num_detailed += ranked.is_detailed;
      table.begin_row();
      table.share(ranking_.share_of(ranked.weight), ranking_.share_of(ranking_.functions.front().weight));
      table.number(ranked.calls);
      table.number(ranked.totals.executions);
      table.number(ranked.num_executed);
      table.number(grouped(short_number(num_own_paths(function_of(ranked)))));
      table.number(is_cut ? grouped(short_number(notes.num_paths_uncut)) : "-");
      table.cell(to_string(notes.model.mode) + (notes.model.k > 1 ? fmt::format(" k={}", notes.model.k) : ""));
      table.cell(to_string(notes.stage));
      table.name(maybe_link(address_of(ranked.index), name_of(function_of(ranked))), notes.name);
      table.cell(escape(short_location_of(function_of(ranked))), "place");
      if (!codes.empty())
        table.cell("<div>" + codes[static_cast<size_t>(&ranked - ranking_.functions.data())] + "</div>", "hottest");
      table.end_row();
    }
    return fmt::format("<p class=\"more\">Source and graph are included for the {} hottest of {} functions (see --top "
                       "and -n).</p>\n",
                       grouped(num_detailed), grouped(ranking_.functions.size())) +
           table.finish();
  }

  // Returns the text of the hottest line on the function's hottest path, or an empty string if the function is not
  // shown in detail.
  std::string code_of(const RankedFunction &ranked) {
    if (!ranked.is_detailed || ranked.paths.empty() || ranked.paths.front().is_of_program())
      return {};
    return code_text(ranked.paths.front());
  }

  std::string left_out_text() {
    if (ranking_.left_out.empty())
      return {};
    Table table(glossary_, "Functions that are not counted", {{"function"}, {"place"}, {"reason"}});
    for (const Function *function : ranking_.left_out) {
      table.begin_row();
      table.name(escape(name_of(*function)), function->notes.name);
      table.cell(escape(short_location_of(*function)), "place");
      table.cell(escape(why_left_out(*function)));
      table.end_row();
    }
    return "<h2>Functions left out</h2>\n" + table.finish();
  }

  static std::string block(const std::string &kind, const std::string &key, const Json &json) {
    return fmt::format("<script type=\"application/octet-stream\" data-kind=\"{}\" data-key=\"{}\">{}</script>\n", kind,
                       url_encode(key), packed(json));
  }

  std::string data_text() {
    std::string text;
    std::map<size_t, std::set<WideNumber>> of_program;
    auto note = [&](const HotPath &hot) {
      if (hot.is_of_program())
        of_program[hot.program].insert(hot.id);
    };
    for (const RankedFunction &ranked : ranking_.functions) {
      if (!ranked.is_detailed)
        continue;
      Json json = details_.function(ranked);
      coverage_.add(json, ranked);
      if (additions_.leading)
        additions_.leading->add(json, ranked);
      has_prime_ |= json.contains("prime");
      text += block("function", ranked.key, json);
      std::for_each(ranked.paths.begin(), ranked.paths.end(), note);
    }
    std::for_each(ranking_.hottest.begin(), ranking_.hottest.end(), note);
    if (additions_.leading)
      additions_.leading->note_programs(of_program);
    for (const auto &[unit, ids] : of_program)
      text += block("unit", std::to_string(unit), details_.program(unit, ids));
    if (additions_.leading)
      for (const PackedData &data : additions_.leading->data(files_))
        text += block(data.kind, data.key, data.json);
    for (size_t file = 0; file < files_.size(); file++)
      text += block("file", std::to_string(file), files_.json(file));
    return text;
  }

  Names names_;
  ProfileView view_;
  Ranking ranking_;
  SourceFiles files_;
  const Additions &additions_;
  Details details_;
  Coverage coverage_;
  Glossary glossary_;
  std::string title_;
  bool has_prime_ = false;                          // true if a detailed function has prime paths
  std::map<size_t, const RankedFunction *> ranked_; // by index in the profile
};

} // namespace

void print_page(const Profile &profile, const std::string &file, const CommonOptions &options, const Limits &limits,
                const Additions &additions, Output &out) {
  Page(profile, file, options, limits, additions).print(out);
}

} // namespace pathprof::html
