// Who may replace and close which diff: each sentence of the protocol document on its own.
import { describe, expect, test } from 'vitest'
import { accepted, type OpenDiff, opening, rejected, shown } from '../../../src/diffs/diff.ts'
import { DiffStore } from '../../../src/diffs/diff-store.ts'
import type { Client } from '../../../src/ide/client.ts'

function client(id: number): Client {
  return { id, isReady: true, processId: 7, notify: () => undefined }
}

const mine = client(1)
const theirs = client(2)
const states = ['opening', 'pending', 'accepted'] as const

function make(state: OpenDiff['state'], owner: Client | undefined, tabName = 'tab', id = tabName): OpenDiff {
  const diff = opening({ id, tabName, oldPath: '/a', newPath: '/a', owner })
  if (state === 'opening') return diff
  return state === 'pending' ? shown(diff) : accepted(shown(diff), 'text')
}

function storeWith(...diffs: OpenDiff[]): DiffStore {
  const store = new DiffStore()
  for (const diff of diffs) store.put(diff)
  return store
}

describe('a name', () => {
  test('that no diff has is free', () => {
    expect(storeWith(make('pending', mine, 'tab 2')).claim(mine, 'tab')).toEqual({ kind: 'free' })
  })

  test.each(states)('of a diff of the same client in state %s is replaced', state => {
    const diff = make(state, mine)
    expect(storeWith(diff).claim(mine, 'tab')).toEqual({ kind: 'replaces', diff })
  })

  test.each(['opening', 'pending'] as const)("of another client's diff in state %s is replaced", state => {
    const diff = make(state, theirs)
    expect(storeWith(diff).claim(mine, 'tab')).toEqual({ kind: 'replaces', diff })
  })

  test.each([theirs, undefined])('of a diff that was accepted for client %o is refused', owner => {
    const diff = make('accepted', owner)
    expect(storeWith(diff).claim(mine, 'tab')).toEqual({ kind: 'refused', diff })
  })

  test('belongs to the newest diff, while an older one is being replaced', () => {
    const newest = make('opening', mine, 'tab', 'b')
    expect(storeWith(make('pending', mine, 'tab', 'a'), newest).closable(mine, 'tab')).toBe(newest)
  })

  test('is free again when the diff is closed', () => {
    const diff = opening({ id: 'a', tabName: 'tab', oldPath: '/a', newPath: '/a', owner: mine })
    const store = storeWith(diff)
    expect(store.close(rejected(diff, 'why'))).toMatchObject({ state: 'closed', tabName: 'tab' })
    expect(store.claim(mine, 'tab')).toEqual({ kind: 'free' })
    expect(store.all).toEqual([])
  })
})

describe('close_tab and closeAllDiffTabs', () => {
  test('reach every diff but those that were accepted for another client, or in the time of another host', () => {
    const may = [
      ...states.map(state => make(state, mine, `my ${state}`)),
      make('opening', theirs, 'their opening'),
      make('pending', theirs, 'their pending'),
    ]
    const mayNot = [make('accepted', theirs, 'their accepted'), make('accepted', undefined, "nobody's accepted")]
    const store = storeWith(...may, ...mayNot)
    expect(store.allClosable(mine)).toEqual(may)
    for (const diff of may) expect(store.closable(mine, diff.tabName)).toBe(diff)
    for (const { tabName } of mayNot) expect(store.closable(mine, tabName)).toBeUndefined()
  })

  test.each(['Tab', 'tab ', 'ta', 'tab (proposed)', '.*', ''])('do not take %j for tab', name => {
    expect(storeWith(make('pending', mine)).closable(mine, name)).toBeUndefined()
  })

  test('tell clients apart by themselves, not by their process', () => {
    expect(storeWith(make('accepted', client(1))).closable(mine, 'tab')).toBeUndefined()
  })
})

test('what is undecided ends with its client, what is accepted does not', () => {
  const store = storeWith(
    make('opening', mine, '1'),
    make('pending', mine, '2'),
    make('accepted', mine, '3'),
    make('pending', theirs, '4'),
  )
  expect(store.endingWith(mine).map(({ tabName }) => tabName)).toEqual(['1', '2'])
  expect(store.undecidedCount).toBe(3)
})
