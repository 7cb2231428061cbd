// Which of the tools a client may hear of.
import type { Tool } from '../ide/tool.ts'

/** What the user wants Claude to be offered. */
export interface Offer {
  /** Running code: only for those who work on notebooks. */
  readonly notebooks: boolean
  /** Diffs in Neovim. Without them Claude shows its own. */
  readonly diffs: boolean
}

/** The tools that a client may hear of now. Diffs that are still open without diffs on offer can be closed, too. */
export function toolsOnOffer(tools: readonly Tool[], offer: Offer): readonly Tool[] {
  const isOffered = ({ name }: Tool) =>
    (name !== 'executeCode' || offer.notebooks) && (name !== 'openDiff' || offer.diffs)
  const isListed = ({ name }: Tool) => offer.diffs || (name !== 'close_tab' && name !== 'closeAllDiffTabs')
  return tools.filter(isOffered).map(tool => (isListed(tool) ? tool : { ...tool, isListed: false }))
}
