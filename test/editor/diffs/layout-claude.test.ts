// Claude's windows, the cursor and the tab page, when a diff opens and when it closes.
import { describe, expect, test } from 'vitest'
import { ReviewSession, recordNotices } from '../../support/diff.ts'
import { changed, modeOf, old, reject, shapeOf, startClaude, startLayout, tabsOf } from '../../support/diff-shape.ts'
import { startWithFakeClaude } from '../../support/fake-claude.ts'
import { type LayoutSnapshot, layoutOf } from '../../support/layout.ts'

describe('the cursor', () => {
  const kept = 'diff_opts = { keep_terminal_focus = true }'

  test.each([
    ['a split', '', 'row(a.txt, proposal, *claude)'],
    ['a float', `terminal = { position = 'float' },`, 'row(a.txt, proposal) *claude'],
  ])('D-16: with keep_terminal_focus, who types to Claude in %s goes on doing it', async (_where, terminal, during) => {
    const review = await startLayout(terminal + kept)
    await startClaude(review)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('ddhello')
    await review.nvim.waitForScreen(/ddhello/)
    expect([await shapeOf(review), await modeOf(review)]).toEqual([during, 't'])
    expect(await review.nvim.lua(`return vim.fn.getbufline('a.txt', 1, '$')`)).toEqual(['one', 'two', 'three'])
    await review.closeTab(proposed.tabName)
    await review.waitForClosed(proposed)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('D-16: with keep_terminal_focus also in a new tab page, and Claude is where the user is afterwards', async () => {
    const review = await startLayout('diff_opts = { keep_terminal_focus = true, open_in_new_tab = true }')
    await startClaude(review)
    const proposed = await review.open('a.txt', changed)
    await review.nvim.waitFor(`vim.fn.tabpagenr() == 2 and vim.api.nvim_get_mode().mode == 't'`, 'the tab page')
    await review.nvim.feed('dd')
    await review.nvim.waitForScreen(/dd/)
    expect([await shapeOf(review), await modeOf(review)]).toEqual(['row(a.txt, proposal, *claude)', 't'])
    await reject(review, proposed)
    expect([await tabsOf(review), await shapeOf(review), await modeOf(review)]).toEqual([
      [1, 1],
      'row(a.txt, *claude)',
      't',
    ])
  })

  test('with keep_terminal_focus a user elsewhere is taken to Claude, and is there afterwards', async () => {
    const review = await startLayout(kept)
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n><C-w>h')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shapeOf(review)).toBe('row(a.txt, proposal, *claude)')
    await review.nvim.feed('<C-\\><C-n><C-w>h:w<CR>')
    await proposed.answer
    await review.closeTab(proposed.tabName)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shapeOf(review)).toBe('row(a.txt, *claude)')
  })

  test.each(['vertical', 'unified'])(
    'back in Claude after :q, who rejected is told so at once, in a tab page, %s',
    async layout => {
      const review = await startLayout(`diff_opts = { open_in_new_tab = true, layout = '${layout}' }`, { init: '' })
      await startClaude(review)
      const proposed = await review.open('a.txt', changed)
      // Neovim waits three seconds before it draws "-- TERMINAL --" over a message, and answers nobody while it does.
      await review.nvim.feed(':q<CR>')
      await proposed.answer
      await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
      await review.nvim.waitForScreen(/claudecode: .*rejected[^\n]*$/, 1000)
    },
  )

  test('is in Claude, in Terminal mode, after diffs that are closed as soon as they are open', async () => {
    const review = await startLayout()
    await startClaude(review)
    for (let count = 0; count < 30; count += 1) {
      const proposed = review.propose('a.txt', changed)
      await review.closeTab(proposed.tabName)
      await proposed.answer
    }
    let looks = 0 // it can still be the one that is left with Neovim's next turn
    const staysThere = async () => {
      looks = (await modeOf(review)) === 't' ? looks + 1 : 0
      return looks === 5
    }
    await review.nvim.waitFor(staysThere, 'Terminal mode', 2000)
    await review.nvim.feed('hello')
    await review.nvim.waitForScreen(/hello/)
    expect(await shapeOf(review)).toBe('row(a.txt, *claude)')
  })

  test('D-17: from tree, code and Claude it goes into the proposal, and after it back to where it was', async () => {
    const review = await startLayout()
    await review.nvim.feed(':topleft 25vnew<CR>:setlocal buftype=nofile winfixwidth<CR><C-w>l')
    await startClaude(review)
    for (const keys of ['<C-\\><C-n>', '<C-w>h', '<C-w>t']) {
      await review.nvim.feed(keys)
      const before = await layoutOf(review.nvim)
      const proposed = await review.open('a.txt', changed)
      expect(await shapeOf(review)).toBe('row(, a.txt, *proposal, claude)')
      await review.nvim.feed(':w<CR>')
      await proposed.answer
      await review.closeTab(proposed.tabName)
      expect(await layoutOf(review.nvim)).toEqual(before)
    }
  })
})

describe("Claude's window", () => {
  test('D-19: a float is hidden while the diff is open, and afterwards as it was, with the user typing in it', async () => {
    const review = await startLayout(`terminal = { position = 'float' }`)
    await startClaude(review)
    const before = await layoutOf(review.nvim)
    for (const name of ['a.txt', 'fresh.txt']) {
      const proposed = await review.open(name, changed)
      expect(await shapeOf(review)).toBe('row(a.txt, *proposal) [claude]')
      await review.nvim.feed('<C-w>w<C-w>w')
      expect(await shapeOf(review)).toBe('row(a.txt, *proposal) [claude]')
      await reject(review, proposed)
      await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
      expect(await layoutOf(review.nvim)).toEqual(before)
    }
  })

  test('D-19: a float that the user asks for meanwhile is shown, and stays', async () => {
    const review = await startLayout(`terminal = { position = 'float' }`)
    await startClaude(review)
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCode<CR>')
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shapeOf(review)).toBe('row(a.txt, proposal) *claude')
    await review.closeTab(proposed.tabName)
    expect([await shapeOf(review), await modeOf(review)]).toEqual(['a.txt *claude', 't'])
  })

  test('D-19: after two diffs at once the user is in the float again, and types', async () => {
    const review = await startLayout(`terminal = { position = 'float' }`)
    await startClaude(review)
    const first = await review.open('fresh.txt', changed)
    const second = await review.open('more.txt', changed)
    await review.closeTab(first.tabName)
    expect(await shapeOf(review)).toBe('*proposal')
    await review.closeTab(second.tabName)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shapeOf(review)).toBe('a.txt *claude')
  })

  test('has the width of diff_split_width_percentage while a diff is open', async () => {
    const review = await startLayout(`terminal = { diff_split_width_percentage = 0.2 }`)
    await startClaude(review)
    const before = await layoutOf(review.nvim)
    const width = () => review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(vim.fn.winnr("$")))')
    expect(await width()).toBe(48)
    const proposed = await review.open('a.txt', changed)
    expect([await shapeOf(review), await width()]).toEqual(['row(a.txt, *proposal, claude)', 32])
    await reject(review, proposed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await layoutOf(review.nvim)).toEqual(before)
    const again = await review.open('a.txt', changed)
    await review.nvim.feed(':botright split b.txt<CR>')
    await review.closeTab(again.tabName)
    expect(await review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(2))')).toBe(48)
  })

  test('D-28: keeps its width with auto_resize_terminal = false', async () => {
    const review = await startLayout(
      `terminal = { diff_split_width_percentage = 0.2 }, diff_opts = { auto_resize_terminal = false }`,
    )
    await startClaude(review)
    await review.open('a.txt', changed)
    expect(await review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(3))')).toBe(48)
  })

  test('U-12: is not opened by a diff, when Claude runs outside of Neovim', async () => {
    const external = `provider = 'external', provider_opts = { external_terminal_cmd = 'env %s' }`
    const review = await startLayout(`terminal_cmd = 'sleep 60', terminal = { ${external} }`)
    await review.nvim.feed(':ClaudeCode<CR>')
    await review.nvim.waitFor(`#require('claudecode.terminal.sessions').all() == 1`, 'Claude to run')
    const proposed = await review.open('a.txt', changed)
    expect(await shapeOf(review)).toBe('row(a.txt, *proposal)')
    await reject(review, proposed)
    expect(await shapeOf(review)).toBe('*a.txt')
    expect(
      await review.nvim.lua(`return vim.fn.len(vim.fn.filter(vim.fn.getbufinfo(), 'v:val.name =~ "^term:"'))`),
    ).toBe(0)
  })
})

describe('D-22: the tab page', () => {
  /** Neovim works out what a tab page looks like when the user comes there. */
  const walkThroughTabs = ({ nvim }: ReviewSession) =>
    nvim.feed(':let g:here = tabpagenr() | noautocmd tabdo redraw | execute "noautocmd tabnext" g:here<CR>')

  test.each([
    ['', 1, 'row(a.txt, proposal, *claude)'],
    ['diff_opts = { open_in_new_tab = true }', 2, 'row(*a.txt, proposal, claude)'],
  ])("is Claude's session's, and a user who is in another one is told where (%s)", async (setup, page, during) => {
    const review = await startLayout(setup)
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:tabnew b.txt<CR>:vsplit<CR>')
    await walkThroughTabs(review)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    await review.waitForNotice(`Claude proposes a change of a.txt, in tab page ${page}`)
    const here = (await layoutOf(review.nvim)) as LayoutSnapshot & { tabs: unknown[] }
    expect([here['tab'], here.tabs.at(-1)]).toEqual([before['tab'], (before as typeof here).tabs.at(-1)])
    await review.nvim.feed(`:noautocmd tabnext ${page}<CR>`)
    expect(await shapeOf(review)).toBe(during)
    await review.nvim.feed(':noautocmd tablast<CR>')
    await review.closeTab(proposed.tabName)
    await walkThroughTabs(review)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('is that of the Claude who proposes, when another one is shown where the user is', async () => {
    const files = { 'one/a.txt': old, 'two/b.txt': 'other\n' }
    const setup = await startWithFakeClaude({ files, args: ['one/a.txt'], init: recordNotices })
    const { nvim } = setup
    await nvim.feed(':tcd one<CR>:ClaudeCode<CR>')
    const review = new ReviewSession(nvim, await setup.connect(await setup.waitForRun()))
    await nvim.feed('<C-\\><C-n>:tabnew ../two/b.txt<CR>:tcd ../two<CR>:ClaudeCode<CR>')
    await setup.waitForRun(2)
    await nvim.feed('<C-\\><C-n><C-w>h')
    await review.open('one/a.txt', changed)
    await review.waitForNotice('Claude (one) proposes a change of a.txt, in tab page 1')
    expect([await tabsOf(review), await shapeOf(review)]).toEqual([[2, 2], 'row(*b.txt, claude)'])
    await nvim.feed(':noautocmd tabnext 1<CR>')
    expect(await shapeOf(review)).toBe('row(a.txt, proposal, *claude)')
  })

  test('without a window of Claude’s is the one whose directory has the file', async () => {
    const review = await startLayout('', { files: { 'one/a.txt': old, 'two/b.txt': 'other\n' }, args: ['one/a.txt'] })
    await review.nvim.feed(':tcd one<CR>:tabnew ../two/b.txt<CR>:tcd ../two<CR>')
    await walkThroughTabs(review)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('one/a.txt', changed)
    await review.waitForNotice('Claude proposes a change of a.txt, in tab page 1')
    expect([await tabsOf(review), await shapeOf(review)]).toEqual([[2, 2], '*b.txt'])
    await review.nvim.feed('gt:ClaudeCodeDiffDeny<CR>gt')
    await review.waitForClosed(proposed)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('a user who types in a terminal elsewhere goes on typing there', async () => {
    const review = await startLayout()
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:tabnew | terminal cat<CR>i')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('hello')
    await review.nvim.waitForScreen(/hello/)
    await review.closeTab(proposed.tabName)
    await review.nvim.feed(' again')
    await review.nvim.waitForScreen(/hello again/)
    expect([await tabsOf(review), await modeOf(review)]).toEqual([[2, 2], 't'])
  })
})
