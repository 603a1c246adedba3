// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump stats`: prints the figures of Tables 1 and 2 of Ball and Larus (1996): the number and length of
// executed paths, the cost of counting, and the prediction by an edge profile.  With mode=kipf, prints the forest
// sizes.
#include <algorithm>

#include "core/analysis/edge_profile.h"
#include "core/analysis/prediction.h"
#include "pathdump/commands/commands.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/lines.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  uint64_t limit = 20;
};

// Path lengths, in edges and in statements: the maximum length, and the sum of lengths over all path executions.
struct Lengths {
  uint64_t longest_edges = 0, longest_statements = 0;
  Weight edges = 0, statements = 0;

  void see(uint64_t path_edges, uint64_t path_statements, uint64_t count) {
    longest_edges = std::max(longest_edges, path_edges);
    longest_statements = std::max(longest_statements, path_statements);
    edges += static_cast<Weight>(path_edges) * count;
    statements += static_cast<Weight>(path_statements) * count;
  }

  void add(const Lengths &other) {
    longest_edges = std::max(longest_edges, other.longest_edges);
    longest_statements = std::max(longest_statements, other.longest_statements);
    edges += other.edges;
    statements += other.statements;
  }
};

// Sizes of the two forests of D'Elia and Demetrescu (2013), for mode=kipf.  `slab_nodes` is the number of nodes in the
// k-slab forest that have a count or a descendant with a count.  `inner_slab_nodes` is the number of these nodes that
// have children.  `sequences` is the number of nodes in the k-iteration path forest, which has one node per executed
// sequence of up to k paths.
struct ForestSize {
  uint64_t slab_nodes = 0, inner_slab_nodes = 0, sequences = 0;

  void add(const ForestSize &other) {
    slab_nodes += other.slab_nodes;
    inner_slab_nodes += other.inner_slab_nodes;
    sequences += other.sequences;
  }
};

struct Figures {
  uint64_t paths = 0;         // number of executed paths
  Weight executions = 0;      // executions of these paths, each of which increments a counter
  Weight hashed = 0;          // executions that are counted in hash tables
  Weight edge_increments = 0; // increments that an edge profile would have needed
  uint64_t correct = 0;       // number of paths that an edge profile predicts completely
  Weight correct_executions = 0;
  Lengths measured, predicted; // `predicted`: lengths up to the first mispredicted edge
  Mispredictions missed;
  ForestSize forest;

  void add(const Figures &other) {
    paths += other.paths;
    executions += other.executions;
    hashed += other.hashed;
    edge_increments += other.edge_increments;
    correct += other.correct;
    correct_executions += other.correct_executions;
    measured.add(other.measured);
    predicted.add(other.predicted);
    missed.add(other.missed);
    forest.add(other.forest);
  }
};

struct Row {
  const Function *function;
  Figures figures;
  Weight weight; // key by which rows are ranked
};

// Figures for a unit's interprocedural paths.  The length of these paths in edges is not computed, and the paths are
// not compared with an edge profile.
struct UnitRow {
  const InterproceduralUnit *unit;
  uint64_t paths = 0;
  Weight executions = 0, statements = 0;
  uint64_t longest_statements = 0;
};

struct Stats {
  std::vector<Row> rows; // one per executed function
  std::vector<UnitRow> units;
  Figures total;
  uint64_t most_paths = 0; // maximum number of executed paths in one function
  Basis basis;
};

// Counts the nodes that a k-iteration path forest would have, without building the forest.
class SequenceCounter : public PrefixVisitor {
public:
  bool enter(uint64_t, uint64_t, const std::vector<uint32_t> &) override {
    number_++;
    return true;
  }
  void leave() override {}
  uint64_t number() const { return number_; }

private:
  uint64_t number_ = 0;
};

ForestSize forest_size(const Function &function) {
  if (function.forest.empty())
    return {};
  std::vector<bool> has_children(function.forest.size());
  for (const ForestNode &node : function.forest)
    if (node.parent != ForestNode::kNone)
      has_children[node.parent] = true;
  SequenceCounter sequences;
  walk_prefix_forest(function.forest, function.notes.model.k, sequences);
  return {function.forest.size(), static_cast<uint64_t>(std::count(has_children.begin(), has_children.end(), true)),
          sequences.number()};
}

Figures figures_of(const Function &function, const Decoded &decoded, uint64_t calls) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<uint64_t> traversals = count_edges(function, decoded);
  EdgePredictor edges(graph, traversals);
  BranchPredictor branches(graph);
  Figures figures;
  for (const ExecutedPath &executed : function.paths) {
    if (executed.count == 0)
      continue;
    Path path = *decoded.regenerate(executed.id);
    EdgePredictor::Prediction predicted = edges.follow(path);
    Path beginning = path;
    beginning.blocks.resize(std::min(path.blocks.size(), path.context_blocks + predicted.edges + 1));
    figures.paths++;
    figures.executions += executed.count;
    figures.measured.see(path.edges.size() - path.context_edges, statements_of(function, path), executed.count);
    figures.predicted.see(predicted.edges, statements_of(function, beginning), executed.count);
    figures.correct += predicted.is_correct;
    figures.correct_executions += predicted.is_correct ? executed.count : 0;
    branches.add(path, executed.count);
  }
  for (const ExecutedPath &executed : function.cut_short)
    if (executed.count)
      branches.add(*decoded.regenerate(executed.id), executed.count);
  figures.hashed = function.notes.storage == PATHPROF_STORAGE_TABLE ? figures.executions : 0;
  figures.edge_increments = edge_increments(graph, traversals, calls);
  for (const auto &[block, missed] : branches.branches())
    figures.missed.add(missed);
  figures.forest = forest_size(function);
  return figures;
}

Stats measure(const Profile &profile, const std::string &file, const Names &names) {
  Stats stats;
  stats.basis = basis_of(profile);
  Progress progress(profile.functions.size(), "functions");
  for (const Function &function : profile.functions) {
    progress.advance();
    if (is_left_out(function) || function.in_program || !names.selects(function))
      continue;
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    Totals totals = totals_of(function, *decoded);
    Weight weight = stats.basis.by_cycles ? Weight{cycles_of(function)} : totals.statements;
    Figures figures = figures_of(function, *decoded, totals.calls);
    if (figures.paths == 0)
      continue;
    stats.total.add(figures);
    stats.most_paths = std::max(stats.most_paths, figures.paths);
    stats.rows.push_back({&function, figures, weight});
  }
  std::stable_sort(stats.rows.begin(), stats.rows.end(),
                   [](const Row &a, const Row &b) { return a.weight > b.weight; });
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++) {
    UnitRow row{&profile.interprocedural_units[i]};
    for_each_path(profile, i, [&](const HotPath &hot, const ShownPath &path) {
      if (hot.count == 0 || !path.is_selected(names))
        return;
      row.paths++;
      row.executions += hot.count;
      row.statements += hot.weight;
      row.longest_statements = std::max(row.longest_statements, hot.statements);
    });
    if (row.paths)
      stats.units.push_back(row);
  }
  return stats;
}

double ratio(Weight part, Weight whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}
std::string share(Weight part, Weight whole) {
  return fmt::format("{:.1f}%", 100 * ratio(part, whole));
}
std::string mean(Weight sum, Weight number) {
  return fmt::format("{:.1f}", ratio(sum, number));
}

class Printer {
public:
  Printer(const Profile &profile, const Stats &stats, const Names &names, Output &out)
      : profile_(profile), stats_(stats), names_(names), out_(out) {}

  void print(const std::string &program, uint64_t limit) const {
    if (!stats_.rows.empty()) {
      print_summary(program);
      print_forests();
      out_.write("\n");
      print_functions(limit);
    }
    for (const UnitRow &row : stats_.units)
      out_.print("{}: {} executed {} times; mean length {} statements, maximum {}\n", name_of(*row.unit, names_),
                 plural(row.paths, "path"), digits(row.executions), mean(row.statements, row.executions),
                 row.longest_statements);
    if (stats_.rows.empty() && stats_.units.empty())
      out_.write("No path was executed.\n");
  }

private:
  void print_summary(const std::string &program) const {
    const Figures &all = stats_.total;
    out_.print("{}: {} executed in {}: mean {:.1f} per function, maximum {}\n", program, plural(all.paths, "path"),
               plural(stats_.rows.size(), "function"), ratio(all.paths, stats_.rows.size()), stats_.most_paths);
    print_counted(profile_, names_, out_);
    out_.write("\n");
    out_.print("path counter increments        {}, {} in hash tables; {} statements per increment\n",
               digits(all.executions), share(all.hashed, all.executions),
               mean(all.measured.statements, all.executions));
    out_.print("edge counter increments        {:.2f} per path counter increment (in an edge profile)\n",
               ratio(all.edge_increments, all.executions));
    out_.print("mean path length               {} edges, {} statements (maximum {} and {})\n",
               mean(all.measured.edges, all.executions), mean(all.measured.statements, all.executions),
               all.measured.longest_edges, all.measured.longest_statements);
    out_.print("mean length of predicted part  {} edges, {} statements (maximum {} and {})\n",
               mean(all.predicted.edges, all.executions), mean(all.predicted.statements, all.executions),
               all.predicted.longest_edges, all.predicted.longest_statements);
    out_.print("paths predicted completely     {} of the paths, {} of the executions\n", share(all.correct, all.paths),
               share(all.correct_executions, all.executions));
    out_.print("branches predicted             {} of {} by edges, {} by paths\n",
               share(all.missed.executions - all.missed.by_edges, all.missed.executions), all.missed.executions,
               share(all.missed.executions - all.missed.by_paths, all.missed.executions));
  }

  void print_forests() const {
    const ForestSize &forest = stats_.total.forest;
    if (forest.slab_nodes)
      out_.print("sequences of up to k paths     {}, derived from {} of slab forests; {:.2f} children per inner node\n",
                 digits(forest.sequences), plural(forest.slab_nodes, "node"),
                 ratio(forest.slab_nodes, forest.inner_slab_nodes));
  }

  // Explains the columns whose headings are not self-explanatory.
  void print_columns() const {
    print_basis(stats_.basis, std::nullopt, out_);
    print_remark("length: mean numbers of edges and statements per path execution; longest: the largest numbers", out_);
    print_remark("edges predict: mean numbers of edges and statements that edge counts predict; "
                 "whole: share of paths predicted completely",
                 out_);
    print_remark("branches by edges, by paths: shares of branch executions that edge counts and path counts predict",
                 out_);
    out_.write("\n");
  }

  void print_functions(uint64_t limit) const {
    print_columns();
    Table table({{"paths", true},
                 {"count", true},
                 {"length", true},
                 {"longest", true},
                 {"edges predict", true},
                 {"whole", true, Colour::Hot},
                 {"branches by edges", true},
                 {"by paths", true, Colour::Hot},
                 {"function", false, Colour::Name, 40},
                 {"place", false, Colour::Place}});
    size_t num = limit ? std::min<size_t>(limit, stats_.rows.size()) : stats_.rows.size();
    for (size_t i = 0; i < num; i++) {
      const Figures &figures = stats_.rows[i].figures;
      const Function &function = *stats_.rows[i].function;
      uint64_t branches = figures.missed.executions;
      table.add({std::to_string(figures.paths), digits(figures.executions),
                 fmt::format("{}, {}", mean(figures.measured.edges, figures.executions),
                             mean(figures.measured.statements, figures.executions)),
                 fmt::format("{}, {}", figures.measured.longest_edges, figures.measured.longest_statements),
                 fmt::format("{}, {}", mean(figures.predicted.edges, figures.executions),
                             mean(figures.predicted.statements, figures.executions)),
                 share(figures.correct, figures.paths),
                 branches ? share(branches - figures.missed.by_edges, branches) : "-",
                 branches ? share(branches - figures.missed.by_paths, branches) : "-",
                 names_.function(function.notes.name), names_.location(function)});
    }
    table.print(out_);
    if (num < stats_.rows.size())
      out_.print("... and {} (-n 0 shows all)\n", plural(stats_.rows.size() - num, "more function"));
  }

  const Profile &profile_;
  const Stats &stats_;
  const Names &names_;
  Output &out_;
};

Json lengths_json(const Lengths &lengths, Weight executions) {
  return {{"edges", ratio(lengths.edges, executions)},
          {"statements", ratio(lengths.statements, executions)},
          {"longest_edges", lengths.longest_edges},
          {"longest_statements", lengths.longest_statements}};
}

Json amount_json(Weight number) {
  return number > UINT64_MAX ? Json(digits(number)) : count_json(static_cast<uint64_t>(number));
}

Json figures_json(const Figures &figures) {
  Json json = {{"paths", figures.paths},
               {"executions", amount_json(figures.executions)},
               {"hashed", amount_json(figures.hashed)},
               {"edge_increments", amount_json(figures.edge_increments)},
               {"length", lengths_json(figures.measured, figures.executions)},
               {"predicted", lengths_json(figures.predicted, figures.executions)},
               {"paths_predicted", figures.correct},
               {"executions_predicted", amount_json(figures.correct_executions)},
               {"branches", count_json(figures.missed.executions)},
               {"missed_by_edges", count_json(figures.missed.by_edges)},
               {"missed_by_paths", count_json(figures.missed.by_paths)}};
  if (const ForestSize &forest = figures.forest; forest.slab_nodes)
    json["forest"] = {{"slab_nodes", forest.slab_nodes},
                      {"inner_slab_nodes", forest.inner_slab_nodes},
                      {"sequences", forest.sequences}};
  return json;
}

// Returns the figures for the first `limit` functions (0: all) and for interprocedural units, together with the totals.
Json stats_json(const Profile &profile, const Stats &stats, uint64_t limit, const Names &names) {
  Json functions = Json::array(), programs = Json::array();
  for (const Row &row : stats.rows) {
    if (limit && functions.size() == limit)
      break;
    Json json = {{"name", row.function->notes.name},
                 {"demangled", names.full(row.function->notes.name)},
                 {"file", names.file(row.function->file)},
                 {"line", row.function->notes.line}};
    json.update(figures_json(row.figures));
    functions.push_back(std::move(json));
  }
  for (const UnitRow &row : stats.units)
    programs.push_back({{"unit", unit_of(profile, *row.unit, names)},
                        {"mode", to_string(row.unit->mode)},
                        {"paths", row.paths},
                        {"executions", amount_json(row.executions)},
                        {"statements", ratio(row.statements, row.executions)},
                        {"longest_statements", row.longest_statements}});
  Json total = figures_json(stats.total);
  total["functions"] = stats.rows.size();
  total["most_paths"] = stats.most_paths;
  Json json = {{"counted", counted_json(profile, names)}};
  add_basis(json, stats.basis);
  json.update({{"total", std::move(total)}, {"functions", std::move(functions)}, {"programs", std::move(programs)}});
  return json;
}

int run(const Options &options) {
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options, {&profile});
  Stats stats = measure(profile, file, names);
  Output out(options);
  if (options.json)
    out.print("{}\n", dump_indented(stats_json(profile, stats, options.limit, names)));
  else
    Printer(profile, stats, names, out).print(title_of(profile, file), options.limit);
  out.commit();
  return status_of_selection(options, names, profile, file);
}

} // namespace

Run declare_stats(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_number_option(command, options->limit, "print at most N functions (default 20, or all with --json; 0: all)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions);
  return [options, command] {
    if (options->json && !command.has("--number"))
      options->limit = 0;
    return run(*options);
  };
}

} // namespace pathprof
