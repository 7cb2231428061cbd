// What becomes of an accepted text: the editor shows what the client has written, or keeps what nobody will write.
import { basename } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../base/clock.ts'
import { type Disposable, onDispose } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import { readIfThere } from '../base/read-if-there.ts'
import { type Editor, isRefusal } from '../neovim/editor.ts'
import type { Notices } from '../neovim/notices.ts'
import { holdsText } from './holds-text.ts'
import { awaitWrittenFile, type FileStamp } from './written-file.ts'

/** A text and the file that it is meant for. */
export interface AcceptedText {
  newPath: string
  text: string
}

/** A text that a client is about to write, or has just written. */
export interface ExpectedText extends AcceptedText {
  /** The file's state before that. */
  since: FileStamp
}

/** Looks after what the user has accepted until it is written, or safe otherwise. */
export interface AcceptedTexts extends Disposable {
  /** Brings the file's buffers up to date when the client has written it. `onHeld`: the file holds the text. */
  follow(expected: ExpectedText, onHeld?: () => void): void
  /** Whether the file holds the text. */
  isHeld(accepted: AcceptedText): Promise<boolean>
  /**
   * Nobody may ever write the text (protocol document, `:ClaudeCodeCloseAllDiffs`). Unless the file holds it already,
   * puts it into the file's buffer as unsaved changes. `snapshot` is a file with the text.
   * @returns whether the text is safe.
   */
  keep(accepted: AcceptedText, snapshot: string): Promise<boolean>
}

/** What it works with. */
export interface AcceptedTextsOptions {
  editor: Editor
  notices: Notices
  clock: Clock
  log: Log
}

/** Makes the keeper of the accepted texts of one Neovim. */
export function createAcceptedTexts({ editor, notices, clock, log }: AcceptedTextsOptions): AcceptedTexts {
  const following = new Map<string, Disposable>() // by path: only the newest text of a file matters

  async function reload(path: string): Promise<void> {
    const { has_unsaved } = await editor.call('buffers.reload', { path }, z.object({ has_unsaved: z.boolean() }))
    if (!has_unsaved) return
    const name = basename(path)
    notices.warn(
      `Claude wrote ${name}, but its buffer has unsaved changes, so it stays as it is; :edit! would show what Claude wrote`,
    )
  }

  async function isHeld({ newPath, text }: AcceptedText): Promise<boolean> {
    const bytes = await readIfThere(newPath)
    return bytes !== undefined && holdsText(bytes, text)
  }

  return {
    follow({ newPath: path, text, since }, onHeld) {
      following.get(path)?.dispose()
      const onWritten = async (isHeldNow: boolean) => {
        try {
          await reload(path)
        } finally {
          if (isHeldNow) onHeld?.()
        }
      }
      following.set(path, awaitWrittenFile({ path, text, since, onWritten, clock, log }))
    },
    isHeld,
    async keep(accepted, snapshot) {
      const { newPath } = accepted
      if (await isHeld(accepted)) return true
      const name = basename(newPath)
      try {
        const args = { path: newPath, source: snapshot }
        const { had_unsaved } = await editor.call('buffers.put', args, z.object({ had_unsaved: z.boolean() }))
        const undo = had_unsaved ? '; undo brings your own changes back' : ''
        notices.info(`the text that you accepted for ${name} is in its buffer, not saved yet${undo}`)
        return true
      } catch (error) {
        if (!isRefusal(error)) throw error
        notices.error(`the text that you accepted for ${name} stays in its diff: ${error.message}`)
        return false
      }
    },
    dispose: onDispose(() => {
      for (const file of following.values()) file.dispose()
    }).dispose,
  }
}
