// The files through which the texts of diffs go to Neovim and come back: in a private folder, one for each diff.
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The files of one diff. */
export interface ProposalFiles {
  readonly folder: string
  /** What the client proposes. */
  readonly proposal: string
  /** What the user has accepted; Neovim writes it (lua/claudecode/editor/diff/proposal.lua). */
  readonly snapshot: string
}

/** The files of a diff whose folder this is, whether they are there or not. */
export function proposalFilesIn(folder: string): ProposalFiles {
  return { folder, proposal: join(folder, 'proposal'), snapshot: join(folder, 'accepted') }
}

/** The files of a diff of which the snapshot is known. */
export function proposalFilesAround(snapshot: string): ProposalFiles {
  return proposalFilesIn(dirname(snapshot))
}

/** Makes the folder, which must not exist, and writes the proposal. Nobody but the user can read them. */
export async function writeProposal(files: ProposalFiles, text: string): Promise<void> {
  await mkdir(files.folder, { mode: 0o700 })
  await writeFile(files.proposal, text, { mode: 0o600, flag: 'wx' })
}

/**
 * The text that the user has accepted. Reads at once, without a pause: between Neovim's word that a diff is accepted
 * and the new state of the diff no other message may be handled.
 */
export function readAccepted(files: ProposalFiles): string {
  return readFileSync(files.snapshot, 'utf8')
}

/** Removes the folder with all that is in it. */
export async function removeProposal(files: ProposalFiles): Promise<void> {
  await rm(files.folder, { recursive: true, force: true })
}
