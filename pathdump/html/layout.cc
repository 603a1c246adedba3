// SPDX-License-Identifier: GPL-3.0-or-later
// Calls Graphviz as a library.
#include "pathdump/html/layout.h"

#include <cmath>
#include <string>

#include <graphviz/gvc.h>

namespace pathprof::html {

namespace {

// Removes const, because Graphviz's parameters are not const-qualified.
char *text(const char *constant) {
  return const_cast<char *>(constant);
}

class Graph {
public:
  Graph() : graph_(agopen(text("g"), Agdirected, nullptr)) {
    set(AGRAPH, "nodesep", "0.22");
    set(AGRAPH, "ranksep", "0.32");
    // Limits the number of network simplex iterations, which are slow for large graphs and barely improve the layout.
    set(AGRAPH, "nslimit", "4");
    set(AGRAPH, "nslimit1", "4");
    set(AGNODE, "label", "");
    set(AGNODE, "shape", "box");
    set(AGNODE, "fixedsize", "true");
    set(AGNODE, "width", "1");
    set(AGNODE, "height", "1");
    set(AGEDGE, "weight", "1");
    set(AGEDGE, "arrowsize", "0.6");
  }
  ~Graph() { agclose(graph_); }
  Graph(const Graph &) = delete;

  void add(const Box &box) {
    static constexpr double kPointsOfInch = 72;
    Agnode_t *node = agnode(graph_, nullptr, 1);
    agset(node, text("width"), std::to_string(box.width / kPointsOfInch).data());
    agset(node, text("height"), std::to_string(box.height / kPointsOfInch).data());
    nodes_.push_back(node);
  }

  void add(const Link &line) {
    Agedge_t *edge = agedge(graph_, nodes_[line.from], nodes_[line.to], nullptr, 1);
    agset(edge, text("weight"), std::to_string(line.weight).data());
    edges_.push_back(edge);
  }

  Agraph_t *get() const { return graph_; }

  Layout layout() const {
    Layout layout;
    layout.width = rounded(GD_bb(graph_).UR.x);
    layout.height = rounded(GD_bb(graph_).UR.y);
    for (Agnode_t *node : nodes_)
      layout.centres.push_back(point(ND_coord(node)));
    for (Agedge_t *edge : edges_)
      layout.lines.push_back(points_of(edge));
    return layout;
  }

private:
  void set(int kind, const char *name, const char *value) { agattr(graph_, kind, text(name), text(value)); }

  static int rounded(double value) { return static_cast<int>(std::lround(value)); }

  // Converts a point from Graphviz's coordinate system, in which y increases upwards, to a system in which y increases
  // downwards.
  Point point(pointf at) const { return {rounded(at.x), rounded(GD_bb(graph_).UR.y - at.y)}; }

  std::vector<Point> points_of(Agedge_t *edge) const {
    std::vector<Point> points;
    const splines *drawn = ED_spl(edge);
    if (!drawn || drawn->size < 1)
      return points;
    const bezier &curve = drawn->list[0];
    for (size_t i = 0; i < static_cast<size_t>(curve.size); i++)
      points.push_back(point(curve.list[i]));
    points.push_back(curve.eflag ? point(curve.ep) : points.back());
    return points;
  }

  Agraph_t *graph_;
  std::vector<Agnode_t *> nodes_;
  std::vector<Agedge_t *> edges_;
};

} // namespace

struct Graphviz::Context {
  GVC_t *context = gvContext();
  ~Context() { gvFreeContext(context); }
};

Graphviz::Graphviz() : context_(std::make_unique<Context>()) {
  agseterr(AGMAX); // suppress messages; failures are reported by the return value
}

Graphviz::~Graphviz() = default;

std::optional<Layout> Graphviz::lay_out(const std::vector<Box> &boxes, const std::vector<Link> &lines) {
  Graph graph;
  for (const Box &box : boxes)
    graph.add(box);
  for (const Link &line : lines)
    graph.add(line);
  if (gvLayout(context_->context, graph.get(), "dot") != 0)
    return std::nullopt;
  Layout layout = graph.layout();
  gvFreeLayout(context_->context, graph.get());
  return layout;
}

} // namespace pathprof::html
