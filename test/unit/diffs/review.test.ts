// The review against a model of the editor: every openDiff is answered exactly once, by the protocol document's rules,
// and no accepted text is ever out of reach.
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { ReviewWorld, type Sent } from '../../support/review-world.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

let folder = ''

beforeEach(async () => {
  folder = (await makeTemporaryFolder()).path
})

async function newWorld(): Promise<ReviewWorld> {
  return new ReviewWorld(await mkdtemp(join(folder, 'world-')))
}

describe('after each step has come to rest', () => {
  /** An open diff by the rules. */
  interface Expected {
    readonly tabName: string
    readonly owner: number | undefined
    text: string | undefined
    readonly sent: Sent | undefined
  }

  type Step = [
    kind: 'open' | 'accept' | 'reject' | 'close' | 'closeAll' | 'disconnect' | 'userCloses' | 'restart',
    who: number,
    name: number,
  ]

  const anyStep = fc.tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('open' as const) },
      { weight: 3, arbitrary: fc.constant('accept' as const) },
      fc.constantFrom('reject' as const, 'close' as const, 'closeAll' as const, 'disconnect' as const),
      fc.constantFrom('userCloses' as const, 'restart' as const),
    ),
    fc.nat(2),
    fc.nat(2),
  )

  test('the diffs and the answers are those of the protocol document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async steps => {
        const world = await newWorld()
        let expected: Expected[] = []
        const answered = new Map<Sent, unknown>()
        let count = 0

        const end = (diff: Expected) => {
          expected = expected.filter(other => other !== diff)
          if (diff.text === undefined && diff.sent !== undefined) answered.set(diff.sent, { kind: 'rejected' })
        }
        const mayClose = (who: number) => (diff: Expected) => diff.text === undefined || diff.owner === who

        const run: Record<Step[0], (who: number, name: string) => Promise<void>> = {
          async open(who, name) {
            const old = expected.find(diff => diff.tabName === name)
            const sent = world.open(who, name)
            if (old !== undefined && !mayClose(who)(old)) {
              answered.set(sent, { kind: 'failed', code: -32000 })
              return
            }
            if (old !== undefined) end(old)
            expected.push({ tabName: name, owner: who, text: undefined, sent })
          },
          async accept(_, name) {
            const diff = expected.find(other => other.tabName === name && other.text === undefined)
            const shown = world.pending().find(other => other.tabName === name)
            if (diff === undefined || shown === undefined) return
            count += 1
            diff.text = `text ${count}`
            expect(world.editor.accept(shown, diff.text)).toBe(true)
            if (diff.sent !== undefined) answered.set(diff.sent, { kind: 'accepted', text: diff.text })
          },
          async reject(_, name) {
            const diff = expected.find(other => other.tabName === name && other.text === undefined)
            const shown = world.pending().find(other => other.tabName === name)
            if (diff === undefined || shown === undefined) return
            world.editor.reject(shown)
            end(diff)
          },
          async close(who, name) {
            const closing = world.review.closeTab(world.connection(who).client, name)
            expected.filter(diff => diff.tabName === name && mayClose(who)(diff)).forEach(end)
            await world.editor.settle()
            await closing
          },
          async closeAll(who) {
            const closing = world.review.closeAllTabs(world.connection(who).client)
            const gone = expected.filter(mayClose(who))
            gone.forEach(end)
            await world.editor.settle()
            expect(await closing).toBe(gone.length)
          },
          async disconnect(who) {
            if (world.connections[who] === undefined) return
            world.disconnect(who)
            expected.filter(diff => diff.owner === who && diff.text === undefined).forEach(end)
            expected = expected.map(diff => (diff.owner === who ? { ...diff, owner: undefined } : diff))
          },
          async userCloses() {
            const closing = world.review.closeAllByUser()
            const texts = expected.flatMap(({ text }) => text ?? [])
            const known = world.kept.length
            expected.slice().forEach(end)
            await world.editor.settle()
            await closing
            expect(world.kept.slice(known).sort()).toEqual(texts.sort())
          },
          async restart() {
            await world.restart()
            expected = expected
              .filter(diff => diff.text !== undefined)
              .map(diff => ({ ...diff, owner: undefined, sent: undefined }))
          },
        }

        for (const [kind, who, name] of steps) {
          await run[kind](who, `tab ${name}`)
          await world.editor.settle()
          const shown = [...world.editor.diffs.values()].map(({ tabName, state }) => `${tabName} ${state}`)
          const wanted = expected.map(
            ({ tabName, text }) => `${tabName} ${text === undefined ? 'pending' : 'accepted'}`,
          )
          expect(shown.sort()).toEqual(wanted.sort())
          expect(world.editor.pendingDiffs).toBe(expected.filter(({ text }) => text === undefined).length)
          for (const sent of world.sent) {
            if (!sent.hostWasKilled) expect(sent.answers).toEqual(answered.has(sent) ? [answered.get(sent)] : [])
          }
        }
        expect(await readdir(world.folder)).toHaveLength(expected.length)
        await endOf(world)
      }),
      { numRuns: 200 },
    )
  }, 120_000)
})

describe('whatever crosses on its way', () => {
  type Step =
    | ['open' | 'close' | 'closeAll' | 'disconnect', who: number, name: number]
    | ['accept' | 'reject' | 'busy' | 'calm' | 'restart', which: number]
    | ['to editor' | 'to host' | 'burst']

  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constant('open' as const), fc.nat(2), fc.nat(2)) },
    fc.tuple(fc.constantFrom('close' as const, 'closeAll' as const, 'disconnect' as const), fc.nat(2), fc.nat(2)),
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('accept' as const, 'reject' as const), fc.nat(2)) },
    fc.tuple(fc.constantFrom('busy' as const, 'calm' as const), fc.nat(0)),
    fc.tuple(fc.constant('restart' as const), fc.nat(0)),
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
          else if (kind === 'close') inBackground.push(world.review.closeTab(world.connection(a).client, tabName))
          else if (kind === 'closeAll') inBackground.push(world.review.closeAllTabs(world.connection(a).client))
          else if (kind === 'disconnect') world.disconnect(a)
          else if (kind === 'busy') world.editor.isBusy = true
          else if (kind === 'calm') world.editor.calm()
          else if (kind === 'restart') await world.restart()
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
          answers.flatMap(answer => ('text' in answer ? answer.text : [])),
        )
        for (const text of accepted) expect([...reached, ...world.kept]).toContain(text)
        expect(new Set(reached).size).toBe(reached.length)
      }),
      { numRuns: 600 },
    )
  }, 120_000)
})

/** Everyone goes home: nothing may be left, and nobody may have been told anything twice. */
async function endOf(world: ReviewWorld): Promise<void> {
  const closing = world.review.closeAllByUser()
  await world.editor.settle()
  await closing
  expect([...world.editor.diffs.values()]).toEqual([])
  await world.review.dispose()
  await world.editor.settle()
  for (const { answers, hostWasKilled } of world.sent) if (!hostWasKilled) expect(answers).toHaveLength(1)
  expect(world.logged).toEqual([])
}

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
    const closing = world.review.closeAllTabs(world.connection(0).client)
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
    const closing = world.review.closeTab(world.connection(0).client, 'tab')
    world.clock.advance(4000)
    await closing
    expect(diff && world.editor.accept(diff, 'late')).toBe(true)
    await world.editor.settle()
    expect(sent.answers).toEqual([{ kind: 'rejected' }])
    const again = world.review.closeAllTabs(world.connection(0).client)
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
