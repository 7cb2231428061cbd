// The options of running code in the kernel of a notebook.
import { z } from 'zod'
import { note } from './note.ts'

/** Options `jupyter.*`. */
export const JupyterOptions = z.strictObject({
  enabled: note(
    z.enum(['notebook', 'always', 'never']).default('notebook'),
    'When Claude is offered to run Python in the kernel of your notebook (tool `executeCode`): once you have been in a notebook (an `.ipynb` file, or a Python file with `# %%` cells), from the start, or never.',
  ),
  ask: note(
    z.enum(['first', 'always', 'never']).default('first'),
    'Whether you are shown the code and asked before it runs: for the first code in each notebook, for all, or for none.',
  ),
  kernel: note(
    z.string().default(''),
    'The kernel for all notebooks, by its name in `jupyter kernelspec list`. Empty: the one that the notebook names, else `python3`.',
    'a name',
  ),
})
