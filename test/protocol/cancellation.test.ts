// Calls that are cancelled, or whose client is gone.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, textResult } from '../../src/ide/tool.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWaitingTool, echo } from './support/sample-tools.ts'
import { startTestServer } from './support/test-server.ts'

describe('a call that is cancelled', () => {
  test('is aborted and never answered, and its id is free again', async () => {
    const { tool, calls } = createWaitingTool()
    const { connectRaw, log } = await startTestServer({ tools: [tool, echo] })
    const client = await connectRaw()
    const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'wait' } }
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'x', reason: 'enough' } }
    client.send(call)
    const { signal, answer } = await waitFor(() => calls[0], 'the call')
    client.send(cancel)
    await waitFor(() => signal.aborted, 'the abort')
    answer('too late')
    client.send({ ...call, method: 'ping' })
    expect(await client.nextMessage()).toEqual({ jsonrpc: '2.0', id: 'x', result: {} })
    expect(log.filter(line => line.includes(' ERROR '))).toEqual([]) // a tool that gives up as it was told to is no bug
    client.destroy()
  })

  test('in one packet with its successor of the same id does not take it along', async () => {
    const { tool, calls } = createWaitingTool()
    const { connectRaw } = await startTestServer({ tools: [tool] })
    const client = await connectRaw()
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } }
    client.send([call, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, call])
    await waitFor(() => calls.length === 2 && calls[0]?.signal.aborted, 'two calls')
    expect(calls[1]?.signal.aborted).toBe(false)
    calls[1]?.answer('second')
    expect(await client.nextMessage()).toEqual([{ jsonrpc: '2.0', id: 1, result: textResult('second') }])
    client.destroy()
  })

  test('does not keep others waiting when the tool does not listen', async () => {
    const deaf = defineTool({
      name: 'deaf',
      description: '',
      input: z.object({}),
      call: () => new Promise(() => undefined),
    })
    const client = await (await startTestServer({ tools: [deaf, echo] })).connect()
    const cancelling = new AbortController()
    const call = client.callTool('deaf', {}, { signal: cancelling.signal })
    cancelling.abort()
    await expect(call).rejects.toThrow('cancelled')
    await client.request('ping')
  })

  test('belongs to its own client: another one can not cancel it', async () => {
    const { tool, calls } = createWaitingTool()
    const { connect } = await startTestServer({ tools: [tool] })
    const [one, other] = [await connect(), await connect()]
    const call = one.callTool('wait')
    await waitFor(() => calls[0], 'the call')
    for (let requestId = 0; requestId < 10; requestId += 1) other.notify('notifications/cancelled', { requestId })
    await other.request('ping')
    expect(calls[0]?.signal.aborted).toBe(false)
    calls[0]?.answer('mine')
    expect(await call).toEqual(textResult('mine'))
  })
})

test('the end of a connection aborts its calls, and only its own', async () => {
  const { tool, calls } = createWaitingTool()
  const { connect, server } = await startTestServer({ tools: [tool] })
  const [one, other] = [await connect(), await connect()]
  const abandoned = [one.callTool('wait'), one.callTool('wait')].map(call => call.catch(() => 'nobody answered'))
  const kept = other.callTool('wait')
  await waitFor(() => calls.length === 3, 'the calls')
  one.terminate()
  await waitFor(() => calls[0]?.signal.aborted && calls[1]?.signal.aborted, 'the abort')
  expect(server.clients).toHaveLength(1)
  calls[2]?.answer('still here')
  expect(await kept).toEqual(textResult('still here'))
  expect(await Promise.all(abandoned)).toEqual(['nobody answered', 'nobody answered'])
})
