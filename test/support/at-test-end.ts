// Cleaning up after a test, whether it passes or fails.

/**
 * Runs `action` when the current test is over, the last one registered first. Outside of a test (in `beforeAll`, or without
 * vitest) nothing is registered, and whoever made the thing ends it.
 */
export async function atTestEnd(action: () => void | Promise<void>): Promise<void> {
  // Importing vitest throws where it does not run.
  if (process.env.VITEST === undefined) return
  const { onTestFinished } = await import('vitest')
  try {
    onTestFinished(action)
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('onTestFinished'))) throw error
  }
}
