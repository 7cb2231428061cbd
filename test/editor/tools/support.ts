// A Neovim with the plugin and a Claude that is connected to it, for the tests of the tools.
import path from 'node:path'
import { atTestEnd } from '../../support/at-test-end.ts'
import {
  type CallResult,
  type ClaudeClient,
  connectThroughLockFile,
  readLockFiles,
} from '../../support/claude-client.ts'
import { type NeovimOptions, startNeovim, type TestNeovim } from '../../support/neovim.ts'

export interface Session {
  nvim: TestNeovim
  claude: ClaudeClient
  /** The absolute path of a file of the project. */
  file(name: string): string
  /** Calls a tool and returns the text of its first item, or throws when the answer is an error. */
  text(tool: string, args?: Record<string, unknown>): Promise<string>
  /** The same for tools that answer JSON. */
  json<T = Record<string, unknown>>(tool: string, args?: Record<string, unknown>): Promise<T>
  /** Calls a tool and returns all of its answer. */
  call(tool: string, args?: Record<string, unknown>): Promise<CallResult>
}

/** Starts both. `init` is more Lua for init.lua, before setup(), which gets the Lua table `setup`. */
export async function startSession(options: NeovimOptions & { setup?: string } = {}): Promise<Session> {
  const { init = '', setup = '{}', ...rest } = options
  const nvim = await startNeovim({ ...rest, init: `${init}\nrequire('claudecode').setup(${setup})` })
  await nvim.waitFor(async () => (await readLockFiles(nvim.configDir)).size === 1, 'the lock file')
  const claude = await connectThroughLockFile(nvim.configDir)
  await atTestEnd(() => claude.close())

  async function text(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const result = await claude.callTool(tool, args)
    if (result.isError) throw new Error(textOf(result))
    return textOf(result)
  }
  return {
    nvim,
    claude,
    file: name => path.join(nvim.folder, name),
    text,
    json: async (tool, args) => JSON.parse(await text(tool, args)),
    call: (tool, args = {}) => claude.callTool(tool, args),
  }
}

/** The text of an item of an answer. */
export function textOf(result: CallResult, item = 0): string {
  const text = result.content[item]?.text
  if (text === undefined) throw new Error(`no text item ${item} in ${JSON.stringify(result)}`)
  return text
}

/** Names that have tripped up editors and URIs; `/` is not among them, all else may be in a name. */
export const oddNames = [
  'with blanks.txt',
  ' leading and trailing ',
  'quote\'s and "doubles".txt',
  'percent%20.txt',
  '100%.txt',
  'sharp#1.txt',
  'a[x].txt',
  'ax.txt',
  '$y.txt',
  '$HOME.txt',
  'new\nline.txt',
  'ünïcödé-日本語-🎉.txt',
  `${'long'.repeat(49)}.txt`,
  '-leading.txt',
  '+leading.txt',
  '~tilde.txt',
  'back\\slash.txt',
  'star*?.txt',
  '{a,b}.txt',
  'file:x.txt',
  '`date`.txt',
  'semi;colon&.txt',
  'tab\there.txt',
  '%',
  '#',
]
