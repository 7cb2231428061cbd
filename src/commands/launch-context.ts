// What Lua tells of the place that the user is in, for a Claude that may have to be started (lua/claudecode/cwd.lua).
import { z } from 'zod'
import { bytesOrText, shownText } from '../neovim/editor.ts'

export const LaunchContext = z.object({
  session: z.string().optional(),
  cwd: bytesOrText,
  no_proxy: shownText.optional(),
  NO_PROXY: shownText.optional(),
})
