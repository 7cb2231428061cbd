// How Claude is started: the words of the call, its environment, its folder.
import { homedir } from 'node:os'
import { UserError } from '../base/errors.ts'
import type { Options } from '../options/schema.ts'
import { type Session, sessionVariable } from '../sessions/session.ts'
import { splitCommandLine } from './argv.ts'

/** What Neovim knew when the user asked for Claude. */
export interface LaunchContext {
  /** The session that is meant whatever the folder is. */
  session?: string | undefined
  /** The folder that the user is in; its bytes, when they are not UTF-8. */
  cwd: string | Buffer
  no_proxy?: string | undefined
  NO_PROXY?: string | undefined
}

/** A program call, without a shell. */
export interface Launch {
  argv: string[]
  /** The same as the user would write it: `terminal_cmd` and the arguments. */
  command: string
  /** On top of Neovim's own environment. */
  env: Record<string, string>
  cwd: string | Buffer
}

const loopback = ['localhost', '127.0.0.1', '::1']

/** What a Claude is started as. */
export interface Start {
  /** The server's, when it runs. */
  port: number | undefined
  /** What the user typed behind `:ClaudeCode`. */
  args: string
  session: Pick<Session, 'id' | 'folder'>
  context: LaunchContext
}

/**
 * The call that starts Claude so that it connects to our server (protocol document, "Environment Variables"), and can be told from
 * the others that do (`sessionVariable`).
 * @throws {UserError} the command line can't be read.
 */
export function planLaunch(options: Options, { port, args, session, context }: Start): Launch {
  const command = `${options.terminal_cmd.trim() || 'claude'} ${args.trim()}`.trim()
  const argv = splitCommandLine(command, homedir())
  if (argv[0] === undefined)
    throw new UserError('option terminal_cmd names no program. Set it to the command that starts Claude')
  const proxies = noProxy(context.no_proxy, context.NO_PROXY, options.env.no_proxy, options.env.NO_PROXY)
  return {
    argv,
    command,
    cwd: session.folder,
    env: {
      ENABLE_IDE_INTEGRATION: 'true',
      FORCE_CODE_TERMINAL: 'true',
      ...(port === undefined ? {} : { CLAUDE_CODE_SSE_PORT: String(port) }),
      ...options.env,
      no_proxy: proxies,
      NO_PROXY: proxies,
      [sessionVariable]: session.id,
    },
  }
}

/** All that was exempt from proxies, and the loopback names: a proxy would swallow Claude's connection to Neovim. */
function noProxy(...lists: (string | undefined)[]): string {
  const names = lists.flatMap(list => (list ?? '').split(',')).map(name => name.trim())
  return [...new Set([...names.filter(name => name !== ''), ...loopback])].join(',')
}
