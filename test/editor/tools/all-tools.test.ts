// All tools together: how they are listed, and that each of them answers whatever it is called with.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { examples, expectHarmless, hostile, outcome, required } from './examples.ts'
import { startSession } from './support.ts'

/** These wait for the user. */
const waiting = ['openDiff', 'executeCode']

test('they are listed in the order of the document, with schemas that take its examples', async () => {
  const { claude } = await startSession({ setup: "{ jupyter = { enabled = 'always' } }" })
  expect(claude.tools.map(tool => tool.name)).toEqual(examples.map(([name]) => name))
  for (const { name, description, inputSchema } of claude.tools) {
    const [, example] = examples.find(([one]) => one === name) ?? []
    expect(description.length, name).toBeGreaterThan(20)
    expect(inputSchema, name).toMatchObject({ type: 'object' })
    expect(inputSchema.required ?? [], name).toEqual(required[name] ?? [])
    const schema = z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0])
    expect(schema.parse(example), name).toMatchObject(example ?? {})
    for (const missing of required[name] ?? []) {
      expect(schema.safeParse({ ...example, [missing]: undefined }).success, `${name} without ${missing}`).toBe(false)
      expect(schema.safeParse({ ...example, [missing]: 7 }).success, `${name} with a wrong ${missing}`).toBe(false)
    }
    for (const property of Object.values(inputSchema.properties ?? {})) {
      expect(property, name).toHaveProperty('description')
    }
  }
})

test('W-12, W-16: every name of the document answers, and every answer is made of strings', async () => {
  const session = await startSession()
  for (const [name, example] of examples) {
    if (!waiting.includes(name)) expectHarmless(name, await outcome(session, name, example))
  }
})

test('whatever a tool is called with: an answer, and nothing of our inside in it', async () => {
  const session = await startSession({ files: { 'a.txt': 'one\n' }, args: ['a.txt'] })
  const { claude, nvim } = session
  for (const { name, inputSchema } of claude.tools) {
    if (waiting.includes(name)) continue
    const [, example] = examples.find(([one]) => one === name) ?? []
    const parameters = Object.keys(inputSchema.properties ?? {})
    for (const value of hostile) {
      for (const parameter of [...parameters, 'unknown']) {
        expectHarmless(name, await outcome(session, name, { ...example, [parameter]: value }))
      }
    }
  }
  expect(await nvim.blockedMode()).toBeUndefined()
  expect(
    await nvim.lua('return { vim.fn.expand("%:t"), vim.fn.winnr("$"), #vim.fn.getbufinfo({ bufmodified = 1 }) }'),
  ).toEqual(['a.txt', 1, 0])
  expect(await nvim.messages()).toBe('')
  expect(claude.isOpen).toBe(true)
  expect(nvim.hosts()).toHaveLength(1)
})
