// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the manifest of coverage evidence as an HTML page.
#include "pathdump/coverage/evidence_page.h"

#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

namespace pathprof {

namespace {

constexpr const char *kStyle = "body{font:14px sans-serif;margin:2em;max-width:80em}"
                               "table{border-collapse:collapse;margin:.5em 0}"
                               "th,td{border:1px solid #bbb;padding:.2em .6em;text-align:left;vertical-align:top}"
                               "th{background:#eee}.passed{color:#060}.failed{color:#a00}";

class Page {
public:
  Page() {
    document_.append_child(pugi::node_doctype).set_value("html");
    pugi::xml_node html = document_.append_child("html");
    html.append_attribute("lang") = "en";
    pugi::xml_node head = html.append_child("head");
    head.append_child("meta").append_attribute("charset") = "utf-8";
    head.append_child("title").text() = "Coverage evidence";
    head.append_child("style").text() = kStyle;
    body_ = html.append_child("body");
  }

  void add(const char *element, const std::string &text, const char *style = "") {
    pugi::xml_node node = body_.append_child(element);
    node.text() = text.c_str();
    if (*style)
      node.append_attribute("class") = style;
  }

  // A column of a table. If `is_link` is set, each cell is a link to the file that its text names.
  struct Column {
    const char *heading, *key;
    bool is_link = false;
    const char *if_null = "not known";
  };
  // Adds a section with a table that has one row per element of the list.
  void add_table(const char *heading, const Json &list, const std::vector<Column> &columns) {
    add("h2", heading);
    if (list.empty())
      return add("p", "none");
    pugi::xml_node table = body_.append_child("table"), row = table.append_child("tr");
    for (const Column &column : columns)
      row.append_child("th").text() = column.heading;
    for (const Json &element : list) {
      row = table.append_child("tr");
      for (const Column &column : columns)
        add_cell(row, column, element.is_object() ? element.value(column.key, Json()) : element);
    }
  }

  std::string text() const {
    std::ostringstream text;
    document_.save(text, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
    return text.str() + "\n";
  }

private:
  static void add_cell(pugi::xml_node row, const Column &column, const Json &value) {
    pugi::xml_node cell = row.append_child("td");
    std::string text = value.is_null() ? column.if_null : text_of(value);
    if (column.is_link) {
      cell = cell.append_child("a");
      cell.append_attribute("href") = text.c_str();
    }
    cell.text() = text.c_str();
  }

  static std::string text_of(const Json &value) {
    if (value.is_null())
      return "not known";
    if (value.is_string())
      return value;
    if (value.is_array()) {
      std::string text;
      for (const Json &element : value)
        text += (text.empty() ? "" : ", ") + text_of(element);
      return text;
    }
    if (value.is_object() && value.contains("total")) // covered and all items
      return text_of_tally(value);
    if (value.is_object()) {
      std::string text;
      for (const auto &[key, element] : value.items())
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", key, text_of(element));
      return text;
    }
    return value.dump();
  }

  static std::string text_of_tally(const Json &tally) {
    if (tally["total"] == 0)
      return "none";
    std::string text = fmt::format("{}/{}", text_of(tally["covered"]), text_of(tally["total"]));
    if (tally["justified"] != 0)
      text += fmt::format(" and {} justified", text_of(tally["justified"]));
    return text;
  }

  pugi::xml_document document_;
  pugi::xml_node body_;
};

} // namespace

std::string evidence_page(const Json &manifest) {
  Page page;
  std::string program = manifest["program"]; // empty if the profile contains the runs of several programs
  page.add("h1", program.empty() ? "Coverage evidence" : "Coverage evidence of " + program);
  bool has_passed = manifest["verdict"]["passed"];
  page.add("p", has_passed ? "Verdict: passed" : "Verdict: failed", has_passed ? "passed" : "failed");
  for (const Json &reason : manifest["verdict"]["reasons"])
    page.add("p", reason);
  page.add("p",
           fmt::format("Produced by {} {} from a profile of {} runs (SHA-256 {}). All data is in manifest.json and in "
                       "the files to which this page refers; SHA256SUMS contains their checksums.",
                       manifest["tool"].get<std::string>(), manifest["version"].get<std::string>(),
                       manifest["runs"].dump(), manifest["profile"]["sha256"].get<std::string>()));
  page.add_table("Coverage", manifest["summary"],
                 {{"file", "file"},
                  {"lines", "lines"},
                  {"branch outcomes", "branches"},
                  {"functions", "functions"},
                  {"conditions (masking MC/DC)", "conditions", false, "none measured"},
                  {"paths", "paths"},
                  {"excluded", "excluded"}});
  page.add_table("Thresholds, in per cent (0: none)", Json::array({manifest["thresholds"]}),
                 {{"lines", "lines"},
                  {"branch outcomes", "branches"},
                  {"functions", "functions"},
                  {"conditions", "conditions"},
                  {"paths", "paths"},
                  {"prime paths", "prime_paths"},
                  {"justified items are accepted", "accept_justified"}});
  page.add_table("Justified code", manifest["justifications"],
                 {{"place", "place"},
                  {"reason", "reason"},
                  {"author", "author"},
                  {"ticket", "ticket"},
                  {"lines", "lines"},
                  {"branch outcomes", "branches"},
                  {"functions", "functions"},
                  {"conditions", "conditions"},
                  {"paths", "paths"},
                  {"fault", "fault", false, "none"}});
  page.add_table("What is not measured", manifest["not_measured"],
                 {{"place", "place"}, {"what", "what"}, {"reason", "reason"}});
  page.add_table("Warnings", manifest["warnings"], {{"warning", ""}});
  page.add_table("Tests", manifest["tests"],
                 {{"name", "name"}, {"runs", "runs"}, {"executed paths", "paths"}, {"result", "result"}});
  page.add_table("Requirements", manifest["requirements"],
                 {{"requirement", "requirement"}, {"tests", "tests"}, {"executed paths", "paths"}});
  page.add_table(
      "Builds", manifest["builds"],
      {{"compiler (GCC)", "compiler"}, {"target", "target"}, {"options", "options"}, {"compiled files", "units"}});
  page.add_table("Tools", manifest["tools"], {{"file", "file"}, {"SHA-256", "sha256"}});
  page.add_table("Executed programs and shared objects", manifest["modules"],
                 {{"name", "name"}, {"build ID", "build_id"}});
  page.add_table("Object files whose code is expected", manifest["objects"], {{"file", "file"}, {"SHA-256", "sha256"}});
  page.add_table("Source files", manifest["sources"], {{"file", "file"}, {"state", "state"}, {"SHA-256", "sha256"}});
  page.add_table("Functions", manifest["functions"],
                 {{"function", "name"}, {"file", "file"}, {"line", "line"}, {"data", "evidence", true}});
  return page.text();
}

} // namespace pathprof
