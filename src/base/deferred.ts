// A promise whose end is decided elsewhere.

/** A promise together with the functions that settle it. Only the first call of either counts. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly isSettled: boolean
  resolve(value: T): void
  reject(reason: unknown): void
}

/** Makes an open `Deferred`. A rejection nobody waits for is not reported as unhandled. */
export function createDeferred<T>(): Deferred<T> {
  let settled = false
  let settle: { resolve: (value: T) => void; reject: (reason: unknown) => void } | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  promise.catch(() => undefined) // the owner decides who listens; an answer nobody waits for any more is no fault
  return {
    promise,
    get isSettled() {
      return settled
    },
    resolve(value) {
      settled = true
      settle?.resolve(value)
    },
    reject(reason) {
      settled = true
      settle?.reject(reason)
    },
  }
}
