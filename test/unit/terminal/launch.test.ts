// How Claude is called: words, environment, folder.
import { describe, expect, test } from 'vitest'
import { readOptions } from '../../../src/options/read-options.ts'
import { planLaunch } from '../../../src/terminal/launch.ts'

function options(written: Record<string, unknown>) {
  const read = readOptions(written)
  expect(read.warnings).toEqual([])
  return read.options
}

const session = { id: 'one', folder: '/p' }

function plan(written: Record<string, unknown>, port: number | undefined, args: string, context = {}) {
  return planLaunch(options(written), { port, args, session, context: { cwd: '/elsewhere', ...context } })
}

describe('planLaunch', () => {
  test('tells Claude the port, and joins command and arguments', () => {
    const launch = plan({ terminal_cmd: 'claude --verbose' }, 12345, '--model opus[1m]')
    expect(launch.argv).toEqual(['claude', '--verbose', '--model', 'opus[1m]'])
    expect(launch.cwd).toBe('/p')
    expect(launch.env).toMatchObject({ CLAUDE_CODE_SSE_PORT: '12345', ENABLE_IDE_INTEGRATION: 'true' })
    expect(launch.env['CLAUDECODE_SESSION']).toBe('one')
  })

  test('an empty terminal_cmd means claude', () => {
    expect(plan({ terminal_cmd: ' ' }, 1, '').argv).toEqual(['claude'])
  })

  test('L-01: adds the loopback names to what was exempt from proxies, once each, under both names', () => {
    const { env } = plan({ env: { NO_PROXY: 'own.example' } }, 1, '', {
      no_proxy: 'corp, localhost',
      NO_PROXY: 'CORP2,corp',
    })
    expect(env['no_proxy']).toBe('corp,localhost,CORP2,own.example,127.0.0.1,::1')
    expect(env['NO_PROXY']).toBe(env['no_proxy'])
  })

  test('the user’s env wins over ours, and keeps blanks and equals signs', () => {
    const { env } = plan({ env: { A: 'x = y', ENABLE_IDE_INTEGRATION: 'false' } }, 1, '')
    expect(env).toMatchObject({ A: 'x = y', ENABLE_IDE_INTEGRATION: 'false' })
  })

  test('without a server there is no port to tell', () => {
    expect(plan({}, undefined, '').env).not.toHaveProperty('CLAUDE_CODE_SSE_PORT')
  })
})
