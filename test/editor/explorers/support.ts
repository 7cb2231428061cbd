// The file explorers: how each is opened, in the words of its own documentation. The plugins are stand-ins of ours with the
// same functions; with EXPLORER_PLUGINS set to a folder that has clones of the plugins themselves, those are used.
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { startConnected } from '../../support/mentions.ts'
import { repository } from '../../support/places.ts'

const plugins = process.env['EXPLORER_PLUGINS']
const standIn = (name: string) => join(repository, 'test', 'support', name)

function use(...names: string[]): string {
  const folders = plugins
    ? names.map(name => join(plugins, name))
    : [standIn('explorers-stand-in'), standIn('snacks-stand-in')]
  return folders.map(folder => `vim.opt.runtimepath:append('${folder}')\n`).join('')
}

export interface Explorer {
  name: string
  /** Lua for init.lua. */
  init: string
  /** Lua that shows the project; with its folder `sub` open, where folders open in place. */
  open: string
  /** Keys that mark what the cursor is on. */
  mark?: string
  /** Folders open in place, below their own row. */
  isTree?: boolean
}

export const explorers: Explorer[] = [
  {
    name: 'nvim-tree',
    init: `${use('nvim-tree.lua')}vim.g.loaded_netrw, vim.g.loaded_netrwPlugin = 1, 1
      require('nvim-tree').setup({ view = { width = 50 } })`,
    open: `local tree = require('nvim-tree.api').tree tree.open() tree.expand_all()`,
    mark: 'm',
    isTree: true,
  },
  {
    name: 'neo-tree',
    init: `${use('neo-tree.nvim', 'nui.nvim', 'plenary.nvim')}require('neo-tree').setup({ log_to_file = false, window = { width = 50 } })`,
    open: `require('neo-tree.command').execute({ reveal_file = vim.fn.getcwd() .. '/sub/d.txt' })`,
    mark: '<Tab>',
    isTree: true,
  },
  {
    name: 'oil',
    init: `${use('oil.nvim')}require('oil').setup({})`,
    open: `require('oil').open(vim.fn.getcwd())`,
  },
  {
    name: 'mini.files',
    init: `${use('mini.files')}require('mini.files').setup({})`,
    open: `require('mini.files').open(vim.fn.getcwd())`,
  },
  {
    name: 'snacks',
    init: `${use('snacks.nvim')}require('snacks').setup({ explorer = {}, picker = {} })`,
    open: `require('snacks').explorer({ follow_file = false, watch = false, git_status = false, layout = { layout = { width = 60 } } })`,
    mark: '<Tab>',
    isTree: true,
  },
  { name: 'netrw', init: '', open: `vim.cmd.Explore(vim.fn.getcwd())`, mark: 'mf' },
  {
    name: 'netrw, long',
    init: 'vim.g.netrw_liststyle = 1',
    open: `vim.cmd.Explore(vim.fn.getcwd())`,
    mark: 'mf',
  },
  { name: 'netrw, tree', init: 'vim.g.netrw_liststyle = 3', open: `vim.cmd.Explore(vim.fn.getcwd())`, isTree: true },
]

/** The one with this name. */
export function explorer(name: string): Explorer {
  const found = explorers.find(each => each.name === name)
  if (!found) throw new Error(`there is no explorer ${name}`)
  return found
}

/** Names that are hard to read off a screen. */
export const names = ['a.txt', 'b c.txt', "d'e%.txt", '日本 é.txt']

/** Starts Neovim with the explorer's plugin; a Claude is connected, and the explorer is shown. */
export async function openExplorer(explorer: Explorer, more: Record<string, string> = {}) {
  const files = Object.fromEntries([...names, 'sub/d.txt', 'sub/deep/e.txt'].map(name => [name, 'x\n']))
  const started = await startConnected({
    files: { ...files, ...more },
    init: `vim.o.termguicolors = false\n${explorer.init}
      vim.keymap.set('x', '<F5>', '<Cmd>ClaudeCodeSend<CR>')
      vim.keymap.set({ 'n', 'i' }, '<F6>', '<Cmd>ClaudeCodeTreeAdd<CR>')`,
  })
  const { nvim } = started
  await symlink('a.txt', join(nvim.folder, 'z-link'))
  await symlink('sub', join(nvim.folder, 'z-folder'))
  await nvim.lua(explorer.open)
  await nvim.waitForScreen(/b c\.txt/)
  await nvim.waitFor(`require('claudecode.explorers').is_explorer(0)`, 'the explorer to be current')
  /** Puts the cursor on the row that shows this name; `toColumn` on the name itself. */
  async function goTo(name: string, { toColumn = false } = {}): Promise<void> {
    const find = `local name = ... return vim.iter(ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false))):find(function(_, line)
      local from, to = line:find(name, 1, true)
      if line:sub(1, 1) == '"' then return false end -- netrw's banner
      return from and (to == #line or line:sub(to + 1):match('^[^%w.]*%s') or line:sub(to + 1):match('^[/@*]'))
    end)`
    const row = await nvim.waitFor(() => nvim.lua<number | null>(find, name).then(found => found ?? undefined), name)
    await nvim.lua(
      `local row, name, to_column = ...
      local column = to_column and vim.api.nvim_buf_get_lines(0, row - 1, row, true)[1]:find(name, 1, true) - 1
      vim.api.nvim_win_set_cursor(0, { row, column or 0 })`,
      row,
      name,
      toColumn,
    )
    await nvim.feed('<Ignore>')
  }
  return { ...started, goTo }
}
