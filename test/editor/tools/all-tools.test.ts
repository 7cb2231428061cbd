// All tools together: how they are listed, and that each of them answers whatever it is called with.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { AnswerError, type CallResult } from '../../support/claude-client.ts'
import { type Session, startSession } from './support.ts'

/** The tools in the order of the protocol document, each with the example input that it has there. */
const examples: [string, Record<string, unknown>][] = [
  [
    'openFile',
    {
      filePath: '/path/to/file.js',
      preview: false,
      startText: 'function hello',
      endText: '}',
      selectToEndOfLine: false,
      makeFrontmost: true,
    },
  ],
  [
    'openDiff',
    {
      old_file_path: '/path/to/original.js',
      new_file_path: '/path/to/modified.js',
      new_file_contents: '// Modified content...',
      tab_name: 'Proposed changes',
    },
  ],
  ['getCurrentSelection', {}],
  ['getLatestSelection', {}],
  ['getOpenEditors', {}],
  ['getWorkspaceFolders', {}],
  ['getDiagnostics', { uri: 'file:///path/to/file.js' }],
  ['checkDocumentDirty', { filePath: '/path/to/file.js' }],
  ['saveDocument', { filePath: '/path/to/file.js' }],
  ['close_tab', { tab_name: '✻ [Claude Code] filename.js (e18e1e) ⧉' }],
  ['closeAllDiffTabs', {}],
  ['executeCode', { code: "print('Hello, World!')" }],
]

const required: Record<string, string[]> = {
  openFile: ['filePath'],
  openDiff: ['old_file_path', 'new_file_path', 'new_file_contents', 'tab_name'],
  checkDocumentDirty: ['filePath'],
  saveDocument: ['filePath'],
  close_tab: ['tab_name'],
  executeCode: ['code'],
}

/** These wait for the user. */
const waiting = ['openDiff', 'executeCode']

test('they are listed in the order of the document, with schemas that take its examples', async () => {
  const { claude } = await startSession()
  const names = claude.tools.map(tool => tool.name)
  // executeCode is only there for those who work on notebooks
  expect(names.filter(name => name !== 'executeCode')).toEqual(examples.map(([name]) => name).slice(0, -1))
  for (const { name, description, inputSchema } of claude.tools) {
    const [, example] = examples.find(([one]) => one === name) ?? []
    expect(description.length, name).toBeGreaterThan(20)
    expect(inputSchema, name).toMatchObject({ type: 'object' })
    expect(inputSchema.required ?? [], name).toEqual(required[name] ?? [])
    const schema = z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0])
    expect(schema.parse(example), name).toMatchObject(example ?? {})
    for (const missing of required[name] ?? []) {
      expect(schema.safeParse({ ...example, [missing]: undefined }).success, `${name} without ${missing}`).toBe(false)
      expect(schema.safeParse({ ...example, [missing]: 7 }).success, `${name} with a wrong ${missing}`).toBe(false)
    }
    for (const property of Object.values(inputSchema.properties ?? {})) {
      expect(property, name).toHaveProperty('description')
    }
  }
})

test('W-12, W-16: every name of the document answers, and every answer is made of strings', async () => {
  const session = await startSession()
  for (const [name, example] of examples) {
    if (!waiting.includes(name)) expectHarmless(name, await outcome(session, name, example))
  }
})

/** Values that are wrong nearly everywhere, or just unkind. */
const hostile: unknown[] = [
  null,
  true,
  -1,
  1e308,
  [],
  {},
  [[]],
  '',
  ' ',
  '\0',
  '\n',
  '..',
  '/',
  '~',
  '%',
  '#',
  '$HOME',
  '`touch /tmp/x`',
  '<CR>:qa!<CR>',
  "'",
  '"]] error("x") --',
  '\u001b[31m',
  '\ud800',
  '🎉'.repeat(5000),
  'file://',
  'file:///',
  'file:///%',
  'file:///%00',
  { __proto__: null, constructor: 1 },
]

test('whatever a tool is called with: an answer, and nothing of our inside in it', async () => {
  const session = await startSession({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  const { claude, nvim } = session
  for (const { name, inputSchema } of claude.tools) {
    if (waiting.includes(name)) continue
    const [, example] = examples.find(([one]) => one === name) ?? []
    const parameters = Object.keys(inputSchema.properties ?? {})
    for (const value of hostile) {
      for (const parameter of [...parameters, 'unknown']) {
        expectHarmless(name, await outcome(session, name, { ...example, [parameter]: value }))
      }
    }
  }
  expect(await nvim.blockedMode()).toBeUndefined()
  expect(
    await nvim.lua('return { vim.fn.expand("%:t"), vim.fn.winnr("$"), #vim.fn.getbufinfo({ bufmodified = 1 }) }'),
  ).toEqual(['a.txt', 1, 0])
  expect(await nvim.messages()).toBe('')
  expect(claude.isOpen).toBe(true)
  expect(nvim.hosts()).toHaveLength(1)
})

async function outcome(
  session: Session,
  name: string,
  args: Record<string, unknown>,
): Promise<CallResult | AnswerError> {
  try {
    return await session.claude.callTool(name, args)
  } catch (error) {
    if (error instanceof AnswerError) return error
    throw error
  }
}

function expectHarmless(name: string, answer: CallResult | AnswerError): void {
  const texts =
    answer instanceof AnswerError ? [answer.message, answer.data ?? ''] : answer.content.map(item => item.text)
  for (const text of texts) {
    expect(typeof text, name).toBe('string')
    expect(text, name).not.toMatch(/stack traceback|\.lua:|\.ts:\d|\[C\]|node_modules|table: 0x|function: 0x|E\d+:/)
  }
  // A bug of ours is -32603.
  if (answer instanceof AnswerError) expect([-32602, -32000], `${name}: ${answer.message}`).toContain(answer.code)
}
