// Sessions: what they are called, which connection is whose, and which one is meant.
import { execFile } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { Emitter } from '../../../src/base/emitter.ts'
import { UserError } from '../../../src/base/errors.ts'
import { createLog } from '../../../src/base/log.ts'
import type { Client } from '../../../src/ide/client.ts'
import { findSession } from '../../../src/sessions/processes.ts'
import { nameFor } from '../../../src/sessions/session.ts'
import { Sessions } from '../../../src/sessions/sessions.ts'

const log = createLog(
  () => undefined,
  () => 'error',
)

function setUp() {
  const onError = (error: unknown) => {
    throw error
  }
  const [clientReady, clientGone, ideConnected] = [
    new Emitter<Client>(onError),
    new Emitter<Client>(onError),
    new Emitter<Client>(onError),
  ]
  const known = new Map<number, string>()
  const sessions = new Sessions({
    clients: { clientReady: clientReady.event, clientGone: clientGone.event, ideConnected: ideConnected.event },
    findSession: async pid => known.get(pid),
    log,
  })
  const states: string[] = []
  sessions.changed(({ name, state }) => states.push(`${name} ${state}`))
  let lastId = 0
  /** A client that says its process id, which is known to be of a session, or not. */
  async function connect(id?: string): Promise<Client> {
    lastId += 1
    if (id !== undefined) known.set(lastId, id)
    const client: Client = { id: lastId, isReady: true, processId: lastId, notify: () => undefined }
    clientReady.emit(client)
    ideConnected.emit(client)
    await new Promise(resolve => setImmediate(resolve))
    return client
  }
  return { sessions, states, connect, leave: (client: Client) => clientGone.emit(client) }
}

describe('a name', () => {
  test.each([
    ['/home/u/api', [], 'api'],
    ['/home/u/api/', ['api'], 'api 2'],
    ['/home/u/api', ['api', 'api 2'], 'api 3'],
    ['/', [], '/'],
    ['C:\\work\\api', [], 'api'],
    [Buffer.from([0x2f, 0x66, 0xfc]), [], 'f\ufffd'],
  ])('for %s, with %j taken, is %s', (folder, taken, name) => {
    expect(nameFor(folder, taken)).toBe(name)
  })

  test('that is taken is refused', () => {
    const { sessions } = setUp()
    sessions.open('/a', 'review')
    expect(() => sessions.open('/b', 'review')).toThrow(UserError)
    sessions.end(sessions.all[0]?.id ?? '')
    expect(sessions.open('/b', 'review').name).toBe('review')
  })
})

describe('a connection', () => {
  test('is that of the session whose process it says', async () => {
    const { sessions, states, connect, leave } = setUp()
    const [a, b] = [sessions.open('/a'), sessions.open('/b')]
    const second = await connect(b.id)
    const first = await connect(a.id)
    expect([sessions.sessionOf(first), sessions.sessionOf(second)]).toEqual([a, b])
    expect(sessions.areApart(first, second)).toBe(true)
    leave(first)
    const again = await connect(a.id)
    expect(sessions.sessionOf(again)).toBe(a)
    expect(states).toEqual(['a starting', 'b starting', 'b connected', 'a connected', 'a starting', 'a connected'])
  })

  test('that says nothing that is known is taken for that of the one session that waits', async () => {
    const { sessions, connect } = setUp()
    const outside = await connect()
    const a = sessions.open('/a')
    expect(sessions.sessionOf(outside)).toBeUndefined() // it was there before
    const guessed = await connect()
    expect(sessions.sessionOf(guessed)).toBe(a)
    expect(sessions.sessionOf(await connect())).toBeUndefined() // nobody waits any more
    expect(sessions.areApart(guessed, outside)).toBe(false)
  })

  test('that was taken for it gives way to one that is known', async () => {
    const { sessions, connect } = setUp()
    const a = sessions.open('/a')
    const guessed = await connect()
    const known = await connect(a.id)
    expect([sessions.sessionOf(guessed), sessions.sessionOf(known)]).toEqual([undefined, a])
  })

  test('is nobody’s when two wait, and when its session has ended', async () => {
    const { sessions, connect, states } = setUp()
    const [a] = [sessions.open('/a'), sessions.open('/b')]
    expect(sessions.sessionOf(await connect())).toBeUndefined()
    const known = await connect(a.id)
    sessions.end(a.id)
    expect(sessions.sessionOf(known)).toBeUndefined()
    expect(states.at(-1)).toBe('a gone')
  })
})

describe('who is meant', () => {
  test('the place before the folder before the one that was used last', async () => {
    const { sessions, connect } = setUp()
    expect(sessions.meant({ cwd: '/a' })).toBeUndefined()
    const [a, b] = [sessions.open('/a'), sessions.open('/b')]
    expect(sessions.meant({ cwd: '/a' })).toBe(a)
    expect(sessions.meant({ cwd: '/a', session: b.id })).toBe(b)
    expect(sessions.meant({ cwd: '/c' })).toBe(b)
    expect(sessions.at({ cwd: '/c' })).toBeUndefined()
    sessions.noteUse(a.id)
    expect(sessions.meant({ cwd: '/c' })).toBe(a)
    await connect(b.id)
    const first = await connect(a.id)
    const outside = await connect()
    expect(sessions.meant({ cwd: '/c' })).toBe('outside')
    sessions.noteTurn(first)
    expect(sessions.meant({ cwd: '/c' })).toBe(a)
    sessions.noteTurn(outside)
    expect(sessions.meant({ cwd: '/c' })).toBe('outside')
    expect(sessions.meant({ cwd: '/b', session: 'one that has ended' })).toBe(b)
  })

  test('of two in a folder the one that was used last; folders may be no UTF-8', () => {
    const { sessions } = setUp()
    const folder = Buffer.from([0x2f, 0x66, 0xfc])
    const [first, second] = [sessions.open(folder), sessions.open(folder)]
    expect(sessions.at({ cwd: Buffer.from(folder) })).toBe(second)
    sessions.noteUse(first.id)
    expect(sessions.at({ cwd: Buffer.from(folder) })).toBe(first)
    expect(sessions.at({ cwd: Buffer.from([0x2f, 0x66, 0xfd]) })).toBeUndefined()
  })

  test('sessions of an earlier host are known again, the last one is the one that was used last', () => {
    const { sessions } = setUp()
    sessions.adopt([
      { id: '1', name: 'one', folder: '/a' },
      { id: '2', name: 'two', folder: '/b' },
    ])
    expect(sessions.meant({ cwd: '/c' })).toMatchObject({ id: '2', state: 'starting' })
    expect(sessions.open('/one').name).toBe('one 2')
  })
})

describe('a process', () => {
  test('is found by its environment, or by those above it', async () => {
    const none = async () => []
    const child = execFile('sleep', ['60'], { env: { CLAUDECODE_SESSION: 'mine' } })
    const plain = execFile('sleep', ['60'], { env: {} })
    try {
      const [pid, other] = [child.pid as number, plain.pid as number]
      await expect.poll(() => findSession(pid, none)).toBe(process.platform === 'linux' ? 'mine' : undefined)
      expect(await findSession(other, none)).toBeUndefined()
      expect(await findSession(other, async () => [{ session: 'above', pid: process.pid }])).toBe('above')
      expect(await findSession(other, async () => [{ session: 'elsewhere', pid }])).toBeUndefined()
    } finally {
      child.kill()
      plain.kill()
    }
  })

  test('that has ended is nobody’s', async () => {
    expect(await findSession(2 ** 22 - 1, async () => [{ session: 'above', pid: process.pid }])).toBeUndefined()
  })
})
