// Typed events inside the host.
import { type Disposable, onDispose } from './disposable.ts'

/** Adds a listener; dispose the result to remove it. */
export type Event<T> = (listener: (value: T) => void) => Disposable

/** The sending side of an `Event`. A listener that throws is handed to `onError` and does not disturb the others. */
export class Emitter<T> {
  #listeners = new Set<(value: T) => void>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  readonly event: Event<T> = listener => {
    const own = (value: T) => listener(value) // the same function may be added twice
    this.#listeners.add(own)
    return onDispose(() => {
      this.#listeners.delete(own)
    })
  }

  /** Calls the listeners that were there at this moment, in the order in which they were added. */
  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
