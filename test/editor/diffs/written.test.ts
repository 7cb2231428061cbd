// After Claude has written a file, its buffers show it, and nothing of the user's is lost.
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type ReviewSession, recordNotices, startReview } from '../../support/diff.ts'

const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`)
const old = `${lines.join('\n')}\n`
/** Two lines more at the top, line 50 changed, line 60 gone. */
const changed = `new a\nnew b\n${old.replace('line 50\n', 'LINE 50\n').replace('line 60\n', '')}`

/** Accepts, writes and closes; in the order that is asked for, as nothing says when the client comes to what. */
async function acceptAndWrite(
  review: ReviewSession,
  { name = 'a.txt', text = changed, order = 'as it comes' }: { name?: string; text?: string; order?: Order } = {},
): Promise<void> {
  const proposed = await review.open(name, text)
  await review.nvim.feed(':ClaudeCodeDiffAccept<CR>')
  await proposed.answer
  if (order === 'closes first') {
    await review.closeTab(proposed.tabName)
    await review.waitForClosed(proposed)
  }
  await writeFile(review.path(name), text)
  if (order === 'is seen first') await waitForText(review, name)
  await review.closeTab(proposed.tabName)
  await review.waitForClosed(proposed)
}

type Order = 'as it comes' | 'closes first' | 'is seen first'
const orders: Order[] = ['closes first', 'is seen first']

function start(options: { args?: string[]; init?: string } = {}): Promise<ReviewSession> {
  return startReview({
    files: { 'a.txt': old, 'b.txt': 'b\n' },
    args: options.args ?? ['a.txt'],
    init: `${recordNotices}\n${options.init ?? ''}`,
  })
}

async function waitForText(review: ReviewSession, buffer = '%'): Promise<void> {
  await review.nvim.waitFor(`vim.fn.getbufline('${buffer}', 1)[1] == 'new a'`, 'the written text')
}

describe('the buffer of a written file', () => {
  test('A-07: shows the text, unmodified, with nothing asked, and a later :w and :checktime ask nothing either', async () => {
    const review = await start()
    await acceptAndWrite(review)
    await waitForText(review)
    expect(await review.nvim.lua('return vim.bo.modified')).toBe(false)
    await review.nvim.feed(':checktime<CR>')
    await review.nvim.feed(':w<CR>')
    expect(await review.nvim.messages()).not.toMatch(/W1[0-9]|WARNING/)
    expect(await review.nvim.lua('return vim.v.warningmsg .. vim.v.errmsg')).toBe('')
  })

  test.each(orders)(
    'keeps the cursor and the marks on their lines, and what the window shows, when Claude %s',
    async order => {
      const review = await start()
      await review.nvim.feed('10Gma50Gmb60Gmc100GmD70Gzt5j3l')
      await acceptAndWrite(review, { order })
      await waitForText(review)
      expect(
        await review.nvim.lua(`
        local function text(mark) return vim.fn.getline(mark) end
        return { text('.'), vim.fn.col('.'), text("'a"), text("'b"), text("'c"), text("'D"), vim.fn.getline('w0') }`),
      ).toEqual(['line 75', 4, 'line 10', 'LINE 50', 'line 61', 'line 100', 'line 70'])
    },
  )

  test.each(orders)('keeps folds made by hand on their lines, when Claude %s', async order => {
    const review = await start()
    await review.nvim.feed(':70,80fold<CR>:90,95fold<CR>92Gzo10G')
    await acceptAndWrite(review, { order })
    await waitForText(review)
    expect(
      await review.nvim.lua(`
        local folds = {}
        for line = 1, vim.fn.line('$') do
          if vim.fn.foldlevel(line) > 0 then
            folds[#folds + 1] = vim.fn.getline(line) .. (vim.fn.foldclosed(line) > 0 and ' closed' or '')
          end
        end
        return { folds[1], folds[11], folds[12], folds[17], #folds }`),
    ).toEqual(['line 70 closed', 'line 80 closed', 'line 90', 'line 95', 17])
  })

  test('can be undone to what it was, and further back', async () => {
    const review = await start()
    await review.nvim.feed('ggccmine<Esc>:w<CR>')
    await acceptAndWrite(review, { text: `new a\n${old}` })
    await waitForText(review)
    await review.nvim.feed('u')
    expect(await review.nvim.lua('return vim.fn.getline(1)')).toBe('mine')
    await review.nvim.feed('u')
    expect(await review.nvim.lua('return vim.fn.getline(1)')).toBe('line 1')
    await review.nvim.feed('2<C-r>')
    expect(await review.nvim.lua('return vim.fn.getline(1)')).toBe('new a')
  })

  test('can be undone though it is longer than undoreload', async () => {
    const review = await start({ init: 'vim.o.undoreload = 10' })
    await acceptAndWrite(review)
    await waitForText(review)
    await review.nvim.feed('u')
    expect(await review.nvim.lua('return vim.fn.getline(1)')).toBe('line 1')
    expect(await review.nvim.lua('return vim.o.undoreload')).toBe(10)
  })

  test('is brought up to date in every window, hidden, and by another name', async () => {
    const review = await start({ args: ['b.txt'] })
    await symlink(review.path('a.txt'), review.path('link.txt'))
    await review.nvim.feed(':split link.txt<CR>:vsplit<CR>:wincmd t<CR>:edit a.txt<CR>:edit b.txt<CR>')
    const names = await review.nvim.lua<string[]>(`
      return vim.tbl_map(function(buffer) return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':t') end, vim.api.nvim_list_bufs())`)
    await acceptAndWrite(review)
    for (const name of names.filter(name => name !== 'b.txt')) await waitForText(review, name)
    expect(names).toContain('link.txt')
  })

  test('is brought up to date without autoread, and whatever handles FileChangedShell', async () => {
    const review = await start({
      init: `
        vim.o.autoread = false
        vim.api.nvim_create_autocmd('FileChangedShell', { callback = function() vim.v.fcs_choice = 'ask' end })`,
    })
    await acceptAndWrite(review)
    await waitForText(review)
    expect(await review.nvim.lua('return vim.o.autoread')).toBe(false)
  })

  test('of a new file that was open already', async () => {
    const review = await start()
    await review.nvim.feed(':edit fresh.txt<CR>')
    await acceptAndWrite(review, { name: 'fresh.txt' })
    await waitForText(review, 'fresh.txt')
    expect(await review.nvim.lua('return vim.bo.modified')).toBe(false)
    await review.nvim.feed(':checktime<CR>:w<CR>')
    expect(await review.nvim.messages()).not.toMatch(/W1[0-9]|WARNING/)
  })

  test('that Claude writes after close_tab, or never closes', async () => {
    const review = await start()
    const first = await review.open('a.txt', changed)
    await review.nvim.feed(':w<CR>')
    await first.answer
    await review.closeTab(first.tabName)
    await pause(200)
    await writeFile(review.path('a.txt'), changed)
    await waitForText(review)
    const second = await review.open('a.txt', old)
    await review.nvim.feed(':w<CR>')
    await second.answer
    await writeFile(review.path('a.txt'), old)
    await review.nvim.waitFor(`vim.fn.getbufline('a.txt', 1)[1] == 'line 1'`, 'the written text')
  })

  test('that Claude writes after a yes in the terminal', async () => {
    for (const order of ['before', 'after'] as const) {
      const review = await start()
      const proposed = await review.open('a.txt', changed)
      if (order === 'before') await writeFile(review.path('a.txt'), changed)
      await review.closeTab(proposed.tabName)
      expect(await proposed.answer).toEqual(['DIFF_REJECTED', proposed.tabName])
      if (order === 'after') await writeFile(review.path('a.txt'), changed)
      await waitForText(review)
    }
  })

  test('that ends up with another text than the accepted one', async () => {
    const review = await start()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed(':w<CR>')
    await proposed.answer
    await writeFile(review.path('a.txt'), `new a\nformatted by a hook\n`)
    await review.closeTab(proposed.tabName)
    await waitForText(review)
    expect(await review.nvim.lua('return vim.fn.getline(2)')).toBe('formatted by a hook')
  })
})

describe("A-06: the user's own edits in the file's buffer", () => {
  const notice =
    'claudecode: Claude wrote a.txt, but its buffer has unsaved changes, so it stays as it is; :edit! would show what Claude wrote'
  const isMine = '{ vim.fn.line("$"), vim.fn.getline("$"), vim.bo.modified }'

  async function expectBothKept(review: ReviewSession): Promise<void> {
    await review.waitForNotice('Claude wrote')
    await pause(400)
    expect(await review.told()).toEqual([notice])
    await review.nvim.feed(':checktime<CR>')
    await review.nvim.lua(`vim.api.nvim_exec_autocmds('FocusGained', {})`)
    expect(await review.nvim.blockedMode()).toBeUndefined()
    expect(await review.nvim.messages()).not.toMatch(/W1[0-9]/)
    expect(await review.nvim.lua(`return ${isMine}`)).toEqual([121, 'mine', true])
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(changed)
    await review.nvim.input(':w<CR>')
    await review.nvim.waitForScreen(/The file has been changed since reading it/)
    await review.nvim.input('n')
    expect(await readFile(review.path('a.txt'), 'utf8')).toBe(changed)
  }

  test('from before the diff stay, with one notice, and no question until they are written', async () => {
    const review = await start()
    await review.nvim.feed('Gomine<Esc>')
    await acceptAndWrite(review)
    await expectBothKept(review)
  })

  test('made while the diff is open stay as well', async () => {
    const review = await start()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('<C-w>hGomine<Esc>:ClaudeCodeDiffAccept<CR>')
    await proposed.answer
    await writeFile(review.path('a.txt'), changed)
    await review.closeTab(proposed.tabName)
    await expectBothKept(review)
  })

  /** Another window shows another file, Claude writes, and at once the user goes back. */
  async function writeAndGoBack(review: ReviewSession): Promise<void> {
    await review.nvim.feed(':tabnew b.txt<CR>')
    await review.nvim.lua(
      `local path, text = ...
      vim.fn.writefile(vim.split(text, '\\n'), path, 'b')
      vim.cmd.buffer('a.txt')`,
      review.path('a.txt'),
      changed,
    )
  }

  test('raise no question, also when the user comes to the buffer before we have looked', async () => {
    const review = await start()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('<C-w>hGomine<Esc><C-w>l:ClaudeCodeDiffAccept<CR>')
    await proposed.answer
    await writeAndGoBack(review)
    await review.waitForNotice('unsaved changes')
    expect(await review.nvim.lua(`return { vim.fn.getline(1), vim.fn.getline('$') }`)).toEqual(['line 1', 'mine'])
  })

  test('raise no question when Claude writes after close_tab', async () => {
    const review = await start()
    const proposed = await review.open('a.txt', changed)
    await review.nvim.feed('<C-w>hGomine<Esc><C-w>l')
    await review.closeTab(proposed.tabName) // the user has said yes in the terminal
    await review.waitForClosed(proposed)
    await writeAndGoBack(review)
    await review.waitForNotice('unsaved changes')
    expect(await review.nvim.lua(`return { vim.fn.getline(1), vim.fn.getline('$') }`)).toEqual(['line 1', 'mine'])
  })

  test('that are what Claude wrote are no conflict', async () => {
    const review = await start()
    const proposed = await review.open('a.txt', `${old}mine\n`)
    await review.nvim.feed('<C-w>hGomine<Esc>:ClaudeCodeDiffAccept<CR>')
    await proposed.answer
    await writeFile(review.path('a.txt'), `${old}mine\n`)
    await review.closeTab(proposed.tabName)
    await review.nvim.waitFor('not vim.bo.modified', 'the buffer to be like the file')
    expect(await review.told()).toEqual([])
    await review.nvim.feed('2u')
    expect(await review.nvim.lua(`return ${isMine}`)).toEqual([120, 'line 120', true])
  })
})

describe('A-19: with diff_opts.show_accepted the written file is shown at its first change', () => {
  const setup = '{ diff_opts = { show_accepted = true } }'
  const where = `return { vim.fn.expand('%:t'), vim.fn.line('.'), vim.fn.getline('.'), vim.fn.winnr('$') }`

  test.each(orders)('when Claude %s', async order => {
    const review = await startReview({ files: { 'a.txt': old, 'b.txt': 'b\n' }, args: ['b.txt'], setup })
    await acceptAndWrite(review, {
      text: old.replace('line 50\n', 'LINE 50\n'),
      order: order === 'closes first' ? order : 'as it comes',
    })
    await review.nvim.waitFor(`vim.fn.expand('%:t') == 'a.txt'`, 'the file to be shown')
    expect(await review.nvim.lua(where)).toEqual(['a.txt', 50, 'LINE 50', 1])
    expect(await review.nvim.lua('return vim.bo.buflisted')).toBe(true)
  })

  test('also a new one; a rejected one is not', async () => {
    const review = await startReview({ files: { 'b.txt': 'b\n' }, args: ['b.txt'], setup })
    const rejected = await review.open('fresh.txt', 'one\n')
    await review.nvim.feed(':ClaudeCodeDiffDeny<CR>')
    await review.waitForClosed(rejected)
    expect(await review.nvim.lua(where)).toEqual(['b.txt', 1, 'b', 1])
    await acceptAndWrite(review, { name: 'fresh.txt', text: 'one\ntwo\n' })
    await review.nvim.waitFor(`vim.fn.expand('%:t') == 'fresh.txt'`, 'the file to be shown')
  })
})
