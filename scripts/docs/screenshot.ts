// Makes the pictures of the README from the real thing: the demo's Neovim and project, and the stand-in for Claude.

import { writeFileSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startNeovim, type TestNeovim } from '../../test/support/neovim.ts'
import { makePlaces, type Places } from '../../test/support/places.ts'
import { play } from '../demo/play.ts'
import { initLua, sampleFile, standInCommand, writeProject } from '../demo/project.ts'
import { neovimForDemo } from '../neovim.ts'
import { drawScreen } from './svg.ts'

/** A picture: what is done before it is taken. */
interface Scene {
  name: string
  title: string
  /** Options for setup(), as in a Lua table. */
  options?: string
  prepare?(places: Places): Promise<void>
  act(nvim: TestNeovim): Promise<void>
  rows?: number
}

const small = { columns: 110, rows: 20 }

async function openClaude(nvim: TestNeovim): Promise<void> {
  await nvim.feed(':ClaudeCode<CR>')
  await nvim.waitForScreen(/Connected to Neovim/, 30_000)
  await nvim.waitForScreen(/Press Enter: I/)
}

/** Claude's window at the right, and the cursor in the file at the left. */
async function openClaudeBesideFile(nvim: TestNeovim): Promise<void> {
  await openClaude(nvim)
  await backToFile(nvim)
}

async function backToFile(nvim: TestNeovim): Promise<void> {
  await nvim.feed('<C-\\><C-n><C-w>p6G')
}

const scenes: Scene[] = [
  {
    name: 'split',
    title: "Claude's window at the right; it sees what is selected at the left",
    async act(nvim) {
      await openClaudeBesideFile(nvim)
      await nvim.feed('Vjj')
      await nvim.waitForScreen(/⧉ 3 lines selected in/)
    },
  },
  {
    name: 'float',
    title: 'Claude in a floating window',
    options: "terminal = { position = 'float' }",
    act: openClaude,
  },
  {
    name: 'tab',
    title: 'Claude in a tab page of its own',
    options: "terminal = { position = 'tab' }",
    act: openClaude,
  },
  {
    name: 'prompt',
    title: 'A prompt is written in a buffer, and @ offers what Claude can be pointed to',
    rows: 24,
    async act(nvim) {
      await openClaudeBesideFile(nvim)
      await nvim.feed('Vjj:ClaudeCodePrompt<CR>')
      await nvim.waitFor("#require('claudecode.prompt.completion').files() > 0", 'the files')
      await nvim.feed('does not greet anyone without a name.<CR>Say "you" then, and mend @')
      await nvim.waitForScreen(/@diagnostics +what language/)
    },
  },
  {
    name: 'models',
    title: 'A choice of models',
    async act(nvim) {
      await nvim.feed(':ClaudeCodeSelectModel<CR>')
      await nvim.waitForScreen(/Claude's model:[\s\S]*Type number/)
    },
  },
  {
    name: 'sessions',
    title: 'A choice of the Claudes that run',
    async act(nvim) {
      await openClaudeBesideFile(nvim)
      await nvim.feed(':ClaudeCodeNew review<CR>')
      await nvim.waitFor("require('claudecode.status').get().clients == 2", 'both to be connected')
      await backToFile(nvim)
      await nvim.feed(':ClaudeCodeSessions<CR>')
      await nvim.waitForScreen(/1: [\s\S]*2: [\s\S]*Type number/)
    },
  },
  {
    name: 'resume',
    title: 'A choice of earlier conversations of the folder',
    prepare: writeConversations,
    async act(nvim) {
      await nvim.feed(':ClaudeCodeResume<CR>')
      await nvim.waitForScreen(/Take up again:[\s\S]*Type number/)
    },
  },
]

/** A diff of the demo's in each layout. */
const diffs: [name: string, layout: string, title: string][] = [
  ['diff', 'vertical', "A proposal of Claude's beside the file that it changes"],
  ['diff-horizontal', 'horizontal', "A proposal of Claude's below the file that it changes"],
  ['diff-unified', 'unified', "A proposal of Claude's in one window, with the lines that it takes away"],
]

/** Conversations as Claude keeps them, of a minute, three hours and five days ago. */
async function writeConversations({ configDir, folder }: Places): Promise<void> {
  const kept = join(configDir, 'projects', folder.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  await mkdir(kept, { recursive: true })
  const said: [string, number][] = [
    ['Greet people who have no name, too', 1],
    ['Why does farewell() not end with a full stop?', 180],
    ['Write a test for greeting.js', 5 * 24 * 60],
  ]
  for (const [index, [text, minutes]] of said.entries()) {
    const file = join(kept, `0000000${index}-0000-4000-8000-000000000000.jsonl`)
    await writeFile(file, `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
    const then = new Date(Date.now() - minutes * 60_000)
    await utimes(file, then, then)
  }
}

async function take({ name, title, options, prepare, act, rows }: Scene): Promise<void> {
  const places = await makePlaces()
  try {
    await writeProject(places.folder)
    await prepare?.(places)
    const nvim = await startNeovim({
      places,
      plugin: false,
      init: initLua(standInCommand(), options),
      args: [sampleFile],
      ...small,
      ...(rows !== undefined && { rows }),
    })
    try {
      await nvim.waitFor("require('claudecode.status').get().port", 'the server')
      await act(nvim)
      save(name, nvim, title)
    } finally {
      await nvim.close()
    }
  } finally {
    await places.remove()
  }
}

function save(name: string, nvim: TestNeovim, title: string): void {
  const file = fileURLToPath(new URL(`../../doc/${name}.svg`, import.meta.url))
  writeFileSync(file, drawScreen(nvim.screenCells(), title))
  console.log(`  (wrote doc/${name}.svg)`)
}

const neovim = await neovimForDemo()
const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
process.env['CLAUDECODE_TEST_NVIM'] = neovim.path // where the test harness finds it
for (const scene of scenes) if (isWanted(scene.name)) await take(scene)
for (const [name, layout, title] of diffs) {
  if (!isWanted(name)) continue
  await play(neovim, {
    columns: 132,
    rows: 26,
    options: `diff_opts = { layout = "${layout}" }`,
    async onDiff(nvim) {
      await nvim.waitForScreen(/Opened changes in Neovim/)
      save(name, nvim, title)
    },
  })
}
