// SPDX-License-Identifier: GPL-3.0-or-later
// Folds the directories of the index, and searches its files.
"use strict";

const rows = [...document.querySelectorAll("tr[data-name]")];
const folded = new Set();
const search = document.querySelector("input");

function isBelow(name, folder) {
  return name !== folder && name.startsWith(folder);
}

function show() {
  const wanted = search.value.toLowerCase();
  for (const row of rows) {
    const name = row.dataset.name;
    row.hidden = wanted
      ? row.className === "folder" || !name.toLowerCase().includes(wanted)
      : [...folded].some(folder => isBelow(name, folder));
    if (row.className === "folder")
      row.cells[0].firstChild.setAttribute("aria-expanded", !folded.has(name));
    else // the directories are not shown during a search
      row.querySelector("a").textContent = wanted ? name : name.slice(name.lastIndexOf("/") + 1);
  }
}

for (const row of rows)
  if (row.className === "folder") {
    const button = document.createElement("button");
    button.textContent = row.cells[0].textContent;
    button.addEventListener("click", () => {
      if (!folded.delete(row.dataset.name))
        folded.add(row.dataset.name);
      show();
    });
    row.cells[0].replaceChildren(button);
  }
search.addEventListener("input", show);
search.hidden = false;
// Large trees start with folded directories.
if (rows.length > 500)
  for (const row of rows)
    if (row.className === "folder" && row.dataset.name.split("/").length > 2)
      folded.add(row.dataset.name);
show();
