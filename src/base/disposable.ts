// Things that must be let go: sockets, timers, files, subscriptions.

/** Something that holds a resource. `dispose` may be called any number of times; only the first call acts. */
export interface Disposable {
  dispose(): void | Promise<void>
}

/** Wraps a function as a `Disposable` that runs it once. */
export function onDispose(release: () => void | Promise<void>): Disposable {
  let done = false
  return {
    dispose() {
      if (done) return
      done = true
      return release()
    },
  }
}

/** A group of disposables, let go in the reverse order in which they were added. */
export class DisposableStack implements Disposable {
  #items: Disposable[] = []
  #disposed = false

  /** Adds `item` and returns it. When the stack is already disposed, the item is let go at once. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) void item.dispose()
    else this.#items.push(item)
    return item
  }

  /** Lets everything go, one after the other, newest first. One failing item does not stop the others; the first error is thrown at the end. */
  async dispose(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    const failures: unknown[] = []
    for (const item of this.#items.splice(0).reverse()) {
      try {
        await item.dispose()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
