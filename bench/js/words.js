// SPDX-License-Identifier: GPL-3.0-or-later
// Strings, objects and regular expressions: generates a text, and counts, sorts and formats its words. Argument: rounds.
var random = 1;

function pick(n) {
  random = (random * 1103515 + 12345) % 2147483648;
  return Math.floor(random / 65536) % n;
}

function makeText(words) {
  var syllables = ["ba", "co", "di", "fe", "gu", "ha", "ji", "ko", "lu", "me"], text = [];
  for (var i = 0; i < words; i++) {
    var word = "";
    for (var j = pick(4); j >= 0; j--)
      word += syllables[pick(syllables.length)];
    text.push(word);
  }
  return text.join(" ");
}

function countWords(text) {
  var counts = {}, words = text.split(" ");
  for (var i = 0; i < words.length; i++)
    counts[words[i]] = (counts[words[i]] || 0) + 1;
  return counts;
}

function report(counts) {
  var names = [];
  for (var name in counts)
    if (/^b.*[aeiou]$/.test(name))
      names.push(name);
  names.sort(function (a, b) { return counts[b] - counts[a] || (a < b ? -1 : 1); });
  return names.slice(0, 5).map(function (name) { return name + "=" + counts[name]; }).join(" ");
}

for (var round = Number(scriptArgs[0]); round > 0; round--)
  print(report(countWords(makeText(3000))));
