# SPDX-License-Identifier: GPL-3.0-or-later
# Statistics of a text: word frequencies, successors of words, comments, numbers, and the longest lines.
{
  lines++
  if (length($0) > longest[length($0) % 97])
    longest[length($0) % 97] = length($0)
}

/^ *(\/?\*|\*\*)/ { comments++ }

match($0, /"([^"\\]|\\.)*"/) { strings[substr($0, RSTART, RLENGTH)]++ }

{
  before = ""
  gsub(/[^A-Za-z0-9_]+/, " ")
  for (place = 1; place <= NF; place++) {
    word = tolower($place)
    if (word ~ /^[0-9]+$/)
      sum = (sum + word) % 1000003
    else
      count[word]++
    if (before != "")
      pair[before, word]++
    before = word
  }
}

function reversed(word,    place, result) {
  for (place = length(word); place > 0; place--)
    result = result substr(word, place, 1)
  return result
}

END {
  for (word in count) {
    if (count[word] > 3 && (reversed(word) in count))
      mirrored++
    key = sprintf("%08d %s", count[word], word)
    keys[++number] = key
  }
  asort(keys)
  for (place = number; place > number - 20 && place > 0; place--)
    print keys[place]
  for (two in pair) {
    split(two, halves, SUBSEP)
    if (pair[two] == count[halves[1]])
      always++
  }
  printf "%d lines, %d comments, %d strings, %d mirrored, %d always, %d\n", lines, comments, length(strings), mirrored, always, sum
}
