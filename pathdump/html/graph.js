// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the control-flow graph of a function and a path in it. Graphviz has computed the layout.

const iteration = (path, part) => part + 1 - path.parts.filter((p) => p.context).length;
const series = (path, part) => 's' + ((iteration(path, part) - 1) % 6 + 1);

class Graph {
  constructor(data, texts) {
    this.function = data;
    this.texts = texts;
    this.onChoose = () => {};
    this.canvas = el('div', { class: 'canvas', tabindex: '0', role: 'region', 'aria-label': 'Control-flow graph' });
    this.element = el('figure', { class: 'graph' }, this.canvas);
    this.use(data.graph);
    if (!this.svg) return;
    this.drag();
    this.canvas.addEventListener('click', (event) => this.choose(event.target.closest('.node')));
    this.canvas.addEventListener('keydown', (event) => this.press(event));
  }

  // Draws the given part of the graph: the executed part, or the whole graph.
  use(graph) {
    this.data = graph;
    this.isUnfolded = graph === this.function.unfolded;
    this.isZoomed = false;
    if (!graph.nodes) {
      this.canvas.replaceChildren(el('p', { class: 'without' }, this.reason()));
      return;
    }
    this.draw(this.function);
    const legend = this.legend(this.function);
    if (this.caption) this.caption.replaceWith(legend);
    else this.element.append(legend);
    this.caption = legend;
  }

  fold() {
    if (!this.svg || !this.function.unfolded) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.use(this.isUnfolded ? this.function.graph : this.function.unfolded);
    this.show(...this.shown);
    if (hadFocus) $('.fold', this.caption).focus();
  }

  // Returns the data of a path, part or step for the current drawing.
  drawnOf(thing) { return thing && (this.isUnfolded ? { ...thing, ...thing.unfolded, over: (thing.unfolded || {}).over } : thing); }

  choose(element) {
    const at = this.nodes.indexOf(element);
    if (at < 0) return;
    this.nodes.forEach((node, i) => node.classList.toggle('lit', i === at));
    this.onChoose(this.data.nodes[at]);
  }

  // Moves between boxes with the arrow keys, starting at the first box of the path.
  press(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const boxes = this.nodes.filter((node) => node.hasAttribute('tabindex')), at = boxes.indexOf(document.activeElement);
    if (event.key === 'Enter' || (event.key === ' ' && at >= 0)) this.choose(document.activeElement);
    else if (!by || !boxes.length) return;
    else {
      const first = Math.max(0, boxes.findIndex((node) => node.classList.contains('first')));
      boxes[at < 0 ? first : Math.max(0, Math.min(boxes.length - 1, at + by))].focus();
    }
    event.preventDefault();
  }

  reason() {
    return this.data.extent === 'failed' ? 'Graphviz could not lay out this graph.'
      : `The graph of ${grouped(this.data.blocks)} blocks is omitted because even the part on the listed paths is too large. `
        + 'Use “pathdump path” to print paths block by block.';
  }

  draw(data) {
    const margin = 14, { width, height, nodes, edges } = this.data;
    this.width = width + 2 * margin;
    this.height = height + 2 * margin;
    this.hottest = Math.max(1, ...nodes.map((node) => Number(node.count)));
    this.out = nodes.map(() => 0);
    edges.forEach((edge) => { this.out[edge.from] += Number(edge.count); });
    this.edges = edges.map((edge) => this.edge(edge, nodes));
    this.nodes = nodes.map((node) => this.node(node));
    this.svg = svg('svg', { viewBox: `${-margin} ${-margin} ${this.width} ${this.height}`, role: 'group',
      'aria-label': `Control-flow graph of ${data.name}, ${nodes.length} nodes` },
    svg('g', {}, this.edges), svg('g', {}, this.nodes));
    this.canvas.replaceChildren(this.svg);
  }

  node(node) {
    const [x, y, width, height] = node.box, never = !Number(node.count);
    const kind = node.kind === 'entry' || node.kind === 'exit' ? 'terminal' : node.kind || '';
    const group = svg('g', { class: `node ${kind}${never ? ' never' : ''}`,
      transform: `translate(${x - width / 2},${y - height / 2})` });
    group.append(svg('rect', { width, height, rx: kind === 'terminal' ? height / 2 : 3 }));
    if (kind === 'terminal') {
      group.append(svg('text', { x: width / 2, y: 13.5 }, node.kind), svg('title', {}, grouped(node.count) + ' times'));
      return group;
    }
    const room = Math.floor((width - 10) / 6.05), count = kind ? '' : short(node.count);
    if (!never && !kind)
      group.append(svg('rect', { class: 'heat', width, height, rx: 3,
        'fill-opacity': (0.42 * Math.sqrt(Number(node.count) / this.hottest)).toFixed(3) }));
    const head = cut(node.text, room - count.length - 1);
    group.append(svg('text', { class: 'head', x: 6, y: 13 }, head));
    if (count) group.append(svg('text', { class: 'count', x: width - 6, y: 13 }, count));
    const lines = kind ? [] : this.codeOf(node, Math.round((height - 25) / 13)).map((text) => cut(text, room));
    lines.forEach((text, i) => group.append(svg('text', { class: 'line', x: 6, y: 27 + 13 * i }, text)));
    const what = kind ? 'not drawn: ' : (node.blocks.length > 1 ? 'blocks ' : 'block ') + node.blocks.join(' ') + ': ';
    fill(group, { tabindex: '-1', role: 'button' }, []);
    group.append(svg('title', {}, `${what}${node.text}\n${never ? 'never executed' : grouped(node.count) + ' times'}`));
    return group;
  }

  codeOf(node, number) {
    return node.lines.map(([file, line]) => this.texts.get(file).text(line)).filter((text) => text !== undefined)
      .slice(0, Math.max(0, number)).map((text) => text.trim());
  }

  edge(edge, nodes) {
    const never = !Number(edge.count), flags = edge.flags.filter((flag) => flag !== 'fallthru');
    const group = svg('g', { class: 'edge' + (never ? ' never' : '') + (flags.includes('eh') ? ' eh' : '') });
    const points = [];
    for (let i = 0; i < edge.points.length; i += 2) points.push([edge.points[i], edge.points[i + 1]]);
    if (points.length < 5) return group;
    const tip = points.pop(), end = points[points.length - 1];
    const curve = points.slice(1).map((point) => point.join(',')).join(' ');
    const thickness = never ? 1 : 1 + 1.2 * Math.log1p(Number(edge.count)) / Math.log1p(this.hottest);
    group.append(svg('path', { d: `M${points[0].join(',')}C${curve}`, 'stroke-width': thickness.toFixed(2) }));
    const [dx, dy] = [tip[0] - end[0], tip[1] - end[1]], length = Math.hypot(dx, dy);
    if (length) {
      const [nx, ny] = [-dy / length * 3.2, dx / length * 3.2];
      group.append(svg('polygon', { points: `${tip} ${end[0] + nx},${end[1] + ny} ${end[0] - nx},${end[1] - ny}` }));
    }
    const share = this.out[edge.from] ? ` (${(100 * Number(edge.count) / this.out[edge.from]).toFixed(1)}% of the executions of the block)` : '';
    if (!never) {
      // Places the label in the middle of the first curve, on the side away from the straight line between the nodes. A
      // long label is placed in the middle of the last curve, where the edges of a switch are farther apart.
      const first = (edge.outcome || '').length > 3 ? points.length - 4 : 0;
      const [a, b, c, d] = points.slice(first), at = (i) => (a[i] + 3 * b[i] + 3 * c[i] + d[i]) / 8;
      const right = at(0) + 1 >= (nodes[edge.from].box[0] + nodes[edge.to].box[0]) / 2;
      group.append(svg('text', { x: at(0) + (right ? 4 : -4), y: at(1) + 3, 'text-anchor': right ? 'start' : 'end' },
        (edge.outcome ? cut(edge.outcome, 18) + ' ' : '') + short(edge.count)));
    }
    group.append(svg('title', {}, `${edge.outcome ? edge.outcome + ': ' : ''}${grouped(edge.count)} times${share}${flags.length ? '\n' + flags.join(', ') : ''}`));
    return group;
  }

  buttons() {
    const button = (text, name, run, more = {}) => {
      const made = el('button', { type: 'button', title: name, 'aria-label': name, ...more }, text);
      made.addEventListener('click', run);
      return made;
    };
    const fold = this.isUnfolded ? 'Hide unexecuted code' : 'Show unexecuted code';
    return el('div', { class: 'zoom' }, this.function.unfolded && button(fold, fold + ' (u)', () => this.fold(), { class: 'fold' }),
      button('+', 'Zoom in (+)', () => this.zoom(1.25)), button('−', 'Zoom out (−)', () => this.zoom(0.8)),
      button('Fit path', 'Fit path (1)', () => this.fitPath()), button('Fit all', 'Fit all (0)', () => this.fit()));
  }

  legend(data) {
    const parts = { whole: '', executed: 'Only executed code is shown.', paths: 'Only the listed paths are shown.' };
    const context = data.paths.some((path) => path.context) || data.paths.some((path) => path.unit !== undefined);
    return el('figcaption', {}, el('span', { class: 'k-on' }, 'path'),
      context && el('span', { class: 'k-context' }, 'context'), el('span', { class: 'k-over' }, 'end of the path'),
      el('span', { class: 'k-never' }, 'never executed'), parts[this.data.extent] && el('b', {}, parts[this.data.extent]),
      this.buttons());
  }

  setScale(scale) {
    this.scale = Math.min(3, Math.max(0.05, scale));
    this.svg.setAttribute('width', this.width * this.scale);
    this.svg.setAttribute('height', this.height * this.scale);
  }

  fit() {
    if (!this.svg) return;
    this.isZoomed = true;
    this.setScale(Math.min(1.15, this.canvas.clientWidth / this.width, this.canvas.clientHeight / this.height));
  }

  // Zooms so that the whole path fits into the canvas.
  fitPath() {
    if (!this.svg) return;
    this.isZoomed = false;
    this.reveal(this.path, 0.05, 2);
    this.isZoomed = true;
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    if (!this.svg) return;
    this.isZoomed = true;
    const before = this.scale;
    this.setScale(before * factor);
    const ratio = this.scale / before;
    this.canvas.scrollLeft = (this.canvas.scrollLeft + x) * ratio - x;
    this.canvas.scrollTop = (this.canvas.scrollTop + y) * ratio - y;
  }

  drag() {
    let from = null;
    this.canvas.addEventListener('pointerdown', (event) => { if (event.button === 0) from = [event.clientX, event.clientY]; });
    this.canvas.addEventListener('pointermove', (event) => {
      if (!from || !(event.buttons & 1)) return;
      this.canvas.scrollLeft -= event.clientX - from[0];
      this.canvas.scrollTop -= event.clientY - from[1];
      from = [event.clientX, event.clientY];
    });
    this.canvas.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = this.canvas.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
  }

  // Highlights the path, or only one of its parts. Edges that occur in only one iteration have the colour of the
  // iteration.
  show(path, part) {
    this.shown = [path, part];
    if (!this.svg) return;
    const drawn = this.drawnOf(part || path), all = [...this.edges, ...this.nodes];
    all.forEach((e) => e.classList.remove('on', 'past', 'over', 'first', 's1', 's2', 's3', 's4', 's5', 's6'));
    $$('.times', this.svg).forEach((e) => e.remove());
    this.svg.classList.toggle('chosen', Boolean(drawn && drawn.nodes && drawn.nodes.length));
    this.path = drawn && drawn.nodes && drawn.nodes.length ? drawn.nodes : [0];
    if (!drawn || !drawn.nodes || !drawn.nodes.length) return this.reveal(this.path);
    const past = part ? (part.context ? Infinity : 0) : drawn.context || 0, times = new Map();
    drawn.edges.forEach((edge, i) => {
      this.edges[edge].classList.add(i < past ? 'past' : 'on');
      times.set(edge, (times.get(edge) || 0) + 1);
    });
    drawn.nodes.forEach((node) => this.nodes[node].classList.add(part && part.context ? 'past' : 'on'));
    times.forEach((number, edge) => {
      const label = number > 1 && $('text', this.edges[edge]);
      if (label) label.append(svg('tspan', { class: 'times' }, ` ×${number}`));
    });
    if (drawn.over !== undefined) this.edges[drawn.over].classList.add('over');
    if (!part) this.colourParts(path);
    this.nodes[drawn.nodes[0]].classList.add('first');
    this.reveal(drawn.nodes);
  }

  colourParts(path) {
    const seen = new Map();
    (path.parts || []).map((part) => this.drawnOf(part)).forEach((part, i) => (part.edges || []).forEach((edge) =>
      seen.set(edge, seen.has(edge) && seen.get(edge) !== i ? -1 : i)));
    seen.forEach((part, edge) => { if (part >= 0 && !path.parts[part].context) this.edges[edge].classList.add(series(path, part)); });
  }

  // Scrolls to the nodes. The scale is chosen so that all nodes are visible, unless the text would be unreadable or the
  // user has zoomed. If the nodes do not fit, scrolls to the least executed node, which best distinguishes the path
  // from others.
  reveal(numbers, least = 0.62, most = 1.1) {
    const margin = 40, room = [this.canvas.clientWidth, this.canvas.clientHeight];
    const boxes = numbers.map((number) => this.data.nodes[number].box);
    const bounds = [0, 1].map((i) => [Math.min(...boxes.map((box) => box[i] - box[i + 2] / 2)),
      Math.max(...boxes.map((box) => box[i] + box[i + 2] / 2))]);
    const fitting = Math.min(...bounds.map(([low, high], i) => room[i] / (high - low + 2 * margin)));
    if (!this.isZoomed) this.setScale(Math.min(most, Math.max(fitting, least)));
    const rarest = numbers.reduce((a, b) => (Number(this.data.nodes[b].count) < Number(this.data.nodes[a].count) ? b : a));
    const at = bounds.map(([low, high], i) => ((high - low + 2 * margin) * this.scale <= room[i] ? (low + high) / 2
      : this.data.nodes[rarest].box[i]));
    this.canvas.scrollTo((at[0] + 14) * this.scale - room[0] / 2, (at[1] + 14) * this.scale - room[1] / 2);
  }

  light(key) {
    if (!this.svg) return;
    this.nodes.forEach((element, i) => element.classList.toggle('lit',
      key !== null && (this.data.nodes[i].lines || []).some(([number, line]) => number + ':' + line === key)));
  }
}
