// The user's options: what is wrong costs one warning that helps, and never more than the option itself.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readOptions } from '../../../src/options/read-options.ts'

const defaults = readOptions({}).options

describe('readOptions', () => {
  test('fills in the defaults', () => {
    expect(readOptions({})).toEqual({ options: defaults, warnings: [] })
    expect(defaults.port_range).toEqual({ min: 10000, max: 65535 })
    expect(defaults.terminal).toMatchObject({
      provider: 'auto',
      split_side: 'right',
      split_width_percentage: 0.3,
      auto_close: true,
      float: { width: 0.8 },
    })
  })

  test('takes an empty Lua table, which arrives as a list, for no options', () => {
    expect(readOptions([])).toEqual({ options: defaults, warnings: [] })
    expect(readOptions({ terminal: [], env: [] })).toEqual({ options: defaults, warnings: [] })
  })

  test('keeps what is right beside what is wrong', () => {
    const { options, warnings } = readOptions({ terminal: { split_side: 'left', split_width_percentage: 3 } })
    expect(options.terminal).toEqual({ ...defaults.terminal, split_side: 'left' })
    expect(warnings).toEqual([
      'option terminal.split_width_percentage is 3; allowed: a number between 0 and 1; the default 0.3 is used',
    ])
  })

  test('names an unknown option and the one that was probably meant', () => {
    const { options, warnings } = readOptions({ autostart: false, terminal: { width: 1 } })
    expect(options).toEqual(defaults)
    expect(warnings.sort()).toEqual([
      'option autostart is not known; did you mean auto_start?',
      'option terminal.width is not known; did you mean terminal.float.width?',
    ])
  })

  test.each([
    [{ min: 1 }, '{ min = 1 }'],
    [{ min: 20, max: 10 }, '{ min = 20, max = 10 }'],
    [{ min: 0, max: 70000 }, '{ min = 0, max = 70000 }'],
    [{ min: 1, max: 2.5 }, '{ min = 1, max = 2.5 }'],
    [[1, 2], '{ 1, 2 }'],
  ])('refuses the port range %j whole, in one sentence', (port_range, shown) => {
    const { options, warnings } = readOptions({ port_range })
    expect(options.port_range).toEqual(defaults.port_range)
    expect(warnings).toEqual([
      `option port_range is ${shown}; allowed: { min = 1…65535, max = min…65535 }; the default { min = 10000, max = 65535 } is used`,
    ])
  })

  test('refuses a value of env that is no string', () => {
    const { options, warnings } = readOptions({ env: { A: 'x', B: 1 } })
    expect(options.env).toEqual({})
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('option env is { A = "x", B = 1 }; allowed: a table of strings')
  })

  test.each([[null], ['text'], [7], [[1]], [true]])('setup(%j) is told what setup takes', written => {
    const { options, warnings } = readOptions(written)
    expect(options).toEqual(defaults)
    expect(warnings).toHaveLength(1)
  })

  test('never throws, never loops, and always gives usable options', () => {
    const key = fc.oneof(fc.constantFrom(...Object.keys(defaults), 'min', 'max', 'provider'), fc.string())
    const value = fc.letrec(tie => ({
      any: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any')),
        fc.dictionary(key, tie('any')),
      ),
    })).any
    fc.assert(
      fc.property(fc.dictionary(key, value), written => {
        const { options } = readOptions(written)
        expect(readOptions(options)).toEqual({ options, warnings: [] })
      }),
    )
  })
})
