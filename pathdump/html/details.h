// SPDX-License-Identifier: GPL-3.0-or-later
// Serializes functions and interprocedural paths for the script of the page.
#ifndef PATHPROF_PATHDUMP_HTML_DETAILS_H
#define PATHPROF_PATHDUMP_HTML_DETAILS_H

#include <map>
#include <set>
#include <vector>

#include "pathdump/coverage/changed_code.h"
#include "pathdump/html/graph.h"
#include "pathdump/html/hottest_line.h"
#include "pathdump/html/layout.h"
#include "pathdump/html/ranking.h"
#include "pathdump/html/source.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

class Details {
public:
  // `changed` describes the changed source lines, or is null if changes were not requested.
  Details(const Profile &profile, const Ranking &ranking, PathFormatter &formatter, Decoder &decoder,
          SourceFiles &files, const ChangedCode *changed)
      : profile_(profile), ranking_(ranking), names_(formatter.names()), formatter_(formatter), decoder_(decoder),
        files_(files), changed_(changed) {
    for (const RankedFunction &ranked : ranking.functions)
      ranked_[ranked.index] = &ranked;
  }

  // Returns the data of a function that is shown in detail: its heading, "graph" (the initial drawing), "unfolded" (a
  // second drawing, optional), "paths", "sequences" and "source".
  Json function(const RankedFunction &ranked);
  // Returns the listed paths of an interprocedural unit, each with its "steps". Must not be called before function()
  // has been called for all detailed functions.
  Json program(size_t index, const std::set<WideNumber> &ids);

  // Returns a line sequence as an array of arrays. Each inner array contains a file number, a first line and a last
  // line. If the lines belong to the context, the inner array has a fourth element.
  Json lines_json(const Function &function, const std::vector<Stretch> &line_sequence);
  // Adds the nodes and edges that represent the path in each drawing of the function. The nodes and edges of the second
  // drawing are added under the key "unfolded". Adds nothing unless function() has been called for the function.
  void add_drawn(Json &json, size_t function, const Path &path) const;

  // Returns true if Graphviz failed for every graph.
  bool lacks_graphviz() const { return num_failed_ > 0 && num_laid_out_ == 0; }

private:
  Json node_json(const Function &function, const DrawnNode &node, Box &box);
  Json graph_json(const Function &function, const DrawnGraph &graph);
  Json path_json(const RankedFunction &ranked, const HotPath &hot);
  Json parts_json(size_t function, const Path &path);
  Json program_path_json(const RankedFunction &ranked, const HotPath &hot);
  Json sequences_json(size_t function) const;
  Json source_json(const Function &function, const Decoded &decoded);
  Json step_json(const ShownPath &path, size_t step);
  static void add_drawn(Json &json, const Function &function, const DrawnGraph &graph, const Path &path);
  void add_code(Json &json, const std::optional<SourceLine> &at);
  Json changed_json(const Function &function, const std::string &file, const Json &ranges) const;
  std::vector<char> blocks_of_paths(const RankedFunction &ranked);
  PathLabel label_of(const HotPath &hot);

  const Profile &profile_;
  const Ranking &ranking_;
  const Names &names_;
  PathFormatter &formatter_;
  Decoder &decoder_;
  SourceFiles &files_;
  const ChangedCode *changed_;
  Graphviz graphviz_;
  std::map<size_t, const RankedFunction *> ranked_; // by index in the profile
  std::map<const HotPath *, std::string> trails_;   // descriptions of the paths of the current function
  std::map<size_t, std::vector<DrawnGraph>> drawn_; // the initial drawing and the unfolded drawing, by function
  size_t num_laid_out_ = 0, num_failed_ = 0;
};

} // namespace pathprof::html

#endif
