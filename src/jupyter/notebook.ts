// A notebook as the user has it open, and the kernel that it names.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { hasErrorCode } from '../base/errors.ts'
import { bytesOrText, luaList, shownText } from '../neovim/editor.ts'

/** The active notebook as lua/claudecode/jupyter.lua describes it. */
export const Notebook = z.object({
  path: bytesOrText,
  /** `ipynb` is Jupyter's own format; `cells` a Python file with `# %%` lines. */
  kind: z.enum(['ipynb', 'cells']),
  /** The first lines of its text. */
  head: luaList(shownText),
})
export type Notebook = z.output<typeof Notebook>

/** Names a notebook to people. */
export function nameOf(notebook: Notebook): string {
  return basename(notebook.path.toString())
}

/** The folder that its code runs in: its own, as Jupyter has it, but for one that is not there yet. */
export function folderOf(notebook: Notebook): string {
  const folder = dirname(notebook.path.toString()) // not there, too, when its name is not UTF-8
  return existsSync(folder) ? folder : homedir()
}

const NotebookFile = z.object({ metadata: z.object({ kernelspec: z.object({ name: z.string().min(1) }) }) })

/** The name of the kernel that the notebook wants; undefined when it does not say. */
export async function kernelNameOf(notebook: Notebook): Promise<string | undefined> {
  if (notebook.kind === 'cells') return nameInHeader(notebook.head)
  try {
    const parsed = NotebookFile.safeParse(JSON.parse(await readFile(notebook.path, 'utf8')))
    return parsed.success ? parsed.data.metadata.kernelspec.name : undefined
  } catch (error) {
    // New, or not (yet) JSON: the user may be in the middle of writing it.
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/**
 * The kernel in the header that jupytext writes: YAML in comments between two lines `# ---`.
 * @example nameInHeader(['# ---', '# jupyter:', '#   kernelspec:', '#     name: python3', '# ---']) // 'python3'
 */
function nameInHeader(lines: readonly string[]): string | undefined {
  const start = lines.findIndex(line => /^#\s*---\s*$/.test(line))
  const length = lines.slice(start + 1).findIndex(line => /^#\s*---\s*$/.test(line))
  if (start === -1 || length === -1) return undefined
  const header = lines.slice(start + 1, start + 1 + length).map(line => line.replace(/^#/, ''))
  const at = header.findIndex(line => /^\s*kernelspec:\s*$/.test(line))
  const depth = indent(header[at] ?? '')
  for (const line of header.slice(at + 1)) {
    if (at === -1 || indent(line) <= depth) return undefined
    const name = /^\s*name:\s*(["']?)([^"'#]+)\1\s*$/.exec(line)?.[2]?.trim()
    if (name !== undefined) return name
  }
  return undefined
}

function indent(line: string): number {
  return line.length - line.trimStart().length
}
