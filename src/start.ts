// The composition root: what the program is made of, and its only way to begin and to end.
import './base/no-jit.ts'
import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { systemClock } from './base/clock.ts'
import { DisposableStack } from './base/disposable.ts'
import { createAdjustableLog, inBackground, type Log, type LogLevel } from './base/log.ts'
import { listenToCommands } from './commands/commands.ts'
import { createMentions, withActivity } from './commands/create-mentions.ts'
import { SendEvent, sendAgain } from './commands/mention-commands.ts'
import type { CommandParts } from './commands/parts.ts'
import { noteTurn, toolOfATurn } from './commands/session-commands.ts'
import { createReview } from './diffs/create-review.ts'
import { LiveState } from './hooks/live-state.ts'
import type { Client } from './ide/client.ts'
import { fillIdeName } from './ide/ide-name.ts'
import { lockFolder } from './ide/lock-folder.ts'
import { IdeService } from './ide/service.ts'
import type { Tool } from './ide/tool.ts'
import { Notebooks } from './jupyter/notebooks.ts'
import { connectEditor, type Editor, nothing, shownText } from './neovim/editor.ts'
import { createNotices, ignoreGone } from './neovim/notices.ts'
import { Session } from './neovim/session.ts'
import { claimStdout } from './neovim/stdio.ts'
import { createWatchdog } from './neovim/watchdog.ts'
import { readOptions } from './options/read-options.ts'
import { Privacy } from './selection/privacy.ts'
import { SelectionTracker } from './selection/tracker.ts'
import { createSessions } from './sessions/create-sessions.ts'
import { Terminal, terminalWarnings } from './terminal/terminal.ts'
import { toolsOnOffer } from './tools/offer.ts'
import { version } from './version.ts'

const exitBudgetMs = 400 // lua/claudecode/host.lua waits this long for us when Neovim ends

/** The program of one Neovim, while it runs. */
interface Program {
  /** Ends it: the lock file first, then answers for all who wait, then the sockets. */
  dispose(): Promise<void>
  /** Removes the lock file at once. */
  removeLockNow(): void
}

async function startProgram(editor: Editor, log: Log, setLevel: (level: LogLevel) => void): Promise<Program> {
  const notices = createNotices(editor, log)
  const session = await editor.call('session.begin', { channel: editor.channel }, Session)
  let options = applyOptions(session.options)

  function applyOptions(written: unknown) {
    const read = readOptions(written)
    setLevel(read.options.log_level)
    for (const warning of [...read.warnings, ...terminalWarnings(read.options)]) notices.warn(warning)
    return read.options
  }

  let tools: readonly Tool[] = []
  const service = new IdeService(
    {
      portRange: options.port_range,
      port: session.port,
      token: session.token,
      processId: session.pid,
      lockFolder: lockFolder(session.config_dir),
      ideName: folders => fillIdeName(options.ide_name, folders),
      serverInfo: { name: 'claudecode-node', version },
      openFrom: () => adopted,
      tools: () => toolsOnOffer(tools, { notebooks: notebooks.isOffered, diffs: options.diff_opts.enabled }),
      log,
      clock: systemClock,
    },
    session.folders,
  )

  const parts = new DisposableStack()
  parts.add({ dispose: () => service.stop() })
  const sessions = parts.add(createSessions({ editor, clients: service, running: session.sessions, log }))
  const privacy = parts.add(new Privacy({ editor, log }))
  const selection = parts.add(new SelectionTracker({ editor, clients: service, privacy, log }))
  const type = (client: Client, text: string) => terminal.type(sessions.sessionOf(client), text)
  const review = createReview(
    { editor, notices, service, sessions, options: () => options, type, clock: systemClock, log },
    parts,
  )
  const watchdog = createWatchdog(editor, systemClock)
  const mayShow = (path: string) => privacy.mayShow(path)
  let folders: readonly string[] = session.folders
  let wanted = session.tracking // with :ClaudeCodeTrack

  function configurePrivacy(): void {
    privacy.configure({ options: options.privacy, folders, isPaused: wanted === 'off' })
  }
  async function configureTracking(): Promise<void> {
    const { track_selection, ...rest } = options
    await selection.configure({ ...rest, track_selection: wanted === undefined ? track_selection : wanted === 'on' })
  }
  configurePrivacy()
  const notebooks = parts.add(
    new Notebooks({
      editor: watchdog,
      events: editor,
      notices,
      options: () => options.jupyter,
      mayShow,
      clock: systemClock,
      log,
    }),
  )
  const tellOfTools = () => service.broadcast('notifications/tools/list_changed', {})
  parts.add(notebooks.offerChanged(tellOfTools))

  async function serve(): Promise<number> {
    const { port, token, lockFile } = await service.start()
    await editor.call('session.serving', { port, token, lock_file: lockFile }, nothing)
    return port
  }
  async function stopServing(): Promise<void> {
    await service.stop()
    await editor.call('session.serving', {}, nothing)
  }

  const owners = () => review.pendingOwners
  const context = { editor, sessions, options: () => options, session, owners, clock: systemClock, log }
  const { equip } = parts.add(new LiveState(context))
  const terminal = new Terminal({ editor, options: () => options, sessions, equip, serve })
  const mentions = parts.add(
    createMentions({
      editor,
      notices,
      log,
      clock: systemClock,
      options: () => options,
      service,
      sessions,
      terminal,
      folders: () => folders,
    }),
  )

  /** With the schemas of all their arguments, for which the lock file need not wait. */
  async function loadTools(): Promise<void> {
    const { createTools } = await import('./tools/index.ts')
    const all = createTools({
      selection,
      review,
      notebooks,
      editor: watchdog,
      events: editor,
      folders: () => folders,
      mayShow,
      privacyChanged: privacy.changed,
      clock: systemClock,
    })
    tools = withActivity(all, (client, tool) => {
      mentions.noteActivity(client)
      if (tool === toolOfATurn) noteTurn({ editor, sessions, log }, client)
    })
  }

  function reportClients(): void {
    inBackground(
      log,
      ignoreGone(editor.call('status.set', { clients: service.readyClients.length }, nothing)),
      'reporting clients',
    )
  }
  parts.add(service.clientReady(reportClients))
  parts.add(service.clientGone(reportClients))

  parts.add(
    editor.on('folders', z.object({ folders: z.array(shownText) }), event => {
      folders = event.folders
      service.setFolders(folders)
      configurePrivacy()
    }),
  )
  parts.add(
    editor.on('options', z.object({ options: z.unknown() }), event => {
      const hadDiffs = options.diff_opts.enabled
      options = applyOptions(event.options)
      if (options.diff_opts.enabled !== hadDiffs) tellOfTools()
      notebooks.configure()
      service.setFolders(folders)
      configurePrivacy()
      notices.run('tracking the selection', configureTracking)
    }),
  )
  parts.add(
    editor.on('track', z.object({ wanted: z.enum(['on', 'off']) }), event => {
      wanted = event.wanted
      configurePrivacy()
      notices.run('tracking the selection', configureTracking)
    }),
  )
  const commands: CommandParts = {
    editor,
    notices,
    clock: systemClock,
    options: () => options,
    serve,
    stopServing,
    review,
    terminal,
    sessions,
    mentions,
    isIgnored: path => privacy.isIgnored(path),
  }
  parts.add(listenToCommands(commands))

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
  notices.run('tracking the selection', configureTracking)
  if (session.outbox !== undefined)
    notices.run('sending what waited', () => sendAgain(commands, SendEvent.parse(session.outbox)))
  return { dispose: () => parts.dispose(), removeLockNow: () => service.removeLockNow() }
}

/** Runs on a connection until Neovim goes away or asks for the end. Resolves when everything is let go. */
async function run(
  reader: Readable,
  writer: Writable,
  log: Log,
  setLevel: (level: LogLevel) => void,
  signal: AbortSignal,
): Promise<void> {
  const editor = await connectEditor(reader, writer, log)
  const asked = new Promise<void>(resolve => {
    editor.on('shutdown', z.unknown(), () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const program = await startProgram(editor, log, setLevel)
  await Promise.race([asked, editor.gone])
  program.removeLockNow()
  await program.dispose()
}

/** The host as a process of its own: msgpack-RPC on stdin and stdout, the log on stderr (lua/claudecode/host.lua). */
export function runOnStdio(): void {
  const { log, setLevel } = createAdjustableLog(text => process.stderr.write(`${text}\n`))
  const writer = claimStdout()
  const ending = new AbortController()

  function end(code: number): void {
    ending.abort()
    process.exitCode = code
    setTimeout(() => process.exit(code), exitBudgetMs).unref()
  }
  function fail(error: unknown): void {
    log.error('fatal', error)
    end(1)
  }
  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => end(0))
  process.on('SIGHUP', () => end(0))
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  process.stderr.on('error', () => undefined) // Neovim is gone; the end of stdin says so too

  run(process.stdin, writer, log, setLevel, ending.signal).then(
    () => process.exit(),
    error => {
      log.error('fatal', error)
      process.exit(1)
    },
  )
}

/**
 * The host inside Neovim's node provider (rplugin/node/claudecode/index.js): a connection of its own to Neovim's address,
 * and no hold on the process, whose stderr Neovim drops. `write` takes the lines of the log. Resolves when the host has
 * ended, and rejects when it failed, which it has logged.
 */
export async function runOnSocket(address: string, write: (text: string) => void): Promise<void> {
  const { log, setLevel } = createAdjustableLog(write)
  const socket = connect(address)
  try {
    await run(socket, socket, log, setLevel, new AbortController().signal)
  } catch (error) {
    log.error('fatal', error)
    throw error
  } finally {
    socket.destroy() // by which Neovim notices, too
  }
}
