// Which Claude does something at this moment: every call of a tool says so.
import type { Client } from '../ide/client.ts'
import type { Tool } from '../ide/tool.ts'

/** The same tools, telling who calls them: Claude does so at each turn of its user. */
export function withActivity(tools: readonly Tool[], note: (client: Client, tool: string) => void): Tool[] {
  return tools.map(tool => ({
    ...tool,
    call(input, call) {
      note(call.client, tool.name)
      return tool.call(input, call)
    },
  }))
}
