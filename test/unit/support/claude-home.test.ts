// The isolation of the real CLI: what it may know of this machine.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dummyApiKey } from '../../../scripts/claude-cli.ts'
import { cliEnvironment, makeClaudeHome } from '../../support/claude-home.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claudecode-home-'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

test('the environment has nothing of this process but PATH', async () => {
  for (const name of [
    'HOME',
    'CLAUDE_CONFIG_DIR',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'HTTPS_PROXY',
    'SECRET',
  ])
    vi.stubEnv(name, 'the-user-has-this')
  const home = await makeClaudeHome(folder, [])
  const environment = cliEnvironment(home, 'http://127.0.0.1:1234')
  expect(JSON.stringify(environment)).not.toContain('the-user-has-this')
  expect(environment).toMatchObject({
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    CLAUDE_CONFIG_DIR: join(folder, 'home/.claude'),
    ANTHROPIC_API_KEY: dummyApiKey,
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1234',
  })
})

test('a model elsewhere is refused', async () => {
  const home = await makeClaudeHome(folder, [])
  for (const elsewhere of ['http://example.com', 'http://127.0.0.1.example.com', 'http://0.0.0.0:80'])
    expect(() => cliEnvironment(home, elsewhere)).toThrow('may only talk to this machine')
})

test('the first-run questions are answered for the projects', async () => {
  const home = await makeClaudeHome(folder, ['/p/one', '/p/two'])
  const state: unknown = JSON.parse(await readFile(join(home.configFolder, '.claude.json'), 'utf8'))
  const answered = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  expect(state).toMatchObject({
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [dummyApiKey.slice(-20)] },
    projects: { '/p/one': answered, '/p/two': answered },
  })
})
