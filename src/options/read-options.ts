// From what the user wrote to options that can be used: a wrong or unknown one costs a warning, never a start.
import { z } from 'zod'
import { closestName } from './closest-name.ts'
import { noteOf } from './note.ts'
import { Options } from './schema.ts'

/** The options in use, and one sentence for each that the user wrote and that is not in use. */
export interface ReadOptions {
  options: Options
  warnings: string[]
}

type Path = readonly PropertyKey[]

/**
 * Checks the user's options. Each wrong one is left out, so that its default is used, and named in a warning with its
 * value and what is allowed; each unknown one is named too.
 * @param written the table given to `setup()`, as it came from Lua (an empty table is `[]`).
 */
export function readOptions(written: unknown): ReadOptions {
  const warnings: string[] = []
  let input = asTables(written)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    warnings.push(`setup() takes a table of options, not ${show(input)}; the defaults are used`)
    input = {}
  }
  for (;;) {
    const parsed = Options.safeParse(input)
    if (parsed.success) return { options: parsed.data, warnings }
    // One fault a round: taking out what is wrong may mend other findings, and every round takes something out.
    const [issue] = parsed.error.issues
    if (issue?.code === 'unrecognized_keys') {
      for (const key of issue.keys) warnings.push(describeUnknown(input, [...issue.path, key]))
    } else {
      warnings.push(describeWrong(input, optionPath(issue?.path ?? [])))
    }
  }
}

/** The path of the option that `path` is in: an issue may lie deeper, such as in `port_range.min`. */
function optionPath(path: Path): Path {
  for (let length = path.length; length > 0; length--) {
    if (noteAt(path.slice(0, length))) return path.slice(0, length)
  }
  return path.slice(0, 1)
}

function describeUnknown(input: unknown, path: Path): string {
  remove(input, path)
  const close = closestName(join(path), namesIn([]))
  return `option ${join(path)} is not known; ${close ? `did you mean ${close}?` : 'all are in :help claudecode-options'}`
}

/** The dotted names of all options in the table at `path`, and of the tables in it. */
function namesIn(path: Path): string[] {
  return Object.keys(shapeAt(path) ?? {}).flatMap(key => [join([...path, key]), ...namesIn([...path, key])])
}

function describeWrong(input: unknown, path: Path): string {
  const value = remove(input, path)
  const schema = schemaAt(path)
  if (!schema) return `option ${join(path)} is ${show(value)}, which can't be used; the default is used`
  const fallback = schema.safeParse(undefined)
  return `option ${join(path)} is ${show(value)}; allowed: ${allowedValues(schema)}; the default ${show(fallback.data)} is used`
}

/** What may be written for an option, in words. */
export function allowedValues(schema: z.ZodType): string {
  const { allowed } = noteOf(schema) ?? {}
  if (allowed !== undefined) return allowed
  const inner = schema instanceof z.ZodDefault ? (schema.def.innerType as z.ZodType) : schema
  if (inner instanceof z.ZodEnum) return inner.options.map(value => JSON.stringify(value)).join(', ')
  if (inner instanceof z.ZodBoolean) return 'true, false'
  return 'a table'
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault ? unwrap(schema.def.innerType) : schema
}

function shapeAt(path: Path): Record<string, z.ZodType> | undefined {
  let schema: unknown = Options
  for (const key of path)
    schema = unwrap(schema) instanceof z.ZodObject ? (unwrap(schema) as z.ZodObject).shape[key as string] : undefined
  const last = unwrap(schema)
  return last instanceof z.ZodObject ? (last.shape as Record<string, z.ZodType>) : undefined
}

function schemaAt(path: Path): z.ZodType | undefined {
  return shapeAt(path.slice(0, -1))?.[String(path.at(-1))]
}

function noteAt(path: Path): boolean {
  const schema = schemaAt(path)
  return schema !== undefined && noteOf(schema) !== undefined
}

/** Takes the value at `path` out of `input`, so that the next round uses its default. */
function remove(input: unknown, path: Path): unknown {
  let table = input as Record<PropertyKey, unknown>
  for (const key of path.slice(0, -1)) table = table[key] as Record<PropertyKey, unknown>
  const last = path.at(-1) as PropertyKey
  const value = table[last]
  delete table[last]
  return value
}

/** Lua has one kind of table; an empty one arrives as an empty list, and no option of ours is an empty list. */
function asTables(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? {} : value.map(asTables)
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asTables(item)]))
}

function join(path: Path): string {
  return path.map(String).join('.')
}

/** A value as a user would write it in Lua. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return 'nil'
  if (typeof value !== 'object') return JSON.stringify(value)
  const items = Array.isArray(value)
    ? value.map(show)
    : Object.entries(value).map(([key, item]) => `${key} = ${show(item)}`)
  return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`
}
