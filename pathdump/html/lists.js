// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts and searches the tables.

function value(cell) {
  const text = cell.textContent.trim();
  const number = cell.classList.contains('n') ? parseFloat(text.replaceAll(',', '')) : NaN;
  return Number.isNaN(number) ? (cell.classList.contains('n') ? -1 : text.toLowerCase()) : number;
}

function sort(table, column, head) {
  const descending = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') === 'ascending'
    : head.classList.contains('n') && head.textContent !== 'rank';
  const rows = [...table.tBodies[0].rows].map((row, at) => ({ row, at, key: value(row.cells[column]) }));
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  rows.sort((a, b) => (descending ? compare(b.key, a.key) : compare(a.key, b.key)) || a.at - b.at);
  table.tBodies[0].append(...rows.map((r) => r.row));
  $$('thead th', table).forEach((th) => th.removeAttribute('aria-sort'));
  head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
}

function makeSortable(table) {
  $$('thead th', table).forEach((head, column) => {
    const button = el('button', { type: 'button', 'aria-describedby': head.dataset.term }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener('click', () => sort(table, column, head));
  });
  table.addEventListener('click', (event) => {
    const row = event.target.closest('tbody tr');
    const link = row && !event.target.closest('a') && !String(getSelection()) && ($('.steps a, td.n a', row) ?? $('a', row));
    if (link) location.hash = link.hash;
  });
}

const tables = $$('.list table');
const texts = new Map(); // searched text of each row
function textOf(row) {
  if (!texts.has(row))
    texts.set(row, (row.textContent + ' ' + $$('[title]', row).map((e) => e.title).join(' ')).toLowerCase());
  return texts.get(row);
}

function filter(words) {
  let shown = 0;
  for (const table of tables)
    for (const row of table.tBodies[0].rows) {
      row.hidden = !words.every((word) => textOf(row).includes(word));
      shown += !row.hidden && !table.closest('[hidden]');
    }
  $('#status').textContent = words.length ? `${shown} rows` : '';
}

function showList(id) {
  document.body.classList.remove('viewing');
  view.hidden = true;
  const wanted = id && $('#' + id + '.list') ? id : $('.list').id;
  $$('.list').forEach((list) => { list.hidden = list.id !== wanted; });
  mark(wanted);
  document.title = $('h1').textContent + ' – paths';
}

function mark(id) {
  $$('.top nav a').forEach((a) => {
    if (a.hash === '#' + id) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  });
}
