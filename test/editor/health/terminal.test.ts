// :checkhealth claudecode says where Claude runs, and what is missing there.
import { expect, test } from 'vitest'
import { startWithFakeClaude } from '../../support/fake-claude.ts'

test.each([
  ['{}', /OK Claude runs in a window of Neovim's own/],
  ["{ terminal = { provider = 'native' } }", /OK Claude runs where terminal.provider says: native/],
  ["{ terminal = { provider = 'none' } }", /terminal.provider is "none": start `claude --ide` yourself/],
  ["{ terminal = { provider = 'snacks' } }", /WARNING .*snacks.*window of Neovim's own.*Install folke\/snacks.nvim/],
  ["{ terminal = { provider = 'external' } }", /WARNING .*external_terminal_cmd is not set.*alacritty -e %s/],
  ["{ terminal = { provider = 'tmux' } }", /WARNING .*tmux.*Start Neovim inside of tmux/],
  ['{ terminal = { provider = { open = print } } }', /WARNING terminal.provider has no function .*Give the table all/],
])('U-09: with %s', async (setup, text) => {
  const { nvim } = await startWithFakeClaude({ setup })
  await nvim.request('nvim_command', ['checkhealth claudecode'])
  const lines = await nvim.request<string[]>('nvim_buf_get_lines', [0, 0, -1, false])
  expect(
    lines
      .join(' ')
      .replace(/\P{ASCII}/gu, '')
      .replace(/ +/g, ' '),
  ).toMatch(text)
})
