// The options, read from their schema, as the three places that document them want them.
import { z } from 'zod'
import { noteOf } from '../../src/options/note.ts'
import { allowedValues, show } from '../../src/options/read-options.ts'
import { Options } from '../../src/options/schema.ts'

/** One option as documentation has it. */
interface DocumentedOption {
  name: string
  /** What may be written, in Lua's words. */
  allowed: string
  /** The default, in Lua's words. */
  fallback: string
  doc: string
  schema: z.ZodType
}

/** All options in the schema's order, nested ones with dotted names. */
function documentedOptions(): DocumentedOption[] {
  return describe(Options, '')
}

function describe(table: z.ZodObject, prefix: string): DocumentedOption[] {
  return Object.entries(table.shape as Record<string, z.ZodType>).flatMap(([key, schema]) => {
    const name = prefix + key
    if (schema instanceof z.ZodPrefault) return describe(schema.def.innerType as z.ZodObject, `${name}.`)
    const doc = noteOf(schema)?.doc
    if (doc === undefined) throw new Error(`option ${name} has no doc in src/options/schema.ts`)
    return [{ name, allowed: allowedValues(schema), fallback: show(schema.parse(undefined)), doc, schema }]
  })
}

/** The option table of README.md. */
export function markdownTable(): string {
  const cell = (text: string) => text.replaceAll(/\|(\S+)\|/g, '`:help $1`').replaceAll('|', '\\|')
  const rows = documentedOptions().map(
    ({ name, fallback, allowed, doc }) => `| \`${name}\` | \`${cell(fallback)}\` | ${cell(allowed)} | ${cell(doc)} |`,
  )
  return ['| Option | Default | Allowed | What it does |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const helpWidth = 78

/** The option part of doc/claudecode.txt: one tagged entry for each. */
export function helpEntries(): string {
  return documentedOptions()
    .map(({ name, fallback, allowed, doc }) => {
      const tag = `*claudecode-option-${name}*`
      const head = `${name}${' '.repeat(Math.max(1, helpWidth - name.length - tag.length))}${tag}`
      const body = [`Default: ${fallback}`, `Allowed: ${allowed}`, doc].flatMap(text =>
        wrap(text.replaceAll(/`(:\w+)`/g, '|$1|')),
      )
      return [head, ...body.map(line => `    ${line}`)].join('\n')
    })
    .join('\n\n')
}

function wrap(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > helpWidth - 4) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines, line]
}

/** lua/claudecode/types.lua: what a language server completes in the user's configuration. */
export function luaTypes(): string {
  const classes = new Map<string, string[]>([['claudecode.Options', []]])
  for (const { name, doc, schema } of documentedOptions()) {
    const parts = name.split('.')
    const key = parts.pop() as string
    let owner = 'claudecode.Options'
    for (const part of parts) {
      const nested = `${owner}.${part}`
      if (!classes.has(nested)) {
        classes.get(owner)?.push(`---@field ${part}? ${nested}`)
        classes.set(nested, [])
      }
      owner = nested
    }
    classes.get(owner)?.push(`---@field ${key}? ${luaType(schema)} ${doc}`)
  }
  const text = [...classes].map(([name, fields]) => [`---@class ${name}`, ...fields].join('\n')).join('\n\n')
  return `-- The types of the options, for language servers. Made by scripts/docs/generate.ts from src/options/schema.ts.\n\n${text}\n`
}

/** A function as it travels, and a table that can be called (src/options/note.ts), is a function in Lua. */
function isFunction(schema: unknown): boolean {
  return schema instanceof z.ZodLiteral && schema.value === '<function>'
}

function luaType(schema: z.ZodType): string {
  const inner =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? (schema.def.innerType as z.ZodType) : schema
  if (inner !== schema) return luaType(inner)
  if (inner instanceof z.ZodPipe) return luaType(inner.def.out as z.ZodType)
  if (inner instanceof z.ZodArray) {
    const item = luaType(inner.def.element as z.ZodType)
    return item.includes('|') ? `(${item})[]` : `${item}[]`
  }
  if (inner instanceof z.ZodUnion) {
    const parts = inner.options as readonly z.ZodType[]
    const isCallable = parts.some(isFunction)
    const types = parts.filter(part => !(isCallable && part instanceof z.ZodRecord)).map(luaType)
    return [...new Set(types)].join('|')
  }
  if (isFunction(inner)) return 'function'
  if (inner instanceof z.ZodLiteral) return JSON.stringify(inner.value)
  if (inner instanceof z.ZodRecord && inner.valueType instanceof z.ZodUnknown) return 'table'
  if (inner instanceof z.ZodEnum) return inner.options.map(value => JSON.stringify(value)).join('|')
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodNumber) return 'number'
  if (inner instanceof z.ZodString) return 'string'
  if (inner instanceof z.ZodRecord) return 'table<string, string>'
  if (inner instanceof z.ZodObject) {
    const fields = Object.entries(inner.shape as Record<string, z.ZodType>).map(
      ([key, item]) => `${key}${item instanceof z.ZodOptional ? '?' : ''}: ${luaType(item)}`,
    )
    return `{ ${fields.join(', ')} }`
  }
  return 'any'
}
