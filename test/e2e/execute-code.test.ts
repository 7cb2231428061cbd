// Claude runs code in the notebook that the user is in: the real CLI, a real kernel, and the user's consent.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchTimeoutMs, ipykernelPython, kernelArguments, notebookFile, registerKernel } from '../support/ipykernel.ts'
import { type ModelRequest, say, useTool } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { openClaude, prompt, waitForClaude } from './support/claude-terminal.ts'
import { edit } from './support/files.ts'

const keyPatienceMs = 500
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

/** Says yes to the CLI's own question, which ignores keys in its first moments, until Neovim asks, too. */
async function allowToClaude(): Promise<void> {
  let pressedAt = Number.NEGATIVE_INFINITY
  await session.until(async () => {
    if (session.nvim.screen().join('\n').includes('Claude asks to run this in a.ipynb')) return true
    if (performance.now() - pressedAt < keyPatienceMs) return false
    pressedAt = performance.now()
    await session.nvim.input('<CR>')
    return false
  }, "Neovim's own question")
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
  await allowToClaude()
  await session.nvim.waitForScreen(/y: run it · n: don't/)
  await session.nvim.feed('y')
  await waitForClaude(session, 'It was run.')
  const answer = JSON.stringify(toolResult(session.model.requests.at(-1)))
  expect(answer).toContain('out')
  expect(answer).toContain('ZeroDivisionError: division by zero')
})
