// What programs print is read to its end, whatever else goes on in Neovim.
import { expect, test } from 'vitest'
import { startNeovim } from '../../support/neovim.ts'

/**
 * Another plugin takes its time with what a process of its own has printed, which has ended already. The one that is asked prints and ends
 * meanwhile, so that Neovim learns of both ends at once, before it has read the output.
 */
const meanwhile = `
  local pipe = assert(vim.uv.new_pipe(false))
  vim.uv.spawn('echo', { args = { 'busy' }, stdio = { nil, pipe, nil } }, function() end)
  pipe:read_start(function(_, data)
    if data then
      vim.uv.sleep(500)
    else
      pipe:close()
    end
  end)
  vim.uv.sleep(200)`

test('a version printed while another process ends is not lost', async () => {
  const nvim = await startNeovim()
  const answers = await nvim.lua(`${meanwhile}
    return require('claudecode.health.versions').ask({ it = { 'sh', '-c', 'sleep 0.1; echo 1.2.3' } })`)
  expect(answers).toEqual({ it: '1.2.3' })
})
