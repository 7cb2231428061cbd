// The secret that lets a client in.
import { randomBytes } from 'node:crypto'

const tokenBytes = 16 // protocol document, "Lock File Creation": 128 bits from the system's generator

/** A new token: 32 lower-case hexadecimal digits. */
export function createToken(): string {
  return randomBytes(tokenBytes).toString('hex')
}
