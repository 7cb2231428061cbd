// Earlier prompts, kept for each folder in a file that only the user can read.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseIfJson } from '../base/json.ts'
import { makePrivateFolder, writeAtomically } from '../base/private-file.ts'
import { readTextNow } from '../base/read-if-there.ts'

/** More of them nobody walks through. */
const most = 200
/** Of all prompts of a folder together. The newest is kept in any case. */
const mostCharacters = 1_000_000

const Kept = z.object({ folder: z.string(), prompts: z.array(z.string()) })

/** The prompts of one folder. */
export class PromptHistory {
  readonly #folder: string
  readonly #place: string
  readonly #file: string
  /** What was being written when Neovim ended (lua/claudecode/prompt.lua). */
  readonly #unsent: string

  /** @param stateFolder where Neovim keeps such things (`stdpath('state')`). */
  constructor(stateFolder: string, folder: string) {
    this.#folder = folder
    this.#place = join(stateFolder, 'claudecode', 'prompts')
    const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
    this.#file = join(this.#place, `${name}.json`)
    this.#unsent = join(this.#place, `${name}.unsent`)
  }

  /** All of them, the oldest first. A file that can't be read as one counts as empty. */
  read(): string[] {
    const unsent = readTextNow(this.#unsent)
    if (unsent !== undefined) {
      this.#write([...this.#readFile().filter(other => other !== unsent), unsent])
      rmSync(this.#unsent, { force: true })
    }
    return this.#readFile()
  }

  /** Adds one, which is then the newest. */
  add(prompt: string): void {
    this.#write([...this.read().filter(other => other !== prompt), prompt])
  }

  #readFile(): string[] {
    const text = readTextNow(this.#file)
    const parsed = text === undefined ? undefined : Kept.safeParse(parseIfJson(text))
    return parsed?.success ? parsed.data.prompts : []
  }

  #write(all: readonly string[]): void {
    const prompts = all.slice(-most)
    let characters = prompts.reduce((sum, { length }) => sum + length, 0)
    while (prompts.length > 1 && characters > mostCharacters) characters -= prompts.shift()?.length ?? 0
    makePrivateFolder(this.#place)
    writeAtomically(this.#file, JSON.stringify({ folder: this.#folder, prompts }))
  }
}
