// What code has put out, as the items of a tool's answer.
import { z } from 'zod'
import type { ToolContent } from '../ide/tool.ts'
import { BoundedText } from './bounded-text.ts'
import { describeTraceback, plainText } from './plain-text.ts'

const Stream = z.looseObject({ name: z.string(), text: z.string() })
const Data = z.record(z.string(), z.unknown())
const Display = z.looseObject({
  data: Data,
  transient: z.looseObject({ display_id: z.string().optional() }).catch({}),
})
const Failure = z.looseObject({
  ename: z.string().catch('Error'),
  evalue: z.string().catch(''),
  traceback: z.array(z.string()).catch([]),
})
const Clear = z.looseObject({ wait: z.boolean().catch(false) })

/** Pictures that Claude can see. */
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
/** Texts that say the most in the least, the best first. Every object of Python has the first. */
const texts = ['text/plain', 'text/markdown', 'text/latex', 'application/json', 'text/html', 'image/svg+xml']

const longestText = 60_000 // characters of one answer; the CLI refuses more than about 100,000
const largestPicture = 5_000_000 // base64 characters; the Messages API refuses larger ones
const mostPictures = 20
const interruptedInSilence = '[the code was interrupted (KeyboardInterrupt)]'

type Item =
  | { kind: 'stream'; name: string; text: BoundedText }
  | { kind: 'text'; text: string; displayId: string | undefined }
  | { kind: 'picture'; data: string; mimeType: string; displayId: string | undefined }

/** Collects the messages of one execution. */
export class Outputs {
  #items: Item[] = []
  #clearWithNext = false
  #hasFailed = false
  #isInterrupted = false

  /** Takes a message of the channel iopub; what puts nothing out is ignored. */
  add(type: string, content: unknown): void {
    if (type === 'stream') this.#addStream(Stream.parse(content))
    else if (type === 'execute_result' || type === 'display_data') this.#addDisplay(Display.parse(content))
    else if (type === 'update_display_data') this.#update(Display.parse(content))
    else if (type === 'error') this.#fail(describeTraceback(Failure.parse(content)))
    else if (type === 'clear_output') this.#clear(Clear.parse(content).wait)
  }

  /** The code is being interrupted. It may end without a word of that: before it has begun, or because it catches the exception. */
  interrupted(): void {
    this.#isInterrupted = true
  }

  /** The items: text that was printed in one go is one of them. Never empty. */
  content(): ToolContent[] {
    const content = this.#items.flatMap((item): ToolContent[] => {
      if (item.kind === 'picture') return [showPicture(item)]
      const text = item.kind === 'stream' ? plainText(item.text.toString()) : item.text
      return text.trim() === '' ? [] : [{ type: 'text', text: text.replace(/\n+$/, '') }]
    })
    if (this.#isInterrupted && !this.#hasFailed) content.push({ type: 'text', text: interruptedInSilence })
    const bounded = withFewerPictures(withLessText(content))
    return bounded.length > 0 ? bounded : [{ type: 'text', text: '[the code ran, and put nothing out]' }]
  }

  #fail(traceback: string): void {
    this.#hasFailed = true
    this.#pushText(traceback)
  }

  #addStream({ name, text }: z.output<typeof Stream>): void {
    this.#clearIfDue()
    const last = this.#items.at(-1)
    if (last?.kind === 'stream' && last.name === name) last.text.append(text)
    else this.#items.push({ kind: 'stream', name, text: new BoundedText(longestText).append(text) })
  }

  #addDisplay({ data, transient }: z.output<typeof Display>): void {
    const item = itemOf(data, transient.display_id)
    if (item !== undefined) this.#push(item)
  }

  /** Displays may change after they were shown, such as a progress bar. */
  #update({ data, transient }: z.output<typeof Display>): void {
    const item = itemOf(data, transient.display_id)
    if (item === undefined || transient.display_id === undefined) return
    this.#items = this.#items.map(old => (old.kind !== 'stream' && old.displayId === transient.display_id ? item : old))
  }

  #clear(withNext: boolean): void {
    if (withNext) this.#clearWithNext = true
    else this.#items = []
  }

  #pushText(text: string): void {
    this.#push({ kind: 'text', text: new BoundedText(longestText).append(text).toString(), displayId: undefined })
  }

  #push(item: Item): void {
    this.#clearIfDue()
    this.#items.push(item)
  }

  #clearIfDue(): void {
    if (this.#clearWithNext) this.#items = []
    this.#clearWithNext = false
  }
}

function itemOf(data: Record<string, unknown>, displayId: string | undefined): Item | undefined {
  for (const mimeType of pictures) {
    const picture = data[mimeType]
    // The kernel breaks base64 into lines.
    if (typeof picture === 'string')
      return { kind: 'picture', data: picture.replaceAll(/\s/g, ''), mimeType, displayId }
  }
  for (const mimeType of texts) {
    const value = data[mimeType]
    if (value === undefined) continue
    const text = typeof value === 'string' ? plainText(value) : JSON.stringify(value)
    return { kind: 'text', text: new BoundedText(longestText).append(text).toString(), displayId }
  }
  return undefined
}

function showPicture({ data, mimeType }: { data: string; mimeType: string }): ToolContent {
  if (data.length <= largestPicture) return { type: 'image', data, mimeType }
  const megabytes = Math.round((data.length * 0.75) / 1e6)
  return { type: 'text', text: `[a picture of ${megabytes} MB was left out: too large to be sent]` }
}

/** Leaves out the middle of all text: how it began matters, and how it ended, which may be an exception, more so. */
function withLessText(content: readonly ToolContent[]): ToolContent[] {
  const total = content.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : 0), 0)
  if (total <= longestText) return [...content]
  const from = Math.floor(longestText / 4)
  const to = total - (longestText - from)
  let start = 0
  return content.flatMap((item): ToolContent[] => {
    if (item.type !== 'text') return [item]
    const { text } = item
    const [cutFrom, cutTo] = [from - start, to - start].map(at => Math.min(Math.max(at, 0), text.length)) as [
      number,
      number,
    ]
    const hasNote = start <= from && from < start + text.length
    start += text.length
    const shown = `${text.slice(0, cutFrom)}${hasNote ? `\n[… ${to - from} characters left out …]\n` : ''}${text.slice(cutTo)}`
    return shown === '' ? [] : [{ type: 'text', text: shown }]
  })
}

function withFewerPictures(content: readonly ToolContent[]): ToolContent[] {
  let count = 0
  const fewer = content.filter(item => {
    if (item.type === 'image') count += 1
    return item.type === 'text' || count <= mostPictures
  })
  if (count > mostPictures) fewer.push({ type: 'text', text: `[${count - mostPictures} more pictures were left out]` })
  return fewer
}
