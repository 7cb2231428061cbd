// Why a mention waits: the reasons that can be found, in one sentence.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasErrorCode } from '../base/errors.ts'
import { parseIfJson } from '../base/json.ts'
import type { Outgoing } from './mentions.ts'

/** What is known when a mention does not get through. */
export interface Circumstances {
  /** Whether the server runs. */
  isServing: boolean
  /** Whether the Claude that Neovim started runs. */
  isRunning: boolean
  /** Whether it is Neovim that starts Claude. */
  canStart: boolean
  /** Other editors whose lock file is for a folder of ours. */
  rivals: string[]
  /** The environment variable that sends a Claude of the user's own to a proxy instead of here, if any. */
  proxy: string | undefined
}

/** One line: what was sent, what becomes of it, and why. */
export function explainUndelivered(
  items: readonly Outgoing[],
  isGivenUp: boolean,
  { isServing, isRunning, canStart, rivals, proxy }: Circumstances,
): string {
  const reasons: string[] = []
  if (!isServing) reasons.push('the server is stopped')
  else if (canStart && !isRunning) reasons.push('Claude has ended')
  else if (isRunning)
    reasons.push('Claude runs but has not connected: it may ask something in its window, or type /ide there')
  else reasons.push('no Claude has connected: start `claude --ide`, or type /ide in one that runs')
  if (rivals.length > 0) reasons.push(`${rivals.join(', ')} has this folder open, too, and Claude may have chosen that`)
  if (proxy !== undefined && !isRunning)
    reasons.push(`${proxy} is set: a Claude of your own needs no_proxy=localhost,127.0.0.1`)
  if (isGivenUp) return `${nameItems(items)} was not sent: ${reasons.join('; ')}${whereKept(items)}`
  return `${nameItems(items)} is not sent yet: ${reasons.join('; ')}`
}

/** A text that was not sent is where the user can write it again (lua/claudecode/outbox.lua). */
export function whereKept(items: readonly Outgoing[]): string {
  return items.some(item => 'question' in item) ? '; :ClaudeCodePrompt has what you wrote' : ''
}

/** So much of a question names it. */
const nameLength = 30

/** What was sent, in a few words. */
export function nameItems([first, ...more]: readonly Outgoing[]): string {
  const name = first === undefined ? 'nothing' : nameItem(first)
  return more.length > 0 ? `${name} and ${more.length} more` : name
}

function nameItem(item: Outgoing): string {
  if (!('question' in item)) return item.filePath.replace(/.*\/(?=.)/, '')
  const line = item.question.trim().split('\n', 1)[0] ?? ''
  return `"${line.length > nameLength ? `${line.slice(0, nameLength)}…` : line}"`
}

/** The variable that would make a program reach this machine through a proxy, if any. */
export function findProxy(env: Record<string, string | undefined>): string | undefined {
  const exempt = `${env['no_proxy'] ?? ''},${env['NO_PROXY'] ?? ''}`.split(',').map(name => name.trim())
  if (exempt.some(name => ['*', 'localhost', '127.0.0.1'].includes(name))) return undefined
  return ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].find(name => env[name])
}

const LockFile = z.object({ ideName: z.string(), workspaceFolders: z.array(z.string()) })

/** The editors, other than the one on `port`, whose lock files have one of `folders` or a folder above it. */
export async function findRivals(lockFolder: string, port: number, folders: readonly string[]): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(lockFolder)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
  const rivals: string[] = []
  for (const name of names.filter(one => /^\d+\.lock$/.test(one) && one !== `${port}.lock`)) {
    const text = await readFile(join(lockFolder, name), 'utf8').catch(() => '') // gone meanwhile
    const lock = LockFile.safeParse(parseIfJson(text)).data
    const isOurs = lock?.workspaceFolders.some(theirs =>
      folders.some(ours => ours === theirs || ours.startsWith(`${theirs.replace(/\/$/, '')}/`)),
    )
    if (lock && isOurs) rivals.push(`${lock.ideName} (port ${name.slice(0, -'.lock'.length)})`)
  }
  return rivals
}
