// What the user's commands ask for, as Lua sends it (lua/claudecode/commands.lua).
import { z } from 'zod'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import type { Review } from '../diffs/review.ts'
import { bytesOrText, shownText } from '../neovim/editor.ts'
import { type TerminalParts, toggleTerminal } from '../terminal/terminal.ts'

/** What the commands work with. */
export interface CommandParts extends TerminalParts {
  stopServing: () => Promise<void>
  review: Review
}

const LaunchContext = z.object({
  cwd: bytesOrText,
  no_proxy: shownText.optional(),
  NO_PROXY: shownText.optional(),
})

/** Listens to the commands until it is disposed. What goes wrong in one is told to the user. */
export function listenToCommands(parts: CommandParts): Disposable {
  const { editor, notices } = parts
  const listening = new DisposableStack()

  function on<T>(event: string, what: string, schema: z.ZodType<T>, act: (payload: T) => Promise<unknown>): void {
    listening.add(editor.on(event, schema, payload => notices.run(what, () => act(payload))))
  }

  on('toggleTerminal', ':ClaudeCode', z.object({ arguments: shownText, context: LaunchContext }), call =>
    toggleTerminal(parts, call.arguments, call.context),
  )
  on('start', ':ClaudeCodeStart', z.object({ notify: z.boolean() }), async call => {
    const port = await parts.serve()
    if (call.notify) notices.info(`the server runs on port ${port}`)
  })
  on('stop', ':ClaudeCodeStop', z.unknown(), async () => {
    await parts.stopServing()
    notices.info('the server is stopped')
  })
  on('closeAllDiffs', ':ClaudeCodeCloseAllDiffs', z.unknown(), async () => {
    const count = await parts.review.closeAllByUser()
    notices.info(count === 0 ? 'no diff was closed' : `${count} ${count === 1 ? 'diff' : 'diffs'} closed`)
  })
  return listening
}
