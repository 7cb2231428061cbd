// The SDK's own client, which knows nothing of us, over our socket.
import { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { WebSocketTransport } from '../support/sdk-transport.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWaitingTool, echo, failingTools } from './support/sample-tools.ts'
import { startTestServer } from './support/test-server.ts'

test('the client of the SDK connects, lists, calls, cancels, is refused and leaves', async () => {
  const { tool, calls } = createWaitingTool()
  const { server, port, token } = await startTestServer({ tools: [echo, tool, ...failingTools] })
  const client = new Client({ name: 'stranger', version: '0.1.0' })
  await client.connect(new WebSocketTransport(port, token))
  expect(client.getServerVersion()).toMatchObject({ name: 'test', version: '1.2.3' })
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } })
  expect(client.getInstructions()).toBeUndefined()
  await client.ping()

  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'wait', ...failingTools.map(({ name }) => name)])
  const answer = await client.callTool({ name: 'echo', arguments: { text: 'ü😀' } })
  expect(answer.content).toEqual([{ type: 'text', text: '{"text":"ü😀","times":1}' }])
  await expect(client.callTool({ name: 'echo', arguments: { text: 1 } })).rejects.toMatchObject({ code: -32602 })
  await expect(client.callTool({ name: 'refuse' })).rejects.toMatchObject({ code: -32000, data: { tab: 'a' } })

  const cancelling = new AbortController()
  const cancelled = client.callTool({ name: 'wait' }, { signal: cancelling.signal })
  await waitFor(() => calls[0], 'the call')
  cancelling.abort('enough')
  await expect(cancelled).rejects.toThrow('enough')
  await waitFor(() => calls[0]?.signal.aborted, 'the abort')

  await client.close()
  await waitFor(() => server.clients.length === 0, 'its end')
})
