// What users set of Neovim's own options changes nothing about it: after a diff everything is as before.
import { expect, test } from 'vitest'
import { type ReviewSession, startReview } from '../../support/diff.ts'
import { layoutOf } from '../../support/layout.ts'
import { changed, endings, files, layouts } from '../../support/layout-cases.ts'

/** Commands of the user, before the windows are made. */
const settings = [
  'set noequalalways',
  'set cmdheight=0',
  'set cmdheight=3',
  'set laststatus=0',
  'set laststatus=1',
  'set laststatus=3',
  'set splitright splitbelow',
  'set showtabline=2',
  'set showtabline=0',
  'set scrollopt=ver,jump,hor',
  'set scrollopt=jump',
  'set winwidth=100 winheight=25',
  'set winminwidth=0 winminheight=0',
  'set diffopt=internal,filler,horizontal,foldcolumn:4,context:1',
  'set diffopt+=followwrap,hiddenoff,iwhite',
  'set diffopt-=closeoff',
  'set winbar=%f',
  'set winfixheight',
  'set winfixwidth',
  'set nohidden',
  'set eadirection=hor',
  'set nostartofline scrolloff=8 sidescrolloff=8',
  'set smoothscroll splitkeep=screen',
  'set splitkeep=topline',
  'set foldmethod=marker foldlevel=1 foldcolumn=1 wrap',
]

const places = ['D-03: splits of many sizes', 'D-05: a tree, code and a terminal'] as const
const ways = [':ClaudeCodeDiffDeny', ':w and close_tab', ':q', ':tabclose']

async function expectBackAfterAll(review: ReviewSession, options: string): Promise<void> {
  const byOrder = options.includes('unified') // a window that closes with its proposal has another number afterwards
  const before = await layoutOf(review.nvim, { byOrder })
  // :tabclose of any tab page makes the command line lower or higher then, in Neovim 0.10 without a plugin.
  const isHighForced = await review.nvim.lua<boolean>('return vim.o.winheight > 1')
  for (const way of isHighForced ? ways.filter(one => one !== ':tabclose') : ways) {
    const proposed = await review.open('a.txt', changed)
    await endings[way]?.(review, proposed)
    await review.waitForClosed(proposed)
    expect(await layoutOf(review.nvim, { byOrder }), `${options}: ${way}`).toEqual(before)
  }
}

test.each(settings.flatMap(setting => places.map(place => [setting, place] as const)))(
  ':%s, %s',
  async (setting, place) => {
    const review = await startReview({ files, args: ['a.txt'], setup: `{ terminal_cmd = 'cat' }` })
    await review.nvim.feed(`:${setting}<CR>`)
    await layouts[place]?.(review)
    await review.nvim.lua('vim.t.claudecode_test_mine = true')
    await expectBackAfterAll(review, 'vertical')
    for (const options of [`{ layout = 'horizontal' }`, `{ layout = 'unified' }`, '{ open_in_new_tab = true }']) {
      await review.nvim.lua(`require('claudecode').setup { terminal_cmd = 'cat', diff_opts = ${options} }`)
      await review.closeAllTabs() // for which the host asks Neovim, after it was told of the options
      await expectBackAfterAll(review, options)
    }
  },
)
