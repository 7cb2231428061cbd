// A diff and its states: opening → pending → accepted | rejected → closed. Pure; each move is a function.
import type { Client } from '../ide/client.ts'

/** What never changes about a diff. */
export interface DiffIdentity {
  /** Unique, also among the hosts of one Neovim. */
  readonly id: string
  readonly tabName: string
  readonly oldPath: string
  readonly newPath: string
  /**
   * The connection that called `openDiff` (protocol document, "How Discovery Works" 4). Undefined when that was in the
   * time of another host: a reconnected CLI is a new client, and owns nothing that it opened before.
   */
  readonly owner: Client | undefined
}

/** The editor has not shown it yet. */
export interface OpeningDiff extends DiffIdentity {
  readonly state: 'opening'
}
/** The user is to decide. */
export interface PendingDiff extends DiffIdentity {
  readonly state: 'pending'
}
/** The user has accepted `text`, which lives only here and in the editor until the client has written it. */
export interface AcceptedDiff extends DiffIdentity {
  readonly state: 'accepted'
  readonly text: string
  /** The file has held the text: what becomes of the file after that is the user's own affair. */
  readonly isWritten: boolean
}
/** It has ended without the user's yes. */
export interface RejectedDiff extends DiffIdentity {
  readonly state: 'rejected'
  /** Why, for the log. */
  readonly reason: string
}
/** Its windows are gone, and its name is free. */
export interface ClosedDiff extends DiffIdentity {
  readonly state: 'closed'
}

/** One that can still be decided. */
export type UndecidedDiff = OpeningDiff | PendingDiff
/** One whose name is taken. */
export type OpenDiff = UndecidedDiff | AcceptedDiff
export type Diff = OpenDiff | RejectedDiff | ClosedDiff

/** A new diff. */
export function opening(identity: DiffIdentity): OpeningDiff {
  return { ...identity, state: 'opening' }
}

/** The editor shows it. */
export function shown(diff: OpeningDiff): PendingDiff {
  return { ...diff, state: 'pending' }
}

/** The user has said yes. */
export function accepted(diff: PendingDiff, text: string): AcceptedDiff {
  return { ...diff, state: 'accepted', text, isWritten: false }
}

/** The client has written the text. */
export function written(diff: AcceptedDiff): AcceptedDiff {
  return { ...diff, isWritten: true }
}

/** It ends without a yes: the user said no, or nobody waits for an answer any more, or it can't be shown. */
export function rejected(diff: UndecidedDiff, reason: string): RejectedDiff {
  return { ...diff, state: 'rejected', reason }
}

/** It is gone from the screen. */
export function closed(diff: AcceptedDiff | RejectedDiff): ClosedDiff {
  const { id, tabName, oldPath, newPath, owner } = diff
  return { id, tabName, oldPath, newPath, owner, state: 'closed' }
}

/** Whether the user can still say yes or no. */
export function isUndecided(diff: Diff): diff is UndecidedDiff {
  return diff.state === 'opening' || diff.state === 'pending'
}
