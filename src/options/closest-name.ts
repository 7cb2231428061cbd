// Which option a user may have meant by a name that there is none of.

/**
 * The name among `all` that `written` is most likely a slip of: mistyped, or put into another table.
 * @param written a dotted name, such as `terminal.postion`
 * @param all dotted names of options, and of the tables that they are in
 */
export function closestName(written: string, all: readonly string[]): string | undefined {
  const { table, last } = split(written)
  const beside = all.filter(name => split(name).table === table)
  const close = beside.find(name => areClose(split(name).last, last))
  if (close !== undefined) return close
  const elsewhere = all.filter(name => plain(split(name).last) === plain(last))
  return elsewhere.length === 1 ? elsewhere[0] : undefined // of several no one is likelier
}

function split(name: string): { table: string; last: string } {
  const dot = name.lastIndexOf('.')
  return { table: name.slice(0, Math.max(dot, 0)), last: name.slice(dot + 1) }
}

/** Nobody remembers capitals and underscores. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '')
}

/** Whether one is the other with up to three letters more at an end, or with one slip of the fingers in four letters. */
function areClose(a: string, b: string): boolean {
  const [short = '', long = ''] = [plain(a), plain(b)].sort((x, y) => x.length - y.length)
  if (short.length > 3 && long.length - short.length <= 3 && long.includes(short)) return true
  return slips(short, long) <= Math.floor(short.length / 4)
}

/**
 * How many letters have to be put in, taken out, replaced, or changed with the next one. The libraries that are kept up count
 * the last, which is the commonest slip, as two.
 */
function slips(a: string, b: string): number {
  const counts = Array.from({ length: a.length + 1 }, (_, row) => [row])
  const at = (row: number, column: number) => counts[row]?.[column] ?? 0
  counts[0] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const differs = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? at(row - 2, column - 2) + 1 : Infinity
      counts[row]?.push(
        Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + differs, swapped),
      )
    }
  }
  return at(a.length, b.length)
}
