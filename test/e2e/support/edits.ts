// What Claude is asked to do with a file: to change a line of it.
import { say, useTool } from '../../support/scripted-model.ts'
import type { ClaudeSession } from './claude-session.ts'
import { prompt } from './claude-terminal.ts'

/** The turns of the model that change the line `from` of a file. `done` is what Claude says in the end, when it comes to that. */
export function editTurns(path: string, from: string, to: string, done?: string) {
  return [
    useTool('Read', { file_path: path }),
    useTool('Edit', { file_path: path, old_string: from, new_string: to }),
    ...(done === undefined ? [] : [say(done)]),
  ]
}

/** Asks Claude to change the second line of a file of the project. */
export function askForEdit(session: ClaudeSession, name: string, done?: string): Promise<void> {
  const turns = editTurns(session.path(name), 'second line', 'SECOND LINE', done)
  return prompt(session, `change the second line of ${name}`, ...turns)
}
