// The tool executeCode.
import { z } from 'zod'
import { UserError } from '../base/errors.ts'
import { defineTool, type Tool } from '../ide/tool.ts'
import type { Notebooks } from '../jupyter/notebooks.ts'
import { answering, failure } from './answers.ts'

const longestCode = 1_000_000 // characters: far more than a person would look at

/** The arguments, as the protocol document names them ("executeCode"). */
export const ExecuteCodeArguments = z.object({
  code: z.string().max(longestCode).describe('The Python code to be executed on the kernel'),
})

/**
 * Runs Python in the kernel of the active notebook, when the user allows it. What the code prints, shows and raises is
 * the answer; only where no code ran it is an error.
 */
export function executeCode(notebooks: Pick<Notebooks, 'run'>): Tool {
  return defineTool({
    name: 'executeCode',
    description:
      "Execute Python code in the Jupyter kernel of the notebook that the user is in (an .ipynb file, or a Python file with # %% cells). Variables and imports persist from call to call, until the kernel is restarted, so don't declare variables or change the kernel's state unless the user asks for it. Answers with the output as text and images. The user may have to allow the code first.",
    input: ExecuteCodeArguments,
    call: ({ code }, { signal }) =>
      answering(async () => {
        try {
          return { content: await notebooks.run(code, signal) }
        } catch (error) {
          if (error instanceof UserError) return failure(error.message)
          throw error
        }
      }),
  })
}
