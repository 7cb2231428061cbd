// Where a kernel listens: chosen by us, told to it in a connection file that only the user can read
// (Jupyter client documentation, "Connection files").
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const channels = ['shell', 'iopub', 'stdin', 'control', 'hb'] as const
export type Channel = (typeof channels)[number]

/**
 * `ipc` are sockets in a folder that is the user's alone. Ports of 127.0.0.1, which every user of the machine can
 * listen in on where a kernel publishes its output, are for kernels that know nothing else.
 */
export type Transport = 'ipc' | 'tcp'

/** A kernel's connection file, and where we connect. */
export interface Connection {
  readonly file: string
  readonly key: string
  address(channel: Channel): string
  /** Removes the file, and the sockets beside it. */
  remove(): Promise<void>
}

/** Chooses addresses and a key, and writes the connection file. */
export async function createConnection(transport: Transport): Promise<Connection> {
  const folder = await mkdtemp(join(tmpdir(), 'claudecode-kernel-')) // mode 0700
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const ip = transport === 'ipc' ? join(folder, 'k') : '127.0.0.1'
    const ports = transport === 'ipc' ? channels.map((_, index) => index + 1) : await freePorts(channels.length)
    const key = randomBytes(32).toString('hex')
    const portOf = (channel: Channel) => ports[channels.indexOf(channel)]
    const file = join(folder, 'kernel.json')
    const content = {
      transport,
      ip,
      key,
      signature_scheme: 'hmac-sha256',
      ...Object.fromEntries(channels.map(channel => [`${channel}_port`, portOf(channel)])),
    }
    await writeFile(file, JSON.stringify(content), { mode: 0o600 })
    const separator = transport === 'ipc' ? '-' : ':'
    return { file, key, remove, address: channel => `${transport}://${ip}${separator}${portOf(channel)}` }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Ports that nobody has at this moment. All are held until the last is found, so that no port is found twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}
