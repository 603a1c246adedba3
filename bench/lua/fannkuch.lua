-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pancake flips over all permutations of 1 … n: loops over small integer tables.  Argument: n.
local function fannkuch(n)
  local permutation, flipped, rotation = {}, {}, {}
  for i = 1, n do
    permutation[i] = i
    rotation[i] = i
  end
  local sign, checksum, most = 1, 0, 0
  while true do
    local first = permutation[1]
    if first ~= 1 then
      for i = 2, n do
        flipped[i] = permutation[i]
      end
      local flips = 1
      while true do
        local next_first = flipped[first]
        if next_first == 1 then
          break
        end
        flipped[first] = first
        if first >= 4 then
          local i, j = 2, first - 1
          repeat
            flipped[i], flipped[j] = flipped[j], flipped[i]
            i = i + 1
            j = j - 1
          until i >= j
        end
        first = next_first
        flips = flips + 1
      end
      most = math.max(most, flips)
      checksum = checksum + sign * flips
    end
    if sign == 1 then
      permutation[1], permutation[2] = permutation[2], permutation[1]
      sign = -1
    else
      permutation[2], permutation[3] = permutation[3], permutation[2]
      sign = 1
      for i = 3, n do
        local left = rotation[i]
        if left ~= 1 then
          rotation[i] = left - 1
          break
        end
        if i == n then
          return checksum, most
        end
        rotation[i] = i
        local head = permutation[1]
        for j = 1, i do
          permutation[j] = permutation[j + 1]
        end
        permutation[i + 1] = head
      end
    end
  end
end

local n = tonumber(arg and arg[1]) or 8
print(n, fannkuch(n))
