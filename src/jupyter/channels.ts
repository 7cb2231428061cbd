// The sockets to one kernel: requests out, messages in.
import type { Dealer, Subscriber } from 'zeromq'
import { Emitter, type Event } from '../base/emitter.ts'
import { inBackground, type Log } from '../base/log.ts'
import type { Connection } from './connection.ts'
import type { ZeroMq } from './load-zeromq.ts'
import { decodeMessage, encodeRequest, type KernelMessage, type Signing } from './wire.ts'

/** The channels that take requests (Jupyter client documentation, "Messaging in Jupyter", Introduction). */
type RequestChannel = 'shell' | 'control'

/** A message and where it came from. */
export interface Arrival {
  channel: RequestChannel | 'iopub'
  message: KernelMessage
}

/** An open line to a kernel, which need not be there yet: requests wait for it. */
export interface Channels {
  readonly arrived: Event<Arrival>
  /** Sends a request, and returns its id at once. */
  request(channel: RequestChannel, type: string, content: object): string
  /** Closes the sockets; what has not been sent is dropped. */
  close(): void
}

/** Opens the line. */
export function openChannels(zmq: ZeroMq, connection: Connection, session: string, log: Log): Channels {
  const arrived = new Emitter<Arrival>(error => log.error('a listener to a kernel failed', error))
  const signing: Signing = { key: connection.key, session }
  // A context of its own, which does not wait for unsent messages: Neovim must not wait for a kernel that hangs.
  const context = new zmq.Context({ blocky: false })
  // Each kernel knows this program by one name on all of its channels.
  const dealer = () => new zmq.Dealer({ context, linger: 0, routingId: session })
  const sockets = { shell: dealer(), control: dealer() }
  // Without limit: a dropped message may be the one that says that the code is done.
  const iopub = new zmq.Subscriber({ context, linger: 0, receiveHighWaterMark: 0 })
  iopub.subscribe()
  iopub.connect(connection.address('iopub'))
  inBackground(log, receive(iopub, 'iopub'), 'listening to a kernel')
  const sending = { shell: Promise.resolve(), control: Promise.resolve() }
  for (const channel of ['shell', 'control'] as const) {
    sockets[channel].connect(connection.address(channel))
    inBackground(log, receive(sockets[channel], channel), 'listening to a kernel')
  }

  async function receive(socket: Dealer | Subscriber, channel: Arrival['channel']): Promise<void> {
    try {
      for await (const frames of socket) read(frames, channel)
    } catch (error) {
      if (!socket.closed) log.error(`the channel ${channel} of a kernel failed`, error)
    }
  }

  function read(frames: Buffer[], channel: Arrival['channel']): void {
    let message: KernelMessage
    try {
      message = decodeMessage(frames, connection.key)
    } catch (error) {
      log.warn(`a message on the channel ${channel} of a kernel was dropped: ${String(error)}`)
      return
    }
    arrived.emit({ channel, message })
  }

  return {
    arrived: arrived.event,
    request(channel, type, content) {
      const { id, frames } = encodeRequest(type, content, signing)
      const socket = sockets[channel]
      // One after the other: a socket refuses a second message while the first is on its way.
      sending[channel] = sending[channel]
        .then(() => (socket.closed ? undefined : socket.send(frames)))
        .catch(error => {
          if (!socket.closed) log.error(`a request to a kernel was not sent`, error)
        })
      return id
    },
    close() {
      for (const socket of [sockets.shell, sockets.control, iopub]) socket.close()
    },
  }
}
