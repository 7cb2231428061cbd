// What the user accepts is exactly what was proposed, or what they made of it.
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ReviewSession, startReview } from '../../support/diff.ts'

const mark = '\uFEFF'

const exactTexts: Record<string, string> = {
  'a final line break': 'a\nb\n',
  'no final line break': 'a\nb',
  'one line without a line break': 'a',
  'nothing at all': '',
  'one empty line': '\n',
  'empty lines at the end': 'a\n\n\n\n',
  'empty lines and no final line break': '\n\na',
  'CRLF throughout': 'a\r\nb\r\n',
  'CRLF without a final line break': 'a\r\nb',
  'mixed line ends': 'a\r\nb\nc\r\n',
  'mixed line ends, LF first': 'a\nb\r\nc',
  'CR alone': 'a\rb\r',
  'CR at the end of the last line': 'a\nb\r',
  'only CRLF': '\r\n',
  'a byte order mark': `${mark}a\nb\n`,
  'a byte order mark and CRLF': `${mark}a\r\nb\r\n`,
  'nothing but a byte order mark': mark,
  'two byte order marks': `${mark}${mark}a\n`,
  'a mark in the middle': `a\n${mark}b\n`,
  NUL: 'a\0b\n\0\n',
  'NUL and no line break': '\0',
  'Ctrl-Z at the end': 'a\nb\n\x1a',
  'Ctrl-Z after CRLF': 'a\r\nb\r\n\x1a',
  'every control character': `${Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')}\x7f\u0085\u2028\n`,
  'characters outside of the BMP': '😀 👩‍👩‍👧 𝒳\n日本語\n',
  'characters that no encoding wants': '\uFFFE\uFFFF\u{10FFFF}\uD7FF\uE000\n',
  'a modeline': 'vim: set fileformat=dos noendofline bomb readonly nomodifiable :\n',
  'a long line': `${'x'.repeat(100_000)}\n`,
}

describe('a proposal that is accepted as it is', () => {
  test('comes back as it was', async () => {
    const review = await startReview({ files: { 'a.txt': 'something else\n' }, args: ['a.txt'] })
    for (const [what, text] of Object.entries(exactTexts)) {
      const proposed = await review.open('a.txt', text)
      await review.nvim.feed(':w<CR>')
      expect(await proposed.answer, what).toEqual(['FILE_SAVED', text])
      await review.closeTab(proposed.tabName)
    }
  })

  test('whatever the user has set', async () => {
    const review = await startReview({
      files: { 'a.txt': 'something else\n' },
      args: ['a.txt'],
      init: `
        vim.o.fileformats = 'dos,mac,unix'
        vim.o.fileencodings = 'latin1'
        vim.o.fixendofline = true
        vim.o.bomb = true
        vim.o.binary = false
        vim.o.backup = true
        vim.o.patchmode = '.orig'
        vim.o.undofile = true
        vim.o.hidden = false
        vim.o.modelines = 5
        vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufEnter', 'BufWritePre', 'FileType', 'BufWinEnter' }, {
          callback = function(event)
            if vim.bo[event.buf].modifiable and vim.bo[event.buf].buftype == '' then
              vim.api.nvim_buf_set_lines(event.buf, -1, -1, false, { event.event })
            end
          end,
        })`,
    })
    for (const text of ['a\nb', '', 'a\r\nb\r\n', `${mark}ä\n`, 'a\n\n\n']) {
      const proposed = await review.open('a.txt', text)
      await review.nvim.feed(':w<CR>')
      expect(await proposed.answer).toEqual(['FILE_SAVED', text])
      await review.closeTab(proposed.tabName)
    }
  })

  test('A-22: 20 MB open, and come back', async () => {
    const line = `${'0123456789'.repeat(7)}\n`
    const old = line.repeat(300_000)
    const text = `${old.slice(0, 1000)}!${old.slice(1000)}`
    const review = await startReview({ files: { 'big.txt': old }, args: ['big.txt'] })
    const proposed = await review.open('big.txt', text)
    await review.nvim.feed(':w<CR>')
    const [kind, saved] = await proposed.answer
    expect(kind).toBe('FILE_SAVED')
    expect(saved === text).toBe(true)
  })
})

test('A-22: 20 MB can be let go while they are loaded', async () => {
  const text = `${'0123456789'.repeat(7)}\n`.repeat(300_000)
  const review = await startReview({ files: { 'big.txt': text }, args: ['big.txt'] })
  for (const delay of [0, 20, 100]) {
    const proposed = review.propose('big.txt', `!${text}`)
    await pause(delay)
    expect(await review.closeAllTabs()).toEqual(['CLOSED_1_DIFF_TABS'])
    expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
    await review.waitForClosed(proposed)
  }
})

describe('a proposal that is accepted as it is, one report each', () => {
  const reports: [name: string, disk: string, proposal: string][] = [
    ['A-08: a file without a final line break gains none', 'a\nb', 'a\nB'],
    ['A-08: a final line break that is added', 'a\nb', 'a\nb\n'],
    ['A-08: a final line break that is taken away', 'a\nb\n', 'a\nb'],
    ['A-09: nothing at all', 'a\n', ''],
    ['A-10: CRLF', 'a\r\nb\r\n', 'a\r\nB\r\n'],
    ['A-10: LF for a file with CRLF', 'a\r\nb\r\n', 'a\nB\n'],
    ['A-10: both kinds of line ends', 'a\r\nb\nc\r\n', 'a\r\nB\nc\r\n'],
    ['A-11: a mark for a file that has one', `${mark}a\n`, `${mark}b\n`],
    ['A-11: no mark for a file that has one', `${mark}a\n`, 'b\n'],
    ['A-11: a mark for a file that has none', 'a\n', `${mark}b\n`],
  ]
  test.each(reports)('%s', async (_name, disk, proposal) => {
    const review = await startReview({ files: { 'a.txt': disk }, args: ['a.txt'] })
    await review.accept('a.txt', proposal)
  })
})

describe('a proposal that the user has edited', () => {
  const edits: [name: string, text: string, keys: string, saved: string][] = [
    ['a changed line', 'a\nb', 'ccX<Esc>', 'X\nb'],
    ['all lines deleted', 'a\nb\n', 'ggdG', ''],
    ['all lines deleted, no final line break', 'a\nb', 'ggdG', ''],
    ['a line to an empty text', '', 'ix<Esc>', 'x\n'],
    ['a line at the end of a CRLF text', 'a\r\nb\r\n', 'Goc<Esc>', 'a\r\nb\r\nc\r\n'],
    ['a line at the end, no final line break', 'a', 'ob<Esc>', 'a\nb'],
    ['undone', 'a\n', 'ccX<Esc>u', 'a\n'],
    ['everything undone that can be', 'a\nb\n', 'ddddiX<Esc>9u', 'a\nb\n'],
    ['a line break put back', 'a', ':set endofline<CR>', 'a\n'],
    ['reset by :edit!', 'a\r\nb', 'ggdGix<Esc>:edit!<CR>', 'a\r\nb'],
    ['reset by :edit, empty', '', 'ix<Esc>:edit!<CR>', ''],
    ['reset by :edit, with a mark', `${mark}a\n`, 'ddix<Esc>:edit!<CR>', `${mark}a\n`],
  ]

  test('comes back as edited', async () => {
    const review = await startReview({ files: { 'a.txt': 'something else\n' }, args: ['a.txt'] })
    for (const [name, text, keys, saved] of edits) {
      const proposed = await review.open('a.txt', text)
      await review.nvim.feed(keys)
      await review.nvim.feed(':w<CR>')
      expect(await proposed.answer, name).toEqual(['FILE_SAVED', saved])
      await review.closeTab(proposed.tabName)
    }
  })

  test('is what a plain :w of the same buffer to a file would hold', async () => {
    const review = await startReview({ files: { 'a.txt': 'something else\n' }, args: ['a.txt'] })
    await fc.assert(fc.asyncProperty(anyText, anyEdits, sameAsPlainWrite(review)), { numRuns: 60 })
  }, 120_000)
})

const anyText = fc
  .array(fc.constantFrom('a', 'é', '😀', '\n', '\n', '\r\n', '\r', '\0', mark, ' ', 'word', '\x1a'), { maxLength: 12 })
  .map(parts => parts.join(''))

const anyEdits = fc.array(
  fc.constantFrom('dd', 'ggP', 'Gp', 'ox<Esc>', 'Oy<Esc>', 'x', 'J', 'u', '<C-r>', 'G', 'gg', 'yy', 'A é<Esc>', 'ggdG'),
  { maxLength: 6 },
)

function sameAsPlainWrite(review: ReviewSession) {
  return async (text: string, keys: string[]) => {
    const proposed = await review.open('a.txt', text)
    await review.nvim.feed(keys.join(''))
    const copy = review.path('copy.txt')
    await review.nvim.lua(`vim.cmd('silent noautocmd keepalt write! ' .. vim.fn.fnameescape(...))`, copy)
    await review.nvim.feed(':w<CR>')
    const [, saved] = await proposed.answer
    await review.closeTab(proposed.tabName)
    expect(saved).toBe(await readFile(copy, 'utf8'))
  }
}
