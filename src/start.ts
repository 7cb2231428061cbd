// The composition root: what the program is made of, and how its parts are joined.
import { announceServer } from './announce-server.ts'
import { systemClock as clock } from './base/clock.ts'
import { DisposableStack } from './base/disposable.ts'
import type { Log, LogLevel } from './base/log.ts'
import { listenToCommands } from './commands/commands.ts'
import { SendEvent, sendAgain } from './commands/mention-commands.ts'
import type { CommandParts } from './commands/parts.ts'
import { noteTurn, toolOfATurn } from './commands/session-commands.ts'
import { createReview } from './diffs/create-review.ts'
import { LiveState } from './hooks/live-state.ts'
import { lockFolder } from './ide/claude-folders.ts'
import type { Client } from './ide/client.ts'
import { fillIdeName } from './ide/ide-name.ts'
import { IdeService } from './ide/service.ts'
import type { Tool } from './ide/tool.ts'
import { Notebooks } from './jupyter/notebooks.ts'
import { createMentions } from './mentions/create-mentions.ts'
import { withActivity } from './mentions/with-activity.ts'
import { type Editor, nothing } from './neovim/editor.ts'
import { createNotices } from './neovim/notices.ts'
import { Session } from './neovim/session.ts'
import { createWatchdog } from './neovim/watchdog.ts'
import { Privacy } from './privacy/privacy.ts'
import { SelectionTracker } from './selection/tracker.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { Settings } from './settings.ts'
import { Terminal } from './terminal/terminal.ts'
import { toolsOnOffer } from './tools/offer.ts'
import { version } from './version.ts'

/** The program of one Neovim, while it runs. */
export interface Program {
  /** Ends it: the lock file first, then answers for all who wait, then the sockets. */
  dispose(): Promise<void>
  /** Removes the lock file at once. */
  removeLockNow(): void
}

/**
 * Begins: asks Neovim for its session, and serves it. Resolves when Neovim knows that all is ready.
 * @param setLevel gets the level of the log that the user's options ask for.
 * @throws when Neovim refuses, or is gone; nothing is left behind then.
 */
export async function startProgram(editor: Editor, log: Log, setLevel: (level: LogLevel) => void): Promise<Program> {
  const notices = createNotices(editor, log)
  const session = await editor.call('session.begin', { channel: editor.channel }, Session)
  const settings = new Settings({ editor, notices, session, log, setLevel })
  const { options, folders } = settings

  let tools: readonly Tool[] = []
  const service = new IdeService(
    {
      portRange: options().port_range,
      port: session.port,
      token: session.token,
      processId: session.pid,
      lockFolder: lockFolder(session.config_dir),
      ideName: names => fillIdeName(options().ide_name, names),
      serverInfo: { name: 'claudecode-node', version },
      openFrom: () => adopted,
      tools: () => toolsOnOffer(tools, { notebooks: notebooks.isOffered, diffs: options().diff_opts.enabled }),
      log,
      clock,
    },
    folders(),
  )

  const parts = new DisposableStack()
  parts.add({ dispose: () => service.stop() })
  parts.add(settings)
  const sessions = parts.add(createSessions({ editor, clients: service, running: session.sessions, log }))
  const privacy = parts.add(new Privacy({ editor, log }))
  const selection = parts.add(new SelectionTracker({ editor, clients: service, privacy, log }))
  const type = (client: Client, text: string) => terminal.type(sessions.sessionOf(client), text)
  const review = createReview({ editor, notices, service, sessions, options, type, clock, log }, parts)
  const watchdog = createWatchdog(editor, clock)
  const mayShow = (path: string) => privacy.mayShow(path)
  const configurePrivacy = () => privacy.configure(settings.privacyRules)
  configurePrivacy()
  const notebooks = parts.add(
    new Notebooks({
      editor: watchdog,
      events: editor,
      notices,
      options: () => options().jupyter,
      mayShow,
      clock,
      log,
    }),
  )
  const { serve, stopServing } = announceServer(editor, service, log, parts)
  const owners = () => review.pendingOwners
  const { equip } = parts.add(new LiveState({ editor, sessions, options, session, owners, clock, log }))
  const terminal = new Terminal({ editor, options, sessions, equip, serve })
  const mentions = parts.add(
    createMentions({ editor, notices, log, clock, options, service, sessions, terminal, folders }),
  )
  const commands: CommandParts = {
    editor,
    notices,
    clock,
    options,
    serve,
    stopServing,
    review,
    terminal,
    sessions,
    mentions,
    isIgnored: path => privacy.isIgnored(path),
  }
  parts.add(listenToCommands(commands))

  /** With the schemas of all their arguments, for which the lock file need not wait. */
  async function loadTools(): Promise<void> {
    const { createTools } = await import('./tools/index.ts')
    const all = createTools({
      selection,
      review,
      notebooks,
      editor: watchdog,
      events: editor,
      folders,
      mayShow,
      privacyChanged: privacy.changed,
      clock,
    })
    tools = withActivity(all, (client, tool) => {
      mentions.noteActivity(client)
      if (tool === toolOfATurn) noteTurn({ editor, sessions, log }, client)
    })
  }

  const tellOfTools = () => service.broadcast('notifications/tools/list_changed', {})
  parts.add(notebooks.offerChanged(tellOfTools))
  const track = () => notices.run('tracking the selection', () => selection.configure(settings.trackingOptions))
  parts.add(
    settings.foldersChanged(() => {
      service.setFolders(folders())
      configurePrivacy()
    }),
  )
  parts.add(
    settings.optionsChanged(before => {
      if (options().diff_opts.enabled !== before.diff_opts.enabled) tellOfTools()
      notebooks.configure()
      service.setFolders(folders()) // the lock file has the option `ide_name`, too
      configurePrivacy()
      track()
    }),
  )
  parts.add(
    settings.trackingChanged(() => {
      configurePrivacy()
      track()
    }),
  )

  // The lock file first, and what Neovim has to be asked meanwhile: Claude may be on its way already.
  const adopted = review.adopt().then(loadTools)
  if (session.serve) notices.run('starting the server', serve)
  notices.run('looking out for notebooks', () => notebooks.watch())
  try {
    await adopted
    await editor.call('session.ready', {}, nothing)
  } catch (error) {
    service.removeLockNow()
    await parts.dispose()
    throw error
  }
  track()
  if (session.outbox !== undefined)
    notices.run('sending what waited', () => sendAgain(commands, SendEvent.parse(session.outbox)))
  return { dispose: () => parts.dispose(), removeLockNow: () => service.removeLockNow() }
}
