// What each Claude does, as its hooks tell: the status line, events, who waits, and what becomes of the user's settings.
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type FakeSetup,
  proposeChange,
  startClaude,
  startWithFakeClaude,
  waitForMessage,
} from '../../support/fake-claude.ts'
import { tell } from '../../support/hooks.ts'
import { isAlive } from '../../support/processes.ts'

const waitForText = ({ nvim }: FakeSetup, text: string) =>
  nvim.waitFor(`require('claudecode').statusline() == '${text}'`, `the status line "${text}"`)

const waits = 'waits for you; :ClaudeCodeNext goes there'

const countEvents = `Events = {}
  vim.api.nvim_create_autocmd('User', { pattern = 'ClaudeCodeSessionState', callback = function(event)
    table.insert(Events, event.data.state)
  end })`

test('the status line and an event say what Claude does', async () => {
  const { setup, nvim, run } = await startClaude({ init: countEvents })
  await setup.connect()
  await waitForText(setup, 'Claude: a.txt')
  for (const [event, text] of [
    ['UserPromptSubmit', 'Claude working: a.txt'],
    ['PermissionRequest', 'Claude waiting: a.txt'],
    ['PostToolUse', 'Claude working: a.txt'],
    ['Stop', 'Claude done: a.txt'],
  ] as const) {
    expect(await tell(run, event)).toBeUndefined()
    await waitForText(setup, text)
  }
  await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
  await nvim.waitFor(`Events[#Events] == 'gone'`, 'the end')
  expect(await nvim.lua('return Events')).toEqual([
    'starting',
    'connected',
    'working',
    'waiting',
    'working',
    'done',
    'gone',
  ])
})

test('no word of the call has a token; its environment has one', async () => {
  const { run } = await startClaude()
  const token = run.env['CLAUDECODE_HOOK_TOKEN']
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(run.settings).not.toContain(token)
})

describe('a Claude that waits', () => {
  test('is told of once when it is hidden, and :ClaudeCodeNext goes there', async () => {
    const { setup, nvim, run } = await startClaude()
    await setup.connect()
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await tell(run, 'PermissionRequest', { tool_name: 'Bash' })
    await waitForMessage(setup, `claudecode: Claude (project) ${waits}`)
    await tell(run, 'Notification', { notification_type: 'permission_prompt' })
    await nvim.feed(':ClaudeCodeNext<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", "Claude's window")
    expect((await nvim.messages()).split(waits)).toHaveLength(2)
  })

  test('in another tab page is told of, too', async () => {
    const { setup, nvim, run } = await startClaude()
    await nvim.feed('<C-q>:tabnew<CR>')
    await tell(run, 'PermissionRequest', { tool_name: 'Bash' })
    await waitForMessage(setup, waits)
    await nvim.feed(':ClaudeCodeNext<CR>')
    await nvim.waitFor("vim.fn.mode() == 't'", "Claude's window")
  })

  test('on the screen is not told of, nor one whose question is answered at once', async () => {
    const { nvim, run } = await startClaude()
    await tell(run, 'PermissionRequest', { tool_name: 'Bash' })
    await nvim.feed('<C-q>')
    await tell(run, 'PostToolUse')
    await nvim.feed(':ClaudeCode<CR>')
    await tell(run, 'PermissionRequest', { tool_name: 'Bash' })
    await tell(run, 'Stop')
    await tell(run, 'PermissionRequest', { tool_name: 'Bash' })
    await nvim.waitFor(async () => (await nvim.messages()).includes(waits), 'the notice of the last question')
    expect((await nvim.messages()).split(waits)).toHaveLength(2)
  })

  test('with a proposal on the screen is not told of; :ClaudeCodeNext goes to the proposal', async () => {
    const { setup, nvim, run } = await startClaude()
    const claude = await setup.connect()
    await nvim.waitFor(`require('claudecode.status').get().sessions[1].state == 'connected'`, 'the session')
    await nvim.feed('<C-q>:ClaudeCode<CR>')
    await tell(run, 'PermissionRequest', { tool_name: 'Edit' })
    const proposal = proposeChange(claude, setup)
    await nvim.waitFor('vim.b.claudecode_diff_tab_name ~= nil', 'the proposal')
    await nvim.feed(':tabnew<CR>:ClaudeCodeNext<CR>')
    expect(await nvim.lua('return vim.b.claudecode_diff_tab_name')).toBe('proposal')
    await nvim.feed(':q!<CR>')
    await proposal
    expect(await nvim.messages()).not.toContain(waits)
  })

  test(':ClaudeCodeNext goes from one to the next: a proposal, then another Claude’s question, then the proposal', async () => {
    const { setup, nvim, run } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCodeNew other<CR>')
    const other = await setup.waitForRun(2)
    const claude = await setup.connect(run)
    await nvim.waitFor(`require('claudecode.status').get().sessions[1].state == 'connected'`, 'the first session')
    const proposal = proposeChange(claude, setup)
    await tell(run, 'PermissionRequest', { tool_name: 'Edit' })
    await tell(other, 'PermissionRequest', { tool_name: 'Bash' })
    await nvim.waitFor(`require('claudecode').statusline():find('2 waiting', 1, true)`, 'both to wait')
    await nvim.waitFor(`#require('claudecode.editor.diff.registry').pending() == 1`, 'the proposal in its window')
    await nvim.feed('<C-\\><C-n>:tabnew<CR>')
    const where = `vim.b.claudecode_diff_tab_name
      or (vim.bo.buftype == 'terminal' and require('claudecode.terminal.sessions').current().name)`
    const places: string[] = []
    for (const expected of ['proposal', 'other', 'proposal']) {
      await nvim.feed('<C-\\><C-n>:ClaudeCodeNext<CR>')
      await nvim.waitFor(`(${where}) == '${expected}'`, expected)
      places.push(await nvim.lua<string>(`return ${where}`))
    }
    expect(places).toEqual(['proposal', 'other', 'proposal'])
    await nvim.feed('<C-\\><C-n>:q!<CR>')
    await proposal
  })

  test('nobody waits: :ClaudeCodeNext says so', async () => {
    const { setup, nvim } = await startClaude()
    await nvim.feed('<C-q>:ClaudeCodeNext<CR>')
    await waitForMessage(setup, 'no Claude waits for you')
  })
})

describe('the user’s settings', () => {
  test('a file is merged into a private one, which goes with the session', async () => {
    const setup = await startWithFakeClaude({
      files: { 'a.txt': 'one\n', 'own.json': '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}' },
    })
    const { nvim } = setup
    await nvim.feed(':ClaudeCode --settings own.json<CR>')
    const { settings = '' } = await setup.waitForRun()
    expect(settings).not.toContain('own.json')
    const merged = JSON.parse(await readFile(settings, 'utf8'))
    expect(merged).toMatchObject({ model: 'opus', hooks: { Stop: [{ hooks: [{ type: 'command' }] }, {}] } })
    expect([(await stat(settings)).mode & 0o777, (await stat(dirname(settings))).mode & 0o777]).toEqual([0o600, 0o700])
    await nvim.feed('<C-q>:ClaudeCodeClose<CR>')
    await nvim.waitFor(
      () =>
        stat(settings).then(
          () => false,
          () => true,
        ),
      'the file to be gone',
    )
  })

  test.each([
    ['can’t be read', ":ClaudeCode --settings '{'<CR>", '{'],
    ['are not there', ':ClaudeCode --settings none.json<CR>', 'none.json'],
  ])('that %s are passed on as they are', async (_what, keys, value) => {
    const setup = await startWithFakeClaude()
    await setup.nvim.feed(keys)
    expect((await setup.waitForRun()).settings).toBe(value)
  })

  test('that forbid hooks are respected, and live_state = false switches it off', async () => {
    const forbidding = await startWithFakeClaude()
    await writeFile(join(forbidding.nvim.configDir, 'settings.json'), '{"disableAllHooks":true}')
    await forbidding.nvim.feed(':ClaudeCode<CR>')
    expect((await forbidding.waitForRun()).settings).toBeUndefined()
    const off = await startWithFakeClaude({ setup: '{ live_state = false }' })
    await off.nvim.feed(':ClaudeCode<CR>')
    expect((await off.waitForRun()).settings).toBeUndefined()
  })
})

test.each(['env OTHER=1 %s', 'sh -c "exec %s"'])(
  'a Claude in a terminal of the user’s own has hooks, too: %s',
  async command => {
    const setup = await startWithFakeClaude({
      setup: `{ terminal = { provider = 'external', provider_opts = { external_terminal_cmd = '${command}' } } }`,
    })
    await setup.nvim.feed(':ClaudeCode<CR>')
    const run = await setup.waitForRun()
    expect(
      await tell(run, 'PermissionRequest', { tool_name: 'Bash', tool_input: 'long '.repeat(1_000_000) }),
    ).toBeUndefined()
    await waitForMessage(setup, waits)
    await setup.nvim.feed(':ClaudeCodeNext<CR>')
    await waitForMessage(setup, 'waits for you where it runs, outside of Neovim')
  },
)

test('a Claude that lives longer than Neovim does not complain that nobody hears its hooks', async () => {
  const setup = await startWithFakeClaude({
    setup: `{ terminal = { provider = 'external', provider_opts = { external_terminal_cmd = 'env %s' } } }`,
  })
  await setup.nvim.feed(':ClaudeCode<CR>')
  const run = await setup.waitForRun()
  try {
    await tell(run, 'PreToolUse', { tool_name: 'AskUserQuestion' })
    await setup.nvim.waitFor(`require('claudecode.status').get().sessions[1].state == 'waiting'`, 'the state')
    await setup.nvim.close()
    expect(isAlive(run.pid)).toBe(true)
    expect(await tell(run, 'PostToolUse', { tool_response: 'long '.repeat(1_000_000) })).toBeUndefined()
  } finally {
    process.kill(run.pid)
  }
})

test('after a crash of the host its hooks reach the next one', async () => {
  const { setup, nvim, run } = await startClaude()
  await tell(run, 'UserPromptSubmit')
  const [host] = nvim.hosts()
  process.kill(host as number, 'SIGKILL')
  await nvim.waitFor(() => nvim.hosts().some(pid => pid !== host), 'another host')
  await nvim.waitFor(() => tell(run, 'Stop').then(failure => failure === undefined), 'an answer')
  await nvim.waitFor(`require('claudecode.status').get().sessions[1].state == 'done'`, 'the state')
  expect(await setup.runs()).toHaveLength(1)
})

test('lualine shows the same, with its own meaning of %', async () => {
  const { nvim } = await startWithFakeClaude({ files: { '100%.txt': 'x\n' }, args: ['100%.txt'] })
  const text = await nvim.lua<string>(`package.loaded.claudecode.statusline = function() return 'Claude: 100%.txt' end
    return require('lualine.components.claudecode')()`)
  expect(text).toBe('Claude: 100%%.txt')
})
