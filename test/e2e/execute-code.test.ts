// Claude runs code in the notebook that the user is in: the real CLI, a real kernel, and the user's consent.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchTimeoutMs, ipykernelPython, kernelArguments, notebookFile, registerKernel } from '../support/ipykernel.ts'
import { type ModelRequest, say, useTool } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { openClaude, pressUntil, prompt, waitForClaude, waitForPrompt } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'

const mostRounds = 10

let session: ClaudeSession

beforeAll(async () => {
  const python = await ipykernelPython()
  session = await ClaudeSession.start({ 'first.txt': 'no notebook\n', 'a.ipynb': notebookFile('python3') })
  await registerKernel(join(session.nvim.home, '.local/share/jupyter'), 'python3', { argv: kernelArguments(python) })
  await openClaude(session)
}, fetchTimeoutMs)

afterAll(() => session?.dispose())

/** The IDE's tools that the model has been told of: among its tools, or by the names of those that it may ask for. */
function offeredIn(request: ModelRequest | undefined): string[] {
  const names = JSON.stringify(request ?? {}).matchAll(/mcp__ide__\w+/g)
  return [...new Set([...names].map(([name]) => name))].sort()
}

/** What the CLI told the model that its tool answered. */
function toolResult(request: ModelRequest | undefined): unknown {
  const content = request?.messages.at(-1)?.content
  return Array.isArray(content) ? content.find(({ type }) => type === 'tool_result') : undefined
}

test('the model is offered the tool once the user has been in a notebook', async () => {
  await prompt(session, 'hello there', say('Hello to you.'))
  await waitForClaude(session, 'Hello to you.')
  expect(offeredIn(session.model.requests.at(-1))).toEqual(['mcp__ide__getDiagnostics'])
  await edit(session, 'a.ipynb')
  // The CLI asks for the list a moment after it was told that there is a new one.
  for (let round = 1; round <= mostRounds; round += 1) {
    await prompt(session, `question ${round}`, say(`Answer ${round}.`))
    await waitForClaude(session, `Answer ${round}.`)
    if (offeredIn(session.model.requests.at(-1)).includes('mcp__ide__executeCode')) break
  }
  expect(offeredIn(session.model.requests.at(-1))).toEqual(['mcp__ide__executeCode', 'mcp__ide__getDiagnostics'])
})

test('its code runs when the user has allowed it to Claude and to Neovim, and the model gets all of the output', async () => {
  const code = 'print("out")\n1 / 0'
  await prompt(session, 'run it please', useTool('mcp__ide__executeCode', { code }), say('It was run.'))
  await waitForClaude(session, 'Do you want to proceed?')
  const isAsked = () => session.nvim.screen().join('\n').includes('Claude asks to run this in a.ipynb')
  await pressUntil(session, '<CR>', isAsked, "Neovim's own question")
  await session.nvim.waitForScreen(/y: run it · n: don't/)
  await session.nvim.feed('y')
  await waitForClaude(session, 'It was run.')
  const answer = JSON.stringify(toolResult(session.model.requests.at(-1)))
  expect(answer).toContain('out')
  expect(answer).toContain('ZeroDivisionError: division by zero')
})

test('Escape in Claude interrupts an endless loop, and the kernel goes on with the next code', async () => {
  const [started, interrupted] = [session.path('started'), session.path('interrupted')]
  const code = `import time
x = 20
try:
  while True:
    open('started', 'w').close()
    time.sleep(0.05)
except KeyboardInterrupt:
  open('interrupted', 'w').close()
  raise`
  await prompt(session, 'run without an end', useTool('mcp__ide__executeCode', { code }))
  await pressUntil(session, '<CR>', () => existsSync(started), 'the loop to run')
  await pressUntil(session, '<Esc>', () => existsSync(interrupted), 'the loop to be interrupted')
  await waitForClaude(session, 'Interrupted')
  await waitForPrompt(session)
  await rm(started)

  await prompt(
    session,
    'go on',
    useTool('mcp__ide__executeCode', { code: "open('started', 'w')\nx + 1" }),
    say('It went on.'),
  )
  await pressUntil(session, '<CR>', () => existsSync(started), 'the next code to run')
  await waitForClaude(session, 'It went on.')
  expect(JSON.stringify(toolResult(session.model.requests.at(-1)))).toContain('21')
})
