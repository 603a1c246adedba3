// SPDX-License-Identifier: GPL-3.0-or-later
// Shows explanations of column headings. The button of each heading refers to an entry of the glossary, which is
// displayed next to the button while the button has the focus or the pointer, until Escape is pressed.

// Returns a heading with an explanation.
function heading(term, isNumber, text = term) {
  const id = 'term-' + term.replace(/[ .]/g, '-');
  const attributes = { type: 'button', 'aria-describedby': document.getElementById(id) ? id : undefined };
  return el('th', { scope: 'col', class: isNumber ? 'n' : undefined }, el('button', attributes, text));
}

const tip = el('div', { id: 'tip', class: 'tip', hidden: '' });
document.body.append(tip);
let explained = null; // button whose explanation is shown

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
// Keeps the explanation while the pointer is on its text, so that the user can read or copy the text.
for (const type of ['pointerout', 'focusout'])
  document.addEventListener(type, (event) => {
    const to = event.relatedTarget;
    if (explained && !(to instanceof Node && (tip.contains(to) || explained.contains(to))) && document.activeElement !== explained)
      explain(null);
  });
addEventListener('scroll', () => explain(null), true);
