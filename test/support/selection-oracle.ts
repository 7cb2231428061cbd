// What Neovim itself says of a selection: what `y` takes, where its marks are, how long its characters are. Knows nothing
// of src/selection/encode.ts. The protocol document's rules are applied to that once more, from the other side.
import { z } from 'zod'
import type { Selection } from '../../src/selection/encode.ts'
import { SelectionFacts } from '../../src/selection/facts.ts'
import type { TestNeovim } from './neovim.ts'

/** A selection to make. */
export interface Case {
  lines: Buffer[]
  selection: string
  virtualedit: string
  selectmode: string
  /** Keys in Normal mode before the selection is begun, to begin it, and to extend it. */
  before: string
  begin: string
  motions: string
}

const Pos = z.tuple([z.int(), z.int(), z.int(), z.int()]) // as getpos() has it: 1-based
const bytes = z.union([z.string(), z.instanceof(Buffer)]).transform(text => Buffer.from(text as string))

const Character = z.object({ head: z.int(), length: z.int() })

const Seen = z.object({
  mode: z.string(),
  facts: SelectionFacts,
  /** The facts that the marks give after the selection was dropped. */
  dropped: SelectionFacts.optional(),
  v: Pos,
  cursor: Pos,
  /** What `y` took, its kind, and where it says that it began and ended. */
  yanked: bytes,
  yankKind: z.string(),
  yankFirst: Pos,
  yankLast: Pos,
  /** The same with 'selection' inclusive. */
  inclusiveLast: Pos,
  /** The characters at those places and at the later end: where they begin (0-based), and how long they are for `yl`. */
  characters: z.object({ first: Character, last: Character, inclusiveLast: Character, end: Character }),
  /** First and last screen cell of the earlier and of the later end. */
  cells: z.tuple([z.tuple([z.int(), z.int()]), z.tuple([z.int(), z.int()])]),
})
export type Seen = z.output<typeof Seen>

const look = `
local case = ...
vim.cmd('set selection=inclusive virtualedit= selectmode=')
vim.api.nvim_buf_set_lines(0, 0, -1, false, case.lines)
vim.fn.cursor(1, 1)
local function keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, true, true), 'ntx', false)
end
local function facts_of(answer)
  assert(answer.ok, answer.stack or answer.error)
  return answer.value
end
vim.o.virtualedit, vim.o.selectmode, vim.o.selection = case.virtualedit, case.selectmode, case.selection
keys(case.before .. case.begin .. case.motions)
local seen = { mode = vim.fn.mode(), v = vim.fn.getpos('v'), cursor = vim.fn.getpos('.') }
local a, b = seen.v, seen.cursor
if a[2] > b[2] or (a[2] == b[2] and (a[3] > b[3] or (a[3] == b[3] and a[4] > b[4]))) then
  a, b = b, a
end
seen.cells = { vim.fn.virtcol({ a[2], a[3], a[4] }, 1), vim.fn.virtcol({ b[2], b[3], b[4] }, 1) }
seen.facts = facts_of(require('claudecode.rpc').call('selection.read', { inline_limit = 1e6 }))
local function yank()
  vim.fn.setreg('"', {}, 'v')
  keys((vim.fn.mode():find('[sS\\19]') and '<C-g>' or '') .. 'y')
  local lines = vim.tbl_map(function(line) return (line:gsub('\\n', '\\0')) end, vim.fn.getreg('"', 1, true))
  return table.concat(lines, '\\n'), vim.fn.getregtype('"')
end
if seen.mode ~= 'n' then
  keys('<Esc>')
  local facts = require('claudecode.editor.selection.facts')
  seen.dropped = facts.add_text(facts.dropped(seen.facts), 1e6)
  keys('gv')
end
seen.yanked, seen.yankKind = '', ''
if seen.mode ~= 'n' then
  seen.yanked, seen.yankKind = yank()
end
seen.yankFirst, seen.yankLast = vim.fn.getpos("'["), vim.fn.getpos("']")
vim.o.selection = 'inclusive'
if seen.mode ~= 'n' then
  keys('gv')
  yank()
end
seen.inclusiveLast = vim.fn.getpos("']")
vim.o.virtualedit = ''
local function character(pos)
  vim.fn.cursor(pos[2], pos[3])
  local head, length = vim.fn.col('.') - 1, 0
  if pos[3] <= #vim.fn.getline(pos[2]) then
    vim.fn.setreg('"', {}, 'v')
    keys('yl')
    length = #vim.fn.getreg('"')
  else
    head = pos[3] - 1
  end
  return { head = head, length = length }
end
seen.characters = {
  first = character(seen.yankFirst),
  last = character(seen.yankLast),
  inclusiveLast = character(seen.inclusiveLast),
}
seen.characters['end'] = character(b)
vim.cmd('set selection=inclusive virtualedit= selectmode=')
return seen
`

/** Makes the selection and looks at it. */
export async function lookAt(nvim: TestNeovim, one: Case): Promise<Seen> {
  return Seen.parse(await nvim.lua(look, one))
}

/** What the protocol document says of it: its text and its `selection`. `undefined` text: not decided by `y`. */
export function expected(
  { lines, selection, virtualedit }: Case,
  seen: Seen,
  isBefore011: boolean,
): Pick<Selection, 'selection'> & { text: string } {
  const [first, last] = isBefore(seen.v, seen.cursor) ? [seen.v, seen.cursor] : [seen.cursor, seen.v]
  const lengthOf = (line: number) => lines[line]?.length ?? 0
  const at = (line: number, character: number) => ({ line, character })
  const range = (start: { line: number; character: number }, end: { line: number; character: number }) => ({
    text: slice(lines, start, end),
    selection: { start, end, isEmpty: start.line === end.line && start.character === end.character },
  })
  const start = at(first[1] - 1, Math.min(first[2] - 1, lengthOf(first[1] - 1)))
  const row = last[1] - 1
  const isLastRow = row === lines.length - 1
  const manyExclusive = selection === 'exclusive' && String(seen.v) !== String(seen.cursor)
  if (seen.mode === 'n') return range(start, start)

  // With 'old', vi's rule for the first column (:help exclusive-linewise) makes `y` leave out the line that the selection
  // ends on. The selection has it, and "ends on an empty line without its line break".
  const isCharwise = /^[vs]/.test(seen.mode)
  if (isCharwise && selection === 'old' && lengthOf(row) === 0) return range(start, at(row, 1))

  if (/^[VS]/.test(seen.mode)) {
    const top = at(first[1] - 1, 0)
    if (lengthOf(row) > 0) return range(top, at(row, lengthOf(row)))
    return range(top, isLastRow ? at(row, 1) : at(row + 1, 0))
  }

  if (!isCharwise) {
    const { first, last, inclusiveLast } = seen.characters
    const top = at(seen.yankFirst[1] - 1, Math.min(first.head, lengthOf(seen.yankFirst[1] - 1)))
    if (lengthOf(row) === 0) return range(top, at(row, 1))
    const [[, toEarlier], [fromLater, toLater]] = seen.cells
    const yankHeedsExclusive = toLater > toEarlier && fromLater - 1 >= toEarlier
    if (seen.inclusiveLast[2] > lengthOf(row)) return range(top, at(row, lengthOf(row)))
    if (manyExclusive && !yankHeedsExclusive) return range(top, at(row, inclusiveLast.head))
    return range(top, at(row, Math.min(last.head + last.length, lengthOf(row))))
  }

  if (virtualedit.includes('all')) {
    const isBehind = last[2] - 1 >= lengthOf(row)
    if (manyExclusive && last[3] === 0) return range(start, at(row, last[2] - 1))
    if (isBehind) return range(start, at(row, Math.max(1, lengthOf(row))))
    return range(start, at(row, last[2] - 1 + seen.characters.end.length))
  }
  // Charwise without virtual columns: the end is where the yanked text ends.
  const breaks = seen.yanked.filter(byte => byte === 10).length
  const rest = seen.yanked.length - (seen.yanked.lastIndexOf(10) + 1)
  const end = at(start.line + breaks, breaks === 0 ? start.character + rest : rest)
  if (range(start, end).text !== seen.yanked.toString()) throw new Error(`the oracle is wrong: ${JSON.stringify(end)}`)
  // "Before 0.11 […] `y` can leave it out when the selection ends right after it. The selection keeps it."
  // (There it can even stop in the middle of it.)
  const leftOut = /^\p{M}/u.exec(slice(lines, end, at(row, lengthOf(row))))?.[0] ?? ''
  if (isBefore011 && manyExclusive && end.line === row && end.character < last[2] - 1)
    return range(start, at(row, end.character + Buffer.byteLength(leftOut)))
  const stopsOnEmptyLine = lengthOf(row) === 0 && end.line === row && !manyExclusive
  return range(start, stopsOnEmptyLine ? at(row, 1) : end)
}

function isBefore(a: number[], b: number[]): boolean {
  for (let i = 1; i < 4; i++) if (a[i] !== b[i]) return (a[i] as number) < (b[i] as number)
  return true
}

function slice(lines: Buffer[], start: { line: number; character: number }, end: { line: number; character: number }) {
  const all = lines.map(line => Buffer.concat([line, Buffer.from('\n')]))
  const offset = (line: number) => all.slice(0, line).reduce((sum, one) => sum + one.length, 0)
  const whole = Buffer.concat(all)
  const to = offset(end.line) + Math.min(end.character, lines[end.line]?.length ?? 0)
  return whole.subarray(offset(start.line) + start.character, to).toString()
}
