// JSON that others have written, and that may be none.

/** The value of a JSON text; undefined when the text is none. What the value is, a schema has to say. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
