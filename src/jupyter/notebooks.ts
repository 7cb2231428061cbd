// Code for notebooks: which one is meant, whether it may run, and in which kernel.
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { DisposableStack } from '../base/disposable.ts'
import { Emitter, type Event } from '../base/emitter.ts'
import { UserError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { ToolContent } from '../ide/tool.ts'
import { type Editor, luaTable, shownText } from '../neovim/editor.ts'
import type { Notices } from '../neovim/notices.ts'
import type { Watchdog } from '../neovim/watchdog.ts'
import type { Options } from '../options/schema.ts'
import { Consent } from './consent.ts'
import type { Kernel } from './kernel.ts'
import { loadZeroMq } from './load-zeromq.ts'
import { folderOf, kernelNameOf, Notebook, nameOf } from './notebook.ts'
import { NotebookKernel } from './notebook-kernel.ts'

/** What it is made of. */
export interface NotebooksParts {
  editor: Watchdog
  events: Pick<Editor, 'on'>
  notices: Notices
  options: () => Options['jupyter']
  /** Whether a client may hear of a file at all, by its absolute path. */
  mayShow: (path: string) => boolean
  clock: Clock
  log: Log
}

const noNotebook =
  'No notebook is active in Neovim: code runs in the kernel of an .ipynb file, or of a Python file with "# %%" cells, that the user is in'

/** The user's environment as it is in Neovim, which plugins for virtual environments change. */
const NeovimEnvironment = luaTable(z.record(z.string(), shownText))

interface Known {
  kernel: NotebookKernel
  isAllowed: boolean
}

/** The notebooks of one Neovim, by their paths, and their kernels. Listens to the commands for kernels, too. */
export class Notebooks {
  readonly #parts: NotebooksParts
  readonly #consent: Consent
  readonly #listening = new DisposableStack()
  readonly #known = new Map<string, Known>()
  readonly #offerChanged: Emitter<boolean>
  #seen = false
  #wasOffered: boolean | undefined

  constructor(parts: NotebooksParts) {
    this.#parts = parts
    this.#consent = new Consent(parts.editor, parts.events, parts.log)
    this.#offerChanged = new Emitter(error => parts.log.error('a listener of the notebooks failed', error))
    const { events, notices } = parts
    this.#listening.add(
      events.on('notebook', z.unknown(), () => {
        this.#seen = true
        this.configure()
      }),
    )
    this.#listening.add(
      events.on('kernelRestart', z.unknown(), () => notices.run(':ClaudeCodeKernelRestart', () => this.#restart())),
    )
    this.#listening.add(
      events.on('kernelInterrupt', z.unknown(), () =>
        notices.run(':ClaudeCodeKernelInterrupt', () => this.#interrupt()),
      ),
    )
  }

  /** Whether Claude is offered to run code. Once a notebook was active this stays, so that the offer does not flicker. */
  get isOffered(): boolean {
    const { enabled } = this.#parts.options()
    return enabled === 'always' || (enabled === 'notebook' && this.#seen)
  }

  /** The offer has begun, or ended. */
  get offerChanged(): Event<boolean> {
    return this.#offerChanged.event
  }

  /** Begins to look out for notebooks. */
  async watch(): Promise<void> {
    const { seen } = await this.#parts.editor.call('jupyter.watch', {}, z.object({ seen: z.boolean() }), forEver)
    this.#seen ||= seen
    this.configure()
  }

  /** The options may have changed. */
  configure(): void {
    const isOffered = this.isOffered
    if (this.#wasOffered !== undefined && this.#wasOffered !== isOffered) this.#offerChanged.emit(isOffered)
    this.#wasOffered = isOffered
  }

  /**
   * Runs code in the kernel of the active notebook, if the user lets it, and returns what it puts out. The exceptions of
   * the code are output, too.
   * @throws {UserError} with a sentence for the client: no notebook, no kernel, not allowed.
   * @throws the reason of the signal, once that is aborted; the code is interrupted then.
   */
  async run(code: string, signal: AbortSignal): Promise<ToolContent[]> {
    const notebook = await this.#active(signal)
    if (notebook === undefined || !this.#parts.mayShow(notebook.path.toString())) throw new UserError(noNotebook)
    await this.#requireZeroMq()
    const known = this.#knownOf(notebook)
    await this.#askForConsent(notebook, known, code, signal)
    this.#parts.log.info(`running in ${nameOf(notebook)}:\n${code}`)
    return known.kernel.run(code, signal)
  }

  /** Ends all kernels. */
  async dispose(): Promise<void> {
    const kernels = [...this.#known.values()].map(({ kernel }) => kernel)
    this.#known.clear()
    await Promise.all([this.#listening.dispose(), this.#consent.dispose(), ...kernels.map(kernel => kernel.dispose())])
  }

  async #restart(): Promise<void> {
    const { notices } = this.#parts
    const notebook = await this.#activeForUser()
    const known = this.#known.get(keyOf(notebook))
    if (known?.kernel.hasKernel !== true)
      return notices.info(`${nameOf(notebook)} has no kernel yet; the first code starts it`)
    await known.kernel.restart()
    notices.info(`the kernel of ${nameOf(notebook)} was restarted`)
  }

  async #interrupt(): Promise<void> {
    const { notices } = this.#parts
    const notebook = await this.#activeForUser()
    const interrupted = this.#known.get(keyOf(notebook))?.kernel.interrupt() ?? false
    notices.info(interrupted ? `what ran in ${nameOf(notebook)} is interrupted` : `nothing runs in ${nameOf(notebook)}`)
  }

  /** Nobody is asked about code that can't run. What is missing only the user can install, so they are told as well. */
  async #requireZeroMq(): Promise<void> {
    try {
      await loadZeroMq()
    } catch (error) {
      if (error instanceof UserError) this.#parts.notices.warn(error.message)
      throw error
    }
  }

  async #active(signal: AbortSignal): Promise<Notebook | undefined> {
    const found = await this.#parts.editor.call('jupyter.active', {}, luaTable(Notebook.partial()), { signal })
    return found.path === undefined ? undefined : Notebook.parse(found)
  }

  async #activeForUser(): Promise<Notebook> {
    const notebook = await this.#active(forEver.signal)
    if (notebook === undefined)
      throw new UserError('this is no notebook: go to an .ipynb file, or a Python file with # %% cells')
    return notebook
  }

  #knownOf(notebook: Notebook): Known {
    const key = keyOf(notebook)
    const known = this.#known.get(key) ?? {
      kernel: new NotebookKernel(signal => this.#startKernel(notebook, signal), this.#parts.clock),
      isAllowed: false,
    }
    this.#known.set(key, known)
    return known
  }

  async #startKernel(notebook: Notebook, signal: AbortSignal): Promise<Kernel> {
    const { editor, log, clock, options } = this.#parts
    const env = await editor.call('jupyter.environment', {}, NeovimEnvironment, { signal })
    const name = options().kernel || (await kernelNameOf(notebook))
    const [{ findKernelSpec }, { Kernel }] = await Promise.all([import('./kernel-spec.ts'), import('./kernel.ts')]) // few need them
    const spec = await findKernelSpec(name, env, log)
    return Kernel.start({ spec, cwd: folderOf(notebook), env, log, clock, signal })
  }

  async #askForConsent(notebook: Notebook, known: Known, code: string, signal: AbortSignal): Promise<void> {
    const { ask } = this.#parts.options()
    const isNeeded = () => ask === 'always' || (ask === 'first' && !known.isAllowed)
    if (!isNeeded()) {
      const [firstLine = ''] = code.trim().split('\n', 1)
      this.#parts.notices.info(`Claude runs code in ${nameOf(notebook)}: ${firstLine}`)
      return
    }
    const note = ask === 'first' ? 'Later code in this notebook will run without asking.' : ''
    const title = `Claude asks to run this in ${nameOf(notebook)}`
    if (!(await this.#consent.ask({ code, title, note }, isNeeded, signal))) {
      throw new UserError('The user did not allow this code to run.')
    }
    known.isAllowed = true
  }
}

const forEver = { signal: new AbortController().signal }

function keyOf(notebook: Notebook): string {
  return typeof notebook.path === 'string' ? notebook.path : notebook.path.toString('latin1')
}
