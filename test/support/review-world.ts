// A review with all who take part in it, under the test's control: clients, a host that can be killed, and the editor.
import { expect } from 'vitest'
import { createLog, type Log } from '../../src/base/log.ts'
import type { AcceptedTexts } from '../../src/diffs/accepted-text.ts'
import { AutoAccept } from '../../src/diffs/auto-accept.ts'
import { displayOf } from '../../src/diffs/display.ts'
import type { Verdict } from '../../src/diffs/open-diffs.ts'
import { RejectReasons } from '../../src/diffs/reject-reasons.ts'
import { Review } from '../../src/diffs/review.ts'
import { callTool } from '../../src/ide/call-tool.ts'
import type { Client } from '../../src/ide/client.ts'
import { Options } from '../../src/options/schema.ts'
import { closeAllDiffTabs } from '../../src/tools/close-all-diff-tabs.ts'
import { closeTab } from '../../src/tools/close-tab.ts'
import { toolsOnOffer } from '../../src/tools/offer.ts'
import { openDiff } from '../../src/tools/open-diff.ts'
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

const notices = { info() {}, warn() {}, error() {}, run() {} }

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
  /** Whether diffs are on offer. */
  isEnabled = true
  autoAccept: AutoAccept
  review: Review
  #lastId = 0

  /** @param folder where the private folders of the diffs come to be */
  constructor(folder: string) {
    this.folder = folder
    this.editor = new DiffEditor(folder)
    this.autoAccept = this.#newAutoAccept()
    this.review = this.#newReview()
  }

  #newAutoAccept(): AutoAccept {
    const clients = () => this.connections.filter(connection => connection !== undefined).map(({ client }) => client)
    return new AutoAccept({ editor: this.editor.connect(), notices, clients, log: this.log })
  }

  #newReview(): Review {
    const texts: AcceptedTexts = {
      follow: () => undefined,
      isHeld: async () => false,
      keep: async ({ text }) => {
        this.kept.push(text)
        return true
      },
      dispose: () => undefined,
    }
    return new Review({
      editor: this.editor.connect(),
      notices,
      texts,
      display: () => displayOf(Options.parse({})),
      reasons: new RejectReasons({ type: async () => false, notices, clock: this.clock, log: this.log }),
      areApart: () => false,
      isUnseen: client => this.autoAccept.isOnFor(client),
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
    const path = '/no/a.txt'
    const args = { old_file_path: path, new_file_path: path, new_file_contents: 'proposed', tab_name: tabName }
    this.#call('openDiff', args, connection).then(
      ([kind, text]) => sent.answers.push(kind === 'FILE_SAVED' ? { kind: 'accepted', text } : { kind: 'rejected' }),
      error => sent.answers.push({ kind: 'failed', code: error.code }),
    )
    return sent
  }

  /** close_tab. */
  async closeTab(index: number, tabName: string): Promise<void> {
    await this.#call('close_tab', { tab_name: tabName }, this.connection(index))
  }

  /** closeAllDiffTabs: how many were closed. */
  async closeAllTabs(index: number): Promise<number> {
    const [text] = await this.#call('closeAllDiffTabs', {}, this.connection(index))
    return Number(text.replace(/\D/g, ''))
  }

  /** A tool, as the server calls it. Returns the texts of its answer. */
  async #call(name: string, args: object, { client, gone }: Connection): Promise<[string, string]> {
    const tools = [openDiff(this.review), closeTab(this.review), closeAllDiffTabs(this.review)]
    const offer = toolsOnOffer(tools, { notebooks: false, diffs: this.isEnabled })
    const { content } = await callTool(offer, { name, arguments: args }, { client, signal: gone.signal }, this.log)
    const [first = '', second = ''] = content.map(item => (item.type === 'text' ? item.text : ''))
    return [first, second]
  }

  disconnect(index: number): void {
    const connection = this.connections[index]
    if (connection === undefined) return
    delete this.connections[index]
    connection.gone.abort()
    this.review.clientGone(connection.client)
    this.autoAccept.clientGone(connection.client)
  }

  /** The host is killed, and the next one takes over. */
  async restart(): Promise<void> {
    this.editor.killHost()
    for (const sent of this.sent) if (sent.answers.length === 0) sent.hostWasKilled = true
    this.connections = []
    this.autoAccept = this.#newAutoAccept()
    this.review = this.#newReview()
    const adopted = this.review.adopt()
    await this.editor.settle()
    await adopted
  }

  pending(): EditorDiff[] {
    return [...this.editor.diffs.values()].filter(diff => diff.state === 'pending')
  }
}

/** Everyone goes home: nothing may be left, and nobody may have been told anything twice. */
export async function endOf(world: ReviewWorld): Promise<void> {
  const closing = world.review.closeAllByUser()
  await world.editor.settle()
  await closing
  expect([...world.editor.diffs.values()]).toEqual([])
  await world.review.dispose()
  await world.editor.settle()
  for (const { answers, hostWasKilled } of world.sent) if (!hostWasKilled) expect(answers).toHaveLength(1)
  expect(world.logged).toEqual([])
}
