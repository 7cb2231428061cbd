// The table "Selection Updates" of the protocol document and the sentences under it, one test each: keys are typed, and
// what a connected Claude hears is compared.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Selection } from '../../../src/selection/encode.ts'
import { type Listener, startTracking, type Tracking } from '../../support/selection.ts'

let tracking: Tracking
let listener: Listener
let isBefore011: boolean
let files = 0

beforeAll(async () => {
  tracking = await startTracking()
  listener = await tracking.connect()
  isBefore011 = await tracking.nvim.lua('return vim.fn.has("nvim-0.11") == 0')
})

afterAll(async () => {
  await listener?.claude.close()
  await tracking?.nvim.close()
})

interface Given {
  lines: (string | Buffer)[]
  keys: string
  /** `:set` arguments. */
  set?: string
}

/** Types keys at the start of a new file and waits until Claude was told that. */
async function expectTold({ lines, keys, set = '' }: Given, wanted: string): Promise<Selection> {
  const { nvim } = tracking
  files += 1
  const path = join(nvim.folder, `file-${files}.txt`)
  await nvim.feed('<Esc><Esc>')
  await nvim.lua(
    `local path, lines, set = ...
    vim.cmd('set selection=inclusive virtualedit= selectmode= ' .. set)
    vim.cmd.edit(path)
    vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
    vim.bo.modified = false`,
    path,
    lines.map(line => Buffer.from(line as string)),
    set,
  )
  await nvim.feed(keys)
  return listener.hears(wanted, one => one.filePath === path)
}

/** As many lines as Claude Code 2.1.312 says were selected (protocol document, "Claude Code CLI 2.1.312 reads …"). */
function linesThatTheCliCounts({ selection: { start, end } }: Selection): number {
  return end.line - start.line + 1 - (end.character === 0 ? 1 : 0)
}

const abc = ['abc', 'def', '', 'ghi']

describe('positions', () => {
  test('line is 0-based', () => expectTold({ lines: abc, keys: 'jvl' }, '1:0-1:2 "de"'))
  test('character is a 0-based UTF-8 byte offset: the position after 本 is character 6', async () => {
    await expectTold({ lines: ['日本語'], keys: 'll' }, 'cursor 0:6')
    await expectTold({ lines: ['日本語'], keys: 'vl' }, '0:0-0:6 "日本"')
  })
  test('end is exclusive: just after the last selected character', () =>
    expectTold({ lines: abc, keys: 'v' }, '0:0-0:1 "a"'))
})

describe('none (cursor only)', () => {
  test('start and end are the cursor, isEmpty is true, the text is ""', async () => {
    const { text, selection } = await expectTold({ lines: abc, keys: 'jl' }, 'cursor 1:1')
    const cursor = { line: 1, character: 1 }
    expect({ text, selection }).toEqual({ text: '', selection: { start: cursor, end: cursor, isEmpty: true } })
  })
  test('also in Insert mode, behind the last character', () => expectTold({ lines: abc, keys: 'A' }, 'cursor 0:3'))
})

describe('charwise (v)', () => {
  test('from the first selected byte to after the last selected character', () =>
    expectTold({ lines: abc, keys: 'lvj' }, '0:1-1:2 "bc\\nde"'))
  test('the same when it was drawn backwards', () => expectTold({ lines: abc, keys: 'jlvk' }, '0:1-1:2 "bc\\nde"'))
  test('it is not empty', async () => {
    const { selection } = await expectTold({ lines: abc, keys: 'v' }, '0:0-0:1 "a"')
    expect(selection.isEmpty).toBe(false)
  })
})

describe('v$', () => {
  test('ends at character 0 of the next line, with the line break', async () => {
    const selection = await expectTold({ lines: abc, keys: 'lv$' }, '0:1-1:0 "bc\\n"')
    expect(linesThatTheCliCounts(selection)).toBe(1)
  })
  test('so does v on an empty line', async () => {
    const selection = await expectTold({ lines: abc, keys: '2jv' }, '2:0-3:0 "\\n"')
    expect(linesThatTheCliCounts(selection)).toBe(1)
  })
  test("on the buffer's last line: the line's byte length, no line break", () =>
    expectTold({ lines: ['a', 'ü'], keys: 'jv$' }, '1:0-1:2 "ü"'))
  test("on the buffer's last line, which is empty: character 1", async () => {
    const selection = await expectTold({ lines: ['a', ''], keys: 'jv$' }, '1:0-1:1 ""')
    expect(linesThatTheCliCounts(selection)).toBe(1)
  })
  test("with 'virtualedit' containing all: the line's byte length, no line break, no spaces of virtual columns", () =>
    expectTold({ lines: ['日本', 'x'], keys: 'v$', set: 'virtualedit=all' }, '0:0-0:6 "日本"'))
  test("with 'virtualedit' containing all, on an empty line: character 1", () =>
    expectTold({ lines: ['', 'x'], keys: 'v$', set: 'virtualedit=all' }, '0:0-0:1 ""'))
  test("with 'virtualedit' containing all, far behind the line", () =>
    expectTold({ lines: ['ab', 'x'], keys: 'v9l', set: 'virtualedit=onemore,all' }, '0:0-0:2 "ab"'))
  test("'virtualedit' of the window counts, not the global one", async () => {
    await expectTold({ lines: ['ab', 'x'], keys: ':setl ve=NONE<CR>v$', set: 'virtualedit=all' }, '0:0-1:0 "ab\\n"')
    await tracking.nvim.feed('<Esc>:setl ve=<CR>')
  })
})

describe('linewise (V)', () => {
  test('from character 0 of the first line to the byte length of the last, joined by line breaks', () =>
    expectTold({ lines: ['ab', 'ü'], keys: 'lVj' }, '0:0-1:2 "ab\\nü"'))
  test('when the last line is empty: character 0 of the next line, with the line break of the empty line', async () => {
    const selection = await expectTold({ lines: abc, keys: 'V2j' }, '0:0-3:0 "abc\\ndef\\n\\n"')
    expect(linesThatTheCliCounts(selection)).toBe(3)
  })
  test("when the last line is empty and the buffer's last line: character 1", async () => {
    const selection = await expectTold({ lines: ['a', ''], keys: 'Vj' }, '0:0-1:1 "a\\n"')
    expect(linesThatTheCliCounts(selection)).toBe(2)
  })
  test('in an empty buffer', () => expectTold({ lines: [''], keys: 'V' }, '0:0-0:1 ""'))
  test('a closed fold is selected as a whole', () =>
    expectTold({ lines: ['a', 'b', 'c'], keys: ':1,2fold<CR>V' }, '0:0-1:1 "a\\nb"'))
})

describe('blockwise (Ctrl-V)', () => {
  const square = ['abcd', 'efgh', 'ijkl']
  test("the contiguous span from the block's first position to its last, not the rectangle", () =>
    expectTold({ lines: square, keys: 'l<C-v>jl' }, '0:1-1:3 "bcd\\nefg"'))
  test('the first selected byte is at the top left and the last at the bottom right, wherever the cursor is', async () => {
    for (const keys of ['2l<C-v>jh', 'jl<C-v>kl', 'j2l<C-v>kh', 'l<C-v>jlO'])
      await expectTold({ lines: square, keys }, '0:1-1:3 "bcd\\nefg"')
  })
  test("an end past the last character stays at the line's byte length", async () => {
    await expectTold({ lines: ['abcd', 'ef', 'x'], keys: 'l<C-v>j$' }, '0:1-1:2 "bcd\\nef"')
    await expectTold({ lines: ['abcd', 'ef', 'x'], keys: '3l<C-v>j' }, '0:2-1:2 "cd\\nef"')
    await expectTold({ lines: ['ab', 'cdef', 'gh'], keys: '2jl<C-v>k2l', set: 've=block' }, '1:1-2:2 "def\\ngh"')
  })
  test('$ counts for every line, also when the cursor is in the first one', () =>
    expectTold({ lines: ['abcd', 'efgh'], keys: 'jl<C-v>k$' }, '0:1-1:4 "bcd\\nefgh"'))
  test('an end on an empty row is character 1', async () => {
    const selection = await expectTold({ lines: ['ab', '', 'x'], keys: '<C-v>j' }, '0:0-1:1 "ab\\n"')
    expect(linesThatTheCliCounts(selection)).toBe(2)
    await expectTold({ lines: ['ab', '', 'x'], keys: '<C-v>j$' }, '0:0-1:1 "ab\\n"')
  })
  test('it has whole characters where the edge of the block cuts one', () =>
    expectTold({ lines: ['abcd', '日本'], keys: 'l<C-v>j' }, '0:0-1:3 "abcd\\n日"'))
})

describe("'selection' set to exclusive", () => {
  const set = 'selection=exclusive'
  test('a charwise selection of more than one position ends after the character before its end position', async () => {
    await expectTold({ lines: abc, keys: 'vll', set }, '0:0-0:2 "ab"')
    await expectTold({ lines: ['日本語'], keys: 'vl', set }, '0:0-0:3 "日"')
    await expectTold({ lines: abc, keys: 'vj', set }, '0:0-1:0 "abc\\n"')
    await expectTold({ lines: abc, keys: 'v$', set }, '0:0-0:3 "abc"')
  })
  test('one position is one character', () => expectTold({ lines: abc, keys: 'v', set }, '0:0-0:1 "a"'))
  test('a blockwise selection of more than one position ends after the character before its end position', () =>
    expectTold({ lines: ['abcd', 'efgh'], keys: 'l<C-v>jll', set }, '0:1-1:3 "bcd\\nefg"'))
  test('a block whose last row is empty still ends at character 1 of that row', () =>
    expectTold({ lines: ['ab', '', 'x'], keys: '<C-v>j', set }, '0:0-1:1 "ab\\n"'))
  test("a position in a virtual cell ('virtualedit') is in the character of that cell, or on an empty line", async () => {
    const all = `${set} virtualedit=all`
    await expectTold({ lines: ['\tx'], keys: 'v2l', set: all }, '0:0-0:1 "\\t"')
    await expectTold({ lines: ['', 'x'], keys: 'v2l', set: all }, '0:0-0:1 ""')
    await expectTold({ lines: ['ab', 'x'], keys: 'v9l', set: all }, '0:0-0:2 "ab"')
  })
  test('a position inside a grapheme cluster, where 0.12 can put the cursor, is behind it', async () => {
    if (isBefore011) return
    await expectTold({ lines: ['aक्षि'], keys: 'vlgg', set }, '0:0-0:13 "aक्षि"')
  })
  test('linewise selections are whole lines', () => expectTold({ lines: abc, keys: 'lV', set }, '0:0-0:3 "abc"'))
})

describe("'selection' set to old", () => {
  const set = 'selection=old'
  test('the end of the line is its last character, without the line break', () =>
    expectTold({ lines: abc, keys: 'v$', set }, '0:0-0:3 "abc"'))
  test('an empty line ends at character 1', () => expectTold({ lines: abc, keys: '2jv', set }, '2:0-2:1 ""'))
})

describe('Select mode uses the same encoding as the Visual mode of the same type', () => {
  test('gh', () => expectTold({ lines: abc, keys: 'gh<Right>' }, '0:0-0:2 "ab"'))
  test('gH', () => expectTold({ lines: abc, keys: 'gH<Down>' }, '0:0-1:3 "abc\\ndef"'))
  test('g Ctrl-H', () => expectTold({ lines: abc, keys: 'g<C-h><Down><Right>' }, '0:0-1:2 "abc\\nde"'))
  for (const [keys, wanted] of [
    ['v<Right>', '0:0-0:2 "ab"'],
    ['V<Down>', '0:0-1:3 "abc\\ndef"'],
    ['<C-v><Down><Right>', '0:0-1:2 "abc\\nde"'],
  ] as const) {
    test(`${keys} when 'selectmode' contains cmd`, async () => {
      await expectTold({ lines: abc, keys, set: 'selectmode=cmd' }, wanted)
      expect(await tracking.nvim.lua('return vim.fn.mode()')).toBe({ v: 's', V: 'S' }[keys[0] ?? ''] ?? '\x13')
    })
  }
})

describe("a character is what Neovim's y takes as one", () => {
  test('a code point with its composing characters', () =>
    expectTold({ lines: ['e\u0301x'], keys: 'v' }, '0:0-0:3 "e\u0301"'))
  test('on Neovim 0.11+ a grapheme cluster', async () => {
    const family = '👨‍👩‍👧'
    const first = isBefore011 ? '👨' : family
    await expectTold({ lines: [`${family}x`], keys: 'v' }, `0:0-0:${Buffer.byteLength(first)} ${JSON.stringify(first)}`)
  })
  for (const [name, control] of [
    ['a TAB', '\t'],
    ['U+0085', '\u0085'],
    ['U+200B', '\u200b'],
  ] as const) {
    test(`${name} is a character of its own, and a composing character after it is the next one (0.11+)`, async () => {
      const length = Buffer.byteLength(control)
      await expectTold({ lines: [`${control}x`], keys: 'v' }, `0:0-0:${length} ${JSON.stringify(control)}`)
      if (isBefore011) return
      await expectTold({ lines: [`${control}\u0301x`], keys: 'v' }, `0:0-0:${length} ${JSON.stringify(control)}`)
      await expectTold({ lines: [`${control}\u0301x`], keys: 'lv' }, `0:${length}-0:${length + 2} "\u0301"`)
    })
  }
  test('an invalid byte is a character of its own too, and a composing character after it is the next one', async () => {
    await expectTold({ lines: [Buffer.from('ff78ff79', 'hex')], keys: 'v2l' }, '0:0-0:3 "\ufffdx\ufffd"')
    const lines = [Buffer.from('ffcc8178', 'hex')]
    await expectTold({ lines, keys: 'v' }, '0:0-0:1 "\ufffd"')
    await expectTold({ lines, keys: 'vfx' }, '0:0-0:4 "\ufffd\u0301x"')
    if (!isBefore011) await expectTold({ lines, keys: 'vl' }, '0:0-0:3 "\ufffd\u0301"')
  })
  test("with 'selection' set to exclusive, the selection keeps a composing character that it ends right after", () =>
    expectTold(
      { lines: [Buffer.from('80cc8161', 'hex')], keys: '$v0', set: 'selection=exclusive' },
      '0:0-0:3 "\ufffd\u0301"',
    ))
})

describe('frames are valid UTF-8 and JSON, whatever the text', () => {
  test('invalid bytes show as U+FFFD, and positions stay true to the bytes', () =>
    expectTold({ lines: [Buffer.from('61e697ff62', 'hex')], keys: 'V' }, '0:0-0:5 "a\ufffd\ufffdb"'))
  test('NUL and other controls', () =>
    expectTold({ lines: ['a\u0000\u0001"\\\u2028'], keys: 'V' }, `0:0-0:8 ${JSON.stringify('a\u0000\u0001"\\\u2028')}`))
})
