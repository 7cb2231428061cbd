// After a diff everything is as it was: windows, sizes, options, folds, scroll positions, cursor, mode, tab pages, buffers.
import { expect, test } from 'vitest'
import { type Proposed, type ReviewSession, startReview } from '../support/diff.ts'
import { layoutOf } from '../support/layout.ts'

const lines = Array.from({ length: 200 }, (_, index) => `${index % 3 === 0 ? '' : '  '}line ${index + 1}`)
const old = `${lines.join('\n')}\n`
const changed = old.replace('line 150', 'LINE 150').replace('line 20\n', '')

const files = { 'a.txt': old, 'b.txt': 'other\n'.repeat(90), 'c.txt': 'third\n' }

/** Keys and Lua that make a layout from a Neovim that shows a.txt. */
const layouts: Record<string, (review: ReviewSession) => Promise<void>> = {
  async 'one window, scrolled'({ nvim }) {
    await nvim.feed('90Gzt5j3l')
  },
  async 'one window with folds made by hand'({ nvim }) {
    await nvim.feed(':10,20fold<CR>:30,60fold<CR>40Gzo:35,38fold<CR>35Gzc:set foldcolumn=2<CR>150G')
  },
  async 'one window with folds by indent, some open'({ nvim }) {
    await nvim.feed(':setlocal foldmethod=indent shiftwidth=2 nowrap<CR>5Gzo9Gzo100G')
  },
  async 'splits of many sizes'({ nvim }) {
    await nvim.feed(':split b.txt<CR>50G:vsplit c.txt<CR>:vertical resize 30<CR><C-w>j:resize 12<CR>120Gzz')
  },
  async 'splits of many sizes without equalalways'({ nvim }) {
    await nvim.feed(
      ':set noequalalways<CR>:split b.txt<CR>:vsplit c.txt<CR>:vertical resize 30<CR><C-w>j:resize 12<CR>',
    )
  },
  async 'a tree, code and a terminal'({ nvim }) {
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
  async 'a terminal and nothing else'({ nvim }) {
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
const endings: Record<string, (review: ReviewSession, proposed: Proposed) => Promise<void>> = {
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
  async ':bwipeout!'({ nvim }) {
    await nvim.feed(':bwipeout!<CR>')
  },
  async 'a walk through both windows, then :q'({ nvim }) {
    await nvim.feed('<C-w>h3j2<C-e><C-w>l5k2<C-y>dd:q<CR>')
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

test.each(Object.keys(layouts))('%s', async layout => {
  const review = await startReview({ files, args: ['a.txt'], setup: `{ terminal_cmd = 'cat' }` })
  await layouts[layout]?.(review)
  const before = await layoutOf(review.nvim)
  for (const [ending, end] of Object.entries(endings)) {
    const proposed = await review.open('a.txt', changed)
    expect(await layoutOf(review.nvim)).not.toEqual(before)
    await end(review, proposed)
    await review.waitForClosed(proposed)
    const isBack = `vim.api.nvim_get_mode().mode == '${before.mode}'`
    await review.nvim.waitFor(isBack, 'the mode to be back', 1000).catch(() => undefined) // compared below
    expect(await layoutOf(review.nvim), ending).toEqual(before)
  }
})
