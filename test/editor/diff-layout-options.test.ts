// Where a diff is put, and where the user is: what the options say, and what Claude's windows do meanwhile.
import { describe, expect, test } from 'vitest'
import { type ReviewSession, recordNotices, startReview } from '../support/diff.ts'
import { type LayoutSnapshot, layoutOf } from '../support/layout.ts'
import type { NeovimOptions } from '../support/neovim.ts'

const old = 'one\ntwo\nthree\n'
const changed = 'one\nTWO\nthree\n'
const files = { 'a.txt': old, 'b.txt': 'other\n' }

/** A review in a Neovim that shows a.txt, with these options of setup(), as they are written in it. */
function start(setup = '', options: NeovimOptions = {}): Promise<ReviewSession> {
  return startReview({
    files,
    args: ['a.txt'],
    init: recordNotices,
    setup: `vim.tbl_extend('keep', { ${setup} }, { terminal_cmd = 'cat' })`,
    ...options,
  })
}

/** The user starts Claude, and is in its terminal. */
async function startClaude({ nvim }: ReviewSession): Promise<void> {
  await nvim.feed(':ClaudeCode<CR>')
  await nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, "Claude's terminal")
}

/**
 * The current tab page as a tree of rows and columns, such as `row(a.txt, proposal, *claude)`; `*` is where the user is.
 * Floats come behind it, a hidden one in brackets.
 */
function shape({ nvim }: ReviewSession): Promise<string> {
  return nvim.lua(`
    local function name(win)
      local buffer = vim.api.nvim_win_get_buf(win)
      local here = win == vim.api.nvim_get_current_win() and '*' or ''
      if vim.b[buffer].claudecode_diff_tab_name then
        return here .. 'proposal'
      elseif vim.bo[buffer].filetype == 'claudecode' then
        return here .. 'claude'
      end
      return here .. vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
    end
    local function describe(node)
      if node[1] == 'leaf' then
        return name(node[2])
      end
      return node[1] .. '(' .. table.concat(vim.tbl_map(describe, node[2]), ', ') .. ')'
    end
    local text = describe(vim.fn.winlayout())
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local config = vim.api.nvim_win_get_config(win)
      if config.relative ~= '' then
        text = text .. (config.hide and ' [%s]' or ' %s'):format(name(win))
      end
    end
    return text`)
}

const mode = ({ nvim }: ReviewSession) => nvim.lua<string>('return vim.api.nvim_get_mode().mode')
const tabs = ({ nvim }: ReviewSession) => nvim.lua<number[]>(`return { vim.fn.tabpagenr(), vim.fn.tabpagenr('$') }`)

/** `:ClaudeCodeDiffDeny`, or whatever `keys` are, and the diff is gone. */
async function reject(review: ReviewSession, proposed: Awaited<ReturnType<ReviewSession['open']>>): Promise<void> {
  await review.nvim.lua(`require('claudecode.editor.diff').deny()`)
  await proposed.answer
  await review.waitForClosed(proposed)
}

describe('one above the other', () => {
  test('the file is above, the proposal below, and both have the same changes', async () => {
    const review = await start(`diff_opts = { layout = 'horizontal' }`)
    await review.nvim.feed(':botright vsplit b.txt<CR><C-w>h')
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    expect(await shape(review)).toBe('row(col(a.txt, *proposal), b.txt)')
    expect(await review.changedLines()).toEqual([[2], [2], []])
    await review.nvim.feed(':w<CR>')
    expect(await proposed.answer).toEqual(['FILE_SAVED', changed])
    await review.closeTab(proposed.tabName)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('beside a terminal that is alone, the two share what is split off', async () => {
    const review = await start(`diff_opts = { vertical_split = false }`)
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n><C-w>o')
    await review.open('a.txt', changed)
    expect(await shape(review)).toBe('row(col(a.txt, *proposal), claude)')
  })
})

describe('in a tab page of its own', () => {
  const inNewTab = (more = '') => `diff_opts = { open_in_new_tab = true, ${more} }`

  test('with Claude beside it, as wide as before', async () => {
    const review = await start(inNewTab())
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:vertical resize 33<CR>i')
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    expect([await tabs(review), await shape(review)]).toEqual([[2, 2], 'row(a.txt, *proposal, claude)'])
    expect(await review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(3))')).toBe(33)
    await reject(review, proposed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('D-29: with hide_terminal_in_new_tab it has two windows only', async () => {
    const review = await start(inNewTab('hide_terminal_in_new_tab = true'))
    await startClaude(review)
    await review.open('a.txt', changed)
    expect([await tabs(review), await shape(review)]).toEqual([[2, 2], 'row(a.txt, *proposal)'])
  })

  test('without Claude beside it, when Claude is hidden', async () => {
    const review = await start(inNewTab())
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:ClaudeCode<CR>')
    await review.open('a.txt', changed)
    expect([await tabs(review), await shape(review)]).toEqual([[2, 2], 'row(a.txt, *proposal)'])
  })

  test('D-28: by its older name', async () => {
    const review = await start(`diff_opts = { open_in_current_tab = false }`)
    await review.open('a.txt', changed)
    expect(await tabs(review)).toEqual([2, 2])
  })

  test('a user who types to Claude beside it goes on typing to Claude when it closes', async () => {
    const review = await start(inNewTab())
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n><C-w>h')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('<C-w>l')
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    await review.closeTab(proposed.tabName)
    await review.nvim.feed('hello')
    await review.nvim.waitForScreen(/hello/)
    expect([await tabs(review), await shape(review), await mode(review)]).toEqual([[1, 1], 'row(a.txt, *claude)', 't'])
    expect(await review.nvim.lua(`return vim.fn.getbufline('a.txt', 1, '$')`)).toEqual(['one', 'two', 'three'])
  })

  test.each([
    ['a file', 'a.txt'],
    ['a new file', 'fresh.txt'],
  ])('D-07: ten diffs of %s, one after the other, leave no tab page and no [No Name] behind', async (_what, name) => {
    const review = await start(inNewTab())
    const before = await layoutOf(review.nvim)
    for (let count = 0; count < 10; count += 1) {
      const proposed = await review.open(name, changed)
      if (count % 2 === 0) {
        await review.nvim.feed(':w<CR>')
        await proposed.answer
        await review.closeTab(proposed.tabName)
      } else {
        await reject(review, proposed)
      }
    }
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('D-09: a new Markdown file is accepted and closed, and Neovim lives', async () => {
    const decorate = `
      vim.api.nvim_create_autocmd({ 'BufWinEnter', 'WinClosed', 'OptionSet', 'BufWriteCmd' }, { callback = function()
        for _, win in ipairs(vim.api.nvim_list_wins()) do
          local buffer = vim.api.nvim_win_get_buf(win)
          vim.wo[win].conceallevel = 2
          vim.api.nvim_buf_set_extmark(buffer, vim.api.nvim_create_namespace('render'), 0, 0, {
            virt_lines = { { { 'above' } } }, virt_text = { { 'x' } }, virt_text_pos = 'inline' })
        end
      end })`
    const review = await start(inNewTab(), { init: `${recordNotices}\n${decorate}` })
    const proposed = await review.open('fresh.md', '# Head\n\n- one\n- two\n')
    expect(await review.nvim.lua('return vim.bo.filetype')).toBe('markdown')
    await review.nvim.feed(':w<CR>')
    expect((await proposed.answer)[0]).toBe('FILE_SAVED')
    await review.closeTab(proposed.tabName)
    await review.waitForClosed(proposed)
    await review.nvim.lua('vim.cmd.redraw()')
    expect([await tabs(review), await shape(review)]).toEqual([[1, 1], '*a.txt'])
  })
})

describe('the cursor', () => {
  const kept = 'diff_opts = { keep_terminal_focus = true }'

  test.each([
    ['a split', '', 'row(a.txt, proposal, *claude)'],
    ['a float', `terminal = { position = 'float' },`, 'row(a.txt, proposal) *claude'],
  ])('D-16: with keep_terminal_focus, who types to Claude in %s goes on doing it', async (_where, terminal, during) => {
    const review = await start(terminal + kept)
    await startClaude(review)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('ddhello')
    await review.nvim.waitForScreen(/ddhello/)
    expect([await shape(review), await mode(review)]).toEqual([during, 't'])
    expect(await review.nvim.lua(`return vim.fn.getbufline('a.txt', 1, '$')`)).toEqual(['one', 'two', 'three'])
    await review.closeTab(proposed.tabName)
    await review.waitForClosed(proposed)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('D-16: with keep_terminal_focus also in a new tab page, and Claude is where the user is afterwards', async () => {
    const review = await start('diff_opts = { keep_terminal_focus = true, open_in_new_tab = true }')
    await startClaude(review)
    const proposed = await review.open('a.txt', changed)
    await review.nvim.waitFor(`vim.fn.tabpagenr() == 2 and vim.api.nvim_get_mode().mode == 't'`, 'the tab page')
    await review.nvim.feed('dd')
    await review.nvim.waitForScreen(/dd/)
    expect([await shape(review), await mode(review)]).toEqual(['row(a.txt, proposal, *claude)', 't'])
    await reject(review, proposed)
    expect([await tabs(review), await shape(review), await mode(review)]).toEqual([[1, 1], 'row(a.txt, *claude)', 't'])
  })

  test('with keep_terminal_focus a user elsewhere is taken to Claude, and is there afterwards', async () => {
    const review = await start(kept)
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n><C-w>h')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shape(review)).toBe('row(a.txt, proposal, *claude)')
    await review.nvim.feed('<C-\\><C-n><C-w>h:w<CR>')
    await proposed.answer
    await review.closeTab(proposed.tabName)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shape(review)).toBe('row(a.txt, *claude)')
  })

  test('D-17: from tree, code and Claude it goes into the proposal, and after it back to where it was', async () => {
    const review = await start()
    await review.nvim.feed(':topleft 25vnew<CR>:setlocal buftype=nofile winfixwidth<CR><C-w>l')
    await startClaude(review)
    for (const keys of ['<C-\\><C-n>', '<C-w>h', '<C-w>t']) {
      await review.nvim.feed(keys)
      const before = await layoutOf(review.nvim)
      const proposed = await review.open('a.txt', changed)
      expect(await shape(review)).toBe('row(, a.txt, *proposal, claude)')
      await review.nvim.feed(':w<CR>')
      await proposed.answer
      await review.closeTab(proposed.tabName)
      expect(await layoutOf(review.nvim)).toEqual(before)
    }
  })
})

describe("Claude's window", () => {
  test('D-19: a float is hidden while the diff is open, and afterwards as it was, with the user typing in it', async () => {
    const review = await start(`terminal = { position = 'float' }`)
    await startClaude(review)
    const before = await layoutOf(review.nvim)
    for (const name of ['a.txt', 'fresh.txt']) {
      const proposed = await review.open(name, changed)
      expect(await shape(review)).toBe('row(a.txt, *proposal) [claude]')
      await review.nvim.feed('<C-w>w<C-w>w')
      expect(await shape(review)).toBe('row(a.txt, *proposal) [claude]')
      await reject(review, proposed)
      await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
      expect(await layoutOf(review.nvim)).toEqual(before)
    }
  })

  test('D-19: a float that the user asks for meanwhile is shown, and stays', async () => {
    const review = await start(`terminal = { position = 'float' }`)
    await startClaude(review)
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':ClaudeCode<CR>')
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shape(review)).toBe('row(a.txt, proposal) *claude')
    await review.closeTab(proposed.tabName)
    expect([await shape(review), await mode(review)]).toEqual(['a.txt *claude', 't'])
  })

  test('D-19: after two diffs at once the user is in the float again, and types', async () => {
    const review = await start(`terminal = { position = 'float' }`)
    await startClaude(review)
    const first = await review.open('fresh.txt', changed)
    const second = await review.open('more.txt', changed)
    await review.closeTab(first.tabName)
    expect(await shape(review)).toBe('*proposal')
    await review.closeTab(second.tabName)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await shape(review)).toBe('a.txt *claude')
  })

  test('has the width of diff_split_width_percentage while a diff is open', async () => {
    const review = await start(`terminal = { diff_split_width_percentage = 0.2 }`)
    await startClaude(review)
    const before = await layoutOf(review.nvim)
    const width = () => review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(vim.fn.winnr("$")))')
    expect(await width()).toBe(48)
    const proposed = await review.open('a.txt', changed)
    expect([await shape(review), await width()]).toEqual(['row(a.txt, *proposal, claude)', 32])
    await reject(review, proposed)
    await review.nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, 'Terminal mode')
    expect(await layoutOf(review.nvim)).toEqual(before)
    const again = await review.open('a.txt', changed)
    await review.nvim.feed(':botright split b.txt<CR>')
    await review.closeTab(again.tabName)
    expect(await review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(2))')).toBe(48)
  })

  test('D-28: keeps its width with auto_resize_terminal = false', async () => {
    const review = await start(
      `terminal = { diff_split_width_percentage = 0.2 }, diff_opts = { auto_resize_terminal = false }`,
    )
    await startClaude(review)
    await review.open('a.txt', changed)
    expect(await review.nvim.lua('return vim.api.nvim_win_get_width(vim.fn.win_getid(3))')).toBe(48)
  })

  test('U-12: is not opened by a diff, when Claude runs outside of Neovim', async () => {
    const external = `provider = 'external', provider_opts = { external_terminal_cmd = 'env %s' }`
    const review = await start(`terminal_cmd = 'sleep 60', terminal = { ${external} }`)
    await review.nvim.feed(':ClaudeCode<CR>')
    await review.nvim.waitFor(`require('claudecode.terminal').rpc.is_running()`, 'Claude to run')
    const proposed = await review.open('a.txt', changed)
    expect(await shape(review)).toBe('row(a.txt, *proposal)')
    await reject(review, proposed)
    expect(await shape(review)).toBe('*a.txt')
    expect(
      await review.nvim.lua(`return vim.fn.len(vim.fn.filter(vim.fn.getbufinfo(), 'v:val.name =~ "^term:"'))`),
    ).toBe(0)
  })
})

describe('a new file', () => {
  test.each([
    ['vertical', 'row(a.txt, *proposal)'],
    ['horizontal', 'col(a.txt, *proposal)'],
  ])('D-20: has one pane, and leaves nothing behind when it is rejected (%s)', async (layout, during) => {
    const review = await start(`diff_opts = { layout = '${layout}', on_new_file_reject = 'keep_empty' }`)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('fresh.txt', changed)
    expect(await shape(review)).toBe(during)
    await reject(review, proposed)
    expect(await layoutOf(review.nvim)).toEqual(before)
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
    const review = await start(setup)
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:tabnew b.txt<CR>:vsplit<CR>')
    await walkThroughTabs(review)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('a.txt', changed)
    await review.waitForNotice(`Claude proposes a change of a.txt, in tab page ${page}`)
    const here = (await layoutOf(review.nvim)) as LayoutSnapshot & { tabs: unknown[] }
    expect([here['tab'], here.tabs.at(-1)]).toEqual([before['tab'], (before as typeof here).tabs.at(-1)])
    await review.nvim.feed(`:noautocmd tabnext ${page}<CR>`)
    expect(await shape(review)).toBe(during)
    await review.nvim.feed(':noautocmd tablast<CR>')
    await review.closeTab(proposed.tabName)
    await walkThroughTabs(review)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('without a window of Claude’s is the one whose directory has the file', async () => {
    const review = await start('', { files: { 'one/a.txt': old, 'two/b.txt': 'other\n' }, args: ['one/a.txt'] })
    await review.nvim.feed(':tcd one<CR>:tabnew ../two/b.txt<CR>:tcd ../two<CR>')
    await walkThroughTabs(review)
    const before = await layoutOf(review.nvim)
    const proposed = await review.open('one/a.txt', changed)
    await review.waitForNotice('Claude proposes a change of a.txt, in tab page 1')
    expect([await tabs(review), await shape(review)]).toEqual([[2, 2], '*b.txt'])
    await review.nvim.feed('gt:ClaudeCodeDiffDeny<CR>gt')
    await review.waitForClosed(proposed)
    expect(await layoutOf(review.nvim)).toEqual(before)
  })

  test('a user who types in a terminal elsewhere goes on typing there', async () => {
    const review = await start()
    await startClaude(review)
    await review.nvim.feed('<C-\\><C-n>:tabnew | terminal cat<CR>i')
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('hello')
    await review.nvim.waitForScreen(/hello/)
    await review.closeTab(proposed.tabName)
    await review.nvim.feed(' again')
    await review.nvim.waitForScreen(/hello again/)
    expect([await tabs(review), await mode(review)]).toEqual([[2, 2], 't'])
  })
})
