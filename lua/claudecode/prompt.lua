-- :ClaudeCodePrompt: a prompt is written in a buffer, and sent with :w. What its @words stand for the host finds out
-- (src/commands/prompt.ts); here are the buffer's text, and what the editor knows.
local M = {}

local last_id = 0
local under_way ---@type {id: integer, event: table}? what was written and is not on its way to Claude yet

local function notice(level, text)
  require("claudecode.notice").show(level, text)
end

local function page()
  return require("claudecode.prompt.page")
end

---Opens the prompt where the user is, with what they had written and not sent.
---@param call {range: integer, line1: integer, line2: integer}
function M.open(call)
  require("claudecode")._prepare()
  if vim.api.nvim_get_current_buf() == page().buffer() then
    return page().begin()
  elseif vim.fn.getcmdwintype() ~= "" then
    return notice("warn", "close the command-line window first: no other window can be opened from it")
  end
  local place = require("claudecode.prompt.place")
  local taken = place.take(call)
  local is_new = page().make()
  local earlier = place.name()
  if earlier then
    page().replace_word("@this", earlier)
  end
  place.set(taken)
  require("claudecode.prompt.window").open(page().buffer())
  if call.range > 0 or taken.was_visual then
    page().append("@this ")
  end
  page().begin()
  if is_new then
    require("claudecode.prompt.history").forget()
  end
  require("claudecode.host").ask("promptOpened", { folder = vim.fn.getcwd(), state = vim.fn.stdpath("state") })
end

---Sends what is written. The text stays until it is on its way.
function M.send()
  local text = page().text()
  if vim.trim(text) == "" then
    return notice("warn", "the prompt is empty: nothing was sent")
  end
  local obstacle = require("claudecode.commands.mention").obstacle()
  if obstacle then
    return notice("error", "the prompt was not sent: " .. obstacle)
  end
  last_id = last_id + 1
  under_way = {
    id = last_id,
    event = {
      id = last_id,
      text = text,
      folder = vim.fn.getcwd(),
      state = vim.fn.stdpath("state"),
      this = require("claudecode.prompt.place").this(),
      file = require("claudecode.prompt.place").file(),
      launch = require("claudecode.cwd").launch_context(),
    },
  }
  page().lock(true)
  local host = require("claudecode.host")
  if host.phase() == "ready" then
    host.notify("prompt", under_way.event)
  elseif not host.start() then -- of which the user is told
    M.stay()
  end
end

---Gives a new host what one that is gone did not do.
function M.ask_again()
  if under_way then
    require("claudecode.host").notify("prompt", under_way.event)
  end
end

---Nothing is sent: the text can be written again.
function M.stay()
  under_way = nil
  page().lock(false)
end

---A text that did not reach Claude, of which the user was told, is a draft again.
---@param text string
function M.give_back(text)
  page().make()
  if under_way or vim.trim(page().text()) ~= "" then
    page().prepend(text)
  else
    page().set_text(text)
  end
end

---Neovim ends, and something is written that was not sent: the host puts it into the history next time
---(src/prompts/history.ts). There may be no host at this moment.
---@param text string
function M.keep(text)
  if vim.trim(text) == "" then
    return
  end
  local folder = vim.fn.stdpath("state") .. "/claudecode/prompts"
  vim.fn.mkdir(folder, "p", tonumber("700", 8))
  local name = vim.fn.sha256(vim.fn.getcwd()):sub(1, 16)
  local file = vim.uv.fs_open(("%s/%s.unsent"):format(folder, name), "w", tonumber("600", 8))
  if file then
    vim.uv.fs_write(file, text)
    vim.uv.fs_close(file)
  end
end

local function send_off(args)
  local launch = under_way.event.launch
  under_way = nil
  page().lock(false)
  page().finish()
  require("claudecode.prompt.window").close()
  require("claudecode.outbox").send({ { question = args.text, draft = args.draft } }, launch)
end

M.rpc = {
  ---What can be completed, and what was sent before.
  ---@param args {files: string[]?, history: string[]?}
  offer = function(args)
    if args.history then
      require("claudecode.prompt.history").set(args.history)
    end
    if args.files then
      require("claudecode.prompt.completion").set_files(args.files)
    end
    return true
  end,

  ---What stands behind the words that are used.
  ---@param args {names: string[]}
  gather = function(args)
    return require("claudecode.prompt.place").gather(args.names)
  end,

  ---Which of these files are private, as far as the editor knows it.
  ---@param args {paths: string[]}
  ---@return boolean[]
  private = function(args)
    return vim.tbl_map(require("claudecode.editor.privacy").is_path_private, args.paths)
  end,

  ---The text as Claude gets it. Files of which it speaks may be private.
  ---@param args {id: integer, text: string, draft: string, files: string[]}
  deliver = function(args)
    if not under_way or under_way.id ~= args.id then
      return true
    end
    require("claudecode.commands.consent").obtain(args.files, function(refused)
      if not under_way or under_way.id ~= args.id then
        return
      elseif next(refused) then
        M.stay()
      else
        send_off(args)
      end
    end)
    return true
  end,

  ---It can't be sent as it is.
  ---@param args {id: integer, reason: string}
  refuse = function(args)
    if under_way and under_way.id == args.id then
      M.stay()
      notice("error", "the prompt was not sent: " .. args.reason)
    end
    return true
  end,
}

return M
