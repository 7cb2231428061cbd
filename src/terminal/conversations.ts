// The conversations that Claude has kept of a folder, for the user to choose from.
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasErrorCode } from '../base/errors.ts'
import { parseIfJson } from '../base/json.ts'

/** A conversation, as `claude --resume <id>` knows it. */
export interface Conversation {
  id: string
  /** When it went on last; ms since 1970. */
  changedAt: number
  /** What the user said first, in one line. */
  title: string
}

/** Enough of a file to find what was said first: what comes before it are a few lines of settings. */
const headBytes = 256 * 1024
/** A longer list helps nobody. */
const most = 50
const titleLength = 80

/** A line of a conversation, as far as it matters here. */
const Line = z.object({
  type: z.string(),
  isMeta: z.boolean().optional(),
  summary: z.string().optional(),
  message: z.object({ content: z.unknown() }).optional(),
})
const TextBlocks = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))

/**
 * The conversations of `folder`, the latest first.
 * @param configFolder Claude's: `$CLAUDE_CONFIG_DIR` or `~/.claude`.
 */
export async function listConversations(configFolder: string, folder: string): Promise<Conversation[]> {
  const kept = join(configFolder, 'projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  let names: string[]
  try {
    names = (await readdir(kept)).filter(name => name.endsWith('.jsonl'))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
  const files = await Promise.all(
    names.map(async name => ({ path: join(kept, name), name, changedAt: (await stat(join(kept, name))).mtimeMs })),
  )
  const latest = files.sort((a, b) => b.changedAt - a.changedAt).slice(0, most)
  const conversations = await Promise.all(
    latest.map(async ({ path, name, changedAt }) => {
      const title = titleOf(await readHead(path))
      return title === undefined ? [] : [{ id: name.slice(0, -'.jsonl'.length), changedAt, title }]
    }),
  )
  return conversations.flat()
}

async function readHead(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** What the user said first; undefined for a conversation in which they have said nothing. */
function titleOf(head: string): string | undefined {
  for (const text of head.split('\n')) {
    const said = saidIn(text)
    if (said) return said.length > titleLength ? `${said.slice(0, titleLength)}…` : said
  }
  return undefined
}

function saidIn(text: string): string | undefined {
  const line = Line.safeParse(parseIfJson(text)).data // the last line of the head is cut off
  if (line?.type === 'summary') return line.summary
  if (line?.type !== 'user' || line.isMeta) return undefined
  const content = line.message?.content
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : TextBlocks.safeParse(content).data
  // What Claude puts in between itself, such as the output of a command, is in tags.
  const said = blocks?.find(({ type, text: words }) => type === 'text' && words && !words.trimStart().startsWith('<'))
  return said?.text?.trim().replaceAll(/\s+/g, ' ')
}
