// Our hooks in the words of Claude's call: `--settings` with JSON, beside what the user gives there.
import { readFile } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { hasErrorCode } from '../base/errors.ts'
import { parseIfJson } from '../base/json.ts'
import { hookNames } from './hook-events.ts'
import { hookTimeoutSeconds } from './limits.ts'

/** The variable in Claude's environment that holds the token: everybody can read the words of a program call. */
export const hookTokenVariable = 'CLAUDECODE_HOOK_TOKEN'

const Settings = z.record(z.string(), z.unknown())
const Hooks = z.record(z.string(), z.array(z.unknown()))

/** Claude's settings: hooks for each event, and whatever else there is. */
export type Settings = z.output<typeof Settings>

/**
 * The hooks that post to `url`.
 * @param kind `http`: Claude posts itself, and shows its user each time that nobody answers. `command`: curl does, in silence
 * whatever comes, for a Claude that may live longer than who listens.
 */
export function hooksTo(url: string, kind: 'http' | 'command'): Record<string, unknown[]> {
  const hookFor = kind === 'http' ? httpHook : commandHook
  return Object.fromEntries(hookNames.map(name => [name, [{ hooks: [hookFor(`${url}/${name}`)] }]]))
}

function httpHook(url: string) {
  return {
    type: 'http',
    url,
    timeout: hookTimeoutSeconds,
    headers: { Authorization: `Bearer $${hookTokenVariable}` },
    allowedEnvVars: [hookTokenVariable],
  }
}

/**
 * The token comes to curl through a pipe (curl 7.55 or newer): the words of its call are for everybody to read. The event
 * comes from its standard input, which may be a socket: that can't be opened by a name such as /dev/fd/3. What nobody was
 * there to hear is read all the same, so that Claude can write it.
 */
function commandHook(url: string) {
  const header = `printf 'Authorization: Bearer %s' "$${hookTokenVariable}"`
  const post = `curl -qsm${hookTimeoutSeconds - 1} --noproxy '*' -H @/dev/fd/4 --data-binary @- ${url} 4<&0 0<&3`
  const command = `{ ${header} | ${post}; cat <&3; } 3<&0 >/dev/null 2>&1 || :`
  return { type: 'command', timeout: hookTimeoutSeconds, command }
}

/** The user's settings with our hooks behind theirs; undefined when theirs can't be understood, or want no hooks. */
export function mergeHooks(theirs: unknown, ours: Record<string, unknown[]>): Settings | undefined {
  const settings = Settings.safeParse(theirs).data
  if (settings === undefined || restrictsHooks(settings)) return undefined
  const hooks = Hooks.safeParse(settings['hooks'] ?? {}).data
  if (hooks === undefined) return undefined
  const merged = Object.entries(ours).map(([name, list]) => [name, [...(hooks[name] ?? []), ...list]])
  return { ...settings, hooks: { ...hooks, ...Object.fromEntries(merged) } }
}

const restrictions = ['disableAllHooks', 'allowManagedHooksOnly', 'allowedHttpHookUrls', 'httpHookAllowedEnvVars']

/** Whether settings leave no room for hooks of ours: Claude would drop them, or tell its user that each of them failed. */
export function restrictsHooks(settings: unknown): boolean {
  const found = Settings.safeParse(settings).data ?? {}
  return restrictions.some(name => found[name] !== undefined && found[name] !== false)
}

/** Where `--settings` is in the words of a call, and what it says. */
export interface Place {
  /** The index of the word behind which ours is put, when there is no `--settings`. */
  program: number
  /** The index of the user's `--settings`, of which Claude takes the last one. */
  given?: { index: number; value: string; isJoined: boolean }
}

/**
 * Where settings can be put; undefined where that would be wrong: a program that is not Claude by its name may not know
 * the option, and a subcommand has options of its own.
 */
export function findPlace(argv: readonly string[]): Place | undefined {
  const program = argv.findIndex(word => /^claude(?:\.exe|\.cmd)?$/.test(basename(word)))
  const isShells = argv[program - 1] === '-c' // what follows are words for the shell
  if (program === -1 || isShells || /^[a-z][a-z-]*$/.test(argv[program + 1] ?? '')) return undefined
  const end = argv.indexOf('--', program)
  const options = end === -1 ? argv : argv.slice(0, end)
  const index = options.findLastIndex((word, i) => i > program && /^--settings(?:=|$)/.test(word))
  if (index === -1) return { program }
  const word = argv[index] as string
  const isJoined = word.startsWith('--settings=')
  const value = isJoined ? word.slice('--settings='.length) : argv[index + 1]
  return value === undefined ? undefined : { program, given: { index, value, isJoined } }
}

/** The words with other settings. */
export function putSettings(argv: readonly string[], { program, given }: Place, value: string): string[] {
  if (given === undefined) return [...argv.slice(0, program + 1), '--settings', value, ...argv.slice(program + 1)]
  const { index, isJoined } = given
  if (isJoined) return argv.toSpliced(index, 1, `--settings=${value}`)
  return argv.toSpliced(index + 1, 1, value)
}

/** The user's settings: JSON as it is, or the content of a file. Undefined when they can't be read. */
export async function readSettings(value: string, folder: string | Buffer): Promise<unknown> {
  if (value.trimStart().startsWith('{')) return parseIfJson(value)
  if (!isAbsolute(value) && typeof folder !== 'string') return undefined
  return readSettingsFile(isAbsolute(value) ? value : join(folder.toString(), value))
}

/** Undefined when there is none, or it is no JSON. */
export async function readSettingsFile(file: string): Promise<unknown> {
  try {
    return parseIfJson(await readFile(file, 'utf8'))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP', 'ENAMETOOLONG')) return undefined
    throw error
  }
}
