-- Command stubs. Nothing else runs when Neovim starts; the bodies are in lua/claudecode/commands.lua.
if vim.g.loaded_claudecode then
  return
end
vim.g.loaded_claudecode = 1

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_echo({ { "claudecode: Neovim 0.10 or newer is needed", "ErrorMsg" } }, true, {})
  return
end

local function command(name, options)
  vim.api.nvim_create_user_command(name, function(call)
    require("claudecode.commands")[name](call)
  end, options)
end

command("ClaudeCode", { nargs = "*", desc = "Show or hide Claude, starting it with these arguments if need be" })
command("ClaudeCodeFocus", { nargs = "*", desc = "Go to Claude, or hide it when you are there" })
command("ClaudeCodeOpen", { nargs = "*", desc = "Go to Claude, starting it if need be" })
command("ClaudeCodeClose", { desc = "End Claude" })
command("ClaudeCodeNew", { nargs = "*", desc = "Start another Claude: a name for it, then its arguments" })
local function complete_session(lead)
  return require("claudecode.commands").complete_session(lead)
end
command("ClaudeCodeSessions", {
  nargs = "*",
  bang = true,
  desc = "Go to one of the Claudes that run; with ! end it",
  complete = complete_session,
})
command("ClaudeCodeSessionClose", {
  nargs = "*",
  desc = "End one of the Claudes that run",
  complete = complete_session,
})
command("ClaudeCodeSend", { range = true, desc = "Mention the selected lines to Claude" })
command("ClaudeCodeAdd", {
  nargs = "*",
  desc = "Mention a file or folder to Claude, lines of a file, or the buffer",
  complete = function(lead)
    return require("claudecode.commands").complete_path(lead)
  end,
})
command("ClaudeCodeTreeAdd", { range = true, desc = "Mention the files of a file explorer to Claude" })
command("ClaudeCodeAsk", { nargs = "+", range = true, desc = "Ask Claude about the selected lines" })
command("ClaudeCodePrompt", { range = true, desc = "Write a prompt for Claude in a buffer" })
command("ClaudeCodeSendDiagnostics", { range = true, desc = "Put the diagnostics of the file into Claude's prompt" })
command("ClaudeCodeSendText", { nargs = "+", bang = true, desc = "Type text to Claude; with ! without Enter" })
command("ClaudeCodeSelectModel", { nargs = "*", desc = "Choose a model for Claude" })
command("ClaudeCodeResume", { desc = "Take up an earlier conversation of this folder" })
command("ClaudeCodeTrack", {
  nargs = "?",
  desc = "Let Claude see what you do: on, off or toggle",
  complete = function(lead)
    return require("claudecode.commands").complete_on_off(lead)
  end,
})
command("ClaudeCodeStart", { desc = "Start the server that Claude connects to" })
command("ClaudeCodeStop", { desc = "Stop the server" })
command("ClaudeCodeStatus", { desc = "Tell whether the server runs and who is connected" })
command("ClaudeCodeNext", { desc = "Go to the Claude or the proposal that waits for you" })
command("ClaudeCodeDiffAccept", { desc = "Accept Claude's proposal" })
command("ClaudeCodeDiffDeny", { nargs = "*", desc = "Reject Claude's proposal, and say why" })
command("ClaudeCodeAutoAccept", {
  nargs = "?",
  desc = "Accept what Claude proposes without a review: on, off or toggle",
  complete = function(lead)
    return require("claudecode.commands").complete_on_off(lead)
  end,
})
command("ClaudeCodeHunkNext", { count = 1, desc = "Go to the next hunk of Claude's proposal" })
command("ClaudeCodeHunkPrev", { count = 1, desc = "Go to the previous hunk of Claude's proposal" })
command("ClaudeCodeHunkAccept", { range = true, desc = "Keep this hunk of Claude's proposal" })
command("ClaudeCodeHunkReject", { range = true, desc = "Put the old lines of this hunk back" })
command("ClaudeCodeHunkUndo", { desc = "Take back the last decision about a hunk" })
command("ClaudeCodeCloseAllDiffs", { desc = "Close every diff of Claude's; no accepted text is lost" })
command("ClaudeCodeKernelRestart", { desc = "Start the kernel of the notebook anew: all variables are gone" })
command("ClaudeCodeKernelInterrupt", { desc = "Interrupt what runs in the kernel of the notebook" })
command("ClaudeCodeKernelInstall", { desc = "Install what Claude needs to run code in notebooks" })
command("ClaudeCodeLog", { desc = "Show the log" })

-- Maps to map keys to; none is mapped here.
local function plug(modes, name, rhs)
  vim.keymap.set(modes, ("<Plug>(%s)"):format(name), rhs or ("<Cmd>%s<CR>"):format(name))
end

plug("n", "ClaudeCodeHunkNext", "<Cmd>execute v:count1 'ClaudeCodeHunkNext'<CR>")
plug("n", "ClaudeCodeHunkPrev", "<Cmd>execute v:count1 'ClaudeCodeHunkPrev'<CR>")
plug("n", "ClaudeCodeHunkAccept")
plug("x", "ClaudeCodeHunkAccept", ":ClaudeCodeHunkAccept<CR>")
plug("n", "ClaudeCodeHunkReject")
plug("x", "ClaudeCodeHunkReject", ":ClaudeCodeHunkReject<CR>")
plug("n", "ClaudeCodeHunkUndo")

local auto_setup = vim.g.claudecode_auto_setup -- of configurations in Vim script: the options, or just 1
if auto_setup and auto_setup ~= 0 then
  vim.schedule(function()
    require("claudecode").setup(type(auto_setup) == "table" and auto_setup or {})
  end)
end
