// The open diffs and the rules of who may replace and close which (protocol document, openDiff, close_tab,
// closeAllDiffTabs). Pure: it knows neither editor nor socket.
import type { Client } from '../ide/client.ts'
import {
  type AcceptedDiff,
  type ClosedDiff,
  closed,
  isUndecided,
  type OpenDiff,
  type RejectedDiff,
  type UndecidedDiff,
} from './diff.ts'

/** What becomes of a new diff's name. */
export type NameClaim =
  | { kind: 'free' }
  /** "A new call with the tab_name of an open diff replaces that diff." */
  | { kind: 'replaces'; diff: OpenDiff }
  /** "One exception: if the user already accepted that diff for another client, the call fails at once". */
  | { kind: 'refused'; diff: AcceptedDiff }

/** The diffs that are open, each in its newest state. */
export class DiffStore {
  readonly #diffs = new Map<string, OpenDiff>()

  /** Adds a diff, or puts its next state in its place. */
  put(diff: OpenDiff): void {
    this.#diffs.set(diff.id, diff)
  }

  /** Lets a diff go whose fate is decided; its name is free. */
  close(diff: AcceptedDiff | RejectedDiff): ClosedDiff {
    this.#diffs.delete(diff.id)
    return closed(diff)
  }

  get(id: string): OpenDiff | undefined {
    return this.#diffs.get(id)
  }

  /** All open diffs, oldest first. */
  get all(): readonly OpenDiff[] {
    return [...this.#diffs.values()]
  }

  /** How many wait for the user. */
  get undecidedCount(): number {
    return this.all.filter(isUndecided).length
  }

  /** Whether `client` may open a diff with this name, and at whose cost. */
  claim(client: Client, tabName: string): NameClaim {
    const diff = this.#named(tabName)
    if (diff === undefined) return { kind: 'free' }
    if (diff.state === 'accepted' && diff.owner !== client) return { kind: 'refused', diff }
    return { kind: 'replaces', diff }
  }

  /**
   * The diff that `close_tab` of `client` closes: the one of exactly this name. "A diff that the user accepted for
   * another client stays open."
   */
  closable(client: Client, tabName: string): OpenDiff | undefined {
    const diff = this.#named(tabName)
    return diff !== undefined && mayClose(client, diff) ? diff : undefined
  }

  /** The diffs that `closeAllDiffTabs` of `client` closes: all but what the user accepted for another client. */
  allClosable(client: Client): readonly OpenDiff[] {
    return this.all.filter(diff => mayClose(client, diff))
  }

  /** The diffs that end with their client. What the user has accepted stays. */
  endingWith(client: Client): readonly UndecidedDiff[] {
    return this.all.filter(diff => isUndecided(diff)).filter(diff => diff.owner === client)
  }

  /** A diff that is being replaced can be open for a moment beside the new one: the newest has the name. */
  #named(tabName: string): OpenDiff | undefined {
    return this.all.findLast(diff => diff.tabName === tabName)
  }
}

function mayClose(client: Client, diff: OpenDiff): boolean {
  return diff.state !== 'accepted' || diff.owner === client
}
