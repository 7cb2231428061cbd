// JSON-RPC 2.0 envelopes: what came in, and how what goes out is written.
import { errorCodes } from '../base/errors.ts'
import { maxStructure, simpleMessageCharacters } from './limits.ts'

export type RequestId = string | number
export type Params = Record<string, unknown>

/** An answer to a request. `id` is null when the request's own could not be read. */
export type Answer = { jsonrpc: '2.0'; id: RequestId | null } & (
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } }
)

/** A message that came in, sorted. `nothing` is what JSON-RPC leaves without an answer. */
export type Envelope =
  | { kind: 'request'; id: RequestId; method: string; params: Params | undefined }
  | { kind: 'notification'; method: string; params: Params | undefined }
  | { kind: 'refused'; answer: Answer }
  | { kind: 'nothing' }

/** The answer that says what was wrong with a request. */
export function errorAnswer(id: RequestId | null, code: number, message: string): Answer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/**
 * Sorts one message (JSON-RPC 2.0, sections 4 and 5). Members that nobody knows are dropped. `params: null` counts as
 * missing, for the sake of clients that always send the member. An id that JSON can't carry back exactly, such as
 * 12345678901234567890, is refused: the answer would not be recognized.
 */
export function readEnvelope(value: unknown): Envelope {
  if (!isRecord(value)) return refuse(null, 'Invalid request: expected an object')
  const id = echoableId(value)
  if (value.jsonrpc !== '2.0') return refuse(id, 'Invalid request: jsonrpc must be "2.0"')
  if (!Object.hasOwn(value, 'method')) {
    const isAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error') // we ask for nothing
    return isAnswer ? { kind: 'nothing' } : refuse(id, 'Invalid request: method is missing')
  }
  const { method } = value
  if (typeof method !== 'string') return refuse(id, 'Invalid request: method must be a string')
  const isRequest = Object.hasOwn(value, 'id')
  if (isRequest && id === null) return refuse(id, 'Invalid request: id must be a string or a number that is exact')
  const params = value.params ?? undefined
  if (params !== undefined && typeof params !== 'object') return refuse(id, 'Invalid request: params must be an object')
  if (params !== undefined && !isRecord(params)) {
    // By position: JSON-RPC knows it, MCP does not.
    if (id === null) return { kind: 'nothing' }
    return { kind: 'refused', answer: errorAnswer(id, errorCodes.invalidParams, 'params: expected an object') }
  }
  return id === null ? { kind: 'notification', method, params } : { kind: 'request', id, method, params }
}

function refuse(id: RequestId | null, message: string): Envelope {
  return { kind: 'refused', answer: errorAnswer(id, errorCodes.invalidRequest, message) }
}

function echoableId({ id }: Params): RequestId | null {
  if (typeof id === 'string') return id
  return typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a JSON text, or the answer to one that can't or shan't be parsed. */
export function parseJson(text: string): { value: unknown } | { refusal: Answer } {
  if (isTooComplex(text)) {
    return { refusal: errorAnswer(null, errorCodes.invalidRequest, 'Invalid request: the message is too complex') }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { refusal: errorAnswer(null, errorCodes.parseError, 'Parse error: the message is not JSON') }
  }
}

/** True when parsing `text` would take far more memory and time than its length says (see `maxStructure`). */
function isTooComplex(text: string): boolean {
  if (text.length <= simpleMessageCharacters) return false
  let structure = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',' || character === '[' || character === '{') structure += 1
    if (structure > maxStructure) return true
  }
  return false
}

/** Where the string that starts at `start` has its closing quote; the end of the text when it has none. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/**
 * A message as JSON that every reader takes. Half a surrogate pair, which JavaScript writes as an escape that other
 * parsers refuse, becomes U+FFFD.
 * @throws {TypeError} what JSON can't hold: a cycle or a bigint.
 */
export function writeJson(message: unknown): string {
  const text = JSON.stringify(message)
  if (!loneSurrogate.test(text)) return text
  // A backslash before `u` may itself be escaped, so the pairs are stepped over one by one.
  return text.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/g, pair => (pair.length > 2 ? '\\ufffd' : pair))
}

const loneSurrogate = /\\ud[89a-f]/
