// A user in a notebook, with a kernel registered as Jupyter would, and a Claude that is connected.
import { join } from 'node:path'
import { atTestEnd } from '../../support/at-test-end.ts'
import { type CallResult, type ClaudeClient, connectThroughLockFile } from '../../support/claude-client.ts'
import { ipykernelPython, kernelArguments, registerKernel } from '../../support/ipykernel.ts'
import type { TestNeovim } from '../../support/neovim.ts'
import { makePlaces, type Places } from '../../support/places.ts'
import { startWithServer } from '../../support/plugin.ts'
import { descendantsOf } from '../../support/processes.ts'
import type { Files } from '../../support/temporary-folder.ts'

/** A kernel starts in one to ten seconds, as busy as the machine is. */
export const answerTimeoutMs = 45_000

export interface NotebookSession {
  nvim: TestNeovim
  claude: ClaudeClient
  /** A folder in JUPYTER_PATH; it has the kernels `python3` and `other`, which sets KERNEL_NAME=other. */
  data: string
  /** Calls executeCode. */
  run(code: string, signal?: AbortSignal): Promise<CallResult>
  /** The texts of its answer, or throws when it is an error. */
  texts(code: string): Promise<string[]>
  /** The numbers of the kernels' processes. */
  kernels(): number[]
}

/** Starts both, with the first of the files open. `jupyter` is the options' table in Lua. */
export async function startNotebookSession(
  files: Files,
  jupyter = "{ ask = 'never' }",
  options: { places?: Places; env?: Record<string, string> } = {},
): Promise<NotebookSession> {
  const places = options.places ?? (await makePlaces(files))
  const data = join(places.base, 'jupyter')
  const python = await ipykernelPython()
  await registerKernel(data, 'python3', { argv: kernelArguments(python) })
  await registerKernel(data, 'other', { argv: kernelArguments(python), env: { KERNEL_NAME: 'other' } })
  const nvim = await startWithServer({
    places,
    env: { JUPYTER_PATH: data, ...options.env },
    setup: `{ jupyter = ${jupyter} }`,
    args: Object.keys(files).slice(0, 1),
  })
  const claude = await connectThroughLockFile(nvim.configDir, nvim.port)
  await atTestEnd(() => claude.close())

  function run(code: string, signal?: AbortSignal): Promise<CallResult> {
    return claude.callTool('executeCode', { code }, { timeout: answerTimeoutMs, ...(signal && { signal }) })
  }
  return {
    nvim,
    claude,
    data,
    run,
    texts: async code => {
      const result = await run(code)
      if (result.isError) throw new Error(result.content[0]?.text)
      return result.content.map(({ text, mimeType }) => text ?? `(${mimeType})`)
    },
    kernels: () => kernelsOf(nvim.pid),
  }
}

/** The numbers of the kernels below a process. */
function kernelsOf(pid: number): number[] {
  return descendantsOf(pid)
    .filter(({ command }) => command.includes('ipykernel_launcher'))
    .map(({ pid }) => pid)
}
