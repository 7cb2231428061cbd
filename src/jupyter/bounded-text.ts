// Text that may grow without end, kept in bounded memory: its beginning and its end.

/** Keeps the first quarter and the last three quarters of a length, and says how much is missing between them. */
export class BoundedText {
  readonly #headLength: number
  readonly #tailLength: number
  #head = ''
  #tail: string[] = []
  #tailSize = 0
  #dropped = 0

  /** @param length characters that are kept. */
  constructor(length: number) {
    this.#headLength = Math.floor(length / 4)
    this.#tailLength = length - this.#headLength
  }

  /** Adds to the end. Returns the same object. */
  append(text: string): this {
    const room = this.#headLength - this.#head.length
    this.#head += text.slice(0, room)
    const rest = text.slice(room)
    if (rest !== '') {
      this.#tail.push(rest)
      this.#tailSize += rest.length
      if (this.#tailSize > 2 * this.#tailLength) this.#shorten() // seldom, so that many small pieces cost little
    }
    return this
  }

  /** What was kept. */
  toString(): string {
    this.#shorten()
    const tail = this.#tail.join('')
    if (this.#dropped === 0) return this.#head + tail
    return `${this.#head}\n[… ${this.#dropped} characters left out …]\n${tail}`
  }

  #shorten(): void {
    const excess = this.#tailSize - this.#tailLength
    if (excess <= 0) return
    this.#tail = [this.#tail.join('').slice(excess)]
    this.#tailSize = this.#tailLength
    this.#dropped += excess
  }
}
