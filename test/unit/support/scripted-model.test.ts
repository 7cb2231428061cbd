// The stand-in for the model, asked over HTTP as the CLI asks it.
import { afterEach, describe, expect, test } from 'vitest'
import {
  type ScriptedModel,
  say,
  scriptIsOver,
  startScriptedModel,
  textOf,
  toolResultsOf,
  useTool,
} from '../../support/scripted-model.ts'

const manyTools = ['Agent', 'Bash', 'Edit', 'Read', 'Skill', 'Write'].map(name => ({ name }))
const question = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }

let model: ScriptedModel

afterEach(() => model.dispose())

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
}

async function ask(extra: object): Promise<string> {
  return (await post('/v1/messages', { ...question, ...extra })).text()
}

describe('the main conversation', () => {
  test('takes one turn of the script for each request, also turns added later', async () => {
    model = await startScriptedModel({ turns: [say('first'), [say('second'), useTool('Read', { file_path: '/p/a' })]] })
    expect(await ask({ tools: manyTools })).toContain('first')
    const second = await ask({ tools: manyTools })
    expect(second).toContain('second')
    expect(second).toContain('"name":"Read"')
    model.add(say('third'))
    expect(model.turnsLeft).toBe(1)
    expect(await ask({ tools: manyTools })).toContain('third')
  })

  test('says so when the script is over, or was thrown away', async () => {
    model = await startScriptedModel({ turns: [say('never said')] })
    model.clear()
    expect(await ask({ tools: manyTools })).toContain(scriptIsOver)
  })

  test('streams only when asked to', async () => {
    model = await startScriptedModel({ turns: [say('whole'), say('in events')] })
    const whole = await post('/v1/messages', { ...question, tools: manyTools })
    expect(whole.headers.get('content-type')).toBe('application/json')
    expect(await whole.json()).toMatchObject({ content: [{ type: 'text', text: 'whole' }], stop_reason: 'end_turn' })
    const streamed = await post('/v1/messages', { ...question, tools: manyTools, stream: true })
    expect(streamed.headers.get('content-type')).toBe('text/event-stream')
    expect(await streamed.text()).toContain('"text":"in events"')
  })

  test('is kept: texts in order, and the results of the last tools', async () => {
    model = await startScriptedModel({ turns: [say('seen')] })
    const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 'x', content })
    const messages = [
      { role: 'user', content: 'please' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'Read', input: {} }] },
      { role: 'user', content: [result('plain'), result([{ type: 'text', text: 'in blocks' }])] },
    ]
    await ask({ tools: manyTools, messages })
    const [request] = model.requests
    if (!request) throw new Error('The request was not kept.')
    expect(toolResultsOf(request)).toEqual(['plain', 'in blocks'])
    expect(textOf(request)).toBe('please\n\nplain\nin blocks')
  })
})

describe('everything else', () => {
  test('a side request leaves the script alone', async () => {
    model = await startScriptedModel({ turns: [say('for the main conversation')] })
    expect(await ask({})).toContain('A side answer')
    expect(model.turnsLeft).toBe(1)
    expect(model.requests).toEqual([])
    expect(model.log).toEqual(['POST /v1/messages'])
  })

  test('tokens are counted, more or less', async () => {
    model = await startScriptedModel()
    const counted = (await (await post('/v1/messages/count_tokens?beta=true', question)).json()) as {
      input_tokens: number
    }
    expect(counted.input_tokens).toBeGreaterThan(0)
  })

  test('what it does not understand gets an error of the API', async () => {
    model = await startScriptedModel()
    for (const [path, body, status] of [
      ['/v1/messages', 'not JSON', 400],
      ['/v1/messages', { model: 'm' }, 400],
      ['/v1/other', {}, 404],
    ] as const) {
      const response = await post(path, body)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ type: 'error' })
    }
  })

  test('it listens on the loopback address only', async () => {
    model = await startScriptedModel()
    expect(new URL(model.url).hostname).toBe('127.0.0.1')
  })
})
