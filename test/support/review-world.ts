// A review with all who take part in it, under the test's control: clients, a host that can be killed, and the editor.
import { createLog, type Log } from '../../src/base/log.ts'
import type { AcceptedTexts } from '../../src/diffs/accepted-text.ts'
import { displayOf } from '../../src/diffs/display.ts'
import type { Verdict } from '../../src/diffs/open-diffs.ts'
import { Review } from '../../src/diffs/review.ts'
import type { Client } from '../../src/ide/client.ts'
import { Options } from '../../src/options/schema.ts'
import { DiffEditor, type EditorDiff } from './diff-editor.ts'
import { ManualClock } from './manual-clock.ts'

/** A client, and the end of its connection. */
export interface Connection {
  readonly client: Client
  readonly gone: AbortController
}

/** An openDiff that was sent, and what came back. */
export interface Sent {
  readonly connection: Connection
  readonly tabName: string
  /** Answers and failures so far: one at the end, unless the host was killed. */
  readonly answers: (Verdict | { kind: 'failed'; code: unknown })[]
  hostWasKilled: boolean
}

/** A host, the editor (a model of it), and Claudes. */
export class ReviewWorld {
  readonly folder: string
  readonly editor: DiffEditor
  readonly clock = new ManualClock()
  readonly log: Log = createLog(
    line => this.logged.push(line),
    () => 'error',
  )
  readonly logged: string[] = []
  /** Texts that found a home by :ClaudeCodeCloseAllDiffs. */
  readonly kept: string[] = []
  readonly sent: Sent[] = []
  connections: Connection[] = []
  review: Review
  #lastId = 0

  /** @param folder where the private folders of the diffs come to be */
  constructor(folder: string) {
    this.folder = folder
    this.editor = new DiffEditor(folder)
    this.review = this.#newHost()
  }

  #newHost(): Review {
    const texts: AcceptedTexts = {
      follow: () => undefined,
      isHeld: async () => false,
      keep: async ({ text }) => {
        this.kept.push(text)
        return true
      },
      dispose: () => undefined,
    }
    const notices = { info() {}, warn() {}, error() {}, run() {} }
    return new Review({
      editor: this.editor.connect(),
      notices,
      texts,
      display: () => displayOf(Options.parse({})),
      clock: this.clock,
      log: this.log,
    })
  }

  /** Connection number `index`, made when it is needed. */
  connection(index: number): Connection {
    const connection = this.connections[index] ?? this.#connect()
    this.connections[index] = connection
    return connection
  }

  #connect(): Connection {
    this.#lastId += 1
    const client: Client = { id: this.#lastId, isReady: true, processId: undefined, notify: () => undefined }
    return { client, gone: new AbortController() }
  }

  open(index: number, tabName: string): Sent {
    const connection = this.connection(index)
    const sent: Sent = { connection, tabName, answers: [], hostWasKilled: false }
    this.sent.push(sent)
    const proposal = { oldPath: '/no/a.txt', newPath: '/no/a.txt', text: 'proposed', tabName }
    this.review.openDiff(proposal, { client: connection.client, signal: connection.gone.signal }).then(
      verdict => sent.answers.push(verdict),
      error => sent.answers.push({ kind: 'failed', code: error.code }),
    )
    return sent
  }

  disconnect(index: number): void {
    const connection = this.connections[index]
    if (connection === undefined) return
    delete this.connections[index]
    connection.gone.abort()
    this.review.clientGone(connection.client)
  }

  /** The host is killed, and the next one takes over. */
  async restart(): Promise<void> {
    this.editor.killHost()
    for (const sent of this.sent) if (sent.answers.length === 0) sent.hostWasKilled = true
    this.connections = []
    this.review = this.#newHost()
    const adopted = this.review.adopt()
    await this.editor.settle()
    await adopted
  }

  pending(): EditorDiff[] {
    return [...this.editor.diffs.values()].filter(diff => diff.state === 'pending')
  }
}
