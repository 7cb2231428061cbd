// A scripted stand-in for Claude: connects to Neovim through the lock file as the CLI does, tells what it sees of the
// user's selection, and proposes edits. It runs in the terminal that :ClaudeCode opens.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  type ClaudeClient,
  connectThroughLockFile,
  type ReceivedNotification,
} from '../../test/support/claude-client.ts'
import { edits } from './edits.ts'

let shown = ''
const noLimitMs = 2 ** 31 - 1
const print = (text: string) => process.stdout.write(`${wrap(text)}\n`)

/** Breaks at blanks, since Claude's window is narrow. */
function wrap(text: string): string {
  const width = process.stdout.columns || 80
  return text.replaceAll(new RegExp(`(.{1,${width - 1}})(?: +|$)`, 'gm'), '$1\n').replace(/\n$/, '')
}

const configFolder = process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude')
const port = Number(process.env['CLAUDE_CODE_SSE_PORT']) || undefined

print('✻ A stand-in for Claude Code, with a script instead of a model\n')
const client: ClaudeClient = await connectThroughLockFile(configFolder, port)
print('Connected to Neovim.')
print('Select lines in your file, and see here what Claude sees.')
print('Press Enter: I propose an edit. Type q and Enter: I go.\n')

void watchSelection()
void client.closed.then(() => {
  print('Neovim has ended the connection.')
  process.exit()
})

async function watchSelection(): Promise<void> {
  for (let seen = 0; client.isOpen; seen = client.notifications.length) {
    const next = client.waitForNotification('selection_changed', () => true, { from: seen, timeout: noLimitMs })
    await next.catch(() => undefined) // the connection ended, which is told above
    for (const notification of client.notifications.slice(seen)) showSelection(notification)
  }
}

function showSelection({ method, params }: ReceivedNotification): void {
  if (method !== 'selection_changed') return
  const { text, filePath, selection } = params as {
    text: string
    filePath: string
    selection: { start: { line: number }; end: { line: number; character: number }; isEmpty: boolean }
  }
  const lines = selection.end.line - selection.start.line + (selection.end.character === 0 ? 0 : 1)
  const first = text.split('\n', 1)[0]?.trim().slice(0, 30)
  const line = selection.isEmpty
    ? `⧉ in ${basename(filePath)}`
    : `⧉ ${lines} ${lines === 1 ? 'line' : 'lines'} selected in ${basename(filePath)}: ${first}`
  if (line === shown) return
  shown = line
  print(line)
}

let next = 0
async function propose(): Promise<void> {
  const edit = edits[next++ % edits.length]
  if (!edit) return
  const path = join(process.cwd(), edit.file)
  const old = existsSync(path) ? await readFile(path, 'utf8') : ''
  const tabName = `✻ [Claude Code] ${basename(path)} (${Math.random().toString(16).slice(2, 8)}) ⧉`
  print(`\n${edit.says}`)
  print('Opened changes in Neovim: :w accepts them, :q rejects them.')
  const answer = await client.callTool(
    'openDiff',
    { old_file_path: path, new_file_path: path, new_file_contents: edit.apply(old), tab_name: tabName },
    { timeout: noLimitMs }, // a review takes the time it takes
  )
  const [verdict, text] = answer.content.map(item => item.text)
  if (verdict === 'FILE_SAVED' && text !== undefined) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    print(`Accepted${text === edit.apply(old) ? '' : ', with your changes'}. I wrote ${edit.file}.`)
  } else {
    print(`Rejected. I leave ${edit.file} alone.`)
  }
  await client.callTool('close_tab', { tab_name: tabName })
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === 'q') break
  await propose().catch(error => print(`That failed: ${error instanceof Error ? error.message : error}`))
}
client.terminate()
process.exit()
