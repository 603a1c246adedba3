// SPDX-License-Identifier: GPL-3.0-or-later
// Handles keys and buttons, and initializes the page.

// Follows the link that is `by` positions after the current link of a list.
function step(links, isCurrent, by) {
  const at = links.findIndex(isCurrent), to = links[at < 0 ? 0 : at + by];
  if (to) location.hash = to.hash;
}
function stepPath(by) {
  if (!current.choice) return;
  const inList = $('.left li[aria-current] a', view);
  const links = inList ? $$('a', inList.closest('ol')) : $$('tbody a', current.choice);
  step(links, (link) => link === inList || link.closest('tr[aria-current]'), by);
}
function stepFunction(by) {
  const links = $$('#functions tbody tr:not([hidden]) th a'), key = current.panes && current.panes.data.key;
  step(links, (link) => new URLSearchParams(link.hash.slice(1)).get('f') === key, by);
}

const search = $('#search');
const keys = {
  '/': () => { search.focus(); search.select(); },
  j: () => stepPath(1), k: () => stepPath(-1), n: () => stepFunction(1), p: () => stepFunction(-1),
  h: () => { location.hash = 'hot'; }, f: () => { location.hash = 'functions'; },
  s: () => { if ($('#sequences')) location.hash = 'sequences'; },
  t: () => $('#theme').click(), '?': () => $('#help').click(),
  '+': () => current.panes && current.panes.graph.zoom(1.25), '-': () => current.panes && current.panes.graph.zoom(0.8),
  0: () => current.panes && current.panes.graph.fit(), 1: () => current.panes && current.panes.graph.fitPath(),
  u: () => current.panes && current.panes.graph.fold(),
  Escape: () => { if (explained) explain(null); else if (!$('#keys').hidden) $('#help').click(); else if (!view.hidden) location.hash = $('.list').id; },
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === search) {
    if (event.key === 'Escape') { search.value = ''; filter([]); search.blur(); }
    return;
  }
  const run = keys[event.key];
  if (!run) return;
  event.preventDefault();
  run();
});

// Avoids location.hash, because a navigation would move the focus away from the search field and the page would handle
// the next keys.
search.addEventListener('input', () => {
  if (!view.hidden) {
    history.pushState(null, '', '#functions');
    route();
  }
  filter(search.value.toLowerCase().split(/\s+/).filter(Boolean));
});
search.addEventListener('keydown', (event) => {
  const link = event.key === 'Enter' && $$('.list:not([hidden]) tbody tr:not([hidden]) a')[0];
  if (!link) return;
  search.blur();
  location.hash = link.hash;
});

$('#help').addEventListener('click', () => {
  $('#keys').hidden = !$('#keys').hidden;
  $('#help').setAttribute('aria-expanded', String(!$('#keys').hidden));
});

const THEMES = { '': 'auto', light: 'light', dark: 'dark' };
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  $('#theme').textContent = 'Theme: ' + THEMES[theme];
  try { localStorage.setItem('pathdump-theme', theme); } catch { /* storage is not available */ }
}
let stored = '';
try { stored = localStorage.getItem('pathdump-theme') || ''; } catch { /* storage is not available */ }
setTheme(stored in THEMES ? stored : '');
$('#theme').addEventListener('click', () => {
  const names = Object.keys(THEMES), now = document.documentElement.dataset.theme || '';
  setTheme(names[(names.indexOf(now) + 1) % names.length]);
});

document.documentElement.classList.add('scripted');
$('.tools').hidden = false;
tables.forEach(makeSortable);
window.addEventListener('hashchange', route);
route();
