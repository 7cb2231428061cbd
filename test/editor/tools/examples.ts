// What tools are called with in tests: the examples of the protocol document, and what no example has.
import { expect } from 'vitest'
import { AnswerError, type CallResult } from '../../support/claude-client.ts'
import type { Session } from './support.ts'

/** The tools in the order of the protocol document, each with the example input that it has there. */
export const examples: [string, Record<string, unknown>][] = [
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

/** Which of their arguments they can't do without. */
export const required: Record<string, string[]> = {
  openFile: ['filePath'],
  openDiff: ['old_file_path', 'new_file_path', 'new_file_contents', 'tab_name'],
  checkDocumentDirty: ['filePath'],
  saveDocument: ['filePath'],
  close_tab: ['tab_name'],
  executeCode: ['code'],
}

/** Values that are wrong nearly everywhere, or just unkind. */
export const hostile: unknown[] = [
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

/** What a tool answers, be it an error. */
export async function outcome(
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

/** Fails for an answer that has something of our inside in it, or that is a bug. */
export function expectHarmless(name: string, answer: CallResult | AnswerError): void {
  const texts =
    answer instanceof AnswerError ? [answer.message, answer.data ?? ''] : answer.content.map(item => item.text)
  for (const text of texts) {
    expect(typeof text, name).toBe('string')
    expect(text, name).not.toMatch(/stack traceback|\.lua:|\.ts:\d|\[C\]|node_modules|table: 0x|function: 0x|E\d+:/)
  }
  // A bug of ours is -32603.
  if (answer instanceof AnswerError) expect([-32602, -32000], `${name}: ${answer.message}`).toContain(answer.code)
}
