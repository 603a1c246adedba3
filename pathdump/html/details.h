// SPDX-License-Identifier: GPL-3.0-or-later
// What the page's script shows of a function when it is asked for, and of a path through calls: as JSON.
#ifndef PATHPROF_PATHDUMP_HTML_DETAILS_H
#define PATHPROF_PATHDUMP_HTML_DETAILS_H

#include <map>
#include <set>
#include <vector>

#include "pathdump/coverage/changed_code.h"
#include "pathdump/html/graph.h"
#include "pathdump/html/hottest.h"
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
  // `changed`: what has changed in the sources; null: not asked for.
  Details(const Profile &profile, const Ranking &ranking, PathFormatter &formatter, Decoder &decoder,
          SourceFiles &files, const ChangedCode *changed)
      : profile_(profile), ranking_(ranking), names_(formatter.names()), formatter_(formatter), decoder_(decoder),
        files_(files), changed_(changed) {
    for (const RankedFunction &ranked : ranking.functions)
      ranked_[ranked.index] = &ranked;
  }

  // "graph", maybe "unfolded", "paths", "sequences" and "source" of a detailed function, with what its heading says.
  Json function(const RankedFunction &ranked);
  // The listed paths of a program: "steps" of each.  After those of all functions.
  Json program(size_t index, const std::set<WideNumber> &ids);

  // Lines as pages refer to them.
  Json lines_json(const Function &function, const std::vector<Stretch> &line_sequence);
  // What a path of a function that was described passes in each of its drawings; of the second one in "unfolded".
  void add_drawn(Json &json, size_t function, const Path &path) const;

  // Whether Graphviz could lay out nothing at all.
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

  const Profile &profile_;
  const Ranking &ranking_;
  const Names &names_;
  PathFormatter &formatter_;
  Decoder &decoder_;
  SourceFiles &files_;
  const ChangedCode *changed_;
  Graphviz graphviz_;
  std::map<size_t, const RankedFunction *> ranked_; // by function of the profile
  std::map<size_t, std::vector<DrawnGraph>> drawn_; // what is shown at first, and what can be unfolded
  size_t num_laid_out_ = 0, num_failed_ = 0;
};

} // namespace pathprof::html

#endif
