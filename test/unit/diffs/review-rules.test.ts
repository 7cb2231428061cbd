// The review by the rules: random steps of several Claudes, the user and the host, and what must be after each of them.
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { endOf, ReviewWorld, type Sent } from '../../support/review-world.ts'
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
    kind:
      | 'open'
      | 'accept'
      | 'reject'
      | 'close'
      | 'closeAll'
      | 'disconnect'
      | 'userCloses'
      | 'restart'
      | 'autoAccept'
      | 'unsaved'
      | 'enabled',
    who: number,
    name: number,
  ]

  const anyStep = fc.tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('open' as const) },
      { weight: 3, arbitrary: fc.constant('accept' as const) },
      fc.constantFrom('reject' as const, 'close' as const, 'closeAll' as const, 'disconnect' as const),
      fc.constantFrom('userCloses' as const, 'restart' as const),
      fc.constantFrom('autoAccept' as const, 'unsaved' as const, 'enabled' as const),
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
        let unseen = new Set<number>()

        const end = (diff: Expected) => {
          expected = expected.filter(other => other !== diff)
          if (diff.text === undefined && diff.sent !== undefined) answered.set(diff.sent, { kind: 'rejected' })
        }
        const mayClose = (who: number) => (diff: Expected) => diff.text === undefined || diff.owner === who

        const run: Record<Step[0], (who: number, name: string) => Promise<void>> = {
          async open(who, name) {
            const old = expected.find(diff => diff.tabName === name)
            const sent = world.open(who, name)
            if (!world.isEnabled) {
              answered.set(sent, { kind: 'failed', code: -32602 })
              return
            }
            if (old !== undefined && !mayClose(who)(old)) {
              answered.set(sent, { kind: 'failed', code: -32000 })
              return
            }
            if (old !== undefined) end(old)
            if (unseen.has(who) && !world.editor.hasUnsaved) {
              answered.set(sent, { kind: 'accepted', text: 'proposed' })
              return
            }
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
            const closing = world.closeTab(who, name)
            expected.filter(diff => diff.tabName === name && mayClose(who)(diff)).forEach(end)
            await world.editor.settle()
            await closing
          },
          async closeAll(who) {
            const closing = world.closeAllTabs(who)
            const gone = expected.filter(mayClose(who))
            gone.forEach(end)
            await world.editor.settle()
            expect(await closing).toBe(gone.length)
          },
          async disconnect(who) {
            if (world.connections[who] === undefined) return
            world.disconnect(who)
            unseen.delete(who)
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
            unseen.clear()
            expected = expected
              .filter(diff => diff.text !== undefined)
              .map(diff => ({ ...diff, owner: undefined, sent: undefined }))
          },
          async autoAccept(who) {
            world.autoAccept.set(who === 0 ? 'off' : 'on')
            unseen = new Set(who === 0 ? [] : [0, 1, 2].filter(index => world.connections[index] !== undefined))
          },
          async unsaved(who) {
            world.editor.hasUnsaved = who === 0
          },
          async enabled(who) {
            world.isEnabled = who > 0
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
