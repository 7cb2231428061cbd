// What the tracker remembers and tells, with an editor and clients that the test plays.
import { expect, test } from 'vitest'
import { Emitter } from '../../../src/base/emitter.ts'
import { createLog } from '../../../src/base/log.ts'
import type { Client } from '../../../src/ide/client.ts'
import type { Editor } from '../../../src/neovim/editor.ts'
import type { Selection } from '../../../src/selection/encode.ts'
import { maxTextBytes } from '../../../src/selection/long-text.ts'
import { SelectionTracker } from '../../../src/selection/tracker.ts'

const fail = (error: unknown) => {
  throw error
}

/** Facts as Lua sends them: whole lines, unless told otherwise. */
function lines(text: string, change: Record<string, unknown> = {}) {
  const length = Buffer.byteLength(text.split('\n').at(-1) ?? '')
  return {
    kind: 'linewise',
    buffer: 1,
    changedtick: 1,
    name: '/p/a.txt',
    first: { line: 0, column: 0, offset: 0 },
    last: { line: text.split('\n').length - 1, column: length, offset: 0 },
    last_character: 0,
    last_line: length,
    line_count: 100,
    one_position: false,
    selection: 'inclusive',
    virtual_all: false,
    size: Buffer.byteLength(text),
    text,
    ...change,
  }
}

const cursor = (line: number, change: Record<string, unknown> = {}) =>
  lines('', { kind: 'none', first: { line, column: 0, offset: 0 }, last: { line, column: 0, offset: 0 }, ...change })

async function setUp(now: unknown = false) {
  const listeners = new Map<string, (payload: never) => void>()
  const calls: string[] = []
  const answers: Record<string, (args: Record<string, unknown>) => unknown> = {
    'selection.track': () => now,
    'selection.untrack': () => true,
  }
  const editor: Pick<Editor, 'call' | 'on'> = {
    async call(name, args, result) {
      calls.push(name)
      return result.parse(await answers[name]?.(args))
    },
    on(event, schema, listener) {
      listeners.set(event, payload => listener(schema.parse(payload)))
      return { dispose: () => void listeners.delete(event) }
    },
  }
  const ready = new Emitter<Client>(fail)
  const listening = new Emitter<Client>(fail)
  const told: Selection[] = []
  const hidden = new Set<string>()
  const privacyChanged = new Emitter<void>(fail)
  const tracker = new SelectionTracker({
    editor: editor as Editor,
    clients: {
      clientReady: ready.event,
      clientListening: listening.event,
      broadcast: (_, params) => void told.push(params as unknown as Selection),
    },
    privacy: { mayShow: path => !hidden.has(path.toString()), changed: privacyChanged.event },
    log: createLog(fail, () => 'error'),
  })
  await tracker.configure({ track_selection: true, visual_demotion_delay_ms: 50 })
  return {
    tracker,
    calls,
    answers,
    /** From now on this file is private. */
    hide: (path: string) => {
      hidden.add(path)
      privacyChanged.emit()
    },
    send: (event: string, payload: unknown) => listeners.get(event)?.(payload as never),
    /** What was told since the last time, as texts. */
    told,
    texts: () => told.splice(0).map(each => each.text),
    /** What a client is told when it is ready. */
    greet: () => heardAt(ready),
    /** What a client is told when it listens. */
    listen: () => heardAt(listening),
  }
}

function heardAt(moment: Emitter<Client>): string[] {
  const heard: string[] = []
  const notify = (_: string, params: Record<string, unknown>) => void heard.push(String(params.text))
  moment.emit({ id: 1, isReady: true, processId: undefined, notify })
  return heard
}

const settled = () => new Promise(resolve => setImmediate(resolve))

test('what is so when tracking begins is told', async () => {
  const { texts, greet } = await setUp(lines('already'))
  expect(texts()).toEqual(['already'])
  expect(greet()).toEqual(['already'])
})

test('a client is told when it is ready, and again when it listens: the CLI does not at once', async () => {
  const { send, greet, listen } = await setUp(lines('already'))
  expect(greet()).toEqual(['already'])
  send('selection', lines('news'))
  expect(listen()).toEqual(['news'])
})

test('the same again is not told again', async () => {
  const { send, texts } = await setUp()
  for (const text of ['a', 'a', 'b', 'b', 'a']) send('selection', lines(text))
  await settled()
  expect(texts()).toEqual(['a', 'b', 'a'])
  send('selection', lines('a', { name: '/p/b.txt' }))
  expect(texts()).toEqual(['a'])
})

test('the latest selection is of a buffer that still exists, and never empty', async () => {
  const { tracker, send } = await setUp()
  expect(tracker.latest).toBeUndefined()
  send('selection', lines('one'))
  send('selection', lines('two', { buffer: 2 }))
  send('selection', lines('one again'))
  send('selection', cursor(3, { buffer: 3 }))
  expect(tracker.latest?.text).toBe('one again')
  send('selectionGone', { buffer: 1 })
  expect(tracker.latest?.text).toBe('two')
  send('selectionGone', { buffer: 2 })
  expect(tracker.latest).toBeUndefined()
  expect((await tracker.current())?.selection.start.line).toBe(3)
})

test('a new client hears nothing of a buffer that is gone', async () => {
  const { tracker, send, greet } = await setUp()
  send('selection', lines('secret'))
  expect(greet()).toEqual(['secret'])
  send('selectionGone', { buffer: 1 })
  expect(greet()).toEqual([])
  expect(await tracker.current()).toBeUndefined()
})

test('a long text is fetched in parts, and what came meanwhile is told after it, the newest only', async () => {
  const { send, texts, answers, calls } = await setUp()
  const parts = ['one\n', 'two\n', 'three']
  const asked: unknown[] = []
  answers['selection.part'] = ({ from }) => {
    asked.push(from)
    if (asked.length === 2) for (const line of [5, 6, 7]) send('selection', cursor(line))
    const text = parts.shift()
    return parts.length > 0 ? { text, next: { line: 3 - parts.length, column: 0 } } : { text }
  }
  send('selection', lines('one\ntwo\nthree', { text: undefined }))
  await settled()
  await settled()
  expect(texts()).toEqual(['one\ntwo\nthree', ''])
  expect(asked).toMatchObject([{ line: 0 }, { line: 1 }, { line: 2 }])
  expect(calls.filter(call => call === 'selection.part')).toHaveLength(3)
})

test('a long text that has changed meanwhile is not told', async () => {
  const { send, texts, answers, greet } = await setUp()
  answers['selection.part'] = () => false
  send('selection', lines('gone', { text: undefined }))
  await settled()
  expect([texts(), greet()]).toEqual([[], []])
})

test('a long text whose buffer goes when it has just been read is not told', async () => {
  const { send, texts, answers, greet, tracker } = await setUp()
  answers['selection.part'] = () => {
    queueMicrotask(() => send('selectionGone', { buffer: 1 }))
    return { text: 'secret' }
  }
  send('selection', lines('secret', { text: undefined }))
  await settled()
  expect([texts(), greet(), tracker.latest]).toEqual([[], [], undefined])
  send('selection', lines('open again'))
  expect(texts()).toEqual(['open again'])
})

test('a text beyond the limit is cut behind a line break, and its positions are those of the whole', async () => {
  const { send, tracker, answers } = await setUp()
  const line = `${'x'.repeat(999_999)}\n`
  let asked = 0
  answers['selection.part'] = () => ({ text: line, next: { line: ++asked, column: 0 } })
  send('selection', lines('a\nb', { text: undefined }))
  await settled()
  await settled()
  const current = await tracker.current()
  expect(current?.text).toBe(line.repeat(Math.floor(maxTextBytes / 1e6)))
  expect(current?.selection.end).toEqual({ line: 1, character: 1 })
})

test('without tracking nothing is told or known, and the editor is asked', async () => {
  const { tracker, send, texts, greet, answers, calls } = await setUp(lines('before'))
  texts()
  await tracker.configure({ track_selection: false, visual_demotion_delay_ms: 50 })
  expect(calls.at(-1)).toBe('selection.untrack')
  send('selection', lines('late'))
  expect([texts(), greet(), tracker.latest]).toEqual([[''], [], undefined])
  answers['selection.read'] = () => lines('live')
  expect((await tracker.current())?.text).toBe('live')
  answers['selection.read'] = () => false
  expect(await tracker.current()).toBeUndefined()
})

test('when it ends, nothing is told any more', async () => {
  const { tracker, send, texts, greet } = await setUp()
  await tracker.dispose()
  send('selection', lines('late'))
  expect([texts(), greet()]).toEqual([[], []])
})

test('what becomes private is forgotten, and clients are told that they see nothing', async () => {
  const { tracker, send, hide, told, texts, greet } = await setUp()
  send('selection', lines('open', { buffer: 2, name: '/p/b.txt' }))
  send('selection', lines('secret'))
  texts()
  hide('/p/a.txt')
  expect(told.splice(0)).toEqual([
    {
      text: '',
      filePath: '',
      fileUrl: '',
      selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, isEmpty: true },
    },
  ])
  expect([greet(), await tracker.current(), tracker.latest?.text]).toEqual([[], undefined, 'open'])
  hide('/p/b.txt')
  expect([texts(), tracker.latest]).toEqual([[], undefined])
})

test('what is private is never told, and takes away what was told before', async () => {
  const { tracker, send, hide, texts, greet } = await setUp()
  hide('/p/secret')
  send('selection', lines('open'))
  send('selection', lines('secret', { buffer: 2, name: '/p/secret' }))
  send('selection', lines('more', { buffer: 2, name: '/p/secret' }))
  expect([texts(), greet(), await tracker.current()]).toEqual([['open', ''], [], undefined])
  expect(tracker.latest?.text).toBe('open')
})

test('a long text that becomes private while it is read is not told', async () => {
  const { send, hide, texts, answers, greet, tracker } = await setUp()
  answers['selection.part'] = () => {
    queueMicrotask(() => hide('/p/a.txt'))
    return { text: 'secret' }
  }
  send('selection', lines('secret', { text: undefined }))
  await settled()
  expect([texts(), greet(), tracker.latest]).toEqual([[], [], undefined])
})

test('the editor hides a buffer: the one that the user is in, or another', async () => {
  const { tracker, send, texts, greet } = await setUp()
  send('selection', lines('other', { buffer: 2, name: '/p/b.txt' }))
  send('selection', lines('here'))
  send('hidden', { buffer: 2, is_current: false })
  expect([texts(), greet(), tracker.latest?.text]).toEqual([['other', 'here'], ['here'], 'here'])
  send('hidden', { buffer: 1, is_current: false })
  expect([texts(), greet(), tracker.latest]).toEqual([[''], [], undefined])
  send('selection', lines('here'))
  send('hidden', { buffer: 3, is_current: true })
  expect([texts(), greet(), tracker.latest?.text]).toEqual([['here', ''], [], 'here'])
})

test('without tracking the editor is not asked for the text of a private file', async () => {
  const { tracker, hide, answers, calls } = await setUp()
  await tracker.configure({ track_selection: false, visual_demotion_delay_ms: 50 })
  hide('/p/a.txt')
  answers['selection.read'] = () => lines('long secret', { text: undefined })
  expect(await tracker.current()).toBeUndefined()
  expect(calls).not.toContain('selection.part')
})
