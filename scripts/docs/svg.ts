// A screen of Neovim as an SVG picture: text stays text, so that it is sharp and small.
import type { ScreenCell } from '../../test/support/screen.ts'

const cellWidth = 8.4
const lineHeight = 18
const fontSize = 14
const margin = 10

/** Draws the cells, row by row, with the colours that they have on the screen. */
export function drawScreen(rows: ScreenCell[][], title: string): string {
  const columns = Math.max(...rows.map(row => row.length))
  const width = Math.ceil(columns * cellWidth + 2 * margin)
  const height = rows.length * lineHeight + 2 * margin
  const background = color(rows.at(-2)?.at(-1)?.background ?? 0x14161b)
  const runs = rows.flatMap((row, y) => splitIntoRuns(row).map(run => drawRun(run, y, background)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="100%" height="100%" rx="6" fill="${background}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${fontSize}" xml:space="preserve">`,
    ...runs,
    '</g></svg>',
    '',
  ].join('\n')
}

interface Run {
  column: number
  cells: ScreenCell[]
}

/** Neighbouring cells that look the same are drawn as one. */
function splitIntoRuns(row: ScreenCell[]): Run[] {
  const runs: Run[] = []
  for (const [column, cell] of row.entries()) {
    const last = runs.at(-1)
    if (last && look(last.cells[0] as ScreenCell) === look(cell)) last.cells.push(cell)
    else runs.push({ column, cells: [cell] })
  }
  return runs
}

function look({ text: _text, ...style }: ScreenCell): string {
  return JSON.stringify(style)
}

function drawRun({ column, cells }: Run, y: number, background: string): string {
  const style = cells[0] as ScreenCell
  const x = margin + column * cellWidth
  const top = margin + y * lineHeight
  const parts: string[] = []
  if (color(style.background) !== background) {
    parts.push(
      `<rect x="${round(x)}" y="${top}" width="${round(cells.length * cellWidth)}" height="${lineHeight}" fill="${color(style.background)}"/>`,
    )
  }
  const text = cells.map(cell => cell.text).join('')
  if (text.trim() !== '') {
    const weight = style.attributes['bold'] ? ' font-weight="bold"' : ''
    const slant = style.attributes['italic'] ? ' font-style="italic"' : ''
    // textLength keeps the columns where they are, whatever font the reader has
    parts.push(
      `<text x="${round(x)}" y="${top + fontSize - 1}" textLength="${round(cells.length * cellWidth)}" fill="${color(style.foreground)}"${weight}${slant}>${escapeXml(text)}</text>`,
    )
  }
  return parts.join('')
}

function color(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
