// Who may become a client: decided from the request alone, before the upgrade.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Where the CLI puts the token (protocol document, "Authentication"). */
const tokenHeader = 'x-claude-code-ide-authorization'

/** An answer that refuses a request. `reason` is for the log; the other side gets the status and nothing else. */
export interface Refusal {
  readonly status: 401 | 403 | 426
  readonly reason: string
}

const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/** Why a request is not from a program of this machine; undefined when it is. */
export function strangerReason({ headers: { origin, host } }: IncomingMessage): string | undefined {
  if (origin !== undefined) return `an Origin header, so a browser: ${quote(origin)}`
  if (host === undefined || !loopbackHost.test(host)) return `a Host that is not this machine: ${quote(host)}`
  return undefined
}

/**
 * Why this request is refused, or nothing when it may be upgraded.
 *
 * Browsers first: a page can make any request to this port, but it can't hide its `Origin` from a WebSocket, nor its
 * own name from `Host` when its DNS entry is turned to 127.0.0.1. Both get the same answer, whatever else they sent.
 */
export function refusalOf(request: IncomingMessage, token: string): Refusal | undefined {
  const { upgrade, connection } = request.headers
  const stranger = strangerReason(request)
  if (stranger !== undefined) return { status: 403, reason: stranger }
  const isUpgrade = upgrade?.toLowerCase() === 'websocket' && /(?:^|[\s,])upgrade(?:$|[\s,])/i.test(connection ?? '')
  if (!isUpgrade) return { status: 426, reason: 'not a WebSocket' }
  const given = request.headers[tokenHeader]
  if (given === undefined) return { status: 401, reason: 'no token' }
  if (!isToken(String(given), token)) return { status: 401, reason: 'a wrong token' }
  return undefined
}

/** Compares in constant time. The digests make both sides equally long, so not even the length can be measured. */
export function isToken(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

function quote(text: string | undefined): string {
  return text === undefined ? 'none' : JSON.stringify(text.slice(0, 100))
}
