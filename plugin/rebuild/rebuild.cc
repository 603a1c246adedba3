// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilds the functions of a unit with a profile. Reads the graph of each function at the stage at which it was
// profiled, looks the function up in the profile, and converts path counts to GCC's block and edge counts.
#include "plugin/rebuild/rebuild.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "plugin/cfg/candidates.h"
#include "plugin/cfg/clean.h"
#include "plugin/rebuild/counts.h"
#include "plugin/rebuild/dispatch.h"
#include "plugin/options/input_profile.h"
#include "plugin/cfg/function.h"
#include "plugin/rebuild/implied_options.h"
#include "plugin/rebuild/inline_limits.h"
#include "plugin/rebuild/replay.h"
#include "plugin/rebuild/thread.h"
#include "plugin/rebuild/untrained.h"
#include "plugin/rebuild/values.h"

#include "profile/model/visible.h"

#include "plugin/gcc/gcc.h"
#include "plugin/options/mismatch.h"
#include "plugin/gcc/scope.h"

#include "profile.h"

namespace pathprof {

// A path is hot if its execution count is at least kLeastHot and at least 1 / kPartHot of the program's highest edge
// count.
static constexpr uint64_t kLeastHot = 100;
static constexpr uint64_t kPartHot = 2000;
// Maximum number of executed paths in a function whose blocks are copied. The limit is necessary because all paths must
// be replayed.
static constexpr size_t kMostPaths = 20000;

namespace {

// A function and, if the profile contains the function, its data in the profile.
struct KnownFunction {
  PlannedFunction function;
  InputFunction input;
};

class Rebuild {
public:
  Rebuild(const Arguments &arguments, uint64_t hot)
      : arguments_(arguments), profile_(*arguments.use), hot_(hot), files_(notes_) {}

  void run();

private:
  KnownFunction look_up(cgraph_node *node);
  void explain(const KnownFunction &known) const;
  void say_forecast(const KnownFunction &known, const DispatchForecast &forecast) const;
  void rebuild(cgraph_node *node);
  void use_paths(const KnownFunction &known, const std::vector<uint64_t> &counts, ValueHistograms *values);
  void copy_blocks(const KnownFunction &known, const std::vector<uint64_t> &counts);

  const Arguments &arguments_;
  const InputProfile &profile_;
  uint64_t hot_;
  UnitNotes notes_;
  FileTable files_;
  std::unique_ptr<CalleeIds> callees_;   // null if the profile has no values
  std::vector<cgraph_node *> counted_;   // executed functions that now have counts
  std::vector<cgraph_node *> untrained_; // never-executed functions that are not known to be cold
};

// Looks up a function in the profile. The form of the graph depends on the model. The form that most models share is
// tried first. Another form is tried only if the profile contains the function in a mode that uses this form.
KnownFunction Rebuild::look_up(cgraph_node *node) {
  FunctionArguments arguments;
  KnownFunction known;
  std::set<CfgForm> tried;
  for (const Model *model : all_models()) {
    if (tried.count(model->form()) ||
        (!tried.empty() &&
         !profile_.has_mode(known.function.notes, files_.path(known.function.notes.file), model->mode())))
      continue;
    tried.insert(model->form());
    arguments.mode = model->mode();
    known.function = read_function(node, arguments, arguments_.stage, files_);
    const FunctionNotes &notes = known.function.notes;
    known.input = profile_.find(notes, files_.path(notes.file));
    if (!known.input.variants.empty() || seen_error())
      break;
  }
  return known;
}

// Reports why the counts of a function are not used. The linker may have kept a comdat function's body from another
// unit, where early optimisations can produce a different graph. For comdat functions, a mismatch is therefore reported
// only with verbose=1.
void Rebuild::explain(const KnownFunction &known) const {
  const FunctionNotes &notes = known.function.notes;
  tree decl = known.function.node->decl;
  location_t location = DECL_SOURCE_LOCATION(decl);
  bool verbose = arguments_of(known.function.node, arguments_).verbose;
  if (known.input.changed) {
    std::string text =
        fmt::format("'{}': control-flow graph does not match the profile '{}' (argument '{}'): {}; the profile's "
                    "counts are not used",
                    visible(notes.name), profile_.name(), profile_.argument(), difference(notes, *known.input.changed));
    if (!DECL_COMDAT(decl))
      warn_of_mismatch(location, text);
    else if (verbose)
      inform(location, "pathprof: %s", text.c_str());
  } else if (verbose) {
    inform(location, "pathprof: %qs: %s %qs (argument %qs); GCC%'s estimate is used", visible(notes.name).c_str(),
           known.input.why_unknown, profile_.name().c_str(), profile_.argument().c_str());
  }
}

void Rebuild::say_forecast(const KnownFunction &known, const DispatchForecast &forecast) const {
  double least = least_foreseen(arguments_.rebuild.dispatch);
  std::string outcome =
      forecast.is_worth_it ? "copied" : fmt::format("not copied, because this share is below {:.0f}%", 100 * least);
  if (!forecast.is_worth_it && arguments_.rebuild.dispatch == DispatchStep::IfMostIsForeseen)
    outcome += fmt::format("; with rebuild=counts,thread,dispatch,inline, the minimum is {:.0f}%",
                           100 * least_foreseen(DispatchStep::IfMuchIsForeseen));
  std::string text = fmt::format(
      "'{}': copies of the dispatch (size {}) would predict the next case in {:.0f}% of {} dispatches: {}",
      visible(known.function.notes.name), forecast.size, 100 * forecast.share(), forecast.dispatches, outcome);
  inform(DECL_SOURCE_LOCATION(known.function.node->decl), "pathprof: %s", text.c_str());
}

// Returns true if another unit provides the counts of a comdat function. At link time, GCC adds up the counts that
// several units provide for the same function. If more than one unit provided counts, comdat functions would appear
// hotter than they are. A unit is identified by its main source file.
bool is_counted_by_another_unit(const KnownFunction &known) {
  if (!flag_generate_lto || !DECL_COMDAT(known.function.node->decl) || known.input.variants.empty())
    return false;
  auto is_this_unit = [](const std::string &file) {
    return !strcmp(lbasename(file.c_str()), lbasename(main_input_filename));
  };
  const auto &variants = known.input.variants;
  return std::none_of(variants.begin(), variants.end(), [&](const InputFunction::Variant &variant) {
    const std::vector<std::string> &files = variant.function->sources->names;
    return std::any_of(files.begin(), files.end(), is_this_unit);
  });
}

std::vector<double> estimates(const FlowGraph &graph) {
  std::vector<double> estimate;
  for (const Edge &edge : graph.edges())
    estimate.push_back(std::max(edge.frequency, 0.0));
  return estimate;
}

// Returns true if `cfun` has abnormal edges. Blocks of a function with abnormal edges are not copied, because copies of
// an SSA name that is live across an abnormal edge could not share a register.
bool has_abnormal_edges() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
      if (e->flags & EDGE_ABNORMAL)
        return true;
  }
  return false;
}

// Returns true if the function has at most kMostPaths executed paths and at least one hot path.
bool has_hot_paths(const InputFunction &input, uint64_t hot) {
  size_t num_paths = 0;
  bool any_hot = false;
  for (const InputFunction::Variant &variant : input.variants) {
    const std::vector<ExecutedPath> &paths = variant.function->paths;
    num_paths += paths.size() + variant.function->cut_short.size();
    any_hot |= std::any_of(paths.begin(), paths.end(), [&](const ExecutedPath &path) { return path.count >= hot; });
  }
  return any_hot && num_paths <= kMostPaths;
}

void Rebuild::copy_blocks(const KnownFunction &known, const std::vector<uint64_t> &counts) {
  const RebuildSteps &steps = arguments_.rebuild;
  bool copies_dispatch = steps.dispatch != DispatchStep::Never;
  if (!(steps.thread || copies_dispatch) || !optimize_function_for_speed_p(cfun) || has_abnormal_edges() ||
      !has_hot_paths(known.input, hot_))
    return;
  CopiedCfg cfg(known.function, known.input, counts);
  DispatchForecast forecast;
  {
    CopyScope scope(cfg);
    if (steps.thread)
      thread_paths(cfg, hot_);
    if (copies_dispatch)
      forecast = copy_dispatch(cfg, hot_, steps.dispatch);
  }
  if (forecast.foreseen && arguments_of(known.function.node, arguments_).verbose)
    say_forecast(known, forecast);
  if (cfg.num_copies() == 0)
    return;
  set_counts(cfg.replay());
  peel_likely_cases(forecast.switches);
  if (dump_file)
    fprintf(dump_file, ";; pathprof %s: copied blocks: %u, copied switches: %u\n", known.function.notes.name.c_str(),
            static_cast<unsigned>(cfg.num_copies()), static_cast<unsigned>(forecast.switches.size()));
}

// Applies the steps that follow `counts` to a function whose counts are set.
void Rebuild::use_paths(const KnownFunction &known, const std::vector<uint64_t> &counts, ValueHistograms *values) {
  if (std::any_of(counts.begin(), counts.end(), [](uint64_t count) { return count; }))
    counted_.push_back(known.function.node);
  bool has_values = values && attach_values(*values, known.input, *callees_);
  copy_blocks(known, counts);
  if (has_values)
    transform_by_values();
}

void Rebuild::rebuild(cgraph_node *node) {
  FunctionScope scope(node);
  std::unique_ptr<ValueHistograms> values;
  if (callees_ && flag_profile_values)
    values = std::make_unique<ValueHistograms>(); // before the graph is changed
  KnownFunction known = look_up(node);
  if (is_counted_by_another_unit(known)) {
    known.input.variants.clear();
    known.input.why_unknown = "another unit provides the counts of the function in the profile";
  }
  if (known.input.variants.empty()) {
    explain(known);
    return;
  }
  const PlannedFunction &function = known.function;
  std::vector<uint64_t> counts = known.input.edge_counts(estimates(function.notes.graph));
  MeasuredEdges measured;
  for (size_t e = 0; e < counts.size(); e++)
    measured[function.edges[e]] = counts[e];
  if (set_counts(measured))
    use_paths(known, counts, values.get());
  else
    untrained_.push_back(node);
  if (dump_file) {
    dump_function_header(dump_file, node->decl, dump_flags);
    gimple_dump_cfg(dump_file, dump_flags | TDF_BLOCKS);
  }
}

void Rebuild::run() {
  if (profile_.has_values())
    callees_ = std::make_unique<CalleeIds>(profile_, files_);
  std::vector<cgraph_node *> nodes;
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (is_wanted(node, arguments_))
      nodes.push_back(node);
  for (cgraph_node *wanted : nodes) {
    rebuild(wanted);
    if (seen_error())
      return;
  }
  profile_.warn_of_other_unit();
  if (dump_file)
    fprintf(dump_file, ";; pathprof: cleaning up functions\n");
  clean_bodies();
  estimate_lost_counts();
  complete_untrained(untrained_);
  if (arguments_.rebuild.raises_inline_limits)
    raise_inline_limits(counted_);
}

// Fills in GCC's profile summary in the same way as coverage.cc.
void set_profile_info(const InputProfile &profile, uint64_t most_traversals) {
  profile_info = XCNEW(gcov_summary);
  profile_info->runs = static_cast<gcov_unsigned_t>(std::min<uint64_t>(profile.num_runs(), UINT32_MAX));
  profile_info->sum_max = static_cast<gcov_type>(std::min<uint64_t>(most_traversals, INT64_MAX));
}

} // namespace

void rebuild_unit(const Arguments &arguments) {
  set_implied_options(arguments.use->has_values());
  uint64_t most = arguments.use->most_traversals();
  set_profile_info(*arguments.use, most);
  if (!seen_error())
    Rebuild(arguments, std::max(most / kPartHot, kLeastHot)).run();
}

} // namespace pathprof
