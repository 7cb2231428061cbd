// The life of kernels: restarted, interrupted, killed, and ended with Neovim, however that ends.
import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { fetchTimeoutMs, ipykernelPython } from '../../support/ipykernel.ts'
import { isAlive } from '../../support/processes.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startNotebookSession } from './session.ts'

beforeAll(async () => void (await ipykernelPython()), fetchTimeoutMs)

const files = { 'a.py': '# %%\n', 'c.txt': '' }

describe('commands', () => {
  test(':ClaudeCodeKernelRestart ends the kernel and starts a new one', async () => {
    const { nvim, texts, kernels } = await startNotebookSession(files)
    await texts('x = 1')
    const before = kernels()
    await nvim.feed(':ClaudeCodeKernelRestart<CR>')
    await nvim.waitForScreen(/the kernel of a.py was restarted/)
    expect(kernels()).toHaveLength(1)
    expect(kernels()).not.toEqual(before)
    expect(await texts("'x' in globals()")).toEqual(['False'])
  })

  test(':ClaudeCodeKernelRestart breaks off what runs, and Claude hears why', async () => {
    const { nvim, run } = await startNotebookSession(files)
    const stubborn = 'while True:\n  try:\n    while True: pass\n  except KeyboardInterrupt: pass'
    const endless = run(`open('busy', 'w').close()\n${stubborn}`)
    await nvim.waitFor("vim.fn.filereadable('busy') == 1", 'the code to run')
    await nvim.feed(':ClaudeCodeKernelRestart<CR>')
    expect(await endless).toEqual({
      content: [{ type: 'text', text: 'The kernel was restarted while the code ran' }],
      isError: true,
    })
    await nvim.waitForScreen(/the kernel of a.py was restarted/)
  })

  test(':ClaudeCodeKernelInterrupt interrupts, and the answer is the KeyboardInterrupt', async () => {
    const { nvim, run, texts } = await startNotebookSession(files)
    const endless = run("y = 5\nprint('on')\nopen('busy', 'w').close()\nwhile True: pass")
    await nvim.waitFor("vim.fn.filereadable('busy') == 1", 'the code to run')
    await nvim.feed(':ClaudeCodeKernelInterrupt<CR>')
    const { content } = await endless
    expect(content[0]?.text).toBe('on')
    expect(content[1]?.text).toMatch(/KeyboardInterrupt/)
    await nvim.waitForScreen(/what ran in a.py is interrupted/)
    expect(await texts('y')).toEqual(['5'])
    await nvim.feed(':ClaudeCodeKernelInterrupt<CR>')
    await nvim.waitForScreen(/nothing runs in a.py/)
  })

  test('say so where there is no kernel or no notebook', async () => {
    const { nvim, kernels } = await startNotebookSession(files)
    await nvim.feed(':ClaudeCodeKernelRestart<CR>')
    await nvim.waitForScreen(/a.py has no kernel yet/)
    expect(kernels()).toEqual([])
    await nvim.feed(':edit c.txt<CR>:ClaudeCodeKernelInterrupt<CR>')
    await nvim.waitForScreen(/this is no notebook/)
  })
})

test('a kernel that is killed is told, and the next code runs in a new one', async () => {
  const { nvim, run, texts, kernels } = await startNotebookSession(files)
  await texts('x = 1')
  const [pid] = kernels()
  const endless = run("open('busy', 'w').close()\nwhile True: pass")
  await nvim.waitFor("vim.fn.filereadable('busy') == 1", 'the code to run')
  process.kill(pid as number, 'SIGKILL')
  expect(await endless).toEqual({
    content: [{ type: 'text', text: 'The kernel died while the code ran (SIGKILL). All variables are lost' }],
    isError: true,
  })
  const [note, ...rest] = await texts("'x' in globals()")
  expect(note).toMatch(/The kernel had ended/)
  expect(rest).toEqual(['False'])
  expect(await texts('1')).toEqual(['1'])
})

describe('the end of Neovim', () => {
  const starts = "import subprocess; child = subprocess.Popen(['sleep', '1000']); child.pid"

  test.each([
    [':qa!', 2000],
    ['SIGKILL of Neovim', 2000],
    ['SIGKILL of the host', 3000],
  ] as const)('by %s ends the kernels, and what their code has started', async (how, withinMs) => {
    const { nvim, texts, kernels } = await startNotebookSession(files)
    const [child] = await texts(starts)
    const processes = [...kernels(), Number(child)]
    expect(processes.every(isAlive)).toBe(true)
    const folders = async () => {
      const names = await readdir(nvim.places.environment['TMPDIR'] as string).catch(() => [])
      return names.filter(name => name.startsWith('claudecode-kernel-'))
    }
    expect(await folders()).toHaveLength(1)
    const [host] = nvim.hosts()
    if (how === ':qa!') await nvim.input(':qa!<CR>')
    else if (how === 'SIGKILL of Neovim') nvim.kill('SIGKILL')
    else process.kill(host as number, 'SIGKILL')
    await waitFor(() => !processes.some(isAlive), `the processes ${processes} to end`, { timeoutMs: withinMs })
    await waitFor(async () => (await folders()).length === 0, 'the connection files to be removed', { timeoutMs: 1000 })
  })
})
