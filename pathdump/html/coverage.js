// SPDX-License-Identifier: GPL-3.0-or-later
// Shows coverage in a function's view: truth tables below the lines of decisions, prime paths, and the tests of a path.

const LETTER = { T: 'true', F: 'false', '-': 'not evaluated' };
const truth = (value) => el('span', {}, el('span', { 'aria-hidden': 'true' }, value === '-' ? '–' : value),
  el('span', { class: 'unseen' }, LETTER[value]));

// Returns the result of a decision in one line.
function verdict(decision) {
  if (decision.reason) return `not measured: ${decision.reason}`;
  const shown = decision.conditions.filter((condition) => condition.independent).length;
  return `${shown} of ${decision.conditions.length} condition${decision.conditions.length === 1 ? '' : 's'} shown independent`;
}

// Returns the numbers of the vectors that show the independence of a condition, or of the missing vectors, or the
// reason why no vectors can show it.
function independence(decision, c) {
  if (!decision.conditions[c].can_be_shown) return decision.conditions[c].reason;
  const rows = decision.vectors.map((vector, i) => [vector, i + 1]).filter(([vector]) => vector.shows.includes(c + 1));
  if (decision.conditions[c].independent) return rows.filter(([vector]) => !vector.missing).map(([, number]) => number).join(' and ');
  return `missing: ${rows.filter(([vector]) => vector.missing).map(([, number]) => number).join(' and ')}${decision.conditions[c].alternatives}`;
}

// Returns a table with one row per executed or missing vector and one column per condition. The values of the pair that
// shows the independence of the column's condition are highlighted.
function truthTable(decision) {
  const column = (text, attributes) => el('th', { scope: 'col', ...attributes }, text);
  const rows = decision.vectors.map((vector, i) => el('tr', { class: vector.missing ? 'wanted' : false },
    el('th', { scope: 'row', class: 'n' }, String(i + 1)), el('td', { class: 'n' }, vector.missing ? 'missing' : grouped(vector.count)),
    [...vector.values].map((value, c) => el('td', { class: vector.shows.includes(c + 1) ? 'pair' : false }, truth(value))),
    el('td', { class: 'outcome' }, truth(vector.outcome ? 'T' : 'F'))));
  const foot = el('tr', {}, el('th', { scope: 'row', colspan: '2' }, 'shown by'),
    decision.conditions.map((condition, c) => el('td', { class: condition.independent ? false : 'wanted' }, independence(decision, c))),
    el('td', {}));
  return el('table', { class: 'truth' }, el('caption', { class: 'unseen' }, `Vectors of the decision at ${decision.place}`),
    el('thead', {}, el('tr', {}, column('vector', { class: 'n' }), column('count', { class: 'n' }),
      decision.conditions.map((condition) => column(el('code', {}, condition.text))), column('outcome'))),
    el('tbody', {}, rows), el('tfoot', {}, foot));
}

function decisionRow(decision) {
  const isCovered = !decision.reason && decision.conditions.every((condition) => condition.independent);
  const isOpen = !isCovered && decision.conditions.length > 1;
  const summary = el('summary', {}, `Decision ${decision.place}: ${verdict(decision)}`);
  return el('tr', { class: 'decision' + (isCovered ? '' : ' wanted') }, el('td', { colspan: '4' }, decision.reason
    ? el('p', {}, summary.textContent) : el('details', { open: isOpen ? '' : false }, summary, el('div', { class: 'truths', tabindex: '0', role: 'region', 'aria-label': `Truth table of decision ${decision.place}` },
      truthTable(decision)))));
}

// Returns true for a decision with a single independent condition, whose table would show no more than the line counts.
const isPlain = (decision) => !decision.reason && decision.conditions.length === 1 && decision.conditions[0].independent;

// Inserts each decision below its line, or at the end if the line is not displayed.
function addDecisions(source, decisions) {
  const behind = new Map();
  for (const decision of decisions.filter((one) => !isPlain(one))) {
    const key = decision.file + ':' + decision.line, row = decisionRow(decision);
    const at = behind.get(key) || (source.rows.get(key) || [])[0] || $$('tbody tr', source.element).pop();
    if (!at) continue;
    at.after(row);
    behind.set(key, row);
  }
}

// Returns a table of executed and missing prime paths.
function primeTable(data) {
  const { prime } = data, heads = [['count', 1], ['kind', 0], ['blocks', 1], ['decisions', 0]];
  const rows = prime.paths.map((path, i) => el('tr', { 'data-prime': i + 1, class: Number(path.count) ? false : 'never' },
    el('td', { class: 'n' }, Number(path.count) ? grouped(path.count) : 'missing'), el('td', {}, path.kind),
    el('td', { class: 'n' }, String(path.blocks)),
    el('th', { scope: 'row', class: 'trail' }, el('a', { href: address({ f: data.key, r: i + 1 }) }, path.trail || `prime path ${i + 1}`))));
  return [el('h3', {}, `Prime paths: ${grouped(prime.executed)} of ${prime.exact ? '' : 'at least '}${prime.all} executed`),
    el('table', {}, el('caption', { class: 'unseen' }, 'Prime paths of the function'),
      el('thead', {}, el('tr', {}, heads.map(([title, n]) => heading(title, n)))), el('tbody', {}, rows))];
}

// Returns the list of the tests that execute a path.
function testList(data, path) {
  const more = path.num_tests - path.tests.length;
  return el('section', { class: 'steps-of' },
    el('h3', {}, `Tests that execute path ${path.id}: ${grouped(path.num_tests)} of ${grouped(data.num_tests)}`),
    el('ul', { class: 'tests' }, path.tests.map(([name, count]) => el('li', {}, name, ' ', el('span', { class: 'times' }, `×${grouped(count)}`)))),
    more > 0 && el('p', { class: 'more' }, `… and ${grouped(more)} more`));
}
