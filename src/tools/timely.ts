// An answer in time from tools whose work has no limit of its own.
import type { Tool } from '../ide/tool.ts'
import type { Watchdog } from '../neovim/watchdog.ts'
import { answering } from './answers.ts'

/** The same tool, which says within 5 s why it can't answer while Neovim answers nobody. What it has begun goes on. */
export function timely(tool: Tool, editor: Pick<Watchdog, 'watch'>): Tool {
  return { ...tool, call: (input, call) => answering(() => editor.watch(tool.call(input, call), call.signal)) }
}
