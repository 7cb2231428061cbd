// API calls to a Neovim that may be waiting for a key: then it answers nothing but nvim_get_mode and nvim_input, so a call
// is refused with an error that says so, where it would hang.
import { setTimeout as pause } from 'node:timers/promises'
import type { NeovimClient } from 'neovim'

/** Neovim waits for a key: a "Press ENTER" prompt, or the second key of a command such as `f` or `r`. */
export class EditorBlockedError extends Error {
  override readonly name = 'EditorBlockedError'
}

/** Between two keys Neovim is "blocked" for an instant: only so many answers in a row count. */
const BLOCKED_ANSWERS = 3
const BLOCKED_POLL_MS = 10
/** Far more than any call of ours takes, and less than vitest gives a test, so that the error is ours and says which call. */
const CALL_TIMEOUT_MS = 30_000

export class EditorCalls {
  readonly #client: NeovimClient
  readonly #hasEnded: () => boolean

  constructor(client: NeovimClient, hasEnded: () => boolean) {
    this.#client = client
    this.#hasEnded = hasEnded
  }

  /** The first call: before it Neovim answers nothing that it takes a loop of the editor for, nvim_get_mode least of all. */
  async attachScreen(columns: number, rows: number): Promise<void> {
    await this.#finish(this.#client.request('nvim_ui_attach', [columns, rows, { ext_linegrid: true, rgb: true }]))
  }

  /** @throws EditorBlockedError before or while Neovim waits for a key; then the call may still be carried out later. */
  async request<T = unknown>(method: string, args: readonly unknown[]): Promise<T> {
    if (method === 'nvim_get_mode' || method === 'nvim_input')
      return (await this.#client.request(method, [...args])) as T
    if (this.#hasEnded()) throw new Error(`Neovim has ended, so ${method} can't be called.`)
    const blocked = await this.blockedMode()
    if (blocked !== undefined) throw blockedError(method, blocked)
    const outcome = await this.#finish(this.#client.request(method, [...args]))
    if (outcome.blocked !== undefined) throw blockedError(method, outcome.blocked)
    return outcome.value as T
  }

  /** Types keys as the user does, in the notation of |nvim_input()|, without waiting for what they do. */
  async input(keys: string): Promise<void> {
    let rest = Buffer.from(keys)
    while (rest.length > 0) {
      // Its buffer may be full, and it says how many bytes it took.
      const taken = Number(await this.#client.request('nvim_input', [rest.toString()]))
      rest = rest.subarray(taken)
      if (taken === 0) await pause(BLOCKED_POLL_MS)
    }
  }

  /** Types keys and waits until Neovim has carried them out or waits for the next one. */
  async feed(keys: string): Promise<void> {
    await this.input(keys)
    // Typed keys come before other requests: its answer means that they are through.
    await this.#finish(this.#client.request('nvim_eval', ['1']))
  }

  /** The mode that Neovim waits for a key in, such as `r` (|mode()|), or undefined when it does not. */
  async blockedMode(): Promise<string | undefined> {
    for (let answers = 1; ; answers++) {
      // A Neovim that is busy leaves even this unanswered until it looks for input again.
      const { mode, blocking } = await inTime(this.#client.request('nvim_get_mode', []) as Promise<Mode>)
      if (!blocking) return undefined
      if (answers === BLOCKED_ANSWERS) return mode
      await pause(BLOCKED_POLL_MS)
    }
  }

  /** Waits for the answer, or until Neovim waits for a key. */
  async #finish(call: Promise<unknown>): Promise<{ value?: unknown; blocked?: string }> {
    let answered = false
    const answer = call.then(value => ({ value })).finally(() => (answered = true))
    // Given up below, its end comes later and is nobody's.
    answer.catch(() => {})
    const blocked = async () => {
      while (!answered) {
        await pause(BLOCKED_POLL_MS)
        // When this fails, so does the call itself.
        const mode = answered ? undefined : await this.blockedMode().catch(() => undefined)
        if (mode !== undefined) return { blocked: mode }
      }
      return answer
    }
    return inTime(Promise.race([answer, blocked()]))
  }
}

interface Mode {
  mode: string
  blocking: boolean
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const answered = new AbortController()
  const late = pause(CALL_TIMEOUT_MS, 'late' as const, { signal: answered.signal })
  // Aborted below when the answer comes.
  late.catch(() => {})
  try {
    const first = await Promise.race([answer.then(value => ({ value })), late])
    if (first !== 'late') return first.value
  } finally {
    answered.abort()
  }
  throw new Error(`Neovim has not answered for ${CALL_TIMEOUT_MS} ms: it is busy, or hangs.`)
}

function blockedError(method: string, mode: string): EditorBlockedError {
  return new EditorBlockedError(
    `Neovim waits for a key (mode ${mode}), so ${method} would hang. Type one first, or look at the screen.`,
  )
}
