// The tool getWorkspaceFolders.
import { basename } from 'node:path'
import { z } from 'zod'
import { defineTool, jsonResult, type Tool } from '../ide/tool.ts'
import { luaList, shownText } from '../neovim/editor.ts'
import { EditorBusyError } from '../neovim/watchdog.ts'
import { fileUri } from '../text/uri.ts'
import { answering } from './answers.ts'
import type { ToolParts } from './tool-parts.ts'

const patience = { forMs: 1000, forKeyMs: 200 } // the folders are known without Neovim

const Folders = luaList(shownText)

/** The folders that are open, the same as in the lock file (protocol document, "getWorkspaceFolders"). */
export function getWorkspaceFolders({ editor, folders }: Pick<ToolParts, 'editor' | 'folders'>): Tool {
  return defineTool({
    name: 'getWorkspaceFolders',
    description:
      'Get the folders that are open in the editor: first its working directory (rootPath), then the project folders of its language servers.',
    input: z.object({}),
    call: (_, { signal }) =>
      answering(async () => {
        let paths: readonly string[]
        try {
          paths = await editor.call('folders.list', {}, Folders, { signal, ...patience })
        } catch (error) {
          if (!(error instanceof EditorBusyError)) throw error
          paths = folders()
        }
        return jsonResult({
          success: true,
          folders: paths.map(path => ({ name: basename(path) || path, uri: fileUri(path), path })),
          rootPath: paths[0],
        })
      }),
  })
}
