// Claude's own folders: where its configuration is, and where it looks for lock files.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Claude's configuration folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
 * @param chosen `$CLAUDE_CONFIG_DIR`; a leading `~` is the home folder, and a relative path starts at the working
 * directory of this process.
 */
export function configFolder(chosen: string | undefined, home: string = homedir()): string {
  return chosen ? resolve(chosen.replace(/^~(?=$|[/\\])/, () => home)) : join(home, '.claude')
}

/** The folder where Claude looks for lock files (protocol document, "Lock File Creation"). For `chosen` see `configFolder`. */
export function lockFolder(chosen: string | undefined, home?: string): string {
  return join(configFolder(chosen, home), 'ide')
}
