// What the benchmarks share: measuring in turns, medians, and the table that they print.
import { type Neovim, neovimsForTests } from '../scripts/neovim.ts'

/** One line of a benchmark's table. */
export interface Figure {
  /** What was measured. */
  what: string
  /** The measured value with its unit, such as `0.12 ms`. */
  value: string
  /** What it is compared with in the same run, such as `1.8 × node -e 0`. */
  ratio?: string
  /** The goal (shared in the design), and whether it was met. */
  goal?: { text: string; met: boolean }
}

/** The middle one of `values`, which are not changed. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('the median of nothing')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/**
 * Runs each of the measurements once, then all again, `rounds` times, so that a machine that is busy for a while slows all of
 * them. A first round, which fills caches, does not count.
 * @returns for each name its values, in ms
 */
export async function measureInTurns<Name extends string>(
  measurements: Record<Name, () => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[]
  const values = Object.fromEntries(names.map(name => [name, []])) as unknown as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const value = await measurements[name]()
      if (round > 0) values[name].push(value)
    }
  return values
}

/** Milliseconds in words. */
export function inMs(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}

/** A goal for a value that must not be larger. */
export function atMost(value: number, limit: number, unit: string): NonNullable<Figure['goal']> {
  return { text: `≤ ${limit} ${unit}`, met: value <= limit }
}

/** Prints the table. A goal that was missed shows, but does not fail: machines differ, and tests are elsewhere. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  const rows = figures.map(({ what, value, ratio, goal }) => [
    what,
    value,
    ratio ?? '',
    goal ? `${goal.text}${goal.met ? '' : '  MISSED'}` : '',
  ])
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => (row[column] as string).length)))
  console.log(`\n${title}`)
  for (const row of rows)
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}

/** Runs `action` for each Neovim of the tests, which the harness of the tests then starts. */
export async function forEachNeovim(action: (neovim: Neovim) => Promise<void>): Promise<void> {
  for (const neovim of await neovimsForTests()) {
    process.env.CLAUDECODE_TEST_NVIM = neovim.path
    await action(neovim)
  }
}
