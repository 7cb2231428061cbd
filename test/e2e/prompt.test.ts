// A prompt that was written in Neovim, at the real CLI: started for it, with the files that it names, once.
import { expect, test } from 'vitest'
import { say, textOf } from '../support/scripted-model.ts'
import { ClaudeSession } from './support/claude-session.ts'
import { waitForClaude } from './support/claude-terminal.ts'

test('a prompt starts Claude, which reads the files and lines that it names', async () => {
  const session = await ClaudeSession.start({ 'my notes.txt': 'one\ntwo\nthree\n', 'src/b.ts': 'gamma\ndelta\n' })
  try {
    session.model.add(say('Understood.'))
    await session.nvim.feed(':2,3ClaudeCodePrompt<CR>and (@src/b.ts#L2)<C-e>?<CR>more<Esc>:w<CR>')
    await waitForClaude(session, 'Understood.')
    const asked = textOf(session.model.requests.at(-1) as (typeof session.model.requests)[number])
    expect(asked).toContain('2\ttwo\n3\tthree')
    expect(asked).toContain('2\tdelta')
    expect(asked).not.toContain('gamma')
    expect(asked).toContain(`@"${session.path('my notes.txt')}#L2-3" and ( @${session.path('src/b.ts')}#L2)?\nmore`)
    expect(session.model.requests).toHaveLength(1)
  } finally {
    await session.dispose()
  }
})

test('a long prompt reaches the model whole, with what it names', async () => {
  const session = await ClaudeSession.start({ 'a.txt': 'alpha\n' })
  try {
    session.model.add(say('Understood.'))
    const lines = Array.from({ length: 2000 }, (_, i) => `line ${i} of a long text: 日本語 \u001b[201~ and more`)
    await session.nvim.feed(':ClaudeCodePrompt<CR><Esc>')
    await session.nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, ...)', [...lines, 'and @a.txt'])
    await session.nvim.feed(':w<CR>')
    await waitForClaude(session, 'Understood.')
    const asked = textOf(session.model.requests.at(-1) as (typeof session.model.requests)[number])
    expect(asked.includes(lines.join('\n').replaceAll('\u001b', ''))).toBe(true)
    expect(asked).toContain('1\talpha')
    expect(session.model.requests).toHaveLength(1)
  } finally {
    await session.dispose()
  }
})
