// Starting points and ends of diffs: whatever comes between them, afterwards everything is as before.
import { expect, test } from 'vitest'
import { type Proposed, type ReviewSession, startReview } from './diff.ts'
import { layoutOf } from './layout.ts'

const lines = Array.from({ length: 200 }, (_, index) => `${index % 3 === 0 ? '' : '  '}line ${index + 1}`)
const old = `${lines.join('\n')}\n`
export const changed = old.replace('line 150', 'LINE 150').replace('line 20\n', '')

export const files = { 'a.txt': old, 'b.txt': 'other\n'.repeat(90), 'c.txt': 'third\n' }

/** Keys and Lua that make a layout from a Neovim that shows a.txt. */
export const layouts: Record<string, (review: ReviewSession) => Promise<void>> = {
  async 'one window, scrolled'({ nvim }) {
    await nvim.feed('90Gzt5j3l')
  },
  async 'one window with folds made by hand'({ nvim }) {
    await nvim.feed(':10,20fold<CR>:30,60fold<CR>40Gzo:35,38fold<CR>35Gzc:set foldcolumn=2<CR>150G')
  },
  async 'one window with folds by indent, some open'({ nvim }) {
    await nvim.feed(':setlocal foldmethod=indent shiftwidth=2 nowrap<CR>5Gzo9Gzo100G')
  },
  async 'D-03: splits of many sizes'({ nvim }) {
    await nvim.feed(':split b.txt<CR>50G:vsplit c.txt<CR>:vertical resize 30<CR><C-w>j:resize 12<CR>120Gzz')
  },
  async 'D-03: splits of many sizes without equalalways'({ nvim }) {
    await nvim.feed(
      ':set noequalalways<CR>:split b.txt<CR>:vsplit c.txt<CR>:vertical resize 30<CR><C-w>j:resize 12<CR>',
    )
  },
  async 'D-05: a tree, code and a terminal'({ nvim }) {
    await nvim.feed(':topleft 25vnew<CR>:setlocal buftype=nofile winfixwidth filetype=unknowntree nobuflisted<CR>')
    await nvim.feed(':botright 40vsplit | terminal cat<CR>:setlocal winfixwidth<CR>2<C-w>w60G')
  },
  async 'the cursor in a tree'({ nvim }) {
    await nvim.feed(':topleft 25vnew<CR>:setlocal buftype=nofile winfixwidth nobuflisted<CR>')
  },
  async 'a float'({ nvim }) {
    await nvim.lua(`
      local buffer = vim.api.nvim_create_buf(false, true)
      vim.api.nvim_open_win(buffer, true, { relative = 'editor', row = 3, col = 3, width = 30, height = 5 })`)
  },
  async 'two tab pages'({ nvim }) {
    await nvim.feed(':tabnew b.txt<CR>:vsplit a.txt<CR>30G')
  },
  async 'D-04: a terminal and nothing else'({ nvim }) {
    await nvim.feed(':terminal cat<CR>')
  },
  async "Claude's terminal, typing"({ nvim }) {
    await nvim.feed(':ClaudeCode<CR>')
    await nvim.waitFor(`vim.api.nvim_get_mode().mode == 't'`, "Claude's terminal")
  },
  async 'a diff of the user'({ nvim }) {
    await nvim.feed(':vertical diffsplit b.txt<CR>')
  },
  async 'a diff of the user, at the bottom of the window'({ nvim }) {
    await nvim.feed(':vertical diffsplit b.txt<CR>:windo set noscrollbind nocursorbind<CR>Gzb<C-w>wGzb')
  },
  async 'scrollopt with hor'({ nvim }) {
    await nvim.feed(':set scrollopt+=hor<CR>')
  },
  async 'a window with winfixbuf'({ nvim }) {
    await nvim.feed(':edit b.txt<CR>:setlocal winfixbuf<CR>')
  },
  async 'quickfix and help'({ nvim }) {
    await nvim.feed(':help<CR>:copen<CR><C-w>t')
  },
  async 'a zoomed window'({ nvim }) {
    await nvim.feed(':vsplit b.txt<CR>:split c.txt<CR><C-w>_<C-w>|')
  },
  async 'another file, modified, without hidden'({ nvim }) {
    await nvim.feed(':set nohidden<CR>:edit b.txt<CR>ddix<Esc>20Gma')
  },
  async 'a file that is wiped when it is hidden'({ nvim }) {
    await nvim.feed(':edit b.txt<CR>:setlocal bufhidden=wipe<CR>20G')
  },
  async 'an empty buffer'({ nvim }) {
    await nvim.feed(':enew<CR>:bwipeout a.txt<CR>')
  },
  async 'an alternate file and jumps'({ nvim }) {
    await nvim.feed('50GG10G:edit b.txt<CR>:edit c.txt<CR>:buffer a.txt<CR>80G')
  },
  async 'a small screen'({ nvim }) {
    await nvim.request('nvim_ui_try_resize', [30, 8])
    await nvim.feed(':vsplit b.txt<CR>')
  },
}

/** Ways in which a diff ends. */
export const endings: Record<string, Ending> = {
  async ':ClaudeCodeDiffDeny'({ nvim }) {
    await nvim.feed(':ClaudeCodeDiffDeny<CR>')
  },
  async ':w and close_tab'(review, { tabName, answer }) {
    await review.nvim.feed(':w<CR>')
    await answer
    await review.closeTab(tabName)
  },
  async ':wq and close_tab'(review, { tabName, answer }) {
    await review.nvim.feed(':wq<CR>')
    await answer
    await review.closeTab(tabName)
  },
  async close_tab(review, { tabName }) {
    await review.closeTab(tabName)
  },
  async closeAllDiffTabs(review) {
    await review.closeAllTabs()
  },
  async ':q'({ nvim }) {
    await nvim.feed(':q<CR>')
  },
  async ':bdelete!'({ nvim }) {
    await nvim.feed(':bdelete!<CR>')
  },
  async ':bwipeout!'({ nvim }) {
    await nvim.feed(':bwipeout!<CR>')
  },
  async ZQ({ nvim }) {
    await nvim.feed('ZQ')
  },
  async ':tabclose'({ nvim }) {
    // Where the diff has no tab page of its own it would take the user's windows along.
    const isOwn = await nvim.lua<boolean>(`return vim.t.claudecode_test_mine == nil and vim.fn.tabpagenr('$') > 1`)
    await nvim.feed(isOwn ? ':tabclose<CR>' : ':close<CR>')
  },
  async ':ClaudeCodeDiffAccept and closeAllDiffTabs'(review, { answer }) {
    await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
    await answer
    await review.closeAllTabs()
  },
  async ':ClaudeCodeCloseAllDiffs'({ nvim }) {
    await nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
  },
  async 'a call that is cancelled'(_review, { cancel }) {
    cancel()
  },
  async 'a walk through both windows, then :q'({ nvim }) {
    const otherSide = `vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(win)
      return vim.wo[win].diff and win ~= vim.api.nvim_get_current_win()
    end)`
    for (const keys of ['3j2<C-e>', '5k2<C-y>dd:q<CR>']) {
      await nvim.lua(`vim.api.nvim_set_current_win(${otherSide})`)
      await nvim.feed(keys)
    }
  },
  async 'another proposal in its place'(review, { tabName, answer }) {
    const second = review.propose('a.txt', 'short\n', { tabName })
    await answer
    await review.waitForDiff(second)
    await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    await second.answer
  },
  async 'a disconnect'(review) {
    review.claude.terminate()
  },
}

type Ending = (review: ReviewSession, proposed: Proposed) => Promise<void>

/** A fault in the middle of opening: after the file is shown, before the proposal is. Claude is told, and that is all. */
async function failHalfWay(review: ReviewSession): Promise<void> {
  await review.nvim.lua(`
    open_win = vim.api.nvim_open_win
    vim.api.nvim_open_win = function(buffer, ...)
      if vim.bo[buffer].buftype == 'acwrite' then
        error('no window')
      end
      return open_win(buffer, ...)
    end`)
  await expect(review.propose('a.txt', changed).answer).rejects.toMatchObject({ code: -32000 })
  await review.nvim.lua('vim.api.nvim_open_win = open_win')
}

/** The same where the proposal takes the place of a buffer in its window: a fault when it is there already. */
async function failInPlace(review: ReviewSession): Promise<void> {
  await review.nvim.lua(`
    set_provider = vim.api.nvim_set_decoration_provider
    vim.api.nvim_set_decoration_provider = function(namespace, ...)
      if namespace == vim.api.nvim_get_namespaces().claudecode_inline_diff then
        error('no drawing')
      end
      return set_provider(namespace, ...)
    end`)
  await expect(review.propose('a.txt', changed).answer).rejects.toMatchObject({ code: -32000 })
  await review.nvim.lua('vim.api.nvim_set_decoration_provider = set_provider')
}

/** Opens a diff and ends it, in every way. */
async function expectAllBack(review: ReviewSession, ways: Record<string, Ending>, inPlace: boolean): Promise<void> {
  const { nvim } = review
  await nvim.lua('for _, tab in ipairs(vim.api.nvim_list_tabpages()) do vim.t[tab].claudecode_test_mine = true end')
  const picture = () => layoutOf(nvim, { byOrder: inPlace })
  const before = await picture()
  async function expectBack(ending: string) {
    const isBack = `vim.api.nvim_get_mode().mode == '${before['mode']}'`
    await nvim.waitFor(isBack, 'the mode to be back', 1000).catch(() => undefined) // compared below
    expect(await picture(), ending).toEqual(before)
  }
  await (inPlace ? failInPlace(review) : failHalfWay(review))
  await expectBack('a failure half-way')
  for (const [ending, end] of Object.entries(ways)) {
    const proposed = await review.open('a.txt', changed)
    await end(review, proposed)
    await review.waitForClosed(proposed)
    await expectBack(ending)
  }
}

/** Ways in which a diff in one window ends, there in a window of the user's. */
const endingsInPlace: Record<string, Ending> = {
  ...endings,
  async ':tabclose'({ nvim }) {
    const isOwn = await nvim.lua<boolean>(`return vim.t.claudecode_test_mine == nil and vim.fn.tabpagenr('$') > 1`)
    const hasOthers = await nvim.lua<boolean>(`return #require('claudecode.editor.windows').list() > 1`)
    await nvim.feed(isOwn ? ':tabclose<CR>' : hasOthers ? ':close<CR>' : ':quit<CR>') // Neovim keeps a last window open
  },
  async 'a walk through both windows, then :q'({ nvim }) {
    await nvim.feed('gg3j2<C-e>G5k2<C-y>ddu20Gdd:ClaudeCodeHunkNext<CR>:ClaudeCodeHunkReject<CR>:q<CR>')
  },
}

/**
 * A test for each starting point, with diffs as these options (`diff_opts`, in Lua) say.
 * @param inPlace the proposal takes the place of a buffer in its window. One that closes with it has another number afterwards.
 */
export function testLayouts(diff_opts: string, inPlace = false): void {
  test.each(Object.keys(layouts))('D-08: back after every end, a failure half-way too: %s', async layout => {
    const setup = `{ terminal_cmd = 'cat', diff_opts = ${diff_opts} }`
    const review = await startReview({ files, args: ['a.txt'], setup })
    await layouts[layout]?.(review)
    await expectAllBack(review, inPlace ? endingsInPlace : endings, inPlace)
  })
}
