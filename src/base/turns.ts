// Steps that must not overlap, such as the start and the stop of one thing.

/** Runs a step when all that were given before it have ended, well or badly. Settles as the step does. */
export type Turns = <T>(step: () => Promise<T>) => Promise<T>

/** Makes a queue of its own for such steps. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return step => {
    const turn = last.then(step)
    last = turn.catch(() => undefined) // whoever gave the step hears of its failure
    return turn
  }
}
