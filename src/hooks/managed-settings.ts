// An administrator's settings for Claude: a file, and the pieces beside it (Claude Code documentation, "Settings").
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '../base/errors.ts'
import { readSettingsFile } from './hook-settings.ts'

/** Where they are on the systems that there are. */
const systemFolders = ['/etc/claude-code', '/Library/Application Support/ClaudeCode', 'C:/Program Files/ClaudeCode']

/** What each of the files says. */
export async function readManagedSettings(folders: readonly string[] = systemFolders): Promise<unknown[]> {
  const pieces = await Promise.all(folders.map(folder => jsonFilesIn(join(folder, 'managed-settings.d'))))
  const files = [...folders.map(folder => join(folder, 'managed-settings.json')), ...pieces.flat()]
  return Promise.all(files.map(readSettingsFile))
}

/** None where there is no such folder, or one that is not for us to read. */
async function jsonFilesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names.filter(name => name.endsWith('.json') && !name.startsWith('.')).map(name => join(folder, name))
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw error
  }
}
