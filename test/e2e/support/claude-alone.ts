// The CLI without any editor: what it writes then is what it has to write with one.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { claudeCli } from '../../../scripts/claude-cli.ts'
import { cliEnvironment, makeClaudeHome } from '../../support/claude-home.ts'
import { startScriptedModel, type Turn } from '../../support/scripted-model.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const run = promisify(execFile)

/** A whole turn of the CLI on a busy machine. Milliseconds. */
const deadline = 60_000

/** The bytes of a file after the CLI has edited it by itself. `turns` are given its path. */
export async function editedAlone(
  name: string,
  bytes: string | Buffer,
  turns: (path: string) => readonly Turn[],
): Promise<Buffer> {
  const { path: base } = await makeTemporaryFolder()
  const folder = join(base, 'project')
  const file = join(folder, name)
  await mkdir(folder)
  await writeFile(file, bytes)
  const [cli, home] = await Promise.all([claudeCli(), makeClaudeHome(base, [folder])])
  const model = await startScriptedModel({ turns: turns(file) })
  try {
    const ended = run(cli.path, ['-p', `change ${name}`, '--permission-mode', 'acceptEdits'], {
      cwd: folder,
      env: cliEnvironment(home, model.url),
      timeout: deadline,
    })
    ended.child.stdin?.end()
    await ended
  } finally {
    await model.dispose()
  }
  return readFile(file)
}
