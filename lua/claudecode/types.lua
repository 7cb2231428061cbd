-- The types of the options, for language servers. Made by scripts/docs/generate.ts from src/options/schema.ts.

---@class claudecode.Options
---@field auto_start? boolean Start the server when Neovim has started. Otherwise it starts with the first command that needs it.
---@field port_range? { min: number, max: number } The ports that the server chooses from. It listens on 127.0.0.1 only.
---@field terminal_cmd? string The command that starts Claude, with arguments if you like. It is split at blanks as a shell would (quotes and `~` work), and run without a shell.
---@field env? table<string, string> Environment variables for Claude, on top of Neovim's.
---@field log_level? "error"|"warn"|"info"|"debug"|"trace" How much `:ClaudeCodeLog` holds.
---@field track_selection? boolean Tell Claude which file you are in and what you have selected, as it changes.
---@field visual_demotion_delay_ms? number How long what you had selected still counts after you moved the cursor (ms): time to get to Claude's window.
---@field node_cmd? string The Node.js program, 20.19 or newer.
---@field host? "process"|"provider" Where the TypeScript part runs: in a Node process of its own, or (`"provider"`) in Neovim's Node provider, after `:UpdateRemotePlugins`.
---@field terminal? claudecode.Options.terminal

---@class claudecode.Options.terminal
---@field provider? "native"|"none" Where Claude runs: in a split of Neovim, or (`"none"`) in a terminal of your own that you start with `claude --ide`.
---@field split_side? "left"|"right" The side of the screen that Claude's split is on.
---@field split_width_percentage? number The width of Claude's split, as a part of the screen.
---@field auto_close? boolean Close Claude's window when Claude ends by itself. A window whose Claude failed stays open, to be read.
