// ZeroMQ, when it is there: native, and only installed and loaded for those who run code (`npm run notebooks`).
import { UserError } from '../base/errors.ts'

export type ZeroMq = typeof import('zeromq')

/**
 * Loads ZeroMQ, once.
 * @throws {UserError} it is not installed, or not for this machine.
 */
export async function loadZeroMq(load: () => Promise<ZeroMq> = () => import('zeromq')): Promise<ZeroMq> {
  try {
    return await load()
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    throw new UserError(
      'Running code in notebooks needs a package that is not installed by itself: run :ClaudeCodeKernelInstall in Neovim. ' +
        `(zeromq, which talks to Jupyter kernels: ${withoutPath(reason)})`,
    )
  }
}

/** A loader's message names files of the plugin, which are nobody's business. */
function withoutPath(message: string): string {
  return message.replaceAll(/(?:[A-Za-z]:)?[\\/][^\s'":]*[\\/]([^\s'":\\/]*)/g, '$1')
}
