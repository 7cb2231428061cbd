// executeCode, from Claude to the kernel and back: which notebook, which kernel, and what the answer looks like.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  fetchTimeoutMs,
  ipykernelPython,
  kernelArguments,
  makeBarePython,
  notebookFile,
  registerKernel,
} from '../../support/ipykernel.ts'
import { makePlaces } from '../../support/places.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startNotebookSession } from './session.ts'

beforeAll(async () => void (await ipykernelPython()), fetchTimeoutMs)

const cells = '# %% a cell\nprint(1)\n'

describe('the answer', () => {
  test("is the document's example: text and a picture, in their order", async () => {
    const { run } = await startNotebookSession({ 'a.ipynb': notebookFile('python3') })
    const code = `print('Hello, World!')
from IPython.display import Image, display
import base64
display(Image(base64.b64decode('${png}')))`
    expect(await run(code)).toEqual({
      content: [
        { type: 'text', text: 'Hello, World!' },
        { type: 'image', data: png, mimeType: 'image/png' },
      ],
    })
  })

  test('has the state of the calls before, and the folder of the notebook', async () => {
    const { texts, nvim } = await startNotebookSession({ 'deep/a.py': cells })
    expect(await texts('import os\nx = 20')).toEqual(['[the code ran, and put nothing out]'])
    expect(await texts('x + 1')).toEqual(['21'])
    expect(await texts('print(os.getcwd())')).toEqual([`${nvim.folder}/deep`])
  })

  test('is an answer with the traceback for an exception, after what was printed', async () => {
    const { run } = await startNotebookSession({ 'a.py': cells })
    const result = await run('print("before")\ndef half(n):\n  return n / 0\nhalf(1)')
    expect(result.isError).toBeUndefined()
    expect(result.content[0]).toEqual({ type: 'text', text: 'before' })
    expect(result.content[1]?.text).toMatch(
      /^ZeroDivisionError[\s\S]*----> 3[\s\S]*n \/ 0[\s\S]*ZeroDivisionError: division by zero$/,
    )
    expect(result.content[1]?.text).not.toContain('\x1b')
  })
})

describe('the kernel', () => {
  test('has the environment that plugins have made in Neovim, such as a virtual environment', async () => {
    const { nvim, data, run } = await startNotebookSession({ 'a.py': cells })
    const python = await ipykernelPython()
    await registerKernel(`${data}/venv/share/jupyter`, 'in-venv', { argv: kernelArguments(python) })
    await nvim.lua('vim.env.VIRTUAL_ENV = ...', `${data}/venv`)
    await nvim.lua(
      "vim.env.JUPYTER_PATH = nil; require('claudecode').setup({ jupyter = { ask = 'never', kernel = 'in-venv' } })",
    )
    const result = await run('import os; os.environ["VIRTUAL_ENV"], "VIMRUNTIME" in os.environ')
    expect(result.content).toEqual([{ type: 'text', text: `('${data}/venv', False)` }])
  })

  test('of a notebook whose folder is not there yet runs in the home folder', async () => {
    const { nvim, texts } = await startNotebookSession({ 'a.py': cells })
    await nvim.feed(':edit new/b.ipynb<CR>')
    expect(await texts('import os; print(os.getcwd())')).toEqual([nvim.home])
  })

  test('is the one that the .ipynb names, and one for each notebook', async () => {
    const { nvim, texts, kernels } = await startNotebookSession({
      'a.ipynb': notebookFile('other'),
      'b.ipynb': notebookFile('python3'),
    })
    const ask = 'import os\nwho = os.environ.get("KERNEL_NAME", "python3")\nwho'
    expect(await texts(ask)).toEqual(["'other'"])
    await nvim.feed(':edit b.ipynb<CR>')
    expect(await texts('"who" in globals()')).toEqual(['False'])
    expect(await texts(ask)).toEqual(["'python3'"])
    await nvim.feed(':edit a.ipynb<CR>')
    expect(await texts('who')).toEqual(["'other'"])
    expect(kernels()).toHaveLength(2)
  })

  test('is the one in the header of a # %% file, and the option comes before it', async () => {
    const header = '# ---\n# jupyter:\n#   kernelspec:\n#     name: other\n# ---\n\n'
    const files = { 'a.py': header + cells }
    const ask = 'import os\nos.environ.get("KERNEL_NAME", "python3")'
    expect(await (await startNotebookSession(files)).texts(ask)).toEqual(["'other'"])
    const { texts } = await startNotebookSession(files, "{ ask = 'never', kernel = 'python3' }")
    expect(await texts(ask)).toEqual(["'python3'"])
  })

  test('that is not installed is named, with those that are', async () => {
    const { run } = await startNotebookSession({ 'a.ipynb': notebookFile('my-env') })
    const result = await run('1')
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toMatch(/The Jupyter kernel "my-env" is not installed. There are .*"other"/)
  })

  test('without any, the answer says what to install', async () => {
    const places = await makePlaces({ 'a.py': cells })
    const bare = await makeBarePython(`${places.base}/bare/bin`, await ipykernelPython())
    const { run } = await startNotebookSession({ 'a.py': cells }, "{ ask = 'never', kernel = 'bare' }", {
      places,
      env: { JUPYTER_DATA_DIR: `${places.base}/bare` },
    })
    await registerKernel(`${places.base}/bare`, 'bare', {
      argv: [bare, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
    })
    const result = await run('1')
    expect(result.isError).toBe(true)
    expect(result.content[0]?.text).toContain('python3 -m pip install ipykernel')
  })
})

describe('code that is cancelled', () => {
  test('is interrupted, and the kernel keeps its variables', async () => {
    const { run, texts, kernels } = await startNotebookSession({ 'a.py': cells })
    await texts('x = 7')
    const [pid] = kernels()
    const cancelled = new AbortController()
    const endless = run('while True: pass', cancelled.signal)
    endless.catch(() => undefined)
    const queued = texts('x')
    cancelled.abort()
    await expect(endless).rejects.toThrow('cancelled')
    expect(await queued).toEqual(['7'])
    expect(kernels()).toEqual([pid])
  })

  test('is interrupted when its Claude goes away', async () => {
    const { claude, nvim, run } = await startNotebookSession({ 'a.py': cells })
    await run('import pathlib')
    run("open('busy', 'w').close()\ntry:\n  while True: pass\nfinally: open('ended', 'w').close()").catch(
      () => undefined,
    )
    const has = (name: string) => nvim.lua<number>('return vim.fn.filereadable(...)', name)
    await waitFor(async () => (await has('busy')) === 1, 'the code to run')
    expect(await has('ended')).toBe(0)
    claude.terminate()
    await waitFor(async () => (await has('ended')) === 1, 'the code to be interrupted')
  })
})

/** A picture of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
