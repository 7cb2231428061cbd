// The lossless transport, through a real Neovim: every byte comes back, and nothing that goes wrong leaves a call open.
import { Duplex, PassThrough } from 'node:stream'
import { encode } from '@msgpack/msgpack'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connectNeovim, EditorGoneError } from '../../../src/neovim/transport.ts'
import { startNeovim } from '../../support/neovim.ts'

/** What a string of Neovim's is worth in bytes. */
function bytes(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value))
}

/** Bytes that look like text: valid UTF-8, broken UTF-8, and the measured traps of the stock decoder. */
const nastyBytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.string({ unit: 'binary', maxLength: 8 }).map(text => Buffer.from(text)),
      fc.constantFrom(
        Buffer.from([0xff]),
        Buffer.from('caf\xe9', 'latin1'),
        Buffer.from([0x80]),
        Buffer.from([0xc0, 0xaf]),
        Buffer.from([0xc0, 0x80]),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from([0xf5, 0x80, 0x80, 0x80]),
        Buffer.from([0xef, 0xbb, 0xbf]),
        Buffer.from([0]),
        Buffer.alloc(250, 'x'), // the stock decoder takes another way above 200 bytes
      ),
    ),
    { maxLength: 6 },
  )
  .map(parts => Buffer.concat(parts))

describe('the transport', () => {
  test('brings every byte sequence back as it was', async () => {
    const nvim = await startNeovim({ plugin: false })
    await fc.assert(
      fc.asyncProperty(fc.array(nastyBytes, { maxLength: 5 }), async strings => {
        const answer = await nvim.lua<unknown[]>('return { ... }', ...strings)
        expect(answer.map(value => bytes(value).toString('hex'))).toEqual(strings.map(value => value.toString('hex')))
      }),
      { numRuns: 500 },
    )
  })

  test('keeps the lines of a buffer byte by byte', async () => {
    const nvim = await startNeovim({ plugin: false })
    const line = nastyBytes.map(value => Buffer.from(value.filter(byte => byte !== 0x0a)))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async lines => {
        await nvim.request('nvim_buf_set_lines', [0, 0, -1, false, lines])
        const read = await nvim.request<unknown[]>('nvim_buf_get_lines', [0, 0, -1, false])
        expect(read.map(value => bytes(value).toString('hex'))).toEqual(lines.map(value => value.toString('hex')))
      }),
      { numRuns: 200 },
    )
  })

  test('gives a string where the bytes are UTF-8, also with a byte order mark or a NUL', async () => {
    const nvim = await startNeovim({ plugin: false })
    for (const text of ['', 'a', '日本語', '\u{feff}x', 'a\0b', `\u{feff}${'é'.repeat(200)}`]) {
      expect(await nvim.lua('return ...', text)).toBe(text)
    }
  })

  test('leaves absent keys absent, and makes lone surrogates harmless', async () => {
    const nvim = await startNeovim({ plugin: false })
    expect(await nvim.lua('local t = ...; return t.gone == nil', { gone: undefined })).toBe(true)
    expect(await nvim.lua('return ...', 'a\ud800b')).toBe('a\ufffdb')
  })

  test('gives handles as numbers', async () => {
    const nvim = await startNeovim({ plugin: false })
    expect(await nvim.request('nvim_get_current_buf')).toBe(1)
    expect(await nvim.request('nvim_list_tabpages')).toEqual([1])
  })
})

describe('the transport, when something breaks', () => {
  function connectToStream() {
    const errors: unknown[] = []
    const ends: unknown[] = []
    const input = new PassThrough()
    const client = connectNeovim(input, new PassThrough(), {
      onError: error => errors.push(error),
      onEnd: cause => ends.push(cause),
    })
    // node-client asks for its channel first, and holds everything back until then
    input.write(encode([1, 1, null, { id: 7 }]))
    const answerOf = (promise: Promise<unknown>) => promise.then(String, error => error as unknown)
    return { client, input, errors, ends, answerOf }
  }

  test('an exception in a listener is told, and the next message is read', async () => {
    const { client, input, errors } = connectToStream()
    await client.channelId
    const heard: unknown[] = []
    client.on('notification', (method: string) => {
      if (method === 'bad') throw new Error('mine')
      heard.push(method)
    })
    input.write(encode([2, 'bad', []]))
    input.write(encode([2, 'good', []]))
    await expect.poll(() => heard).toEqual(['good'])
    expect(errors.map(String)).toEqual(['Error: mine'])
  })

  test('what is no message, or an answer that nobody asked for, does no harm', async () => {
    const { client, input, errors } = connectToStream()
    await client.channelId
    input.write(encode('what'))
    input.write(encode([9, 9, 9]))
    input.write(encode([1, 12345, null, 'answer']))
    const heard = new Promise(resolve => client.on('notification', resolve))
    input.write(encode([2, 'still here', []]))
    expect(await heard).toBe('still here')
    expect(errors).toHaveLength(2)
  })

  test.each([
    ['the end of the stream', (input: PassThrough) => input.end()],
    ['a broken stream', (input: PassThrough) => input.destroy(new Error('broken'))],
    ['bytes that are not msgpack', (input: PassThrough) => input.write(Buffer.from([0xc1, 0xc1]))],
  ])('%s rejects every call, open or new, and is told once', async (_what, breakIt) => {
    const { client, input, ends, answerOf } = connectToStream()
    await client.channelId
    const open = [answerOf(client.request('nvim_one', [])), answerOf(client.request('nvim_two', []))]
    breakIt(input)
    for (const answer of await Promise.all(open)) expect(answer).toBeInstanceOf(EditorGoneError)
    expect(await answerOf(client.request('nvim_three', []))).toBeInstanceOf(EditorGoneError)
    await expect.poll(() => ends).toHaveLength(1)
  })

  test('an output that breaks ends the connection, too, and is no uncaught error', async () => {
    const broken = new Duplex({
      read() {},
      write(_chunk, _encoding, done) {
        done(new Error('EPIPE'))
      },
    })
    const ends: unknown[] = []
    const client = connectNeovim(new PassThrough(), broken, { onError: () => {}, onEnd: cause => ends.push(cause) })
    await expect(client.channelId).rejects.toThrow()
    expect(ends.map(String)).toEqual(['Error: EPIPE'])
  })
})
