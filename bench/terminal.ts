// From the key to Claude's window: cold, when the host starts for it, and warm; beside Neovim's own :terminal.
import { fakeClaude } from '../test/support/fake-claude.ts'
import { startNeovim } from '../test/support/neovim.ts'
import { makePlaces } from '../test/support/places.ts'
import { atMost, forEachNeovim, inMs, measureInTurns, median, printFigures } from './support.ts'

const rounds = 10
const coldLimitMs = 300
const warmLimitMs = 30

/** What there is to wait for, as Lua. */
const windowIsThere = '#vim.api.nvim_tabpage_list_wins(0) > count'
const terminalIsThere = `(function()
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      if vim.bo[vim.api.nvim_win_get_buf(win)].buftype == 'terminal' then return true end
    end
  end)()`

/** ms from `command` to its window, and to a program that runs in it. Then it is taken away by `undo`. */
const untilShown = (command: string, undo: string) => `
  local count, start = #vim.api.nvim_tabpage_list_wins(0), vim.uv.hrtime()
  ${command}
  local function since() return (vim.uv.hrtime() - start) / 1e6 end
  assert(vim.wait(20000, function() return ${windowIsThere} end, 1))
  vim.cmd.redraw()
  local shown = since()
  assert(vim.wait(20000, function() return ${terminalIsThere} end, 1))
  local running = since()
  ${undo}
  return { shown, running }`

const startNode = `
  local start, time = vim.uv.hrtime(), nil
  vim.fn.jobstart({ 'node', '-e', '0' }, { on_exit = function() time = (vim.uv.hrtime() - start) / 1e6 end })
  assert(vim.wait(20000, function() return time end, 1))
  return time`

await forEachNeovim(async neovim => {
  const places = await makePlaces({})
  const nvim = await startNeovim({
    places,
    env: { FAKE_CLAUDE_RECORDS: places.base },
    init: `require('claudecode').setup({ auto_start = false, terminal_cmd = '${fakeClaude}' })`,
  })
  try {
    const close = "require('claudecode.terminal').close()"
    const shown: number[] = []
    const times = await measureInTurns(
      {
        node: () => nvim.lua<number>(startNode),
        terminal: async () => {
          const both = untilShown(`vim.cmd('vsplit | terminal ${fakeClaude}')`, "vim.cmd('bdelete!')")
          return (await nvim.lua<[number, number]>(both))[1]
        },
        cold: async () => {
          const both = untilShown('vim.cmd.ClaudeCode()', `${close} require('claudecode.host').stop()`)
          const [window, program] = await nvim.lua<[number, number]>(both)
          shown.push(window)
          return program
        },
      },
      rounds,
    )
    await nvim.lua(untilShown('vim.cmd.ClaudeCode()', 'vim.cmd.stopinsert()'))
    const toggle = `
      local count, start = #vim.api.nvim_list_wins(), vim.uv.hrtime()
      vim.cmd.ClaudeCode()
      assert(vim.wait(20000, function() return #vim.api.nvim_list_wins() ~= count end, 1))
      return (vim.uv.hrtime() - start) / 1e6`
    const { warm } = await measureInTurns({ warm: () => nvim.lua<number>(toggle) }, rounds * 2)
    const beside = median(times.terminal) + median(times.node)
    printFigures(`Claude's window, Neovim ${neovim.version}: from the command to the window`, [
      { what: ':terminal, and node -e 0', value: inMs(beside) },
      {
        what: ':ClaudeCode, host not running: its window',
        value: inMs(median(shown)),
        ratio: `${(median(shown) / beside).toFixed(2)} × both`,
        goal: atMost(median(shown), coldLimitMs, 'ms'),
      },
      {
        what: ':ClaudeCode, host not running: Claude runs in it',
        value: inMs(median(times.cold)),
        ratio: `${(median(times.cold) / beside).toFixed(2)} × both`,
      },
      {
        what: ':ClaudeCode, shown or hidden again',
        value: inMs(median(warm)),
        goal: atMost(median(warm), warmLimitMs, 'ms'),
      },
    ])
  } finally {
    await nvim.close()
    await places.remove()
  }
})
