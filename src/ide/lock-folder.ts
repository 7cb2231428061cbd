// Where Claude looks for lock files.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * The folder where Claude looks for lock files: `ide` in the configuration folder, which is `$CLAUDE_CONFIG_DIR` or
 * `~/.claude` (protocol document, "Lock File Creation").
 * @param configFolder `$CLAUDE_CONFIG_DIR`; a leading `~` is the home folder, and a relative path starts at the working
 * directory.
 */
export function lockFolder(configFolder: string | undefined, home: string = homedir()): string {
  if (!configFolder) return join(home, '.claude', 'ide')
  return resolve(
    configFolder.replace(/^~(?=$|[/\\])/, () => home),
    'ide',
  )
}
