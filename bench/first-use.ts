// From the start of the host's process to its lock file, beside what Node takes to start and do nothing.
import { rm } from 'node:fs/promises'
import { copyPlugin, useCopy } from '../test/editor/install/installation.ts'
import { startNeovim, type TestNeovim } from '../test/support/neovim.ts'
import { atMost, forEachNeovim, inMs, measureInTurns, median, printFigures } from './support.ts'

const rounds = 20
const limit = 2.5

/** ms from the start of the process to its lock file. */
const startHost = `
  local host, session, status = require('claudecode.host'), require('claudecode.session'), require('claudecode.status')
  local lock = vim.env.CLAUDE_CONFIG_DIR .. '/ide/*.lock'
  session.want_server(true)
  assert(vim.wait(20000, function() return vim.fn.glob(lock) == '' end, 1))
  local start = vim.uv.hrtime()
  host.start()
  assert(vim.wait(20000, function() return vim.fn.glob(lock) ~= '' end, 1))
  local time = (vim.uv.hrtime() - start) / 1e6
  assert(vim.wait(20000, function() return status.get().port end, 1))
  host.stop()
  return time`

const startNode = `
  local start, time = vim.uv.hrtime(), nil
  vim.fn.jobstart({ 'node', '-e', '0' }, { on_exit = function() time = (vim.uv.hrtime() - start) / 1e6 end })
  assert(vim.wait(20000, function() return time end, 1))
  return time`

async function startWith(folder: string): Promise<TestNeovim> {
  return startNeovim({ plugin: false, init: useCopy(folder, '{ auto_start = false }') })
}

await forEachNeovim(async neovim => {
  const bundled = await copyPlugin({ bundle: true })
  const unbundled = await copyPlugin({ packages: true })
  const [withBundle, withSources] = [await startWith(bundled), await startWith(unbundled)]
  try {
    const times = await measureInTurns(
      {
        node: () => withBundle.lua<number>(startNode),
        bundle: () => withBundle.lua<number>(startHost),
        sources: () => withSources.lua<number>(startHost),
      },
      rounds,
    )
    const node = median(times.node)
    const line = (what: string, values: number[]) => ({
      what,
      value: inMs(median(values)),
      ratio: `${(median(values) / node).toFixed(2)} × node -e 0`,
    })
    printFigures(`First use, Neovim ${neovim.version}: from the start of the process to the lock file`, [
      { what: 'node -e 0', value: inMs(node) },
      { ...line('bundle', times.bundle), goal: atMost(median(times.bundle) / node, limit, '×') },
      line('src/ through tsx', times.sources),
    ])
  } finally {
    await Promise.all([withBundle.close(), withSources.close()])
    for (const folder of [bundled, unbundled]) await rm(folder, { recursive: true })
  }
})
