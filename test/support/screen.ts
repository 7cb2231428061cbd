// What the user sees: keeps the grid that Neovim draws for an attached user interface (:help ui-linegrid).

/** One character on the screen, its colours resolved (RGB as numbers) and swapped already where the cell is reversed. */
export interface ScreenCell {
  /** `''` for the right half of a wide character. */
  text: string
  foreground: number
  background: number
  /** Colour of underlines. */
  special: number
  /** The attributes as Neovim names them: bold, italic, underline, undercurl, strikethrough, reverse… */
  attributes: Readonly<Record<string, unknown>>
}

interface Cell {
  text: string
  highlight: number
}

type Attributes = Record<string, unknown>

const FALLBACK_COLORS = { foreground: 0xffffff, background: 0x000000, special: 0xff0000 }

/** The screen of one user interface. Rows and columns are 0-based. */
export class Screen {
  #rows: Cell[][] = []
  #shown: Cell[][] = []
  #attributes = new Map<number, Attributes>()
  #colors = FALLBACK_COLORS
  #cursor = { row: 0, column: 0 }
  #mode = ''

  /** The lines of text, without spaces at their ends. As of Neovim's last flush: never a picture half drawn. */
  lines(): string[] {
    return this.#shown.map(row =>
      row
        .map(cell => cell.text)
        .join('')
        .trimEnd(),
    )
  }

  /** The cells of each row. */
  cells(): ScreenCell[][] {
    return this.#shown.map(row => row.map(cell => this.#resolve(cell)))
  }

  cursor(): { row: number; column: number } {
    return { ...this.#cursor }
  }

  /** What Neovim calls the mode for the cursor's shape: `normal`, `insert`, `cmdline_normal`, `terminal`… */
  mode(): string {
    return this.#mode
  }

  /** Takes the arguments of one `redraw` notification. */
  redraw(events: readonly unknown[]): void {
    for (const event of events) {
      const [name, ...calls] = event as [string, ...unknown[][]]
      for (const call of calls) this.#apply(name, call)
    }
  }

  #apply(name: string, call: unknown[]): void {
    if (name === 'grid_resize') this.#resize(call[1] as number, call[2] as number)
    else if (name === 'grid_clear') this.#rows = this.#rows.map(row => row.map(blank))
    else if (name === 'grid_line') this.#putLine(call[1] as number, call[2] as number, call[3] as unknown[][])
    else if (name === 'grid_scroll') this.#scroll(call.slice(1) as number[])
    else if (name === 'grid_cursor_goto') this.#cursor = { row: call[1] as number, column: call[2] as number }
    else if (name === 'hl_attr_define') this.#attributes.set(call[0] as number, call[1] as Attributes)
    else if (name === 'default_colors_set') this.#setDefaultColors(call as number[])
    else if (name === 'mode_change') this.#mode = call[0] as string
    else if (name === 'flush') this.#shown = this.#rows.map(row => row.map(cell => ({ ...cell })))
  }

  #resize(columns: number, rows: number): void {
    this.#rows = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => this.#rows[row]?.[column] ?? blank()),
    )
  }

  /** `cells` are [text, highlight?, repeat?]; a highlight that is left out is that of the cell before. */
  #putLine(row: number, start: number, cells: unknown[][]): void {
    const line = this.#rows[row]
    if (!line) return
    let column = start
    let highlight = 0
    for (const [text, changed, repeat] of cells) {
      highlight = (changed as number | undefined) ?? highlight
      for (let count = (repeat as number | undefined) ?? 1; count > 0; count--) {
        line[column++] = { text: String(text), highlight }
      }
    }
  }

  /** Moves a region up by `distance` rows, or down when it is negative. What comes in is drawn by `grid_line` afterwards. */
  #scroll([top = 0, bottom = 0, left = 0, right = 0, distance = 0]: number[]): void {
    const before = this.#rows.map(row => [...row])
    for (let row = top; row < bottom; row++) {
      const from = row + distance
      if (from < top || from >= bottom) continue
      for (let column = left; column < right; column++) {
        const cell = before[from]?.[column]
        const line = this.#rows[row]
        if (cell && line) line[column] = cell
      }
    }
  }

  #setDefaultColors([foreground = -1, background = -1, special = -1]: number[]): void {
    // -1: Neovim leaves it to us.
    this.#colors = {
      foreground: foreground < 0 ? FALLBACK_COLORS.foreground : foreground,
      background: background < 0 ? FALLBACK_COLORS.background : background,
      special: special < 0 ? FALLBACK_COLORS.special : special,
    }
  }

  #resolve({ text, highlight }: Cell): ScreenCell {
    const attributes = this.#attributes.get(highlight) ?? {}
    const color = (name: keyof typeof FALLBACK_COLORS) => (attributes[name] as number | undefined) ?? this.#colors[name]
    const [foreground, background] = [color('foreground'), color('background')]
    const swapped = attributes.reverse === true
    return {
      text,
      foreground: swapped ? background : foreground,
      background: swapped ? foreground : background,
      special: color('special'),
      attributes,
    }
  }
}

function blank(): Cell {
  return { text: ' ', highlight: 0 }
}
