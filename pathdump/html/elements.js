// SPDX-License-Identifier: GPL-3.0-or-later
// Creates elements, formats numbers and unpacks data for the other scripts.
//
// The script files form one module; the build concatenates them. The view of a function is stored in the page as
// zlib-compressed JSON in base64 and is unpacked on demand. Names and source text become text nodes, never markup.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const view = $('#view');

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== false) element.setAttribute(name, value);
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false && child !== '') element.append(child);
  return element;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

// Counts above 2^53 are serialized as strings.
const format = new Intl.NumberFormat('en-US');
const grouped = (count) => format.format(typeof count === 'string' ? BigInt(count) : count);
const percent = (share) => share.toFixed(2) + '%';
function short(count) {
  const value = Number(count);
  for (const [unit, name] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e4, 'k']])
    if (value >= unit) return Number((value / (name === 'k' ? 1e3 : unit)).toPrecision(3)) + name;
  return String(count);
}
const cut = (text, width) => (text.length > width ? text.slice(0, width - 1) + '…' : text);
const packed = new Map($$('script[data-kind]').map((e) => [e.dataset.kind + ' ' + decodeURIComponent(e.dataset.key), e]));
const unpacked = new Map();

async function unpack(kind, key) {
  const name = kind + ' ' + key;
  if (!packed.has(name)) return null;
  if (!window.DecompressionStream)
    throw new Error('The browser does not support DecompressionStream, which the source and graph views need. '
      + 'Use Chromium 80, Firefox 113, Safari 16.4 or later. The tables work in any browser.');
  if (!unpacked.has(name)) {
    const bytes = Uint8Array.from(atob(packed.get(name).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    unpacked.set(name, new Response(stream).json());
  }
  return unpacked.get(name);
}
