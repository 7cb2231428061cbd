// ZeroMQ, when it is there: an optional dependency, native, and only loaded for those who run code.
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
      `The package zeromq, which talks to Jupyter kernels, can't be loaded (${withoutPath(reason)}). ` +
        'Run `npm install zeromq --no-save` in the folder of the plugin, then restart Neovim.',
    )
  }
}

/** A loader's message names files of the plugin, which are nobody's business. */
function withoutPath(message: string): string {
  return message.replaceAll(/(?:[A-Za-z]:)?[\\/][^\s'":]*[\\/]([^\s'":\\/]*)/g, '$1')
}
