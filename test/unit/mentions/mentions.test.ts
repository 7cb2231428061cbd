// Mentions and time: whom they go to, when, and what is told when they don't.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Emitter } from '../../../src/base/emitter.ts'
import type { Client } from '../../../src/ide/client.ts'
import { Mentions, type Outgoing } from '../../../src/mentions/mentions.ts'
import { ManualClock } from '../../support/manual-clock.ts'

function raise(error: unknown): never {
  throw error
}

function setUp(
  options: Partial<Record<'connection_wait_delay' | 'connection_timeout' | 'queue_timeout', number>> = {},
) {
  const clock = new ManualClock()
  const [clientReady, clientGone, clientKnown] = [0, 0, 0].map(() => new Emitter<Client>(raise)) as [
    Emitter<Client>,
    Emitter<Client>,
    Emitter<Client>,
  ]
  const recipients = new Map<Client, string>()
  const told: string[] = []
  const sent: string[] = []
  const lost: number[] = []
  let lastId = 0
  const mentions = new Mentions({
    clients: { clientReady: clientReady.event, clientGone: clientGone.event, clientKnown: clientKnown.event },
    recipientOf: client => recipients.get(client),
    clock,
    options: () => ({ connection_wait_delay: 600, connection_timeout: 10_000, queue_timeout: 60_000, ...options }),
    sent: ({ filePath }) => sent.push(filePath),
    ask: async ({ question }) => {
      sent.push(question)
    },
    lost: items => lost.push(...items.map(({ id }) => id)),
    explain: (waiting, _recipient, isGivenUp) =>
      told.push(`${isGivenUp ? 'lost' : 'late'} ${waiting.map(nameOf).join()}`),
  })
  function connect({ silent = false, recipient }: { silent?: boolean; recipient?: string } = {}) {
    lastId += 1
    const got: string[] = []
    const client: Client & { got: string[] } = {
      id: lastId,
      isReady: true,
      processId: undefined,
      notify: (_method, params) => got.push(String(params['filePath'])),
      got,
    }
    if (recipient !== undefined) recipients.set(client, recipient)
    clientReady.emit(client)
    if (!silent) clientKnown.emit(client)
    return client
  }
  return { clock, mentions, told, sent, lost, connect, leave: (client: Client) => clientGone.emit(client) }
}

const nameOf = (item: Outgoing) => ('question' in item ? item.question : item.filePath)

let lastItem = 0
const mention = (filePath: string): Outgoing => ({ id: ++lastItem, filePath, context: 'test' })
const question = (text: string): Outgoing => ({ id: ++lastItem, question: text })

describe('Mentions', () => {
  test('a client gets them connection_wait_delay after it has said ide_connected', () => {
    const { clock, mentions, connect } = setUp()
    mentions.send([mention('a')], undefined)
    const client = connect()
    clock.advance(599)
    expect(client.got).toEqual([])
    clock.advance(1)
    expect(client.got).toEqual(['a'])
  })

  test('a client that never says it gets them a second later', () => {
    const { clock, mentions, connect } = setUp()
    mentions.send([mention('a')], undefined)
    const client = connect({ silent: true })
    clock.advance(1599)
    expect(client.got).toEqual([])
    clock.advance(1)
    expect(client.got).toEqual(['a'])
  })

  test('tells once that they are late, and once that they are lost', () => {
    const { clock, mentions, told } = setUp()
    mentions.send([mention('a')], undefined)
    clock.advance(5_000)
    mentions.send([mention('b')], undefined)
    clock.advance(5_000)
    expect(told).toEqual(['late a,b'])
    clock.advance(50_000)
    expect(told).toEqual(['late a,b', 'lost a,b'])
    expect(clock.timers).toBe(0)
    mentions.send([mention('c')], undefined)
    clock.advance(10_000)
    expect(told.at(-1)).toBe('late c') // the next one has its own time
  })

  test('one that takes as long as it likes to connect loses nothing within queue_timeout', () => {
    const { clock, mentions, connect, told } = setUp()
    mentions.send([mention('a')], undefined)
    clock.advance(59_000)
    const client = connect()
    clock.advance(600)
    expect(client.got).toEqual(['a'])
    clock.advance(600_000)
    expect(told).toEqual(['late a'])
  })

  test('what a client that leaves did not get goes to the next', () => {
    const { clock, mentions, connect, leave, sent } = setUp({ connection_wait_delay: 0 })
    const first = connect()
    clock.advance(0)
    mentions.send(['a', 'b', 'c'].map(mention), undefined)
    clock.advance(10)
    leave(first)
    clock.advance(100)
    const second = connect()
    clock.advance(100)
    expect([first.got, second.got]).toEqual([['a', 'b'], ['c']])
    expect(sent).toEqual(['a', 'b', 'c'])
  })

  test('a question comes behind what was sent before it, once Claude has put that into its prompt', async () => {
    const { clock, mentions, connect, sent } = setUp()
    mentions.send([mention('a'), question('why?'), mention('b'), question('how?')], undefined)
    connect()
    clock.advance(600 + 10)
    expect(sent).toEqual(['a'])
    clock.advance(189)
    expect(sent).toEqual(['a'])
    clock.advance(1)
    expect(sent).toEqual(['a', 'why?'])
    await Promise.resolve()
    expect(sent).toEqual(['a', 'why?', 'b'])
    clock.advance(200)
    expect(sent).toEqual(['a', 'why?', 'b', 'how?'])
  })

  test('a question alone is given up, too, and is told', () => {
    const { clock, mentions, told, lost } = setUp()
    const alone = question('why?')
    mentions.send([alone], undefined)
    clock.advance(60_000)
    expect(told).toEqual(['late why?', 'lost why?'])
    expect(lost).toEqual([alone.id])
  })

  test('what was given before is not sent twice', () => {
    const { clock, mentions, connect } = setUp()
    const client = connect()
    clock.advance(600)
    const [first, second] = [mention('a'), mention('b')]
    mentions.send([first], undefined)
    mentions.send([first, second], undefined)
    clock.advance(20)
    expect(client.got).toEqual(['a', 'b'])
  })

  test('they go to the client that was active last, also when another one begins to listen after that', () => {
    const { clock, mentions, connect } = setUp()
    const first = connect()
    clock.advance(300)
    const second = connect()
    clock.advance(400)
    mentions.noteActivity(first) // the second does not listen yet
    clock.advance(1000)
    mentions.send([mention('a')], undefined)
    clock.advance(10)
    mentions.noteActivity(second)
    mentions.send([mention('b')], undefined)
    expect([first.got, second.got]).toEqual([['a'], ['b']])
  })

  test('what is for a session waits for a client of that session, and nobody else gets it', async () => {
    const { clock, mentions, connect, leave, told } = setUp({ connection_wait_delay: 0 })
    const outside = connect()
    const other = connect({ recipient: 'other' })
    mentions.send([mention('a')], 'mine')
    clock.advance(1000)
    const first = connect({ recipient: 'mine' })
    clock.advance(100)
    leave(first)
    mentions.send([mention('b')], 'mine')
    mentions.send([mention('c')], 'other')
    clock.advance(100)
    const again = connect({ recipient: 'mine' })
    clock.advance(100)
    expect([outside.got, other.got, first.got, again.got]).toEqual([[], ['c'], ['a'], ['b']])
    leave(again)
    mentions.send([mention('d')], 'mine')
    mentions.forget('mine')
    expect(told).toEqual(['lost d'])
    await new Promise(resolve => setImmediate(resolve))
    expect(clock.timers).toBe(0)
  })

  test('whatever happens, each is sent once to whom it is for, or accounted for, and in order', () => {
    const step = fc.oneof(
      fc.constant('connect' as const),
      fc.constant('leave' as const),
      fc.constant('activity' as const),
      fc.constant('giveUp' as const),
      fc.integer({ min: 1, max: 30_000 }),
    )
    const recipient = fc.constantFrom(undefined, 'one', 'two')
    const send = fc.record({ to: recipient })
    const join = fc.record({ as: recipient })
    fc.assert(
      fc.property(fc.array(fc.oneof(step, send, join), { maxLength: 60 }), steps => {
        const { clock, mentions, connect, leave, sent, told } = setUp()
        const clients: ReturnType<typeof connect>[] = []
        const all: { client: ReturnType<typeof connect>; as: string | undefined }[] = []
        const purposes: (string | undefined)[] = []
        const join = (as: string | undefined) => {
          const client = connect(as === undefined ? {} : { recipient: as })
          clients.push(client)
          all.push({ client, as })
        }
        const send = (to: string | undefined) => {
          purposes.push(to, to)
          mentions.send([mention(String(purposes.length - 2)), mention(String(purposes.length - 1))], to)
        }
        for (const one of steps) {
          if (typeof one === 'number') clock.advance(one)
          else if (typeof one === 'object') 'to' in one ? send(one.to) : join(one.as)
          else if (one === 'connect') join(undefined)
          else if (one === 'leave') clients.splice(0, 1).forEach(leave)
          else if (one === 'activity') for (const client of clients.slice(0, 1)) mentions.noteActivity(client)
          else mentions.giveUp('one')
        }
        mentions.giveUpAll()
        const lost = told.filter(text => text.startsWith('lost ')).flatMap(text => text.slice(5).split(','))
        expect([...sent, ...lost].map(Number).sort((a, b) => a - b)).toEqual(purposes.map((_, i) => i))
        for (const purpose of [undefined, 'one', 'two']) {
          const theirs = sent.map(Number).filter(number => purposes[number] === purpose)
          expect(theirs).toEqual(theirs.toSorted((a, b) => a - b))
          const got = all.filter(({ as }) => as === purpose).flatMap(({ client }) => client.got.map(Number))
          expect(got.sort((a, b) => a - b)).toEqual(theirs)
        }
      }),
    )
  })
})
