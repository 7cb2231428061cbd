// What the user has set, as Neovim tells it: the options, the workspace folders, and :ClaudeCodeTrack.
import { z } from 'zod'
import { type Disposable, DisposableStack } from './base/disposable.ts'
import { Emitter, type Event } from './base/emitter.ts'
import type { Log, LogLevel } from './base/log.ts'
import { type Editor, shownText } from './neovim/editor.ts'
import type { Notices } from './neovim/notices.ts'
import type { Session } from './neovim/session.ts'
import { readOptions } from './options/read-options.ts'
import type { Options } from './options/schema.ts'
import type { PrivacyRules } from './privacy/privacy.ts'
import type { TrackingOptions } from './selection/tracker.ts'
import { terminalWarnings } from './terminal/terminal.ts'

/** Where the settings come from, and who is told of what is wrong with them. */
export interface SettingsParts {
  editor: Editor
  notices: Notices
  session: Pick<Session, 'options' | 'folders' | 'tracking'>
  log: Log
  setLevel: (level: LogLevel) => void
}

/** The settings as they are now. What the user wrote wrong is told once, and its default stands in for it. */
export class Settings implements Disposable {
  readonly #parts: SettingsParts
  readonly #listening = new DisposableStack()
  readonly #optionsChanged: Emitter<Options>
  readonly #foldersChanged: Emitter<void>
  readonly #trackingChanged: Emitter<void>
  #options: Options
  #folders: readonly string[]
  #tracking: Session['tracking']

  constructor(parts: SettingsParts) {
    const { editor, session, log } = parts
    this.#parts = parts
    const onError = (error: unknown) => log.error('taking new settings failed', error)
    this.#optionsChanged = new Emitter(onError)
    this.#foldersChanged = new Emitter(onError)
    this.#trackingChanged = new Emitter(onError)
    this.#options = this.#read(session.options)
    this.#folders = session.folders
    this.#tracking = session.tracking
    this.#listening.add(
      editor.on('options', z.object({ options: z.unknown() }), event => {
        const before = this.#options
        this.#options = this.#read(event.options)
        this.#optionsChanged.emit(before)
      }),
    )
    this.#listening.add(
      editor.on('folders', z.object({ folders: z.array(shownText) }), event => {
        this.#folders = event.folders
        this.#foldersChanged.emit()
      }),
    )
    this.#listening.add(
      editor.on('track', z.object({ wanted: z.enum(['on', 'off']) }), event => {
        this.#tracking = event.wanted
        this.#trackingChanged.emit()
      }),
    )
  }

  /** The options in use. */
  readonly options = (): Options => this.#options

  /** The folders of the workspace, absolute, the working directory first. */
  readonly folders = (): readonly string[] => this.#folders

  /** `:ClaudeCodeTrack` comes before the option `track_selection`. */
  get trackingOptions(): TrackingOptions {
    const { track_selection, visual_demotion_delay_ms } = this.#options
    const isWanted = this.#tracking === undefined ? track_selection : this.#tracking === 'on'
    return { track_selection: isWanted, visual_demotion_delay_ms }
  }

  /** `:ClaudeCodeTrack off` hides everything. */
  get privacyRules(): PrivacyRules {
    return { options: this.#options.privacy, folders: this.#folders, isPaused: this.#tracking === 'off' }
  }

  /** Other options than before, which come with the event. */
  get optionsChanged(): Event<Options> {
    return this.#optionsChanged.event
  }

  /** The workspace has other folders. */
  get foldersChanged(): Event<void> {
    return this.#foldersChanged.event
  }

  /** The user has typed `:ClaudeCodeTrack`. */
  get trackingChanged(): Event<void> {
    return this.#trackingChanged.event
  }

  dispose(): Promise<void> {
    return this.#listening.dispose()
  }

  #read(written: unknown): Options {
    const { notices, setLevel } = this.#parts
    const { options, warnings } = readOptions(written)
    setLevel(options.log_level)
    for (const warning of [...warnings, ...terminalWarnings(options)]) notices.warn(warning)
    return options
  }
}
