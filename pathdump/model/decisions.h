// SPDX-License-Identifier: GPL-3.0-or-later
// The branches at which two paths of a function take different edges.
#ifndef PATHPROF_PATHDUMP_MODEL_DECISIONS_H
#define PATHPROF_PATHDUMP_MODEL_DECISIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/ui/json.h"
#include "profile/model/profile.h"

namespace pathprof {

// A branch at which a path takes another edge than the one that it is compared with.
struct Difference {
  int block = 0;  // ENTRY: the two begin at different places
  Json taken;     // flags of the edge; "from …", "to …" of what begins or ends there; what a loop's iteration does
  Json other;     // likewise; null: the other path does not come here
  int to[2] = {}; // blocks that the two go to; of a switch that is all there is to tell the edges apart
};

// The decisions of a function's paths.  Keeps references.
class Decisions {
public:
  Decisions(const Function &function, const Decoded &decoded) : function_(function), decoded_(decoded) {}

  // Edges of the path graph on the path with this number, from nodes that have several.
  std::vector<int> of(uint64_t id) const;
  // At which of its decisions a path differs from another.
  std::vector<Difference> differences(const std::vector<int> &path, const std::vector<int> &other) const;

  // "1 branch differs: line 8: true, false there"; "there" is on the other path.
  std::string text(const std::vector<Difference> &differences) const;
  // Each with "block", "lines", "taken", "nearest_taken".
  Json json(const std::vector<Difference> &differences) const;

private:
  Json edge_json(int edge) const;
  int block_of(const PathEdge &edge) const;
  std::string branch_place(int block) const;
  std::string target_place(int block) const;
  std::string edge_text(const Json &edge, int to) const;

  const Function &function_;
  const Decoded &decoded_;
};

} // namespace pathprof

#endif
