// The server as Neovim knows it: where it listens, and how many clients it has.
import type { DisposableStack } from './base/disposable.ts'
import { inBackground, type Log } from './base/log.ts'
import type { IdeService } from './ide/service.ts'
import { type Editor, nothing } from './neovim/editor.ts'
import { ignoreGone } from './neovim/notices.ts'

/** Starts and stops the server, of which Neovim is told. */
export interface AnnouncedServer {
  /** Starts it unless it runs, and says its port. @throws {UserError} as `IdeService.start` does. */
  serve: () => Promise<number>
  stopServing: () => Promise<void>
}

/** Tells Neovim of the server from now on; listens to it until `parts` are let go. */
export function announceServer(editor: Editor, service: IdeService, log: Log, parts: DisposableStack): AnnouncedServer {
  function reportClients(): void {
    const told = ignoreGone(editor.call('status.set', { clients: service.readyClients.length }, nothing))
    inBackground(log, told, 'reporting clients')
  }
  parts.add(service.clientReady(reportClients))
  parts.add(service.clientGone(reportClients))
  return {
    async serve() {
      const { port, token, lockFile } = await service.start()
      await editor.call('session.serving', { port, token, lock_file: lockFile }, nothing)
      return port
    },
    async stopServing() {
      await service.stop()
      await editor.call('session.serving', {}, nothing)
    },
  }
}
