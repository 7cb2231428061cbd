// Jupyter's wire: what we write it reads, and nothing else is believed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeMessage, encodeRequest } from '../../../src/jupyter/wire.ts'

const signing = { key: 'a key', session: 'a session' }

test('a request is delimiter, signature, header, parent, metadata and content', () => {
  const { id, frames } = encodeRequest('execute_request', { code: '1' }, signing)
  expect(frames.map(String).slice(0, 1)).toEqual(['<IDS|MSG>'])
  expect(String(frames[1])).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.parse(String(frames[2]))).toMatchObject({
    msg_id: id,
    msg_type: 'execute_request',
    session: 'a session',
    version: '5.3',
  })
  expect(frames.slice(3).map(String)).toEqual(['{}', '{}', '{"code":"1"}'])
})

test('the signature is the one of the documentation: HMAC-SHA256 over the four parts, in hex', () => {
  const parts = ['{"msg_id":"1","msg_type":"status"}', '{}', '{}', '{}'].map(part => Buffer.from(part))
  // printf '%s' '{"msg_id":"1","msg_type":"status"}{}{}{}' | openssl dgst -sha256 -hmac 'a key'
  const signature = '5705ff9844920bb344eeb6bbc5e76627974adefe87f184932075c7be50ff968c'
  const message = decodeMessage([Buffer.from('<IDS|MSG>'), Buffer.from(signature), ...parts], 'a key')
  expect(message).toEqual({ type: 'status', parent: undefined, content: {} })
})

test('routing frames before a message and buffers behind it are skipped', () => {
  const { frames } = encodeRequest('stream', { text: 'ü\n' }, signing)
  const message = decodeMessage([Buffer.from('route'), ...frames, Buffer.from([0, 255])], 'a key')
  expect(message).toEqual({ type: 'stream', parent: undefined, content: { text: 'ü\n' } })
})

describe('a message is refused', () => {
  test('with any byte changed that is signed, or signed with another key', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.integer({ min: 1, max: 255 }), (json, at, change) => {
        const { frames } = encodeRequest('stream', { value: JSON.parse(json) as unknown }, signing)
        expect(() => decodeMessage(frames, 'another key')).toThrow('not signed')
        const signed = frames.slice(1)
        const frame = signed[at % signed.length] as Buffer
        frame[at % frame.length] = (frame[at % frame.length] as number) ^ change
        expect(() => decodeMessage(frames, 'a key')).toThrow('not signed')
      }),
    )
  })

  test.each([[[]], [['<IDS|MSG>']], [['<IDS|MSG>', 'x', '{}', '{}', '{}']], [['a', 'b', 'c', 'd', 'e', 'f']]])(
    'when it is none: %j',
    frames => {
      expect(() =>
        decodeMessage(
          frames.map(text => Buffer.from(text)),
          'a key',
        ),
      ).toThrow('not a Jupyter message')
    },
  )
})
