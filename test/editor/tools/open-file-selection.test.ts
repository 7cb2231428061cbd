// openFile: what is selected.
import { expect, test } from 'vitest'
import { type Session, startSession, textOf } from './support.ts'

const text = ['function hello() {', '  return "wörld"', '}', '', 'function other() {', '  call(.*)', '}', 'last line']
const files = { 'a.js': `${text.join('\n')}\n`, 'dos.txt': 'one\r\ntwo\r\nthree\r\n', 'empty.txt': '', 'b.txt': 'x\n' }

/** What `y` would take, after the mode. */
async function selected({ nvim }: Session): Promise<string> {
  await nvim.waitFor('not vim.api.nvim_get_mode().mode:find("^[it]")', 'the mode that was asked for')
  return nvim.lua(`
    local mode = vim.fn.mode()
    if not mode:find('^[vVsS\\22]') then return mode end
    local lines = vim.fn.getregion(vim.fn.getpos('v'), vim.fn.getpos('.'), { type = mode })
    return mode .. ' ' .. table.concat(lines, '\\n')`)
}

const cases: [string, Record<string, unknown>, string][] = [
  [
    'start and end across lines',
    { startText: 'function hello', endText: '}' },
    'v function hello() {\n  return "wörld"\n}',
  ],
  ['a start alone', { startText: 'wörld' }, 'v wörld'],
  ['a start across lines', { startText: '"\n}\n\nfunc' }, 'v "\n}\n\nfunc'],
  ['the end is after the start, though it comes before it too', { startText: 'other', endText: '{' }, 'v other() {'],
  ['an end that is only in the start', { startText: 'last line', endText: 'line' }, 'v last line'],
  ['to the end of the line', { startText: 'ret', selectToEndOfLine: true }, 'v return "wörld"'],
  [
    'to the end of the line of the end',
    { startText: 'hello', endText: 'ret', selectToEndOfLine: true },
    'v hello() {\n  return "wörld"',
  ],
  ['to the end of a line that ends there', { startText: 'hello() {', selectToEndOfLine: true }, 'v hello() {'],
  ['plain text, no pattern', { startText: '.*' }, 'v .*'],
  ['a text that begins with a special key', { startText: '"wörld"' }, 'v "wörld"'],
  ['one character', { startText: 'w' }, 'v w'],
  ['one character of more than one byte', { startText: 'ö' }, 'v ö'],
  ['lines', { startLine: 1, endLine: 3 }, 'V function hello() {\n  return "wörld"\n}'],
  ['one line', { startLine: 2 }, 'V   return "wörld"'],
  ['from the first line', { endLine: 1 }, 'V function hello() {'],
  ['lines behind the end', { startLine: 8, endLine: 99 }, 'V last line'],
  ['lines before the start', { startLine: -5, endLine: 0 }, 'V function hello() {'],
  ['text and lines: the text counts', { startText: 'last', startLine: 1, endLine: 2 }, 'v last'],
  ['nothing', {}, 'n'],
  ['an empty text', { startText: '', endText: '' }, 'n'],
  ['an end without a start', { endText: '}' }, 'n'],
]

test.each(['inclusive', 'exclusive', 'old'])("what is selected (with 'selection' %s)", async selection => {
  const session = await startSession({ files, args: ['b.txt'], init: `vim.o.selection = '${selection}'` })
  for (const [what, args, expected] of cases) {
    await session.nvim.feed('<Esc>:b b.txt<CR>')
    const answer = await session.call('openFile', { filePath: session.file('a.js'), ...args })
    expect(answer.content, what).toEqual([{ type: 'text', text: `Opened file: ${session.file('a.js')}` }])
    expect(await selected(session), what).toBe(expected)
  }
})

test('what is not found is not selected, and a note says so', async () => {
  const session = await startSession({ files, args: ['b.txt'] })
  const filePath = session.file('a.js')
  const nothing = await session.call('openFile', { filePath, startText: `nowhere ${'x'.repeat(500)}` })
  expect(textOf(nothing)).toBe(`Opened file: ${filePath}`)
  expect(textOf(nothing, 1)).toMatch(/^The text was not found, so nothing is selected: nowhere x{20,40}…$/)
  expect(await selected(session)).toBe('n')
  const start = await session.call('openFile', { filePath, startText: 'hello', endText: 'nowhere' })
  expect(textOf(start, 1)).toBe('The end was not found, so only the start is selected: nowhere')
  expect(await selected(session)).toBe('v hello')
})

test('Windows line ends in the text or in the file', async () => {
  const session = await startSession({ files, args: ['b.txt'] })
  for (const startText of ['one\ntwo', 'one\r\ntwo']) {
    await session.text('openFile', { filePath: session.file('dos.txt'), startText })
    expect(await selected(session)).toBe('v one\ntwo')
  }
})

test('an empty file', async () => {
  const session = await startSession({ files, args: ['b.txt'] })
  const filePath = session.file('empty.txt')
  expect((await session.call('openFile', { filePath, startText: 'a' })).content).toHaveLength(2)
  await session.text('openFile', { filePath, startLine: 1, endLine: 5 })
  expect(await selected(session)).toBe('V ')
  expect(await session.json('openFile', { filePath, makeFrontmost: false })).toMatchObject({ lineCount: 1 })
})

test('the start is on the screen, and out of its fold', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}.`)
  const session = await startSession({ files: { ...files, 'long.txt': lines.join('\n') }, args: ['b.txt'] })
  const { nvim, file } = session
  await nvim.lua('vim.o.foldmethod = "manual" vim.cmd("edit long.txt | 240,260fold | 1 | edit b.txt")')
  await session.text('openFile', { filePath: file('long.txt'), startText: 'line 250.', endText: 'line 490.' })
  expect(await nvim.lua('return { vim.fn.line("."), vim.fn.foldclosed(".") }')).toEqual([250, -1])
  expect(await nvim.lua('return vim.fn.line("w0") < 250 and 250 < vim.fn.line("w$")')).toBe(true)
})

test('from a terminal that is typed in, from Insert mode, from another selection', async () => {
  for (const keys of [':botright vsplit | terminal<CR>i', 'ihello', 'Vj', 'gh', '<C-v>l']) {
    const session = await startSession({ files, args: ['b.txt'] })
    await session.nvim.feed(keys)
    await session.text('openFile', { filePath: session.file('a.js'), startText: 'hello', endText: '{' })
    await session.nvim.waitFor('vim.fn.mode() == "v"', 'Visual mode')
    expect(await selected(session)).toBe('v hello() {')
  }
})

test('again in the file that is already in front', async () => {
  const session = await startSession({ files, args: ['a.js'] })
  for (const startText of ['hello', 'other', 'hello']) {
    await session.text('openFile', { filePath: session.file('a.js'), startText })
    expect(await selected(session)).toBe(`v ${startText}`)
  }
})
