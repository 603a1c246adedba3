// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the argument `interesting` and the attribute pathprof_interesting, and selects the interesting paths of
// functions.
#include "plugin/options/interesting.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "profile/format/image.h"
#include "profile/model/plugin_arguments.h"
#include "profile/model/source_names.h"
#include "profile/model/visible.h"

#include "plugin/gcc/file_table.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/statements.h"
#include "plugin/options/mismatch.h"

namespace pathprof {

// ---- the argument's value ----

static bool read_whole_number(const std::string &text, uint64_t most, uint64_t &number) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 19)
    return false;
  number = std::stoull(text);
  return number <= most;
}

// Reads "17" or "17-20".
static bool read_range(const std::string &text, uint64_t most, uint64_t &first, uint64_t &last) {
  size_t dash = text.find('-');
  if (!read_whole_number(text.substr(0, dash), most, first))
    return false;
  last = first;
  return dash == std::string::npos || (read_whole_number(text.substr(dash + 1), most, last) && first <= last);
}

static bool read_share(const std::string &text, double &share) {
  char *end;
  share = strtod(text.c_str(), &end);
  return !text.empty() && (ISDIGIT(text[0]) || text[0] == '.') && *end == '\0' && share > 0 && share <= 1;
}

// Reads one item of the argument. SOURCE:LINE-LINE selects lines of a source file, and PROFILE@SHARE selects the
// hottest paths of a profile.
static bool read_item(const std::string &item, InterestingItems &items) {
  if (item.empty() || item == "-")
    return false;
  if (item == "annotated")
    return true;
  size_t colon = item.rfind(':'), at = item.rfind('@');
  bool are_lines = colon != std::string::npos && colon > 0 && colon + 1 < item.size() &&
                   item.find_first_not_of("0123456789-", colon + 1) == std::string::npos;
  if (are_lines) {
    uint64_t first, last;
    if (!read_range(item.substr(colon + 1), UINT32_MAX, first, last) || first == 0)
      return false;
    items.lines.push_back({item.substr(0, colon), static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    return true;
  }
  bool is_share =
      at != std::string::npos && at > 0 && at + 1 < item.size() && (ISDIGIT(item[at + 1]) || item[at + 1] == '.');
  double share = 1;
  if (is_share && !read_share(item.substr(at + 1), share))
    return false;
  items.files.push_back(
      {item.substr(0, is_share ? at : std::string::npos), is_share ? std::optional<double>(share) : std::nullopt});
  return true;
}

bool InterestingItems::read(const char *text, InterestingItems &items) {
  items = {};
  std::string list = text;
  for (size_t start = 0, comma = 0; comma != std::string::npos; start = comma + 1) {
    comma = list.find(',', start);
    if (!read_item(list.substr(start, comma == std::string::npos ? comma : comma - start), items))
      return false;
  }
  return true;
}

// ---- reading files ----

static bool is_profile(const FileBytes &bytes) {
  size_t size = std::min<size_t>(bytes.size(), PATHPROF_MAGIC_SIZE);
  return size > 0 && memcmp(bytes.data(), PATHPROF_MAGIC, size) == 0;
}

// Returns true if the function has acyclic paths, which are identified by Ball-Larus IDs.
static bool has_acyclic_paths(const Function &function) {
  return model_of(function.notes.model).has(Feature::AcyclicPaths);
}

static void tell_accepted() {
  inform(UNKNOWN_LOCATION, "pathprof: argument %qs: expected %s", "interesting", plugin_argument("interesting").values);
}

static bool check_paths(const InputProfile &profile) {
  const std::vector<Function> &functions = profile.functions();
  if (functions.empty() || std::any_of(functions.begin(), functions.end(), has_acyclic_paths))
    return true;
  error_at(
      UNKNOWN_LOCATION,
      "pathprof: argument %qs: %s was collected with %<mode=%s%>, but %<mode=preferential%> requires acyclic paths; "
      "collect a profile with %<mode=acyclic%>",
      "interesting", profile.name().c_str(), to_string(functions.front().notes.model.mode));
  return false;
}

std::shared_ptr<const InterestingPaths> InterestingPaths::open(const InterestingItems &items,
                                                               std::optional<Stage> stage) {
  auto paths = std::make_shared<InterestingPaths>();
  paths->lines_ = items.lines;
  for (const InterestingItems::File &file : items.files) {
    LoadError wrong;
    std::optional<FileBytes> bytes = FileBytes::open(file.name, &wrong, Accept::Regular);
    bool ok = bytes.has_value();
    if (!ok)
      error_at(UNKNOWN_LOCATION, "pathprof: argument %qs: %s", "interesting", wrong.message().c_str());
    else if (is_profile(*bytes)) {
      FromProfile from{InputProfile::open("interesting", file.name, stage), file.share.has_value(), {}};
      ok = from.profile && check_paths(*from.profile);
      if (ok && file.share)
        paths->choose_hot(from, *file.share);
      paths->profiles_.push_back(std::move(from));
    } else if (file.share) {
      error_at(UNKNOWN_LOCATION,
               "pathprof: argument %qs: %s is not a profile; only a profile can be followed by a share of executions",
               "interesting", visible(file.name).c_str());
      ok = false;
    } else {
      ok = paths->read_list(file.name);
    }
    if (!ok) {
      tell_accepted();
      return nullptr;
    }
  }
  return paths;
}

bool InterestingPaths::read_list(const std::string &name) {
  LoadError wrong;
  std::optional<TextFile> file = read_text_file(name, &wrong);
  if (!file) {
    error_at(UNKNOWN_LOCATION, "pathprof: argument %qs: %s", "interesting", wrong.message().c_str());
    return false;
  }
  std::istringstream lines(file->text);
  std::string text;
  bool is_empty = true;
  for (int number = 1; std::getline(lines, text); number++) {
    size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos || text[first] == '#')
      continue;
    if (!read_list_line(visible(name) + ":" + std::to_string(number), text))
      return false;
    is_empty = false;
  }
  if (is_empty)
    error_at(UNKNOWN_LOCATION, "pathprof: argument %qs: %s: no path IDs found", "interesting", visible(name).c_str());
  return !is_empty;
}

bool InterestingPaths::read_list_line(const std::string &where, const std::string &text) {
  constexpr uint64_t most = (uint64_t{1} << 62) - 1;
  FromList line{where, {}, {}};
  std::istringstream words(text);
  words >> line.name;
  std::string wrong;
  for (std::string word; wrong.empty() && words >> word && word.front() != '#';) {
    Range range;
    if (read_range(word, most, range.first, range.last))
      line.ranges.push_back(range);
    else
      wrong = word.substr(0, 40);
  }
  if (!wrong.empty())
    error_at(UNKNOWN_LOCATION, "pathprof: argument %qs: %s: %qs is not a path ID or a range such as %<3-7%>",
             "interesting", where.c_str(), visible(wrong).c_str());
  else if (line.ranges.empty())
    error_at(UNKNOWN_LOCATION,
             "pathprof: argument %qs: %s: %qs is not followed by path IDs; the file is neither a profile nor a list of "
             "path IDs",
             "interesting", where.c_str(), visible(line.name.substr(0, 40)).c_str());
  else
    listed_.push_back(std::move(line));
  return wrong.empty() && !seen_error();
}

// Selects the hottest paths. As in a report, paths are ranked by their total number of executed statements.
void InterestingPaths::choose_hot(FromProfile &from, double share) const {
  struct Hot {
    double weight;
    const Function *function;
    uint64_t id;
  };
  std::vector<Hot> all;
  double sum = 0;
  for (const Function &function : from.profile->functions()) {
    const char *reason;
    std::unique_ptr<Decoded> decoded;
    if (has_acyclic_paths(function) && !function.paths.empty())
      decoded = function.decode(&reason);
    if (!decoded)
      continue;
    for (const ExecutedPath &path : function.paths) {
      double statements = 0;
      const Path walked = *decoded->regenerate(path.id);
      for (int block : walked.blocks)
        statements += function.notes.blocks[static_cast<size_t>(block)].statements;
      all.push_back({static_cast<double>(path.count) * std::max(statements, 1.0), &function, path.id});
      sum += all.back().weight;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Hot &a, const Hot &b) { return a.weight > b.weight; });
  double so_far = 0;
  for (const Hot &hot : all) {
    if (so_far >= share * sum)
      break;
    from.hot[hot.function].insert(hot.id);
    so_far += hot.weight;
  }
}

// ---- a function ----

static location_t here() {
  return DECL_SOURCE_LOCATION(cfun->decl);
}

static bool has_cuts_of(const FlowGraph &graph, const FlowGraph &other) {
  for (int e = 0; e < graph.num_edges(); e++)
    if ((graph.edge(e).flags & kCutMask) != (other.edge(e).flags & kCutMask))
      return false;
  return true;
}

static void take_cuts_of(FlowGraph &graph, const FlowGraph &other) {
  for (int e = 0; e < graph.num_edges(); e++)
    graph.edge(e).flags = (graph.edge(e).flags & ~kCutMask) | (other.edge(e).flags & kCutMask);
}

// Adds a function's paths from a profile, if they have Ball-Larus IDs. If the profile contains variants with different
// truncation points, only the most frequently executed variant is used. Any further profile is used only if it has the
// same truncation points.
bool InterestingPaths::use(const FromProfile &from, const InputFunction &function, FunctionNotes &notes,
                           Known &known) const {
  auto executions = [](const Function &f) {
    double sum = 0;
    for (const ExecutedPath &path : f.paths)
      sum += static_cast<double>(path.count);
    return sum;
  };
  const Function *best = nullptr;
  for (const InputFunction::Variant &variant : function.variants)
    if (has_acyclic_paths(*variant.function) && (!best || executions(*variant.function) > executions(*best)))
      best = variant.function;
  if (!best || (known.has_cuts && !has_cuts_of(notes.graph, best->notes.graph)))
    return false;
  take_cuts_of(notes.graph, best->notes.graph);
  known.has_cuts = true;
  auto hot = from.hot.find(best);
  for (const ExecutedPath &path : best->paths)
    if (!from.only_hot || (hot != from.hot.end() && hot->second.count(path.id)))
      known.paths.push_back({path.id, path.count});
  return true;
}

void InterestingPaths::warn_of_other_units() const {
  for (const FromProfile &from : profiles_)
    from.profile->warn_of_other_unit();
}

InterestingPaths::Known InterestingPaths::find(FunctionNotes &notes, const std::string &path, bool verbose) const {
  Known known;
  for (const FromProfile &from : profiles_) {
    InputFunction function = from.profile->find(notes, path);
    const char *why = function.why_unknown;
    if (!function.variants.empty()) {
      if (use(from, function, notes, known))
        continue;
      why = known.has_cuts ? "the function has different truncation points in the profile"
                           : "the function has no acyclic paths in the profile";
    }
    if (function.variants.empty() && function.changed)
      warn_of_mismatch(here(),
                       fmt::format("'{}': control-flow graph does not match the profile '{}' (argument 'interesting'): "
                                   "{}; none of the function's paths are interesting",
                                   visible(notes.name), from.profile->name(), difference(notes, *function.changed)));
    else if (verbose)
      inform(here(), "pathprof: %qs: %s %qs (argument %qs); the profile contains no interesting paths of the function",
             visible(notes.name).c_str(), why, from.profile->name().c_str(), "interesting");
  }
  return known;
}

void InterestingPaths::add_listed(const FunctionNotes &notes, const std::string &path,
                                  std::map<uint64_t, uint64_t> &chosen) const {
  constexpr uint64_t most = 1000000;
  for (const FromList &line : listed_) {
    size_t colon = line.name.rfind(':');
    bool has_file = colon != std::string::npos && line.name.substr(colon + 1) == notes.name;
    std::string in_file = line.name.substr(0, has_file ? colon : 0);
    if (line.name != notes.name && !(has_file && is_end_of_path(in_file, path)))
      continue;
    for (const Range &range : line.ranges) {
      if (range.last >= notes.num_paths)
        warn_of_mismatch(
            here(),
            fmt::format("argument 'interesting': {}: '{}' has no path with ID {}; path IDs must be less than {}",
                        line.where, visible(notes.name), range.last, notes.num_paths));
      for (uint64_t id = range.first; id <= range.last && id < notes.num_paths && chosen.size() < most; id++)
        chosen[id];
    }
  }
}

// ---- marked code ----

namespace {

struct MarkedLabel {
  std::string file;
  uint32_t line;
};
std::vector<MarkedLabel> marked_labels;

const char attribute_name[] = "pathprof_interesting";

tree handle_attribute(tree *node, tree name, tree, int, bool *ignored) {
  if (TREE_CODE(*node) == LABEL_DECL) {
    expanded_location where = expand_location(DECL_SOURCE_LOCATION(*node));
    marked_labels.push_back({where.file ? where.file : "", static_cast<uint32_t>(std::max(where.line, 0))});
  } else if (TREE_CODE(*node) != FUNCTION_DECL) {
    warning(OPT_Wattributes, "%qE attribute applies only to functions and labels", name);
    *ignored = true;
  }
  return NULL_TREE;
}

void announce_attribute(void *, void *) {
  static const attribute_spec spec = {attribute_name, 0, 0, true, false, false, false, handle_attribute, nullptr};
  register_attribute(&spec);
}

// One flag per block of a function, which is set if the block contains marked code.
class Marks {
public:
  Marks(const FunctionNotes &notes, const FileTable &files)
      : notes_(notes), files_(files), blocks_(static_cast<size_t>(notes.graph.num_blocks()), 0) {}

  void add(const std::string &source, uint32_t first, uint32_t last) {
    each_line([&](size_t block, const LineRef &line) {
      if (is_called(line, source) && line.line >= first && line.line <= last)
        blocks_[block] = 1;
    });
  }

  // Marks the code that follows a label: the first line at or after the label that contains code from this function.
  void add_label(const MarkedLabel &label) {
    uint32_t at = UINT32_MAX;
    bool is_here = false; // some line precedes the label, so the label may belong to this function
    each_line([&](size_t, const LineRef &line) {
      if (line.site != 0 || files_.name(line.file) != label.file)
        return;
      is_here |= line.line <= label.line;
      if (line.line >= label.line)
        at = std::min(at, line.line);
    });
    if (is_here && at != UINT32_MAX)
      add(label.file, at, at);
  }

  bool any() const { return std::count(blocks_.begin(), blocks_.end(), 1) > 0; }
  bool has(int block) const { return block >= 0 && blocks_[static_cast<size_t>(block)]; }

private:
  template <class Visit>
  void each_line(Visit visit) const {
    for (size_t block = 0; block < notes_.blocks.size(); block++)
      for (const LineRef &line : notes_.blocks[block].lines)
        visit(block, line);
  }

  bool is_called(const LineRef &line, const std::string &source) const {
    return matches_source(source, files_.name(line.file));
  }

  const FunctionNotes &notes_;
  const FileTable &files_;
  std::vector<char> blocks_;
};

// Finds the IDs of the paths through marked blocks, up to a maximum number.
class PathsThrough {
public:
  PathsThrough(const PathGraph &paths, const PathNumbering &numbering, const Marks &marks, uint64_t most)
      : paths_(paths), numbering_(numbering), marks_(marks), most_(most),
        comes_to_mark_(static_cast<size_t>(paths.num_nodes()), 0) {
    for (int node : paths.reverse_topological()) {
      char &comes = comes_to_mark_[static_cast<size_t>(node)];
      comes = marks.has(paths.block_of(node));
      for (int e : paths.succs(node))
        comes |= comes_to_mark_[static_cast<size_t>(paths.edge(e).dst)];
    }
  }

  // Adds the path IDs to `ids`. Returns false if the maximum number of paths is exceeded.
  bool run(std::map<uint64_t, uint64_t> &ids) {
    struct Place {
      int node;
      uint64_t sum;
      bool is_through;
    };
    std::vector<Place> work{{kEntryBlock, 0, false}};
    uint64_t found = 0;
    while (!work.empty()) {
      Place at = work.back();
      work.pop_back();
      at.is_through |= marks_.has(paths_.block_of(at.node));
      if (!at.is_through && !comes_to_mark_[static_cast<size_t>(at.node)])
        continue;
      if (at.node == kExitBlock) {
        if (found++ == most_)
          return false;
        ids[at.sum];
      }
      for (int e : paths_.succs(at.node))
        work.push_back({paths_.edge(e).dst, at.sum + static_cast<uint64_t>(numbering_.val(e)), at.is_through});
    }
    return true;
  }

private:
  const PathGraph &paths_;
  const PathNumbering &numbering_;
  const Marks &marks_;
  uint64_t most_;
  std::vector<char> comes_to_mark_;
};

} // namespace

void register_attribute(const char *plugin_name) {
  register_callback(plugin_name, PLUGIN_ATTRIBUTES, announce_attribute, nullptr);
}

std::vector<InterestingPath> InterestingPaths::choose(const FunctionNotes &notes, const FileTable &files,
                                                      const PathNumbering &numbering, const PathGraph &paths,
                                                      const Known &known) const {
  constexpr uint64_t most = PATHPROF_DEFAULT_PATHS_MAX;
  std::map<uint64_t, uint64_t> chosen; // counts by path ID
  for (const InterestingPath &path : known.paths)
    if (path.id < notes.num_paths) {
      uint64_t &count = chosen[path.id];
      count = count > UINT64_MAX - path.count ? UINT64_MAX : count + path.count;
    }
  add_listed(notes, files.path(notes.file), chosen);
  bool is_whole = true;
  if (lookup_attribute(attribute_name, DECL_ATTRIBUTES(cfun->decl))) {
    for (uint64_t id = 0; id < notes.num_paths && id < most; id++)
      chosen[id];
    is_whole = notes.num_paths <= most;
  } else {
    Marks marks(notes, files);
    for (const InterestingItems::Lines &lines : lines_)
      marks.add(lines.source, lines.first, lines.last);
    for (const MarkedLabel &label : marked_labels)
      marks.add_label(label);
    if (marks.any())
      is_whole = PathsThrough(paths, numbering, marks, most).run(chosen);
  }
  if (!is_whole)
    warning_at(
        here(), 0,
        "pathprof: %qs: more than %llu paths go through marked code; the other paths are treated as not interesting",
        visible(notes.name).c_str(), static_cast<unsigned long long>(most));
  std::vector<InterestingPath> result;
  for (auto [id, count] : chosen)
    result.push_back({id, count});
  return result;
}

} // namespace pathprof
