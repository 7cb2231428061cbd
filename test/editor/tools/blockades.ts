// Ways to keep Neovim from answering, for the tests of what Claude hears meanwhile.
import { expect } from 'vitest'
import type { CallResult } from '../../support/claude-client.ts'
import type { Session } from './support.ts'

/** A session that is told nothing for longer looks dead. */
const limitMs = 5000

/** Ways to keep Neovim from answering: how it begins, what an answer has to say, and how it ends. */
export const blockades: [
  string,
  { begin(session: Session): Promise<void>; reason: RegExp; end(session: Session): Promise<void> },
][] = [
  [
    'a "Press ENTER" prompt',
    {
      begin: async ({ nvim }) => {
        await nvim.input(':echo "one\\ntwo\\nthree"<CR>')
        await nvim.waitForScreen(/Press ENTER/)
      },
      reason: /waits for a key.*Press ENTER/,
      end: ({ nvim }) => nvim.feed('<CR>'),
    },
  ],
  [
    'a pending `f`',
    {
      begin: ({ nvim }) => nvim.feed('f'),
      reason: /waits for a key/,
      end: ({ nvim }) => nvim.feed('<Esc>'),
    },
  ],
  [
    'a shell command',
    {
      begin: async ({ nvim }) => {
        await nvim.input(':!echo begun; sleep 60<CR>')
        await nvim.waitForScreen(/begun/)
      },
      reason: /has not answered for [\d.]+ s/,
      end: async ({ nvim }) => {
        await nvim.input('<C-c>')
        await nvim.waitFor(async () => {
          if ((await nvim.blockedMode()) === undefined) return true
          await nvim.input('<CR>')
          return undefined
        }, 'the end of the command and its prompt')
      },
    },
  ],
  [
    'SIGSTOP',
    {
      begin: async ({ nvim }) => nvim.kill('SIGSTOP'),
      reason: /has not answered for [\d.]+ s/,
      end: async ({ nvim }) => {
        nvim.kill('SIGCONT')
        await nvim.feed('')
      },
    },
  ],
]

/** Calls tools at the same time, and returns their answers by their names, all of which came in time. */
export async function answersInTime(
  { claude }: Session,
  calls: Record<string, Record<string, unknown>>,
): Promise<Record<string, CallResult>> {
  const before = performance.now()
  const answers = await Promise.all(
    Object.entries(calls).map(async ([name, args]) => [name, await claude.callTool(name, args)] as const),
  )
  expect(performance.now() - before).toBeLessThan(limitMs)
  return Object.fromEntries(answers)
}
