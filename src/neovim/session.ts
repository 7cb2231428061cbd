// What lua/claudecode/session.lua tells a host that begins.
import { z } from 'zod'
import { bytesOrText, luaList, shownText } from './editor.ts'

/** The session of one Neovim, which outlives its hosts. */
export const Session = z.object({
  /** Neovim's process id. */
  pid: z.int(),
  /** Absolute folders of the workspace, the working directory first. */
  folders: z.array(shownText),
  /** What the user gave to setup(), unchecked. */
  options: z.unknown(),
  /** Where $CLAUDE_CONFIG_DIR says that Claude's configuration is; absolute. */
  config_dir: shownText.optional(),
  /** Whether the server is wanted from the start. */
  serve: z.boolean(),
  /** Port and token of the host before this one. */
  port: z.int().optional(),
  token: z.string().optional(),
  /** Where the hooks of the Claudes that run post to, and what their tokens are made from: those of the host before this one. */
  hooks: z.object({ port: z.int(), secret: z.string() }).optional(),
  /** What the user has said with `:ClaudeCodeTrack`, if anything. */
  tracking: z.enum(['on', 'off']).optional(),
  /** What the host before this one had not sent to Claude yet (`SendEvent`). */
  outbox: z.unknown().optional(),
  /** The Claudes that run in Neovim since the time of another host; the one that was used last is the last one. */
  sessions: luaList(z.object({ id: z.string(), name: shownText, folder: bytesOrText })),
})
export type Session = z.output<typeof Session>
