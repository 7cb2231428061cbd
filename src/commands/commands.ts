// What the user's commands ask for, as Lua sends it (lua/claudecode/commands.lua).
import { z } from 'zod'
import { type Disposable, DisposableStack } from '../base/disposable.ts'
import { luaTable, nothing, shownText } from '../neovim/editor.ts'
import { ViewOverrides } from '../terminal/terminal.ts'
import { askConsent, ConsentEvent } from './consent.ts'
import { LaunchContext } from './launch-context.ts'
import { SendEvent, send } from './mention-commands.ts'
import type { CommandParts } from './parts.ts'
import { PromptEvent, PromptOpenedEvent, promptOpened, sendPrompt } from './prompt.ts'
import { resume } from './resume.ts'
import { listenToSessions } from './session-commands.ts'

const TerminalEvent = z.object({
  how: z.enum(['simple', 'focus', 'open', 'show']),
  arguments: shownText,
  view: luaTable(ViewOverrides),
  context: LaunchContext,
})

/** Listens to the commands until it is disposed. What goes wrong in one is told to the user. */
export function listenToCommands(parts: CommandParts): Disposable {
  const { editor, notices } = parts
  const listening = new DisposableStack()

  function on<T>(event: string, what: string, schema: z.ZodType<T>, act: (payload: T) => Promise<unknown>): void {
    listening.add(editor.on(event, schema, payload => notices.run(what, () => act(payload))))
  }

  on('terminal', 'showing Claude', TerminalEvent, call =>
    parts.terminal.act(call.how, call.arguments, call.context, call.view),
  )
  listenToSessions(parts, on)
  on('consent', 'asking before something private is sent', ConsentEvent, event => askConsent(parts, event))
  on('send', 'sending to Claude', SendEvent, event => send(parts, event))
  on('promptOpened', ':ClaudeCodePrompt', PromptOpenedEvent, event => promptOpened(parts, event))
  on('prompt', ':ClaudeCodePrompt', PromptEvent, event => sendPrompt(parts, event))
  on(
    'selectModel',
    ':ClaudeCodeSelectModel',
    z.object({ arguments: shownText, context: LaunchContext }),
    ({ arguments: args, context }) =>
      editor.call('models.choose', { models: parts.options().models, arguments: args.trim(), context }, nothing),
  )
  on('resume', ':ClaudeCodeResume', z.object({ config_dir: shownText.optional(), context: LaunchContext }), event =>
    resume(parts, event),
  )
  on('start', ':ClaudeCodeStart', z.object({ notify: z.boolean() }), async call => {
    const port = await parts.serve()
    if (call.notify) notices.info(`the server runs on port ${port}`)
  })
  on('stop', ':ClaudeCodeStop', z.unknown(), async () => {
    await parts.stopServing()
    parts.mentions.giveUpAll()
    notices.info('the server is stopped')
  })
  on('closeAllDiffs', ':ClaudeCodeCloseAllDiffs', z.unknown(), async () => {
    const count = await parts.review.closeAllByUser()
    notices.info(count === 0 ? 'no diff was closed' : `${count} ${count === 1 ? 'diff' : 'diffs'} closed`)
  })
  return listening
}
