// What messages of a kernel become.
import { describe, expect, test } from 'vitest'
import { Outputs } from '../../../src/jupyter/outputs.ts'

function contentOf(...messages: [string, unknown][]) {
  const outputs = new Outputs()
  for (const [type, content] of messages) outputs.add(type, content)
  return outputs.content()
}

const stdout = (text: string): [string, unknown] => ['stream', { name: 'stdout', text }]
const stderr = (text: string): [string, unknown] => ['stream', { name: 'stderr', text }]
const display = (data: unknown, more: object = {}): [string, unknown] => [
  'display_data',
  { data, metadata: {}, ...more },
]
const texts = (...all: string[]) => all.map(text => ({ type: 'text', text }))

test('pieces of one stream are one item; another stream, and a result, are their own', () => {
  expect(
    contentOf(stdout('a'), stdout('b\n'), stderr('warning\n'), stdout('c\n'), [
      'execute_result',
      { data: { 'text/plain': '42' }, execution_count: 1 },
    ]),
  ).toEqual(texts('ab', 'warning', 'c', '42'))
})

test('nothing is said in words, and unknown messages are nothing', () => {
  const words = texts('[the code ran, and put nothing out]')
  expect(contentOf()).toEqual(words)
  expect(contentOf(['comm_open', { data: 1 }], ['execute_input', {}], stdout('\n'))).toEqual(words)
})

test('a picture comes before the text of the same object, and its base64 is in one piece', () => {
  const data = { 'text/plain': '<Figure>', 'image/png': 'aGVs\nbG8=\n' }
  expect(contentOf(display(data))).toEqual([{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }])
})

test('a table is the text that Python has of it, not its HTML', () => {
  expect(contentOf(display({ 'text/html': '<table>', 'text/plain': '  x\n0 1' }))).toEqual(texts('  x\n0 1'))
  expect(contentOf(display({ 'text/html': '<b>' }), display({ 'application/json': { a: 1 } }))).toEqual(
    texts('<b>', '{"a":1}'),
  )
})

test('an exception is its traceback without colours, or its name', () => {
  const error = { ename: 'E', evalue: 'why', traceback: ['\x1b[31m-------------------------\x1b[0m', 'E: why'] }
  expect(contentOf(stdout('on'), ['error', error])).toEqual(texts('on', 'E: why'))
  expect(contentOf(['error', { ename: 'E', evalue: 'why', traceback: [] }])).toEqual(texts('E: why'))
})

test('clear_output clears at once, or with the next output', () => {
  expect(contentOf(stdout('1'), ['clear_output', { wait: false }], stdout('2'))).toEqual(texts('2'))
  expect(contentOf(stdout('1'), ['clear_output', { wait: true }])).toEqual(texts('1'))
  expect(contentOf(stdout('1'), ['clear_output', { wait: true }], stdout('2'), stdout('3'))).toEqual(texts('23'))
})

test('a display that changes is shown as it was in the end, in its place', () => {
  const named = (type: string, text: string): [string, unknown] => [
    type,
    { data: { 'text/plain': text }, transient: { display_id: 'd' } },
  ]
  expect(contentOf(named('display_data', '1'), stdout('x'), named('update_display_data', '2'))).toEqual(texts('2', 'x'))
})

describe('what is too much', () => {
  test('of text is cut in the middle, over all items', () => {
    const all = contentOf(stdout(`begin${'x'.repeat(200_000)}end`), stderr('y'))
    expect(all[0]).toMatchObject({ text: expect.stringMatching(/^beginx+\n\[… \d+ characters left out …\]\nx+end$/) })
    const size = all.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : 0), 0)
    expect(size).toBeLessThan(61_000)
  })

  test('of text leaves the beginning and the end, where the exception is', () => {
    const parts = Array.from({ length: 9 }, (_, i) => display({ 'text/plain': `<${i}>${'x'.repeat(10_000)}` }))
    const picture = display({ 'image/png': 'aGVsbG8=' })
    const all = contentOf(...parts, picture, ['error', { ename: 'E', evalue: 'why', traceback: [] }])
    const starts = all.map(item => (item.type === 'text' ? item.text.slice(0, 3) : 'picture'))
    expect(starts).toEqual(['<0>', '<1>', 'xxx', '<5>', '<6>', '<7>', '<8>', 'picture', 'E: '])
    expect(all[1]).toMatchObject({ text: expect.stringMatching(/^<1>x+\n\[… \d+ characters left out …\]\n$/) })
    expect(all.at(-1)).toEqual({ type: 'text', text: 'E: why' })
  })

  test('of pictures is said in words', () => {
    const many = Array.from({ length: 23 }, () => display({ 'image/png': 'aGVsbG8=' }))
    expect(contentOf(...many).slice(20)).toEqual(texts('[3 more pictures were left out]'))
    expect(contentOf(display({ 'image/png': 'A'.repeat(8_000_000) }))).toEqual(
      texts('[a picture of 6 MB was left out: too large to be sent]'),
    )
  })
})
