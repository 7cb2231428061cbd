// Jupyter's messages as frames of ZeroMQ, signed (Jupyter client documentation, "Messaging in Jupyter", The Wire Protocol).
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const delimiter = Buffer.from('<IDS|MSG>')
const protocolVersion = '5.3'
const signedFrames = 4 // header, parent header, metadata, content

const Header = z.looseObject({ msg_id: z.string(), msg_type: z.string() })
const ParentHeader = z.looseObject({ msg_id: z.string().optional() })

/** A message of the kernel's. */
export interface KernelMessage {
  /** Its kind, such as `stream` or `execute_reply`. */
  type: string
  /** The id of the request that it belongs to; undefined when it belongs to none. */
  parent: string | undefined
  /** Unchecked: what is in it depends on its kind. */
  content: unknown
}

/** A request of ours, ready to be sent. */
export interface Request {
  id: string
  frames: Buffer[]
}

/** What messages are signed with, and who sends ours. */
export interface Signing {
  /** The key of the connection file. */
  key: string
  /** Names this program to the kernel; the same for all channels. */
  session: string
}

/** Makes a request. */
export function encodeRequest(type: string, content: object, { key, session }: Signing): Request {
  const id = randomUUID()
  const header = {
    msg_id: id,
    msg_type: type,
    session,
    username: 'claudecode',
    date: new Date().toISOString(),
    version: protocolVersion,
  }
  const parts = [header, {}, {}, content].map(part => Buffer.from(JSON.stringify(part)))
  return { id, frames: [delimiter, Buffer.from(sign(parts, key)), ...parts] }
}

/**
 * Reads a message; routing frames before it and raw buffers behind it are skipped.
 * @throws when it is no message, or was not signed with the key.
 */
export function decodeMessage(frames: readonly Buffer[], key: string): KernelMessage {
  const start = frames.findIndex(frame => frame.equals(delimiter))
  const signature = frames[start + 1]
  const parts = frames.slice(start + 2, start + 2 + signedFrames)
  if (start === -1 || signature === undefined || parts.length < signedFrames) throw new Error('not a Jupyter message')
  const expected = Buffer.from(sign(parts, key))
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw new Error('a message that was not signed by the kernel')
  }
  const [header, parent, , content] = parts.map(part => JSON.parse(part.toString('utf8')) as unknown)
  return { type: Header.parse(header).msg_type, parent: ParentHeader.parse(parent ?? {}).msg_id, content }
}

function sign(parts: readonly Buffer[], key: string): string {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}
