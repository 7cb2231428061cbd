// Knows what the user has selected, and tells every client when it changes.
import { z } from 'zod'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import type { Event } from '../base/emitter.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import { type Editor, nothing } from '../neovim/editor.ts'
import { ignoreGone } from '../neovim/notices.ts'
import { Hidden, type Privacy } from '../privacy/privacy.ts'
import { encodeSelection, type Selection } from './encode.ts'
import { SelectionFacts } from './facts.ts'
import { readLongText } from './long-text.ts'

/** How often Lua tells, in milliseconds and bytes (lua/claudecode/editor/selection/tracking.lua). */
const pace = {
  /** A frame of a 60 Hz screen: what the user sees, Claude is told. */
  interval_ms: 16,
  /** Long texts cost the editor and the clients more, so the interval grows with them, up to this. */
  longest_interval_ms: 1000,
  /** Longer texts do not travel with each notification. */
  inline_limit: 64 * 1024,
}

/** How many buffers' selections are remembered for `getLatestSelection`. */
const rememberedBuffers = 32

/** What the tracker needs from the rest of the program. */
export interface TrackerParts {
  editor: Editor
  clients: {
    readonly clientReady: Event<Client>
    /** Claude Code 2.1.332 ignores what it is told when it is ready: so it is told again. */
    readonly clientListening: Event<Client>
    broadcast(method: string, params: Record<string, unknown>): void
  }
  privacy: Pick<Privacy, 'mayShow' | 'changed'>
  log: Log
}

/** How the user wants it. */
export interface TrackingOptions {
  track_selection: boolean
  /** How long a selection outlives the first move of the cursor after it; ms. */
  visual_demotion_delay_ms: number
}

const Gone = z.object({ buffer: z.int() })
/** What clients are told when they may not know any more what they were told before. The CLI 2.1.332 then shows no file. */
const noSelection: Selection = {
  text: '',
  filePath: '',
  fileUrl: '',
  selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 }, isEmpty: true },
}

const FactsOrNone = z.union([SelectionFacts, z.literal(false)])

/** The selection, as the clients know it. */
export class SelectionTracker implements Disposable {
  readonly #parts: TrackerParts
  readonly #listening = new DisposableStack()
  #isTracking = false
  #current: { buffer: number; selection: Selection } | undefined
  /** The last non-empty selection of each buffer that still exists, the latest at the end. */
  readonly #latest = new Map<number, Selection>()
  /** The newest facts, while older ones are still being worked on. */
  #waiting: SelectionFacts | undefined
  #isBusy = false
  /** Buffers that went while their text was under way. */
  readonly #gone = new Set<number>()

  constructor(parts: TrackerParts) {
    const { editor, clients, privacy } = parts
    this.#parts = parts
    this.#listening.add(editor.on('selection', SelectionFacts, facts => this.#receive(facts)))
    this.#listening.add(editor.on('selectionGone', Gone, ({ buffer }) => this.#forget(buffer)))
    this.#listening.add(
      editor.on('hidden', Hidden, ({ buffer, is_current }) => {
        if (is_current || this.#current?.buffer === buffer) this.#tellNothing()
        this.#forget(buffer)
      }),
    )
    this.#listening.add(privacy.changed(() => this.#forgetHidden()))
    this.#listening.add(clients.clientReady(client => this.#greet(client)))
    this.#listening.add(clients.clientListening(client => this.#greet(client)))
  }

  /** Starts or stops tracking, or changes how it is done. */
  async configure(options: TrackingOptions): Promise<void> {
    const { editor } = this.#parts
    this.#isTracking = options.track_selection
    if (!options.track_selection) {
      this.#tellNothing()
      this.#waiting = undefined
      this.#latest.clear()
      await editor.call('selection.untrack', {}, nothing)
      return
    }
    const demotion = { demotion_delay_ms: Math.round(options.visual_demotion_delay_ms) }
    const now = await editor.call('selection.track', { ...pace, ...demotion }, FactsOrNone)
    if (now) this.#receive(now)
  }

  /** What is selected, or where the cursor is; undefined when there is no file. Without tracking the editor is asked. */
  async current(): Promise<Selection | undefined> {
    if (this.#isTracking) return this.#current?.selection
    const { editor } = this.#parts
    const facts = await editor.call('selection.read', { inline_limit: pace.inline_limit }, FactsOrNone)
    return facts && this.#parts.privacy.mayShow(facts.name) ? this.#encode(facts) : undefined
  }

  /** The latest selection of some text in a buffer that still exists. */
  get latest(): Selection | undefined {
    return [...this.#latest.values()].at(-1)
  }

  dispose(): Promise<void> {
    this.#isTracking = false
    return this.#listening.dispose()
  }

  #greet(client: Client): void {
    if (this.#current) client.notify('selection_changed', { ...this.#current.selection })
  }

  #receive(facts: SelectionFacts): void {
    if (!this.#parts.privacy.mayShow(facts.name)) {
      this.#tellNothing()
      this.#forget(facts.buffer)
      return
    }
    this.#waiting = facts
    this.#gone.delete(facts.buffer)
    if (!this.#isBusy) inBackground(this.#parts.log, ignoreGone(this.#work()), 'tracking the selection')
  }

  /** One after the other: a long text that is under way is told before what came after it, and only the newest is next. */
  async #work(): Promise<void> {
    this.#isBusy = true
    try {
      for (let facts = this.#next(); facts; facts = this.#next()) {
        const selection =
          facts.text === undefined ? await this.#encode(facts) : encodeSelection(facts, bytesOf(facts.text))
        const { buffer, name } = facts
        const isKnown = this.#isTracking && !this.#gone.has(buffer) && this.#parts.privacy.mayShow(name)
        if (selection && isKnown) this.#tell(facts, selection)
      }
    } finally {
      this.#isBusy = false
      this.#gone.clear()
    }
  }

  #next(): SelectionFacts | undefined {
    const facts = this.#waiting
    this.#waiting = undefined
    return facts
  }

  async #encode(facts: SelectionFacts): Promise<Selection | undefined> {
    if (facts.text !== undefined) return encodeSelection(facts, bytesOf(facts.text))
    const long = await readLongText(this.#parts.editor, facts)
    return long && encodeSelection(facts, long.text, long.isWhole)
  }

  #tell(facts: SelectionFacts, selection: Selection): void {
    if (!selection.selection.isEmpty) this.#remember(facts.buffer, selection)
    const isNews = !this.#current || !isSame(this.#current.selection, selection)
    this.#current = { buffer: facts.buffer, selection }
    if (isNews) this.#parts.clients.broadcast('selection_changed', { ...selection })
  }

  #remember(buffer: number, selection: Selection): void {
    this.#latest.delete(buffer)
    this.#latest.set(buffer, selection)
    const [oldest] = this.#latest.keys()
    if (this.#latest.size > rememberedBuffers && oldest !== undefined) this.#latest.delete(oldest)
  }

  /** Clients let go of what they were told last: what they have of it goes into the user's next prompt. */
  #tellNothing(): void {
    if (!this.#current) return
    this.#current = undefined
    this.#parts.clients.broadcast('selection_changed', { ...noSelection })
  }

  #forgetHidden(): void {
    const { privacy } = this.#parts
    for (const [buffer, { filePath }] of this.#latest) if (!privacy.mayShow(filePath)) this.#latest.delete(buffer)
    if (this.#current && !privacy.mayShow(this.#current.selection.filePath)) this.#tellNothing()
  }

  #forget(buffer: number): void {
    this.#latest.delete(buffer)
    if (this.#isBusy) this.#gone.add(buffer)
    if (this.#current?.buffer === buffer) this.#current = undefined
    if (this.#waiting?.buffer === buffer) this.#waiting = undefined
  }
}

function bytesOf(text: string | Buffer): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text
}

function isSame(a: Selection, b: Selection): boolean {
  return (
    a.filePath === b.filePath &&
    a.fileUrl === b.fileUrl &&
    a.text === b.text &&
    JSON.stringify(a.selection) === JSON.stringify(b.selection)
  )
}
