// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the layout of a graph with Graphviz.
#ifndef PATHPROF_PATHDUMP_HTML_LAYOUT_H
#define PATHPROF_PATHDUMP_HTML_LAYOUT_H

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pathprof::html {

struct Box {
  double width, height;
};
struct Link {
  size_t from, to; // indices of boxes
  int weight;      // edges with higher weights are straighter
};
struct Point {
  int x, y; // `y` increases downwards
};

// The layout of a graph, in points. The box sizes are given, so the layout does not depend on fonts.
struct Layout {
  int width = 0, height = 0;
  std::vector<Point> centres; // centre of each box
  std::vector<std::vector<Point>>
      lines; // per link: the Bézier curve, then the arrow's tip; empty if Graphviz drew no curve
};

class Graphviz {
public:
  Graphviz();
  ~Graphviz();

  // Computes a layered layout from top to bottom. Returns nothing if Graphviz fails or does not provide the 'dot'
  // layout engine.
  std::optional<Layout> lay_out(const std::vector<Box> &boxes, const std::vector<Link> &lines);

private:
  struct Context;
  std::unique_ptr<Context> context_;
};

} // namespace pathprof::html

#endif
