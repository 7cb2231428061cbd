// What an option is said to do, beside its schema; and kinds of values that several options have.
import { z } from 'zod'

/** What the documentation says of an option, kept beside its schema. */
export interface OptionNote {
  /** One or two sentences: what it does. */
  doc: string
  /** What may be written, as a user writes it in Lua. Left out where the schema's own values say it. */
  allowed?: string
}

const notes = new WeakMap<z.ZodType, OptionNote>() // not `z.meta`, which makes each schema twice when the host starts

/** Gives a schema its documentation. */
export function note<T extends z.ZodType>(schema: T, doc: string, allowed?: string): T {
  notes.set(schema, allowed === undefined ? { doc } : { doc, allowed })
  return schema
}

/** The documentation that this very schema was given. */
export function noteOf(schema: z.ZodType): OptionNote | undefined {
  return notes.get(schema)
}

/** A Lua function, as it travels (lua/claudecode/config.lua), or a table that can be called. Lua keeps the function. */
export const luaFunction = z.union([z.literal('<function>'), z.record(z.string(), z.unknown())])
