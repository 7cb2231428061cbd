// How Claude is called: words, environment, folder.
import { describe, expect, test } from 'vitest'
import { readOptions } from '../../../src/options/read-options.ts'
import { planLaunch } from '../../../src/terminal/launch.ts'

function options(written: Record<string, unknown>) {
  const read = readOptions(written)
  expect(read.warnings).toEqual([])
  return read.options
}

describe('planLaunch', () => {
  test('tells Claude the port, and joins command and arguments', () => {
    const launch = planLaunch(options({ terminal_cmd: 'claude --verbose' }), 12345, '--model opus[1m]', { cwd: '/p' })
    expect(launch.argv).toEqual(['claude', '--verbose', '--model', 'opus[1m]'])
    expect(launch.cwd).toBe('/p')
    expect(launch.env).toMatchObject({ CLAUDE_CODE_SSE_PORT: '12345', ENABLE_IDE_INTEGRATION: 'true' })
  })

  test('an empty terminal_cmd means claude', () => {
    expect(planLaunch(options({ terminal_cmd: ' ' }), 1, '', { cwd: '/p' }).argv).toEqual(['claude'])
  })

  test('adds the loopback names to what was exempt from proxies, once each, under both names', () => {
    const { env } = planLaunch(options({ env: { NO_PROXY: 'own.example' } }), 1, '', {
      cwd: '/p',
      no_proxy: 'corp, localhost',
      NO_PROXY: 'CORP2,corp',
    })
    expect(env['no_proxy']).toBe('corp,localhost,CORP2,own.example,127.0.0.1,::1')
    expect(env['NO_PROXY']).toBe(env['no_proxy'])
  })

  test('the user’s env wins over ours, and keeps blanks and equals signs', () => {
    const { env } = planLaunch(options({ env: { A: 'x = y', ENABLE_IDE_INTEGRATION: 'false' } }), 1, '', { cwd: '/p' })
    expect(env).toMatchObject({ A: 'x = y', ENABLE_IDE_INTEGRATION: 'false' })
  })

  test('without a server there is no port to tell', () => {
    expect(planLaunch(options({}), undefined, '', { cwd: '/p' }).env).not.toHaveProperty('CLAUDE_CODE_SSE_PORT')
  })
})
