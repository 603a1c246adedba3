// SPDX-License-Identifier: GPL-3.0-or-later
// Where Graphviz puts the boxes of a graph, and how it leads the lines between them.
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
  size_t from, to; // boxes
  int weight;      // the heavier, the straighter
};
struct Point {
  int x, y; // downwards
};

// All in points.  Sizes of boxes are given, so that no font has a say in it.
struct Layout {
  int width = 0, height = 0;
  std::vector<Point> centres;            // by box
  std::vector<std::vector<Point>> lines; // Bézier curves, then the arrow's tip; empty where Graphviz drew none
};

class Graphviz {
public:
  Graphviz();
  ~Graphviz();

  // Layered, from top to bottom.  Nothing where Graphviz has no 'dot' or fails.
  std::optional<Layout> lay_out(const std::vector<Box> &boxes, const std::vector<Link> &lines);

private:
  struct Context;
  std::unique_ptr<Context> context_;
};

} // namespace pathprof::html

#endif
