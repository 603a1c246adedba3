// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the source of a function with its counts, and the lines of a path in it.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'; // letters that identify paths
const MARKS = 10; // maximum number of path columns next to the source
const CHUNK = 150; // number of rows per table

const KEYWORDS = 'alignas auto bool break case catch char class const constexpr continue default delete do double else enum '
  + 'explicit extern false float for goto if inline int long namespace new noexcept nullptr operator private protected public '
  + 'register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned '
  + 'using virtual void volatile while size_t u?int(?:8|16|32|64)_t';
const TOKENS = new RegExp([
  /(\/\/.*|\/\*.*?(?:\*\/|$))/, /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/,
  new RegExp(`\\b(${KEYWORDS.replaceAll(' ', '|')})\\b`),
  /\b(0[xX][\da-fA-F]+\w*|\d[\w.]*)/].map((part) => part.source).join('|'), 'g');
const CLASSES = ['co', 'st', 'kw', 'nu'];
const IS_C = /\.(c|h|cc|cpp|cxx|hh|hpp|hxx|inc|ipp|tcc|d|y|l)$/i;

// Returns the nodes of a line with syntax highlighting. `state.comment` is true inside a comment that spans lines.
function coloured(text, state) {
  const nodes = [];
  let at = 0;
  if (state.comment) {
    const end = text.indexOf('*/');
    at = end < 0 ? text.length : end + 2;
    state.comment = end < 0;
    nodes.push(el('span', { class: 'co' }, text.slice(0, at)));
  }
  TOKENS.lastIndex = at;
  for (let found; (found = TOKENS.exec(text)); ) {
    if (found.index > at) nodes.push(text.slice(at, found.index));
    nodes.push(el('span', { class: CLASSES[found.slice(1).findIndex((group) => group !== undefined)] }, found[0]));
    at = TOKENS.lastIndex;
    state.comment = found[0].startsWith('/*') && !(found[0].length > 3 && found[0].endsWith('*/'));
  }
  nodes.push(text.slice(at));
  return nodes;
}

class File {
  constructor(json) {
    this.name = json.name;
    this.doubt = json.doubt;
    this.lines = new Map();
    for (const [first, text] of json.parts) text.split('\n').forEach((line, i) => this.lines.set(first + i, line.replace(/\r$/, '')));
  }
  text(line) { return this.lines.get(line); }
}
const files = new Map();
async function file(number) {
  if (!files.has(number)) files.set(number, unpack('file', number).then((json) => new File(json)));
  return files.get(number);
}

// Returns the numbers of all files to which a function refers.
function filesOf(data) {
  const numbers = new Set(data.source.map((section) => section.file));
  for (const node of [data.graph, data.unfolded || {}].flatMap((graph) => graph.nodes || [])) (node.lines || []).forEach(([number]) => numbers.add(number));
  return [...numbers];
}

class Source {
  constructor(data, texts) {
    this.rows = new Map(); // "file:line" → rows
    this.hottest = Math.max(1, ...data.source.flatMap((s) => s.counts.map(([, count]) => Number(count))));
    this.marked = data.paths.slice(0, MARKS).map((path) => new Set(path.lines.flatMap(([number, first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => number + ':' + (first + i)))));
    this.element = el('div', { class: 'source', tabindex: '0', role: 'region', 'aria-label': 'Source' },
      data.source.map((section) => this.section(section, texts.get(section.file))));
    addDecisions(this, data.decisions || []);
  }

  // Builds the section in tables of CHUNK rows, so that the browser can skip the layout of invisible tables.
  section(section, text) {
    const counts = new Map(section.counts), changed = new Set(section.changed || []), state = { comment: false }, isC = IS_C.test(text.name), rows = [];
    section.ranges.forEach(([first, last], i) => {
      if (i) rows.push(el('tr', { class: 'gap' }, el('td', { colspan: '4' }, '⋯')));
      state.comment = false;
      for (let line = first; line <= last; line++) rows.push(this.row(section.file, line, counts.get(line), text, isC, state, changed.has(line)));
    });
    const title = section.of ? [el('b', {}, section.of), ' inlined from '] : [];
    const missing = text.lines.size ? '' : ' – source not found; use --source-prefix OLD=NEW to specify its location';
    const doubt = text.doubt ? el('strong', {}, ` – WARNING: ${text.doubt}, so counts may be attached to wrong lines`) : '';
    const tables = [];
    for (let at = 0; at < rows.length; at += CHUNK) tables.push(this.table(rows.slice(at, at + CHUNK), at === 0));
    return el('details', { open: section.of ? false : '' }, el('summary', {}, title, text.name, missing, doubt), tables);
  }

  table(rows, isFirst) {
    const marks = heading('paths', false, LETTERS.slice(0, this.marked.length) || '–');
    marks.className = 'marks';
    const heads = el('tr', {}, isFirst ? [heading('count', true), heading('line', true), marks, heading('source', false)]
      : ['count', 'line', 'paths', 'source'].map((title) => el('th', { scope: 'col' }, title)));
    const table = el('table', {}, el('caption', { class: 'unseen' }, 'Lines with execution counts and paths'),
      el('colgroup', {}, el('col', { class: 'c1' }), el('col', { class: 'c2' }), el('col', { class: 'c3' }), el('col')),
      el('thead', { class: isFirst ? false : 'unseen' }, heads), el('tbody', {}, rows));
    const chunk = el('div', { class: 'chunk' }, table);
    chunk.style.containIntrinsicHeight = `auto ${17 * rows.length}px`;
    return chunk;
  }

  row(number, line, count, text, isC, state, isChanged) {
    const key = number + ':' + line, has = count !== undefined, source = text.text(line) ?? '';
    const heat = has && Number(count) ? Math.ceil(4 * Math.sqrt(Number(count) / this.hottest)) : 0;
    const marks = has ? this.marked.map((lines, i) => (lines.has(key) ? LETTERS[i] : '·')).join('') : '';
    const row = el('tr', { class: (has && !Number(count) ? 'never' : '') + (isChanged ? ' changed' : ''), 'data-line': key },
      el('td', { class: 'n' + (heat ? ' h' + heat : '') }, has ? grouped(count) : ''),
      el('th', { scope: 'row' }, isChanged && el('span', { class: 'unseen' }, 'changed '), String(line)),
      el('td', { class: 'marks' }, marks), el('td', { class: 'code' }, isC ? coloured(source, state) : source));
    if (!this.rows.has(key)) this.rows.set(key, []);
    this.rows.get(key).push(row);
    return row;
  }

  show(lines) {
    $$('.on, .past', this.element).forEach((row) => row.classList.remove('on', 'past'));
    let top = null;
    for (const [number, first, last, context] of lines)
      for (let line = first; line <= last; line++)
        for (const row of this.rows.get(number + ':' + line) || []) {
          if (context && row.classList.contains('on')) continue;
          row.classList.add(context ? 'past' : 'on');
          if (!context) row.classList.remove('past');
          row.closest('details').open = true;
          if (!context && (!top || row.compareDocumentPosition(top) & Node.DOCUMENT_POSITION_FOLLOWING)) top = row;
        }
    if (top) this.reveal(top);
  }

  reveal(row) {
    const at = row.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    if (at < 40 || at > this.element.clientHeight - 40) this.element.scrollTop += at - this.element.clientHeight / 4;
  }

  // Returns the next or previous line with a count.
  step(by) {
    const rows = $$('tbody tr[data-line]', this.element).filter((row) => row.cells[0].textContent && row.closest('details').open);
    const at = rows.findIndex((row) => row.classList.contains('lit'));
    const row = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    return row && row.dataset.line;
  }

  light(lines) {
    $$('.lit', this.element).forEach((row) => row.classList.remove('lit'));
    const rows = lines.flatMap(([number, line]) => this.rows.get(number + ':' + line) || []);
    rows.forEach((row) => { row.classList.add('lit'); row.closest('details').open = true; });
    if (rows.length) this.reveal(rows[0]);
  }
}
