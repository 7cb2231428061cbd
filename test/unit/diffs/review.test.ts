// The review against a model of the editor: every openDiff is answered exactly once, by the protocol document's rules,
// and no accepted text is ever out of reach.
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { endOf, ReviewWorld } from '../../support/review-world.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

let folder = ''

beforeEach(async () => {
  folder = (await makeTemporaryFolder()).path
})

async function newWorld(): Promise<ReviewWorld> {
  return new ReviewWorld(await mkdtemp(join(folder, 'world-')))
}

describe('whatever crosses on its way', () => {
  type Step =
    | ['open' | 'close' | 'closeAll' | 'disconnect', who: number, name: number]
    | ['accept' | 'reject' | 'busy' | 'calm' | 'restart' | 'autoAccept', which: number]
    | ['to editor' | 'to host' | 'burst']

  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('open' as const), fc.nat(2), fc.nat(2)) },
    fc.tuple(fc.constantFrom('close' as const, 'closeAll' as const, 'disconnect' as const), fc.nat(2), fc.nat(2)),
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('accept' as const, 'reject' as const), fc.nat(2)) },
    fc.tuple(fc.constantFrom('busy' as const, 'calm' as const), fc.nat(0)),
    fc.tuple(fc.constant('restart' as const), fc.nat(0)),
    fc.tuple(fc.constant('autoAccept' as const), fc.nat(1)),
    { weight: 12, arbitrary: fc.constantFrom<Step>(['to editor'], ['to editor'], ['to host'], ['burst']) },
  )

  test('every call is answered once, and every accepted text reached its client or is still there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 60 }), async steps => {
        const world = await newWorld()
        const accepted: string[] = []
        const inBackground: Promise<unknown>[] = []
        for (const [kind, a = 0, b = 0] of steps) {
          const tabName = `tab ${b}`
          const pending = world.pending()
          const chosen = pending[a % Math.max(pending.length, 1)]
          if (kind === 'open') world.open(a, tabName)
          else if (kind === 'close') inBackground.push(world.closeTab(a, tabName))
          else if (kind === 'closeAll') inBackground.push(world.closeAllTabs(a))
          else if (kind === 'disconnect') world.disconnect(a)
          else if (kind === 'busy') world.editor.isBusy = true
          else if (kind === 'calm') world.editor.calm()
          else if (kind === 'restart') await world.restart()
          else if (kind === 'autoAccept') world.autoAccept.set(a === 0 ? 'off' : 'on')
          else if (kind === 'reject') chosen && world.editor.reject(chosen)
          else if (kind === 'accept') {
            const text = `text ${accepted.length}`
            if (chosen !== undefined && world.editor.accept(chosen, text)) accepted.push(text)
          } else if (kind === 'burst') await world.editor.burst()
          else await world.editor.step(kind)
        }
        world.editor.calm()
        await world.editor.settle()
        await endOf(world)
        const reached = world.sent.flatMap(({ answers }) =>
          answers.flatMap(answer => ('text' in answer && answer.text !== 'proposed' ? answer.text : [])),
        )
        for (const text of accepted) expect([...reached, ...world.kept]).toContain(text)
        expect(new Set(reached).size).toBe(reached.length)
      }),
      { numRuns: 600 },
    )
  }, 120_000)
})

describe('an editor that can not show a diff', () => {
  test('is told as -32000 with its reason, and the name is free again', async () => {
    const world = await newWorld()
    world.editor.refusal = 'it is a folder'
    const sent = world.open(0, 'tab')
    await world.editor.settle()
    expect(sent.answers).toEqual([{ kind: 'failed', code: -32000 }])
    world.editor.refusal = undefined
    world.open(0, 'tab')
    await world.editor.settle()
    expect(world.pending()).toHaveLength(1)
    expect(await readdir(world.folder)).toHaveLength(1)
  })
})

describe('an editor that answers nobody', () => {
  test('holds up no client for more than 4 s', async () => {
    const world = await newWorld()
    const sent = world.open(0, 'tab')
    await world.editor.settle()
    const closing = world.closeAllTabs(0)
    world.clock.advance(3999)
    await Promise.resolve()
    expect(sent.answers).toEqual([])
    world.clock.advance(1)
    expect(await closing).toBe(1)
    expect(sent.answers).toEqual([{ kind: 'rejected' }])
    await world.editor.settle()
    expect(world.pending()).toEqual([])
    expect(await readdir(world.folder)).toEqual([])
  })

  test('what the user accepts then is not lost, though Claude waits no more', async () => {
    const world = await newWorld()
    const sent = world.open(0, 'tab')
    await world.editor.settle()
    const [diff] = world.pending()
    const closing = world.closeTab(0, 'tab')
    world.clock.advance(4000)
    await closing
    expect(diff && world.editor.accept(diff, 'late')).toBe(true)
    await world.editor.settle()
    expect(sent.answers).toEqual([{ kind: 'rejected' }])
    const again = world.closeAllTabs(0)
    await world.editor.settle()
    expect(await again).toBe(0)
    await endOf(world)
    expect(world.kept).toEqual(['late'])
  })
})

test('a user who is faster than the word that the diff is shown is heard', async () => {
  const world = await newWorld()
  const sent = world.open(0, 'tab')
  for (;;) {
    await world.editor.step('to editor')
    if (world.pending().length > 0) break // the word is on its way
    await world.editor.step('to host')
    await pause(1)
  }
  const [diff] = world.pending()
  expect(diff && world.editor.accept(diff, 'at once')).toBe(true)
  await world.editor.burst()
  expect(sent.answers).toEqual([{ kind: 'accepted', text: 'at once' }])
})

test('a call that is withdrawn before it arrives is answered, and nothing is shown', async () => {
  const world = await newWorld()
  world.connection(0).gone.abort()
  const sent = world.open(0, 'tab')
  await world.editor.settle()
  expect(sent.answers).toEqual([{ kind: 'rejected' }])
  expect(world.pending()).toEqual([])
})

test('the end of the host answers all who wait, at once', async () => {
  const world = await newWorld()
  const all = [world.open(0, 'a'), world.open(0, 'b')]
  await world.editor.settle()
  all.push(world.open(1, 'on its way'))
  await world.review.dispose()
  for (const { answers } of all) expect(answers).toEqual([{ kind: 'rejected' }])
})
