// A real ipykernel, spoken to over its sockets.
import { readdir, readFile, stat } from 'node:fs/promises'
import { createConnection as connectTcp } from 'node:net'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import type { Transport } from '../../../src/jupyter/connection.ts'
import { createConnection } from '../../../src/jupyter/connection.ts'
import { Kernel } from '../../../src/jupyter/kernel.ts'
import type { KernelSpec } from '../../../src/jupyter/kernel-spec.ts'
import { NotebookKernel } from '../../../src/jupyter/notebook-kernel.ts'
import { atTestEnd } from '../../support/at-test-end.ts'
import { createKeptLog, fetchTimeoutMs, ipykernelPython, makeBarePython, specOf } from '../../support/ipykernel.ts'
import { isAlive } from '../../support/processes.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

let python: string
beforeAll(async () => {
  python = await ipykernelPython()
}, fetchTimeoutMs)

const never = new AbortController().signal

async function startKernel(options: { transport?: Transport; argv?: string[]; interruptMode?: 'message' } = {}) {
  const { path } = await makeTemporaryFolder()
  const { transport, argv, interruptMode = 'signal' } = options
  const spec: KernelSpec = { ...specOf(python), ...(argv && { argv }), interruptMode }
  const { log, lines } = createKeptLog()
  const kernel = await Kernel.start({
    spec,
    cwd: path,
    env: { HOME: path, PATH: process.env['PATH'] },
    log,
    clock: systemClock,
    ...(transport && { transport }),
  })
  await atTestEnd(() => kernel.end(0))
  const texts = async (code: string, signal = never) =>
    (await kernel.execute(code, signal)).map(item => (item.type === 'text' ? item.text : item.mimeType))
  return { kernel, texts, lines, folder: path }
}

/** One for a notebook, whose kernels are counted. */
async function startNotebookKernel() {
  const started: Kernel[] = []
  const notebook = new NotebookKernel(async signal => {
    const { kernel } = await startKernel()
    signal.throwIfAborted()
    started.push(kernel)
    return kernel
  }, systemClock)
  await atTestEnd(() => notebook.dispose())
  const texts = async (code: string, signal = never) =>
    (await notebook.run(code, signal)).map(item => (item.type === 'text' ? item.text : item.mimeType))
  return { notebook, texts, started }
}

describe.each(['ipc', 'tcp'] as const)('over %s', transport => {
  test('code runs, one piece after the other, with its state', async () => {
    const { texts } = await startKernel({ transport })
    expect(await texts('x = 1')).toEqual(['[the code ran, and put nothing out]'])
    expect(await texts('for i in range(3): print(i, flush=True)\nx + 1')).toEqual(['0\n1\n2', '2'])
  })

  test('it ends when asked, and leaves no file', async () => {
    const { kernel, texts } = await startKernel({ transport })
    const [folder] = await texts('import ipykernel, os; print(os.path.dirname(ipykernel.get_connection_file()))')
    expect(await readdir(folder as string)).toContain('kernel.json')
    await kernel.end(5000)
    expect(isAlive(kernel.processId)).toBe(false)
    await expect(readdir(folder as string)).rejects.toThrow('ENOENT')
  })
})

describe('the connection', () => {
  test.each(['ipc', 'tcp'] as const)('over %s is in a file that only the user can read', async transport => {
    const connection = await createConnection(transport)
    await atTestEnd(() => connection.remove())
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    expect(await mode(connection.file)).toBe('600')
    expect(await mode(dirname(connection.file))).toBe('700')
    const content = JSON.parse(await readFile(connection.file, 'utf8')) as Record<string, unknown>
    expect(content).toMatchObject({ transport, signature_scheme: 'hmac-sha256', key: connection.key })
    const ports = ['shell', 'iopub', 'stdin', 'control', 'hb'].map(channel => content[`${channel}_port`])
    expect(new Set(ports).size).toBe(5)
    if (transport === 'tcp') expect(content['ip']).toBe('127.0.0.1')
    else expect(content['ip']).toMatch(new RegExp(`^${dirname(connection.file)}/`))
  })

  test.each([
    ['tcp', 6],
    ['ipc', 1], // one that ipykernel has for itself
  ] as const)('over %s has %i ports, of 127.0.0.1 only', async (transport, count) => {
    const { texts } = await startKernel({ transport })
    const [listening = ''] = await texts(`
import json, psutil
print(json.dumps([c.laddr.ip for c in psutil.Process().net_connections('inet') if c.status == 'LISTEN']))`)
    expect(JSON.parse(listening)).toEqual(Array.from({ length: count }, () => '127.0.0.1'))
  })

  test('ports of one kernel are free when they are chosen', async () => {
    const connection = await createConnection('tcp')
    await atTestEnd(() => connection.remove())
    const { port } = new URL(connection.address('shell'))
    const refused = new Promise((_, reject) => connectTcp(Number(port), '127.0.0.1').once('error', reject))
    await expect(refused).rejects.toThrow('ECONNREFUSED')
  })
})

describe('output', () => {
  test('of a thousand displays and a million characters is whole, or says what is missing', async () => {
    const { texts } = await startKernel()
    const many = await texts('for i in range(1500): display(i)')
    expect([many.length, many.at(-1)]).toEqual([1500, '1499'])
    const [long, ...rest] = await texts("print('begin' + 'x' * 1_000_000 + 'end')\nraise ValueError('why')")
    expect(long).toMatch(/^beginx+\n\[… \d+ characters left out …\]\nx+end$/)
    expect(rest.join('\n')).toContain('ValueError: why')
  })

  test("leaves no code in the history of IPython, which is the user's own", async () => {
    const { texts, folder } = await startKernel()
    await texts('secret = 1')
    const [history = ''] = await texts("get_ipython().run_line_magic('history', '-g')")
    expect(history).not.toContain('secret')
    expect((await readdir(folder, { recursive: true })).join()).toContain('history.sqlite')
  })

  test('of a program that is started is output, too', async () => {
    const { texts } = await startKernel()
    expect(await texts('!echo from a shell')).toEqual(['from a shell'])
  })

  test('a question to the user is an exception that says that nobody is there', async () => {
    const { texts } = await startKernel()
    expect((await texts('input()')).join('\n')).toContain('does not support input requests')
  })
})

describe('an interrupt', () => {
  test.each(['signal', 'message'] as const)('by %s ends an endless loop', async how => {
    const { kernel, texts } = await startKernel(how === 'message' ? { interruptMode: 'message' } : {})
    const endless = texts("print('on', flush=True)\nwhile True: pass")
    await waitFor(() => kernel.isBusy, 'the kernel to be busy')
    kernel.interrupt()
    expect((await endless).join('\n')).toMatch(/KeyboardInterrupt/)
    expect(await texts('1')).toEqual(['1'])
  })

  test('that the code takes no notice of is told of all the same', async () => {
    const { kernel, texts, folder } = await startKernel()
    const stubborn = "try:\n  open('on', 'w')\n  while True: pass\nexcept KeyboardInterrupt: pass"
    const running = texts(stubborn)
    await waitFor(async () => (await readdir(folder)).includes('on'), 'the code to run')
    kernel.interrupt()
    expect(await running).toEqual(['[the code was interrupted (KeyboardInterrupt)]'])
  })

  test('reaches what the code has started', async () => {
    const { texts, folder } = await startKernel()
    const cancelled = new AbortController()
    const code = "import subprocess\nsubprocess.run(['sh', '-c', 'echo $$ > pid; exec sleep 1000'])"
    const running = texts(code, cancelled.signal)
    const pid = await waitFor(
      async () => Number(await readFile(`${folder}/pid`, 'utf8').catch(() => '0')) || undefined,
      'a child',
    )
    cancelled.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
    await waitFor(() => !isAlive(pid), 'the child to end')
  })
})

describe('a start that fails', () => {
  test('for want of ipykernel says what to install', async () => {
    const { path } = await makeTemporaryFolder()
    const bare = await makeBarePython(path, python)
    const argv = [bare, '-m', 'ipykernel_launcher', '-f', '{connection_file}']
    await expect(startKernel({ argv })).rejects.toThrow(/has no ipykernel. Install one with `python3 -m pip install/)
  })

  test('for want of its program says that it is not there', async () => {
    await expect(startKernel({ argv: ['/nowhere/python'] })).rejects.toThrow(
      /can't be started: \/nowhere\/python is not there/,
    )
  })

  test('with other last words says those, and leaves no file', async () => {
    const { path } = await makeTemporaryFolder()
    const code = 'import sys; open(sys.argv[1], "w").write(sys.argv[2]); sys.exit("no luck")'
    const argv = [python, '-c', code, `${path}/told`, '{connection_file}']
    await expect(startKernel({ argv })).rejects.toThrow('did not start (exit code 1): no luck')
    const file = await readFile(`${path}/told`, 'utf8')
    await expect(stat(dirname(file))).rejects.toThrow('ENOENT')
  })
})

describe('the kernel of a notebook', () => {
  test('is started once for calls that come together, which run in their order', async () => {
    const { texts, started } = await startNotebookKernel()
    const all = await Promise.all([texts('x = [1]'), texts('x.append(2)'), texts('x')])
    expect(all[2]).toEqual(['[1, 2]'])
    expect(started).toHaveLength(1)
  })

  test('busy with cancelled code that heeds no interrupt: the next call says so, and a restart mends it', async () => {
    const { notebook, texts, started } = await startNotebookKernel()
    await texts('1')
    const cancelled = new AbortController()
    const code = 'while True:\n  try:\n    while True: pass\n  except KeyboardInterrupt: pass'
    const endless = texts(code, cancelled.signal)
    await waitFor(() => started[0]?.isBusy, 'the kernel to be busy')
    cancelled.abort(new Error('cancelled'))
    await expect(endless).rejects.toThrow('cancelled')
    await expect(texts('1')).rejects.toThrow(/still busy with code that was cancelled.*:ClaudeCodeKernelRestart/)
    await notebook.restart()
    expect(await texts('1')).toEqual(['1'])
    expect(isAlive(started[0]?.processId as number)).toBe(false)
  })

  test('cancelled while it waits its turn never runs', async () => {
    const { texts } = await startNotebookKernel()
    await texts('ran = []')
    const first = texts('import time; time.sleep(0.3); ran.append(1)')
    const cancelled = new AbortController()
    const second = texts('ran.append(2)', cancelled.signal)
    cancelled.abort(new Error('cancelled'))
    await expect(second).rejects.toThrow('cancelled')
    await first
    expect(await texts('ran')).toEqual(['[1]'])
  })

  test('is started anew after it died, also between two calls, and says so once', async () => {
    const { texts, started } = await startNotebookKernel()
    await texts('x = 1')
    process.kill(started[0]?.processId as number, 'SIGKILL')
    await waitFor(() => started[0]?.hasEnded, 'the kernel to end')
    expect(await texts('2')).toEqual([expect.stringContaining('The kernel had ended'), '2'])
    expect(await texts('3')).toEqual(['3'])
    expect(started).toHaveLength(2)
  })
})
