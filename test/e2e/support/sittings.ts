// One sitting for the tests of a file: shared while they pass, begun anew for each one after a failure.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Files } from '../../support/temporary-folder.ts'
import { ClaudeSession } from './claude-session.ts'
import { openClaude } from './claude-terminal.ts'

/** Registers the hooks that keep a sitting with Claude running; the function that comes back is the way to it from within a test. */
export function shareClaudeSession(files: Files): () => ClaudeSession {
  let session: ClaudeSession | undefined
  let isShared = true

  async function begin(): Promise<void> {
    session = await ClaudeSession.start(files)
    await openClaude(session)
  }

  async function end(): Promise<void> {
    const ending = session
    session = undefined
    await ending?.dispose()
  }

  beforeAll(begin)

  beforeEach(async () => {
    if (session) return
    isShared = false // what is started within a test ends with it
    await begin()
  })

  afterEach(async context => {
    session?.model.clear()
    if (context.task.result?.state === 'fail' || !isShared) await end()
  })

  afterAll(end)

  return () => {
    if (!session) throw new Error('The sitting has not begun: ask for it within a test.')
    return session
  }
}
