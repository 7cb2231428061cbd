// Before something private is sent: which of it is, so that Lua can ask the user.
import { z } from 'zod'
import { bytesOrText, luaList, nothing } from '../neovim/editor.ts'
import type { CommandParts } from './parts.ts'

/** `consent`, as lua/claudecode/commands/consent.lua tells it. */
export const ConsentEvent = z.object({
  id: z.int(),
  /** Absolute paths; `is_private`: the buffer or the user's function says so. */
  files: luaList(z.object({ path: bytesOrText, is_private: z.boolean() })),
})

/** Says which of the files are private. Lua asks the user, and goes on with what may be sent. */
export function askConsent(
  { editor, isIgnored }: Pick<CommandParts, 'editor' | 'isIgnored'>,
  { id, files }: z.output<typeof ConsentEvent>,
): Promise<void> {
  const paths = files.filter(({ path, is_private }) => is_private || isIgnored(path)).map(({ path }) => path)
  return editor.call('consent.ask', { id, paths }, nothing)
}
