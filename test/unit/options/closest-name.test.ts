// The option that a wrong name is a slip of, in what the user is told.
import { expect, test } from 'vitest'
import { readOptions } from '../../../src/options/read-options.ts'

const warning = (written: unknown) => readOptions(written).warnings

test.each([
  [{ termnal: {} }, 'option termnal is not known; did you mean terminal?'],
  [{ autostart: true }, 'option autostart is not known; did you mean auto_start?'],
  [{ terminal: { postion: 'float' } }, 'option terminal.postion is not known; did you mean terminal.position?'],
  [{ terminal: { split_sied: 'left' } }, 'option terminal.split_sied is not known; did you mean terminal.split_side?'],
  [{ split_side: 'left' }, 'option split_side is not known; did you mean terminal.split_side?'],
  [{ terminal: { width: 0.5 } }, 'option terminal.width is not known; did you mean terminal.float.width?'],
  [{ diff_opts: { layuot: 'unified' } }, 'option diff_opts.layuot is not known; did you mean diff_opts.layout?'],
])('%j: %s', (written, told) => {
  expect(warning(written)).toEqual([told])
})

test.each([
  [{ keys: {} }, 'keys'],
  [{ enabled: true }, 'enabled'],
  [{ terminal: { on_exit: 1 } }, 'terminal.on_exit'],
])('%j resembles nothing, or too much: the user is told where all are', (written, name) => {
  expect(warning(written)).toEqual([`option ${name} is not known; all are in :help claudecode-options`])
})
