// The least that the client of the MCP SDK needs of a WebSocket.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import WebSocket from 'ws'

/** A connection to our server, with its token. */
export class WebSocketTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #socket: WebSocket

  constructor(port: number, token: string) {
    const headers = { 'x-claude-code-ide-authorization': token }
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}`, 'mcp', { headers })
  }

  start(): Promise<void> {
    this.#socket.on('message', data => this.onmessage?.(JSON.parse(String(data))))
    this.#socket.on('close', () => this.onclose?.())
    return new Promise((resolve, reject) => this.#socket.once('open', resolve).once('error', reject))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#socket.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    this.#socket.close()
  }
}
