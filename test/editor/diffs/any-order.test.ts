// The review with everything in any order: several Claudes, the user, and a host that is killed, against a model of the
// protocol document's rules. After each step Neovim has the diffs of the model; every openDiff is answered once, as the model says; and no
// text that the user accepted is out of reach.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Proposed, recordNotices, startReview } from '../../support/diff.ts'
import { endOfCall, ReviewRun } from '../../support/review-run.ts'

interface ModelDiff {
  tab: number
  file: number
  /** Number of the connection that has opened it; undefined when a host before has shown it. */
  owner: number | undefined
  state: 'pending' | 'accepted'
  /** As it is in the editor. */
  text: string
  call: Proposed
}

interface Model {
  /** Number of the connection in each place. */
  connections: Map<number, number>
  connectionCount: number
  textCount: number
  diffs: Map<number, ModelDiff>
}

type Step = fc.AsyncCommand<Model, ReviewRun>

const nameIsTaken = -32000
const connectionEnded = 0

function step(
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: ReviewRun) => Promise<void>,
): Step {
  return {
    check,
    async run(model, real) {
      await run(model, real)
      await real.expectDiffs([...model.diffs.values()])
    },
    toString: () => name,
  }
}

const always = () => true
const inState = (state: ModelDiff['state'], model: Model) =>
  [...model.diffs.values()].filter(diff => diff.state === state)

/** One of the diffs in that state; there must be one. */
function pick(state: ModelDiff['state'], model: Model, which: number): ModelDiff {
  const diffs = inState(state, model)
  return diffs[which % diffs.length] as ModelDiff
}

/** The connection in that place, which comes to be where there is none. */
async function connected(model: Model, real: ReviewRun, place: number): Promise<number> {
  await real.client(place)
  const known = model.connections.get(place)
  if (known !== undefined) return known
  model.connectionCount += 1
  model.connections.set(place, model.connectionCount)
  return model.connectionCount
}

async function end(model: Model, diff: ModelDiff, expected: unknown): Promise<void> {
  model.diffs.delete(diff.tab)
  expect(await endOfCall(diff.call)).toEqual(expected)
}

const reject = (model: Model, real: ReviewRun, diff: ModelDiff) =>
  end(model, diff, ['DIFF_REJECTED', real.tabName(diff.tab)])

function open(place: number, tab: number, file: number, breakAtEnd: boolean): Step {
  return step(
    `Claude ${place} opens tab ${tab} of file ${file}${breakAtEnd ? '' : ', without a break at the end'}`,
    always,
    async (model, real) => {
      const owner = await connected(model, real, place)
      model.textCount += 1
      const text = `one\nproposal ${model.textCount}${breakAtEnd ? '\n' : ''}`
      const before = model.diffs.get(tab)
      const call = await real.propose(place, tab, file, text)
      if (before?.state === 'accepted' && before.owner !== owner) {
        expect(await endOfCall(call)).toBe(nameIsTaken)
        return
      }
      if (before?.state === 'pending') await reject(model, real, before)
      model.diffs.set(tab, { tab, file, owner, state: 'pending', text, call })
      await real.session.nvim.waitFor(() => real.shows(tab, text), `the proposal ${text}`)
    },
  )
}

function accept(which: number, keys: string): Step {
  return step(
    `accept ${which} with ${keys}`,
    model => inState('pending', model).length > 0,
    async (model, real) => {
      const diff = pick('pending', model, which)
      expect(await real.typeInto(diff.tab, keys)).toBe(true)
      expect(await endOfCall(diff.call)).toEqual(['FILE_SAVED', diff.text])
      diff.state = 'accepted'
    },
  )
}

function deny(which: number, keys: string): Step {
  return step(
    `reject ${which} with ${keys}`,
    model => inState('pending', model).length > 0,
    async (model, real) => {
      const diff = pick('pending', model, which)
      expect(await real.typeInto(diff.tab, keys)).toBe(true)
      await reject(model, real, diff)
    },
  )
}

function edit(which: number): Step {
  return step(
    `edit ${which}`,
    model => inState('pending', model).length > 0,
    async (model, real) => {
      const diff = pick('pending', model, which)
      model.textCount += 1
      const line = `by hand ${model.textCount}`
      expect(await real.typeInto(diff.tab, `Go${line}<Esc>`)).toBe(true)
      diff.text = diff.text.endsWith('\n') ? `${diff.text}${line}\n` : `${diff.text}\n${line}`
    },
  )
}

function closeTab(place: number, tab: number): Step {
  return step(`Claude ${place} closes tab ${tab}`, always, async (model, real) => {
    const caller = await connected(model, real, place)
    expect(await real.session.closeTab(real.tabName(tab), await real.client(place))).toEqual(['TAB_CLOSED'])
    const diff = model.diffs.get(tab)
    if (diff?.state === 'pending') await reject(model, real, diff)
    else if (diff && diff.owner === caller) model.diffs.delete(tab)
  })
}

function closeAll(place: number): Step {
  return step(`Claude ${place} closes all`, always, async (model, real) => {
    const caller = await connected(model, real, place)
    const closable = [...model.diffs.values()].filter(({ state, owner }) => state === 'pending' || owner === caller)
    expect(await real.session.closeAllTabs(await real.client(place))).toEqual([`CLOSED_${closable.length}_DIFF_TABS`])
    for (const diff of closable) {
      if (diff.state === 'pending') await reject(model, real, diff)
      else model.diffs.delete(diff.tab)
    }
  })
}

function withdraw(which: number): Step {
  return step(
    `Claude withdraws ${which}`,
    model => inState('pending', model).length > 0,
    async (model, real) => {
      const diff = pick('pending', model, which)
      diff.call.cancel()
      await end(model, diff, 0)
      await real.session.nvim.waitFor(
        async () => !(await real.session.isOpen(real.tabName(diff.tab))),
        'the diff to be closed',
      )
    },
  )
}

function disconnect(place: number): Step {
  return step(
    `Claude ${place} goes`,
    model => model.connections.has(place),
    async (model, real) => {
      const gone = model.connections.get(place)
      model.connections.delete(place)
      real.disconnect(place)
      for (const diff of inState('pending', model)) {
        if (diff.owner === gone) await end(model, diff, connectionEnded)
      }
    },
  )
}

/** Claude writes a text that was accepted for it. */
function write(which: number): Step {
  return step(
    `Claude writes ${which}`,
    model => inState('accepted', model).length > 0,
    (model, real) => {
      const diff = pick('accepted', model, which)
      return real.write(diff.file, diff.text)
    },
  )
}

/** The host is killed; the user may be just about to accept a proposal. */
function kill(which: number | undefined): Step {
  const name = which === undefined ? 'the host is killed' : `the host is killed while the user accepts ${which}`
  return step(name, always, async (model, real) => {
    const pending = inState('pending', model)
    const chosen = which === undefined ? undefined : pending[which % Math.max(pending.length, 1)]
    await real.killHost(async () => {
      if (chosen) await real.typeInto(chosen.tab, ':w<CR>')
    })
    model.connections.clear()
    for (const diff of model.diffs.values()) diff.owner = undefined
    for (const diff of pending) {
      const answer = await endOfCall(diff.call)
      const isAccepted = diff === chosen && (await real.isAccepted(diff.tab))
      if (isAccepted) diff.state = 'accepted'
      else model.diffs.delete(diff.tab)
      expect(answer).toBe(connectionEnded)
    }
  })
}

const closeAllByUser = step(':ClaudeCodeCloseAllDiffs', always, async (model, real) => {
  await real.session.nvim.feed(':ClaudeCodeCloseAllDiffs<CR>')
  for (const diff of inState('pending', model)) await reject(model, real, diff)
  const accepted = inState('accepted', model)
  model.diffs.clear()
  await real.expectDiffs([])
  for (const { file, text } of accepted) expect(await real.canBeHad(file, text), text).toBe(true)
})

const place = fc.nat(2)
const tab = fc.nat(2)
const which = fc.nat(5)

const anyStep = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(place, tab, fc.nat(1), fc.boolean()).map(args => open(...args)) },
  {
    weight: 6,
    arbitrary: fc.tuple(which, fc.constantFrom(':w<CR>', ':ClaudeCodeDiffAccept<CR>')).map(args => accept(...args)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(which, fc.constantFrom(':q<CR>', ':ClaudeCodeDiffDeny<CR>')).map(args => deny(...args)),
  },
  { weight: 4, arbitrary: which.map(edit) },
  { weight: 3, arbitrary: fc.tuple(place, tab).map(args => closeTab(...args)) },
  { weight: 1, arbitrary: place.map(closeAll) },
  { weight: 1, arbitrary: which.map(withdraw) },
  { weight: 2, arbitrary: place.map(disconnect) },
  { weight: 2, arbitrary: which.map(write) },
  { weight: 2, arbitrary: fc.option(which, { nil: undefined }).map(kill) },
  { weight: 1, arbitrary: fc.constant(closeAllByUser) },
)

test('whatever happens in whatever order', async () => {
  const session = await startReview({ init: recordNotices })
  // Each host that is killed has been well for long, so that the next one comes.
  await session.nvim.lua(`require('claudecode.host').age_ms = function() return math.huge end`)
  await fc.assert(
    fc.asyncProperty(fc.commands([anyStep], { maxCommands: 30, size: 'max' }), async commands => {
      const real = await ReviewRun.start(session)
      const model: Model = { connections: new Map(), connectionCount: 0, textCount: 0, diffs: new Map() }
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands)
      } finally {
        await real.end()
      }
    }),
    { numRuns: 30, interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true }, // a time-out would not say what failed
  )
}, 180_000)
