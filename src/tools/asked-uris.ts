// How clients spell files, to answer in their own spelling.
import type { Client } from '../ide/client.ts'
import { fileUri } from '../text/uri.ts'

const longestMemory = 1000 // files of one client

/**
 * Claude asks for `file:///tmp/a b.txt` without encoding it, and drops an answer that spells the file differently
 * (2.1.332), also in the later answer for all files. So a client gets back the URIs that it used; all others are
 * percent-encoded.
 */
export class AskedUris {
  readonly #asked = new WeakMap<Client, Map<string, string>>()

  /** The client has asked for the file at `path` as `uri`. */
  remember(client: Client, path: string | Buffer, uri: string): void {
    const asked = this.#asked.get(client) ?? new Map<string, string>()
    this.#asked.set(client, asked)
    const encoded = fileUri(path)
    asked.delete(encoded)
    if (uri === encoded || !/^file:/i.test(uri)) return
    asked.set(encoded, uri)
    const [oldest] = asked.keys()
    if (asked.size > longestMemory && oldest !== undefined) asked.delete(oldest)
  }

  /** The URI of the file at `path` for this client. */
  uriFor(client: Client, path: string | Buffer): string {
    const encoded = fileUri(path)
    return this.#asked.get(client)?.get(encoded) ?? encoded
  }
}
