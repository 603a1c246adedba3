// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the views of functions and of interprocedural paths, selected by the fragment of the address:
//   #hot #sequences #functions    a list
//   #f=FUNCTION&p=PATH&i=PART     a function with one of its paths, and the i-th part: an iteration or context
//   #f=FUNCTION&q=RANK&p=PATH     a function with a sequence of paths
//   #f=FUNCTION&r=NUMBER          a function with a prime path, numbered from 1
//   #u=UNIT&p=PATH&s=STEP         an interprocedural path at one of its steps

// The source and graph panes of a function, next to the list of selectable paths.
class Panes {
  constructor(data, texts) {
    this.data = data;
    this.source = new Source(data, texts);
    this.graph = new Graph(data, texts);
    this.source.element.addEventListener('click', (event) => {
      const row = event.target.closest('tr[data-line]');
      if (row && !String(getSelection())) this.graph.light(row.dataset.line);
    });
    this.source.element.addEventListener('keydown', (event) => this.stepLine(event));
    this.graph.onChoose = (node) => this.source.light(node.lines || []);
  }
  stepLine(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], key = by && event.target === this.source.element && this.source.step(by);
    if (!key) return;
    event.preventDefault();
    this.source.light([key.split(':').map(Number)]);
    this.graph.light(key);
  }
  show(path, part) {
    this.source.show((part || path || { lines: [] }).lines);
    this.graph.show(path, part);
  }
}

async function panesOf(key) {
  const data = await unpack('function', key);
  if (!data) return null;
  const numbers = filesOf(data);
  const loaded = await Promise.all(numbers.map(file));
  return new Panes(data, new Map(numbers.map((number, i) => [number, loaded[i]])));
}

const address = (parts) => '#' + Object.entries(parts).filter(([, v]) => v !== undefined)
  .map(([name, v]) => `${name}=${encodeURIComponent(v)}`).join('&');

function fact(name, text) { return el('div', {}, el('dt', {}, name), el('dd', {}, text)); }

// Returns a tag for functions and paths that only the earlier profile executed.
const earlierTag = (data) => data.earlier && el('span', { class: 'tag' }, 'of the earlier profile');

function headingOf(data) {
  const uncut = data.uncut !== data.static ? ` (${data.uncut} without truncation points)` : '';
  return el('div', { class: 'heading' }, el('h2', { title: data.assembler }, data.name), earlierTag(data),
    el('span', { class: 'place' }, `${data.file}:${data.line}`),
    el('dl', { class: 'facts' }, fact('share', percent(data.share)), fact('calls', grouped(data.calls)),
      fact('paths', data.mode === 'context' || data.mode === 'piecewise' ? `${grouped(data.executed)} interprocedural`
        : `${grouped(data.executed)} of ${data.static}${uncut}`),
      fact('mode', data.mode + (data.k > 1 ? ` k=${data.k}` : '')), fact('stage', data.stage)));
}

function addressOf(data, path) {
  return path.unit !== undefined ? address({ u: path.unit, p: path.id, s: path.step }) : address({ f: data.key, p: path.id });
}

// Returns the table of a function's paths, in which one path can be selected.
function pathTable(data) {
  const cycles = data.paths.some((path) => path.cycles !== undefined);
  const tests = data.num_tests !== undefined;
  const code = data.paths.some((path) => path.code !== undefined); // `path.code` is undefined if the source is not available
  const columns = data.columns || [];
  const heads = [['share', 1], ['count', 1], ...columns.map((name) => [name, 1]), ...(tests ? [['tests', 1]] : []), ...(cycles ? [['cycles', 1], ['each', 1]] : []), ['stmts', 1],
    ['path', 1], ['from', 0], ['to', 0], ...(code ? [['hottest line', 0]] : []), ['decisions', 0]];
  const number = (text) => el('td', { class: 'n' }, text);
  const rows = data.paths.map((path, i) => el('tr', { 'data-path': path.id, 'data-unit': path.unit, class: Number(path.count) ? false : 'never' },
    el('td', {}, i < MARKS ? el('b', {}, LETTERS[i]) : ''), number(percent(path.share)), number(grouped(path.count)),
    columns.map((name) => number(path[name])),
    tests ? number(grouped(path.num_tests)) : [], cycles ? [number(path.cycles === undefined ? '-' : grouped(path.cycles)),
      number(path.cycles === undefined || !Number(path.count) ? '-' : (Number(path.cycles) / Number(path.count)).toFixed(1))] : [],
    number(grouped(path.statements)), el('th', { scope: 'row', class: 'n' }, el('a', { href: addressOf(data, path) }, path.id)),
    el('td', {}, path.start), el('td', {}, path.end, path.residual ? [' ', el('span', { class: 'tag' }, 'residual')] : ''),
    code ? el('td', { class: 'hottest' }, path.code !== undefined ? [el('b', {}, String(path.line)), ' ', el('code', {}, path.code)] : '') : [],
    el('td', { class: 'trail' }, path.trail)));
  const table = el('table', {}, el('caption', { class: 'unseen' }, 'Hottest paths of the function'),
    el('thead', {}, el('tr', {}, el('td', {}), heads.map(([title, n]) => heading(title, n)))),
    el('tbody', {}, rows));
  return table;
}

// Follows the link of a row when the row is clicked.
view.addEventListener('click', (event) => {
  const row = !event.target.closest('a') && event.target.closest('.choice tbody tr');
  if (row) location.hash = $('a', row).hash;
});

function choose(root, selector) {
  $$('[aria-current]', root).forEach((row) => row.removeAttribute('aria-current'));
  const row = selector && $(selector, root);
  if (row) {
    row.setAttribute('aria-current', 'true');
    const pane = row.closest('.choice'), at = row.getBoundingClientRect(), room = pane.getBoundingClientRect();
    if (at.top < room.top + 26 || at.bottom > room.bottom) pane.scrollTop += at.top - room.top - room.height / 3;
  }
}

// Returns the list of the parts of a path: context and iterations.
function partList(data, path, chosen) {
  const names = path.parts.map((part, i) => (part.context ? 'context' : 'iteration ' + iteration(path, i)));
  return el('section', { class: 'steps-of' }, el('h3', {}, 'Parts of the path'), el('ol', {}, path.parts.map((part, i) =>
    el('li', { class: part.context ? 'context' : series(path, i), 'aria-current': chosen === i + 1 ? 'true' : undefined },
      el('a', { href: address({ f: data.key, p: path.id, i: chosen === i + 1 ? undefined : i + 1 }) },
        el('i', {}), el('b', {}, names[i]), el('span', { class: 'lines' }, part.trail))))));
}

// Returns the table of a function's sequences, in which one sequence can be selected.
function sequenceTable(data) {
  const number = (text) => el('td', { class: 'n' }, text);
  const rows = data.sequences.map((sequence) => el('tr', { 'data-rank': sequence.rank },
    number('#' + sequence.rank), number(percent(sequence.share)), number(grouped(sequence.count)), number(String(sequence.length)),
    el('th', { scope: 'row' }, el('a', { href: address({ f: data.key, q: sequence.rank }) },
      sequence.steps.map(([id, times]) => (times > 1 ? `${id}×${times}` : id)).join(' ')), ' ' + sequence.repeated)));
  return el('table', {}, el('caption', { class: 'unseen' }, 'Hot sequences of paths of the function'),
    el('thead', {}, el('tr', {}, ['rank', 'share', 'count', 'length'].map((title) => heading(title, true)),
      heading('sequence', false))), el('tbody', {}, rows));
}

function sequenceSteps(data, sequence, chosen) {
  const byId = new Map(data.paths.map((path) => [path.id, path]));
  const title = `Sequence #${sequence.rank}: ${grouped(sequence.count)} times, ${percent(sequence.share)}`;
  return el('section', { class: 'steps-of' }, el('h3', {}, title), el('ol', {}, sequence.steps.map(([id, times]) => {
    const path = byId.get(id);
    return el('li', { 'aria-current': id === chosen ? 'true' : undefined },
      el('a', { href: address({ f: data.key, q: sequence.rank, p: id }) }, el('b', {}, id),
        el('span', { class: 'times' }, times > 1 ? `×${times} ` : '', `${path.start} → ${path.end}`),
        el('span', { class: 'lines' }, path.trail)));
  })));
}

let current = {}; // state of the view: key of the function, panes, and elements with selectable items

// Replaces the contents of the view and moves the focus to it, because the focused element was removed.
function place(panes, heading, ...choice) {
  const left = el('div', { class: 'left' }, choice, panes.source.element);
  view.replaceChildren(heading, el('div', { class: 'panes' }, left, panes.graph.element));
  if (!document.activeElement.matches('input')) view.focus({ preventScroll: true });
}

// Replaces the contents of a list and keeps the focus in the list.
function replace(list, hadFocus, ...children) {
  list.replaceChildren(...children.filter(Boolean));
  const link = $('[aria-current] a', list);
  if (link && hadFocus) link.focus();
}
const hasFocus = (element) => Boolean(element && element.contains(document.activeElement));

async function openFunction(key) {
  const { hash } = location, panes = await panesOf(key);
  if (hash !== location.hash) return false; // the user has opened another view in the meantime
  if (!panes) {
    showMissing(`The page contains no details of ${key}`);
    return false;
  }
  const { data } = panes, table = pathTable(data);
  const choice = el('div', { class: 'choice' }, table, data.sequences && sequenceTable(data),
    data.prime && primeTable(data));
  current = { key, panes, choice, steps: el('div', { class: 'contents' }) };
  place(panes, headingOf(data), current.choice, current.steps);
  return true;
}

async function showFunction(parameters) {
  const key = parameters.get('f');
  if (current.key !== key && !(await openFunction(key))) return;
  const { panes, choice, steps } = current, { data } = panes;
  const prime = data.prime && data.prime.paths[Number(parameters.get('r')) - 1];
  if (prime) return showPrimePath(parameters, prime);
  const rank = Number(parameters.get('q')) || 0, sequence = (data.sequences || []).find((s) => s.rank === rank);
  const id = parameters.get('p') ?? (sequence ? sequence.steps[0][0] : (data.paths.find((path) => path.unit === undefined) || {}).id);
  const path = data.paths.find((p) => p.unit === undefined && p.id === id);
  const number = Number(parameters.get('i')) || 0, part = path && path.parts && path.parts[number - 1];
  replace(steps, hasFocus(steps), sequence && sequenceSteps(data, sequence, id), path && path.parts && partList(data, path, number),
    path && path.tests && testList(data, path));
  choose(choice, sequence ? `tr[data-rank="${rank}"]` : path && `tr[data-path="${path.id}"]:not([data-unit])`);
  panes.show(path, part);
  $('#status').textContent = parameters.has('p') && !path ? `Path ${id} is not listed` : '';
  document.title = `${data.name} – ${$('h1').textContent}`;
}

function showPrimePath(parameters, prime) {
  const { panes, choice, steps } = current;
  replace(steps, false);
  choose(choice, `tr[data-prime="${parameters.get('r')}"]`);
  panes.show(prime);
  $('#status').textContent = '';
  document.title = `Prime path of ${panes.data.name} – ${$('h1').textContent}`;
}

// Shows an interprocedural path with the function of the selected step.
async function showProgramPath(parameters) {
  const { hash } = location, unit = await unpack('unit', parameters.get('u'));
  const path = unit && unit.paths.find((p) => p.id === parameters.get('p'));
  if (!path) return showMissing('The page does not contain the path');
  const first = path.steps.find((step) => !step.context && step.function) || path.steps.find((step) => step.function)
    || path.steps[0];
  const step = path.steps.find((s) => String(s.step) === parameters.get('s')) || first;
  const name = `${parameters.get('u')} ${path.id}`;
  const isShown = current.panes && current.panes.data.key === step.function;
  const panes = isShown ? current.panes : step.function && await panesOf(step.function);
  if (hash !== location.hash) return;
  if (!panes) {
    view.replaceChildren(pathHeading(unit, path), el('div', { class: 'choice calls' }, stepList(parameters, unit, path, step)),
      el('p', { class: 'note' }, `The page contains no details of ${step.name}.`));
    current = {};
    return;
  }
  const hadFocus = hasFocus(current.choice);
  if (current.name !== name || current.panes !== panes) {
    current = { name, panes, choice: el('div', { class: 'choice calls' }) };
    place(panes, pathHeading(unit, path), current.choice);
  }
  replace(current.choice, hadFocus, stepList(parameters, unit, path, step));
  const at = $('[aria-current]', current.choice);
  current.choice.scrollTop = at.offsetTop - current.choice.clientHeight / 3;
  panes.show(step.context ? { ...step, context: Infinity, lines: step.lines.map(([f, a, b]) => [f, a, b, 1]) } : step);
  document.title = `Path ${path.id} – ${$('h1').textContent}`;
}

function pathHeading(unit, path) {
  return el('div', { class: 'heading' }, el('h2', {}, path.trail), earlierTag(unit), el('span', { class: 'place' }, unit.name),
    el('dl', { class: 'facts' }, fact('path', path.id), fact('share', percent(path.share)), fact('count', grouped(path.count)),
      fact('statements', grouped(path.statements)), fact('from', path.start), fact('to', path.end)));
}

function stepList(parameters, unit, path, chosen) {
  const arrows = { begin: '', call: '> ', return: '< ', restart: '' };
  const items = path.steps.map((step) => el('li',
    { class: step.context ? 'context' : false, 'aria-current': step === chosen ? 'true' : undefined },
    el('a', { href: address({ u: parameters.get('u'), p: path.id, s: step.step }) },
      el('span', { class: 'arrow lines' }, '  '.repeat(Math.min(step.depth, 16)).replaceAll(' ', '\u00a0') + arrows[step.way]),
      el('b', {}, step.name), el('span', { class: 'lines' }, step.context ? `(${step.trail})` : step.trail))));
  const more = path.more ? el('p', { class: 'more' }, `… ${grouped(path.more)} more steps`) : '';
  return el('section', {}, el('h3', {}, 'Steps of the path'), el('ol', {}, items), more);
}

function showMissing(text) {
  current = {};
  view.replaceChildren(el('p', { class: 'note' }, text + '. Use the options --top and -n of pathdump html to include more functions.'));
}

async function route() {
  const hash = location.hash.slice(1);
  if (!hash.includes('=')) return showList(hash);
  const parameters = new URLSearchParams(hash.replaceAll('+', '%2B'));
  $$('.list').forEach((list) => { list.hidden = true; });
  document.body.classList.add('viewing');
  view.hidden = false;
  mark('');
  try {
    await (parameters.has('u') ? showProgramPath(parameters) : showFunction(parameters));
  } catch (error) {
    current = {};
    view.replaceChildren(el('p', { class: 'note' }, error.message));
  }
  view.dataset.shown = hash; // read by tests
}
