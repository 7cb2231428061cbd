// :ClaudeCodeResume: the conversations of this folder, for the user to choose from.
import type { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { configFolder } from '../ide/claude-folders.ts'
import { nothing } from '../neovim/editor.ts'
import { listConversations } from '../terminal/conversations.ts'
import type { LaunchContext } from './launch-context.ts'
import type { CommandParts } from './parts.ts'

/** Lets the user choose. @throws {UserError} there is nothing to choose from. */
export async function resume(
  { editor }: CommandParts,
  event: { config_dir?: string | undefined; context: z.output<typeof LaunchContext> },
): Promise<void> {
  const folder = event.context.cwd.toString()
  const conversations = await listConversations(configFolder(event.config_dir), folder)
  if (conversations.length === 0)
    throw new UserError(`Claude has kept no conversation of ${folder}. :ClaudeCode starts one`)
  const now = Date.now()
  const items = conversations.map(({ id, title, changedAt }) => ({ id, title, age: ageOf(now - changedAt) }))
  await editor.call('sessions.choose', { sessions: items, context: event.context }, nothing)
}

/** `12 min`, `3 h`, `5 d`, in six columns. */
export function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const [count, unit] =
    minutes < 60
      ? [minutes, 'min']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'h']
        : [Math.floor(minutes / 1440), 'd']
  return `${count} ${unit}`.padStart(6)
}
