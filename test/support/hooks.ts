// What the CLI does with the hooks that it was started with.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { FakeRun } from './fake-claude.ts'

const HttpHook = z.object({
  type: z.literal('http'),
  url: z.string(),
  headers: z.object({ Authorization: z.string() }),
})
const CommandHook = z.object({ type: z.literal('command'), command: z.string() })
const Hook = z.discriminatedUnion('type', [HttpHook, CommandHook])
const Settings = z.looseObject({ hooks: z.record(z.string(), z.array(z.object({ hooks: z.array(Hook) }))) })

/** What the user of the CLI is shown of a hook: nothing, unless it fails or says something. */
export type HookFailure = string | undefined

/** Does what the CLI does at an event. Returns what its user is shown: undefined when all is well. */
export async function tell(run: FakeRun, event: string, body: Record<string, unknown> = {}): Promise<HookFailure> {
  const hook = Settings.parse(JSON.parse(run.settings ?? '{}')).hooks[event]?.at(-1)?.hooks[0]
  if (!hook) throw new Error(`there is no hook for ${event}`)
  const input = JSON.stringify({ hook_event_name: event, ...body })
  return hook.type === 'http' ? post(hook, input, run.env) : execute(hook.command, input, run.env)
}

async function post(hook: z.output<typeof HttpHook>, body: string, env: FakeRun['env']): Promise<HookFailure> {
  const authorization = hook.headers.Authorization.replace(/\$(\w+)/, (_, name) => env[name] ?? '')
  const asked = fetch(hook.url, { method: 'POST', headers: { Authorization: authorization }, body })
  return asked.then(
    ({ status }) => (status === 200 ? undefined : `HTTP ${status}`),
    error => String(error),
  )
}

async function execute(command: string, body: string, env: FakeRun['env']): Promise<HookFailure> {
  const child = spawn('sh', ['-c', command], { env })
  const ended = once(child, 'close')
  child.stdin.end(body)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  return code === 0 && output + errors === '' ? undefined : `${code}: ${output}${errors}`
}
