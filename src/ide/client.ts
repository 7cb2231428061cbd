// A client: one WebSocket connection. A CLI that reconnects is a new client (protocol document, "How Discovery Works" 4).

/** What the rest of the program knows of a connection. Identity is the object itself; `id` is for the log and never used twice. */
export interface Client {
  readonly id: number
  /** True between `notifications/initialized` and the end of the connection. */
  readonly isReady: boolean
  /** The process id from `ide_connected`, for display only: it must not be used to match clients. */
  readonly processId: number | undefined
  /** Sends a notification. Silently nothing once the connection is gone: the end of the connection is an event of its own. */
  notify(method: string, params: Record<string, unknown>): void
}
