// SPDX-License-Identifier: GPL-3.0-or-later
// What headings mean.  The page's list of terms has the texts; each heading's button refers to its own, which is shown
// beside it while it has the focus or the pointer, until Escape.

// A heading that explains itself.
function heading(term, isNumber, text = term) {
  const id = 'term-' + term.replace(/[ .]/g, '-');
  const attributes = { type: 'button', 'aria-describedby': document.getElementById(id) ? id : undefined };
  return el('th', { scope: 'col', class: isNumber ? 'n' : undefined }, el('button', attributes, text));
}

const tip = el('div', { id: 'tip', class: 'tip', hidden: '' });
document.body.append(tip);
let explained = null; // the button

function explain(button) {
  explained = button;
  tip.hidden = !button;
  if (!button) return;
  tip.textContent = document.getElementById(button.getAttribute('aria-describedby')).textContent;
  const at = button.getBoundingClientRect(), room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = Math.max(8, Math.min(at.left, room)) + 'px';
  const below = at.bottom + 4, fits = below + tip.offsetHeight <= innerHeight;
  tip.style.top = (fits ? below : Math.max(4, at.top - tip.offsetHeight - 4)) + 'px';
}

const explainable = (event) => event.target instanceof Element && event.target.closest('th [aria-describedby]');
for (const type of ['pointerover', 'focusin'])
  document.addEventListener(type, (event) => {
    const button = explainable(event);
    if (button) explain(button);
  });
// The pointer may come to the text, to read or copy it.
for (const type of ['pointerout', 'focusout'])
  document.addEventListener(type, (event) => {
    const to = event.relatedTarget;
    if (explained && !(to instanceof Node && (tip.contains(to) || explained.contains(to))) && document.activeElement !== explained)
      explain(null);
  });
addEventListener('scroll', () => explain(null), true);
