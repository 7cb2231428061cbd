// A session: a Claude that was started from Neovim, with a name, a folder and a state.

/**
 * `starting`: no client of it is connected (yet). `connected`: one is, and nothing else is known. `working`, `waiting` (for
 * the user), `done`: what it does, when that is known. `gone`: it has ended.
 */
export type SessionState = 'starting' | 'connected' | 'working' | 'waiting' | 'done' | 'gone'

/** A session, as the program knows it. Identity is `id`, which Claude has in its environment, too (`sessionVariable`). */
export interface Session {
  /** Unique among all sessions of all Neovims. */
  readonly id: string
  /** Unique among the sessions that run. */
  readonly name: string
  /** Where it was started; its bytes, when they are not UTF-8. */
  readonly folder: string | Buffer
  readonly state: SessionState
}

/** The environment variable that says to Claude, and to what it starts, which session it is. */
export const sessionVariable = 'CLAUDECODE_SESSION'

/** The name for a session of a folder: the folder's, with a number behind it when that is taken. */
export function nameFor(folder: string | Buffer, taken: readonly string[]): string {
  const name = /[^/\\]*(?=[/\\]*$)/.exec(folder.toString())?.[0] || '/'
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (!taken.includes(candidate)) return candidate
  }
}

/** Whether two folders are the same one, as their names say. */
export function isSameFolder(a: string | Buffer, b: string | Buffer): boolean {
  return Buffer.from(a as string).equals(Buffer.from(b as string))
}
