// The rules of the protocol document, on facts of every kind. That the facts are right is held against a real Neovim in
// test/editor/selection/table.test.ts and encoding.test.ts.
import { expect, test } from 'vitest'
import { encodeSelection } from '../../../src/selection/encode.ts'
import { SelectionFacts } from '../../../src/selection/facts.ts'

const facts: SelectionFacts = SelectionFacts.parse({
  kind: 'charwise',
  buffer: 1,
  changedtick: 2,
  name: '/p/a.txt',
  first: { line: 3, column: 1, offset: 0 },
  last: { line: 4, column: 2, offset: 0 },
  last_character: 3,
  last_line: 9,
  line_count: 10,
  one_position: false,
  selection: 'inclusive',
  virtual_all: false,
  size: 8,
  text: 'one\n12日',
})

function encode(change: Partial<SelectionFacts>, text: string | Buffer = 'one\n12日') {
  const { selection, ...rest } = encodeSelection({ ...facts, ...change }, Buffer.from(text as string))
  return [selection.end.line, selection.end.character, rest.text]
}

test('everything that selection_changed has', () => {
  expect(encodeSelection(facts, Buffer.from('one\n12日'))).toEqual({
    text: 'one\n12日',
    filePath: '/p/a.txt',
    fileUrl: 'file:///p/a.txt',
    selection: { start: { line: 3, character: 1 }, end: { line: 4, character: 5 }, isEmpty: false },
  })
})

const behind = { last: { line: 4, column: 9, offset: 0 }, last_character: 0 }
const emptyLine = { last: { line: 4, column: 0, offset: 0 }, last_character: 0, last_line: 0 }
const lastLine = { line_count: 5 }

test.each<[string, Partial<SelectionFacts>, unknown[]]>([
  ['charwise: behind the last character', {}, [4, 5, 'one\n12日']],
  ['charwise, behind the line: the line break', behind, [5, 0, 'one\n12日\n']],
  ['charwise, behind the last line: no line break', { ...behind, ...lastLine }, [4, 9, 'one\n12日']],
  ['charwise, behind a line with virtual columns', { ...behind, virtual_all: true }, [4, 9, 'one\n12日']],
  ['charwise, behind a line, old', { ...behind, selection: 'old' }, [4, 9, 'one\n12日']],
  ['charwise, on an empty line with virtual columns', { ...emptyLine, virtual_all: true }, [4, 1, 'one\n12日']],
  ['charwise, on an empty last line', { ...emptyLine, ...lastLine }, [4, 1, 'one\n12日']],
  ['exclusive: before the last character', { selection: 'exclusive' }, [4, 2, 'one\n12']],
  ['exclusive, one position', { selection: 'exclusive', one_position: true }, [4, 5, 'one\n12日']],
  [
    'exclusive, one position behind a line',
    { ...behind, selection: 'exclusive', one_position: true },
    [5, 0, 'one\n12日\n'],
  ],
  ['exclusive, behind the line', { ...behind, selection: 'exclusive' }, [4, 9, 'one\n12日']],
  ['exclusive, on an empty line', { ...emptyLine, selection: 'exclusive' }, [4, 0, 'one\n12日']],
  [
    'exclusive, in a virtual cell of an empty line',
    { ...emptyLine, last: { line: 4, column: 0, offset: 2 }, selection: 'exclusive', virtual_all: true },
    [4, 1, 'one\n12日'],
  ],
  [
    'exclusive, in a cell inside a character',
    { last: { line: 4, column: 2, offset: 1 }, selection: 'exclusive' },
    [4, 5, 'one\n12日'],
  ],
  ['linewise', { kind: 'linewise', ...behind }, [4, 9, 'one\n12日']],
  ['linewise, the last line empty', { kind: 'linewise', ...emptyLine }, [5, 0, 'one\n12日\n']],
  ['linewise, the last line of all empty', { kind: 'linewise', ...emptyLine, ...lastLine }, [4, 1, 'one\n12日']],
  ['blockwise, behind the line', { kind: 'blockwise', ...behind }, [4, 9, 'one\n12日']],
  ['blockwise, on an empty row', { kind: 'blockwise', ...emptyLine }, [4, 1, 'one\n12日']],
  [
    'blockwise, on an empty row, exclusive',
    { kind: 'blockwise', ...emptyLine, selection: 'exclusive' },
    [4, 1, 'one\n12日'],
  ],
])('%s', (_, change, expected) => {
  expect(encode(change)).toEqual(expected)
})

test('nothing selected: start and end are the cursor', () => {
  const cursor = { line: 4, column: 9, offset: 3 }
  const encoded = encodeSelection(
    { ...facts, kind: 'none', first: cursor, last: cursor, last_character: 0, one_position: true },
    Buffer.alloc(0),
  )
  const place = { line: 4, character: 9 }
  expect([encoded.text, encoded.selection]).toEqual(['', { start: place, end: place, isEmpty: true }])
})

test('the beginning of a text that is too long keeps the positions of the whole, and nothing is taken off or added', () => {
  const start = Buffer.from('one\n')
  const { text, selection } = encodeSelection({ ...facts, selection: 'exclusive' }, start, false)
  expect([text, selection.end]).toEqual(['one\n', { line: 4, character: 2 }])
  expect(encodeSelection({ ...facts, ...behind }, start, false).text).toBe('one\n')
})

test('bytes that are not UTF-8 show as U+FFFD in text and path; the URI has them', () => {
  const bytes = Buffer.from('/p/\xff', 'latin1')
  const { text, filePath, fileUrl } = encodeSelection({ ...facts, name: bytes }, Buffer.from('a\xffb', 'latin1'))
  expect([text, filePath, fileUrl]).toEqual(['a\ufffdb', '/p/\ufffd', 'file:///p/%FF'])
})
