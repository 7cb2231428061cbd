// A home of its own for the real CLI: no first-run questions, and nothing of the user's or the machine's.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dummyApiKey, isolatedEnvironment } from '../../scripts/claude-cli.ts'

/** The CLI keeps only the end of a key that the user has approved. */
const keptOfKey = 20

/** The folders that the CLI takes for its own. */
export interface ClaudeHome {
  readonly home: string
  /** `CLAUDE_CONFIG_DIR`; the lock files of IDEs lie in its folder `ide`. */
  readonly configFolder: string
}

/**
 * Makes a home in `folder` (fresh, temporary), with all first-run questions answered, for work in the folders `projects`.
 * These must be real paths: the CLI looks itself up by the path that the system gives for its working directory.
 */
export async function makeClaudeHome(folder: string, projects: readonly string[]): Promise<ClaudeHome> {
  const home = join(folder, 'home')
  const configFolder = join(home, '.claude')
  await mkdir(configFolder, { recursive: true, mode: 0o700 })
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  const state = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [dummyApiKey.slice(-keptOfKey)], rejected: [] },
    projects: Object.fromEntries(projects.map(path => [path, trusted])),
  }
  await writeFile(join(configFolder, '.claude.json'), JSON.stringify(state, null, 2))
  return { home, configFolder }
}

/**
 * The whole environment for a program that starts the CLI: nothing is passed through but `PATH`. Give it to Neovim, whose terminal hands it on;
 * the plugin adds the port of the IDE.
 */
export function cliEnvironment(home: ClaudeHome, modelUrl: string): Record<string, string> {
  return isolatedEnvironment({ ...home, modelUrl })
}
