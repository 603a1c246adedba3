// SPDX-License-Identifier: GPL-3.0-or-later
// Exports coverage in Cobertura's XML format (coverage-04.dtd).
#include <sstream>

#include <pugixml.hpp>

#include "pathdump/coverage/covered.h"
#include "pathdump/export/exports.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

namespace {

// Number of lines, executed lines, branch edges and executed branch edges.
struct Sums {
  size_t lines = 0, lines_run = 0, edges = 0, edges_taken = 0;

  void add(const Sums &other) {
    lines += other.lines;
    lines_run += other.lines_run;
    edges += other.edges;
    edges_taken += other.edges_taken;
  }
};

Sums sums_of(const CoveredFile &covered) {
  return {covered.lines.size(), covered.num_lines_run(), covered.num_edges(), covered.num_edges_taken()};
}

// Returns the fraction part/whole, or 1 if `whole` is 0. The fraction is rounded down, so that it is 1 only if `part`
// and `whole` are equal.
std::string rate(size_t part, size_t whole) {
  static constexpr size_t kScale = 10000;
  size_t scaled = whole ? part * kScale / whole : kScale;
  return fmt::format("{}.{:04}", scaled / kScale, scaled % kScale);
}

void set(pugi::xml_node node, const char *name, const std::string &value) {
  node.append_attribute(name) = value.c_str();
}

void set_rates(pugi::xml_node node, const Sums &sums) {
  set(node, "line-rate", rate(sums.lines_run, sums.lines));
  set(node, "branch-rate", rate(sums.edges_taken, sums.edges));
  set(node, "complexity", "0");
}

std::string share_text(size_t part, size_t whole) {
  return fmt::format("{}% ({}/{})", whole ? part * 100 / whole : 100, part, whole);
}

void add_branches(pugi::xml_node line, pugi::xml_node conditions, const std::vector<CoveredBranch> &branches) {
  for (size_t i = 0; i < branches.size(); i++) {
    const CoveredBranch &branch = branches[i];
    pugi::xml_node condition = conditions.append_child("condition");
    set(condition, "number", std::to_string(i));
    set(condition, "type", branch.taken.size() == 2 ? "jump" : "switch");
    set(condition, "coverage", fmt::format("{}%", branch.num_taken() * 100 / branch.taken.size()));
  }
  set(line, "condition-coverage", share_text(num_edges_taken(branches), num_edges(branches)));
}

// Adds a <line> element. `branches` and `decisions` are null if the line contains no branches or decisions.
void add_line(pugi::xml_node lines, uint32_t number, uint64_t count, const std::vector<CoveredBranch> *branches,
              const std::vector<CoveredDecision> *decisions) {
  pugi::xml_node line = lines.append_child("line");
  set(line, "number", std::to_string(number));
  set(line, "hits", std::to_string(count));
  set(line, "branch", branches ? "true" : "false");
  if (!branches && !decisions)
    return;
  pugi::xml_node conditions = line.append_child("conditions");
  if (branches)
    add_branches(line, conditions, *branches);
  size_t number_of_condition = branches ? branches->size() : 0;
  for (const CoveredDecision &decision : decisions ? *decisions : std::vector<CoveredDecision>())
    for (const std::array<bool, 2> &shows_effect : decision.shows_effect) {
      pugi::xml_node condition = conditions.append_child("condition");
      set(condition, "number", std::to_string(number_of_condition++));
      set(condition, "type", "mcdc");
      set(condition, "coverage", fmt::format("{}%", 50 * (int{shows_effect[0]} + int{shows_effect[1]})));
    }
}

// Adds a <line> element for each line in `counts`, which contains lines of the file `covered`.
void add_lines(pugi::xml_node lines, const std::map<uint32_t, uint64_t> &counts, const CoveredFile &covered,
               const std::map<uint32_t, std::vector<CoveredBranch>> &all_branches) {
  for (const auto &[number, count] : counts) {
    auto branches = all_branches.find(number);
    auto decisions = covered.decisions.find(number);
    add_line(lines, number, count, branches == all_branches.end() ? nullptr : &branches->second,
             decisions == covered.decisions.end() ? nullptr : &decisions->second);
  }
}

// Adds a <method> element for each function of a file, with the lines of the function's body.
void add_methods(pugi::xml_node methods, const CoveredFile &covered) {
  for (const CoveredFunction &function : covered.functions) {
    CoveredFile body; // only its lines and branches
    body.lines = function.lines;
    for (const auto &[line, branches] : function.shares_line ? function.branches : covered.branches)
      if (function.lines.count(line))
        body.branches[line] = branches;
    pugi::xml_node method = methods.append_child("method");
    set(method, "name", function.name);
    set(method, "signature", "");
    set_rates(method, sums_of(body));
    add_lines(method.append_child("lines"), body.lines, covered, body.branches);
  }
}

void add_class(pugi::xml_node classes, const std::string &name, const CoveredFile &covered) {
  pugi::xml_node node = classes.append_child("class");
  set(node, "name", name.substr(name.rfind('/') + 1));
  set(node, "filename", name);
  set_rates(node, sums_of(covered));
  add_methods(node.append_child("methods"), covered);
  add_lines(node.append_child("lines"), covered.lines, covered, covered.branches);
}

// Returns the directory of a file: "src/util" for "src/util/a.c", "." for "a.c".
std::string folder_of(const std::string &name) {
  size_t slash = name.rfind('/');
  return slash == std::string::npos ? "." : name.substr(0, slash);
}

pugi::xml_node add_root(pugi::xml_document &document, const Sums &total) {
  document.append_child(pugi::node_doctype)
      .set_value("coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\"");
  pugi::xml_node root = document.append_child("coverage");
  set(root, "line-rate", rate(total.lines_run, total.lines));
  set(root, "branch-rate", rate(total.edges_taken, total.edges));
  set(root, "lines-covered", std::to_string(total.lines_run));
  set(root, "lines-valid", std::to_string(total.lines));
  set(root, "branches-covered", std::to_string(total.edges_taken));
  set(root, "branches-valid", std::to_string(total.edges));
  set(root, "complexity", "0");
  set(root, "version", "pathprof " PACKAGE_VERSION);
  set(root, "timestamp", "0"); // a constant, to keep the output reproducible
  root.append_child("sources").append_child("source").text() = ".";
  return root;
}

} // namespace

void export_cobertura(const Profile &profile, const CoveredFiles &files, Output &out) {
  std::map<std::string, std::vector<std::pair<std::string, const CoveredFile *>>> folders;
  Sums total;
  for (const auto &[name, covered] : files) {
    total.add(sums_of(covered));
    folders[folder_of(name)].emplace_back(name, &covered);
  }
  pugi::xml_document document;
  for (const std::string &warning : warnings_of(profile))
    document.append_child(pugi::node_comment).set_value((" WARNING: " + warning + " ").c_str());
  pugi::xml_node packages = add_root(document, total).append_child("packages");
  for (const auto &[folder, members] : folders) {
    pugi::xml_node package = packages.append_child("package");
    Sums sums;
    for (const auto &[name, covered] : members)
      sums.add(sums_of(*covered));
    set(package, "name", folder);
    set_rates(package, sums);
    pugi::xml_node classes = package.append_child("classes");
    for (const auto &[name, covered] : members)
      add_class(classes, name, *covered);
  }
  std::ostringstream text;
  document.save(text, " ", pugi::format_default, pugi::encoding_utf8);
  out.write(text.str());
}

} // namespace pathprof
