-- What the user has decided of the hunks, tied to the buffer's own undo: plain `u` takes a decision back, and `<C-r>` brings
-- it again. A decision is a change of the buffer, though it may leave all lines as they are.
local M = {}

local most_hunks = 2000 -- of more nothing is kept: after `u`, neighbours may be drawn together or apart in another way

---@class claudecode.diff.Decision
---@field parent claudecode.diff.Decision? the one before; nil for the state at the start
---@field depth integer how many there are up to this one
---@field kind "accept"|"reject"|nil
---@field at integer? line in the base
---@field old string[]? the lines there
---@field new string[]? what was proposed in their place
---@field old_eol boolean? whether the text ended with a line break, when the hunk is its end
---@field new_eol boolean?
---@field mark integer? of where it is in the buffer

---@class claudecode.diff.History
---@field now claudecode.diff.Decision
---@field is_used boolean something was decided, now or once
---@field states table<integer, claudecode.diff.Decision> by the number of the buffer's change (|changenr()|)
---@field hunks table<integer, string> those that were left before and after a command, by that number, too
---@field number integer of the state that was seen last

---@return claudecode.diff.History
function M.new()
  local start = { depth = 0 }
  return { now = start, states = { [0] = start }, hunks = {}, number = 0, is_used = false }
end

---@param buffer integer
---@return integer
local function change_number(buffer)
  return vim.api.nvim_buf_call(buffer, vim.fn.changenr)
end

---The change that `number` was made on: the one before it in its branch of the undo tree.
---@return integer? number nil when Neovim has forgotten
local function parent_of(buffer, number)
  local function search(entries, before)
    for _, entry in ipairs(entries) do
      if entry.seq == number then
        return before
      end
      local found = entry.alt and search(entry.alt, before)
      if found then
        return found
      end
      before = entry.seq
    end
  end
  return search(vim.api.nvim_buf_call(buffer, vim.fn.undotree).entries, 0)
end

---What was decided in the state that the buffer is in now.
---@param history claudecode.diff.History
---@param buffer integer
---@return claudecode.diff.Decision
function M.state(history, buffer)
  if not history.is_used then
    return history.now
  end
  local number = change_number(buffer)
  local known = number ---@type integer?
  while known and not history.states[known] do
    known = parent_of(buffer, known)
  end
  local decision = known and history.states[known] or history.now
  history.states[number] = decision
  return decision
end

---Keeps the hunks of the state that the buffer is in now.
---@param history claudecode.diff.History
---@param buffer integer
---@param hunks claudecode.diff.Hunk[]
function M.keep_hunks(history, buffer, hunks)
  if #hunks <= most_hunks then
    history.number = change_number(buffer)
    history.hunks[history.number] = vim.mpack.encode(hunks)
  end
end

---The hunks that were kept of this state, when the buffer has come back to it.
---@param history claudecode.diff.History
---@param buffer integer
---@return claudecode.diff.Hunk[]?
function M.kept_hunks(history, buffer)
  local number = change_number(buffer)
  local kept = number ~= history.number and history.hunks[number]
  history.number = number
  return kept and vim.mpack.decode(kept) or nil
end

---Makes a step of its own of the changes that come.
---@param buffer integer
function M.begin_step(buffer)
  vim.bo[buffer].undolevels = vim.bo[buffer].undolevels
end

---The buffer is in this state now.
---@param history claudecode.diff.History
---@param buffer integer
---@param decision claudecode.diff.Decision
function M.set(history, buffer, decision)
  history.now, history.is_used = decision, true
  history.states[change_number(buffer)] = decision
end

---The way from one state to another.
---@param from claudecode.diff.Decision
---@param to claudecode.diff.Decision
---@return claudecode.diff.Decision[] back decisions to take back, the last one first
---@return claudecode.diff.Decision[] forth decisions to make again, in their order
function M.way(from, to)
  local back, forth = {}, {}
  while from ~= to do
    if from.depth >= to.depth then
      back[#back + 1] = from
      from = from.parent
    else
      table.insert(forth, 1, to)
      to = to.parent
    end
  end
  return back, forth
end

return M
