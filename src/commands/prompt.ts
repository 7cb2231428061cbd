// :ClaudeCodePrompt: what the @words of a prompt stand for, and what was written before.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { statNow } from '../base/read-if-there.ts'
import { bytesOrText, luaList, luaTable, nothing, shownText } from '../neovim/editor.ts'
import { isForUser } from '../neovim/notices.ts'
import { type Block, expandPrompt, type Meaning, specialsOf } from '../prompts/expand.ts'
import { readGitDiff } from '../prompts/git-diff.ts'
import { PromptHistory } from '../prompts/history.ts'
import type { SpecialName } from '../prompts/references.ts'
import { listWorkspaceFiles } from '../prompts/workspace-files.ts'
import type { CommandParts } from './parts.ts'

/** `promptOpened`, as lua/claudecode/prompt.lua tells it. */
export const PromptOpenedEvent = z.object({ folder: shownText, state: shownText })

/** `prompt`: it was written. Lines are 0-based. */
export const PromptEvent = PromptOpenedEvent.extend({
  id: z.int(),
  text: shownText,
  /** Where it was opened: a place in a file on the disk, or a text, with the name of its buffer. */
  this: z
    .object({
      path: bytesOrText.optional(),
      first: z.int(),
      last: z.int(),
      text: shownText.optional(),
      name: shownText.optional(),
    })
    .optional(),
  file: bytesOrText.optional(),
})
export type PromptEvent = z.output<typeof PromptEvent>

const Place = z.object({ path: bytesOrText, line: z.int(), text: shownText })
type Place = z.output<typeof Place>

const Gathered = luaTable(
  z.object({
    buffers: luaList(bytesOrText).optional(),
    diagnostics: luaList(Place).optional(),
    quickfix: luaList(Place).optional(),
  }),
)

/** Lines of diagnostics or of the quickfix list; Claude can ask for more. */
const mostPlaces = 100

/** Gives the editor what can be completed, and the prompts before. */
export async function promptOpened(
  { editor }: CommandParts,
  { folder, state }: z.output<typeof PromptOpenedEvent>,
): Promise<void> {
  const history = new PromptHistory(state, folder).read()
  await editor.call('prompt.offer', { history }, nothing)
  await editor.call('prompt.offer', { files: await listWorkspaceFiles(folder) }, nothing)
}

/** Makes of a prompt what Claude gets, and lets the editor send it, or says there why it can't be sent. */
export async function sendPrompt(parts: CommandParts, event: PromptEvent): Promise<void> {
  const { id, text, folder, state } = event
  try {
    const expansion = expandPrompt(text, await findMeanings(parts, event), typed => findPath(folder, typed))
    if (typeof expansion === 'string') throw new UserError(`${expansion}. Take the word out, or write what you mean`)
    new PromptHistory(state, folder).add(text)
    const { text: expanded, draft, files } = expansion
    await parts.editor.call('prompt.deliver', { id, text: expanded, draft, files }, nothing)
  } catch (error) {
    const reason = isForUser(error) ? error.message : 'that failed; :ClaudeCodeLog has the details'
    await parts.editor.call('prompt.refuse', { id, reason }, nothing)
    if (!isForUser(error)) throw error
  }
}

async function findMeanings(parts: CommandParts, event: PromptEvent): Promise<Partial<Record<SpecialName, Meaning>>> {
  const names = specialsOf(event.text)
  const wanted = names.filter(name => ['buffers', 'diagnostics', 'quickfix'].includes(name))
  const known = wanted.length === 0 ? {} : await parts.editor.call('prompt.gather', { names: wanted }, Gathered)
  const buffers = await withoutPrivate(parts, known.buffers ?? [], path => path)
  const quickfix = await withoutPrivate(parts, known.quickfix ?? [], ({ path }) => path)
  const meanings: Partial<Record<SpecialName, Meaning>> = {
    this: meaningOfThis(event.this),
    buffer: event.file === undefined ? 'there was no file where the prompt was opened' : oneFile(event.file),
    buffers: buffers.length === 0 ? 'no file is open' : { files: buffers.map(path => ({ path: path.toString() })) },
    diagnostics: meaningOfDiagnostics(known.diagnostics ?? []),
    quickfix: meaningOfPlaces('Quickfix list', quickfix, 'the quickfix list has no places in files'),
  }
  if (names.includes('diff')) {
    const lines = await readGitDiff(event.folder, paths => areHidden(parts, paths))
    meanings.diff = typeof lines === 'string' ? lines : { block: { title: 'git diff', lines, fence: 'diff' } }
  }
  return meanings
}

function oneFile(path: string | Buffer): Meaning {
  return { files: [{ path: path.toString() }] }
}

function meaningOfThis(place: PromptEvent['this']): Meaning {
  if (place === undefined) return 'the buffer where the prompt was opened is gone'
  const { path, first, last, text, name } = place
  if (path !== undefined) return { files: [{ path: path.toString(), lines: { first: first + 1, last: last + 1 } }] }
  if (text === undefined) return 'the buffer where the prompt was opened is private'
  const block = { title: 'The text', lines: text.split('\n'), fence: '' }
  return { block, about: name === undefined ? [] : [name] }
}

function meaningOfDiagnostics(places: readonly Place[]): Meaning {
  const meaning = meaningOfPlaces('Diagnostics', places, 'there are no diagnostics in the file')
  if (typeof meaning === 'string') return meaning
  return { ...meaning, about: [...new Set(places.map(({ path }) => path.toString()))].filter(path => path !== '') }
}

function meaningOfPlaces(title: string, places: readonly Place[], none: string): { block: Block } | string {
  if (places.length === 0) return none
  const lines = places.slice(0, mostPlaces).map(({ path, line, text }) => `- ${path}:${line}: ${text}`)
  if (places.length > mostPlaces) lines.push(`- and ${places.length - mostPlaces} more`)
  return { block: { title, lines } }
}

/** Which of the files the user hides from Claude: these are left out of what names many. */
async function areHidden({ editor, isIgnored }: CommandParts, paths: string[]): Promise<boolean[]> {
  const flagged = await editor.call('prompt.private', { paths }, luaList(z.boolean()))
  return paths.map((path, index) => flagged[index] === true || isIgnored(path))
}

async function withoutPrivate<T>(
  parts: CommandParts,
  items: readonly T[],
  pathOf: (item: T) => string | Buffer,
): Promise<T[]> {
  if (items.length === 0) return []
  const hidden = await areHidden(
    parts,
    items.map(item => pathOf(item).toString()),
  )
  return items.filter((_item, index) => !hidden[index])
}

/** The absolute path of what exists there. A folder ends in `/`. */
function findPath(folder: string, typed: string): string | undefined {
  const path = typed === '~' || typed.startsWith('~/') ? join(homedir(), typed.slice(1)) : resolve(folder, typed)
  const stat = statNow(path, 'EACCES') // else nothing that Claude could read
  if (stat === undefined) return undefined
  return stat.isDirectory() ? `${path.replace(/\/$/, '')}/` : path
}
