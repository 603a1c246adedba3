-- SPDX-License-Identifier: GPL-3.0-or-later
-- Strings and tables: generates a text, and splits, counts, sorts and formats its words.  Argument: rounds.
local random = 1
local function pick(n)
  random = (random * 1103515245 + 12345) % 2147483648
  return random // 65536 % n + 1
end

local syllables = {"ba", "co", "di", "fe", "gu", "ha", "ji", "ko", "lu", "me"}

local function make_text(words)
  local text = {}
  for i = 1, words do
    local word = {}
    for j = 1, pick(4) do
      word[j] = syllables[pick(#syllables)]
    end
    text[i] = table.concat(word)
  end
  return table.concat(text, " ")
end

local function count_words(text)
  local counts = {}
  for word in text:gmatch("%a+") do
    counts[word] = (counts[word] or 0) + 1
  end
  return counts
end

local function most_frequent(counts, n)
  local words = {}
  for word in pairs(counts) do
    words[#words + 1] = word
  end
  table.sort(words, function(a, b)
    if counts[a] ~= counts[b] then
      return counts[a] > counts[b]
    end
    return a < b
  end)
  local lines = {}
  for i = 1, math.min(n, #words) do
    lines[i] = string.format("%-10s %5d %s", words[i], counts[words[i]], words[i]:upper():reverse())
  end
  return table.concat(lines, "\n")
end

for round = 1, tonumber(arg and arg[1]) or 1 do
  local text = make_text(5000):gsub("ko%a", function(match)
    return match:rep(2)
  end)
  local list = most_frequent(count_words(text), 5)
  if round % 10 == 1 then
    print(list)
  end
end
