-- SPDX-License-Identifier: GPL-3.0-or-later
-- N queens with closures, methods and coroutines: calls.  Argument: size of the board.
local Board = {}
Board.__index = Board

function Board.new(size)
  return setmetatable({size = size, column = {}, up = {}, down = {}}, Board)
end

function Board:is_free(row, column)
  return not (self.column[column] or self.up[row + column] or self.down[row - column])
end

function Board:set(row, column, value)
  self.column[column] = value
  self.up[row + column] = value
  self.down[row - column] = value
end

function Board:place(row, visit)
  if row > self.size then
    return visit()
  end
  for column = 1, self.size do
    if self:is_free(row, column) then
      self:set(row, column, true)
      self:place(row + 1, function()
        return visit(column)
      end)
      self:set(row, column, false)
    end
  end
end

local function solutions(size)
  return coroutine.wrap(function()
    Board.new(size):place(1, coroutine.yield)
  end)
end

local size = tonumber(arg and arg[1]) or 6
local count, sum = 0, 0
for column in solutions(size) do
  count = count + 1
  sum = sum + (column or 0)
end
print(size, count, sum)
