// How a diff is shown, out of what the user wrote.
import { expect, test } from 'vitest'
import { displayOf } from '../../../src/diffs/display.ts'
import { readOptions } from '../../../src/options/read-options.ts'

function display(diff_opts: Record<string, unknown>, terminal: Record<string, unknown> = {}) {
  const { options, warnings } = readOptions({ diff_opts, terminal })
  expect(warnings).toEqual([])
  return displayOf(options)
}

const plain = {
  layout: 'vertical',
  in_new_tab: false,
  keep_terminal_focus: false,
  hide_terminal_in_new_tab: false,
  on_unsaved: 'diff',
  show_accepted: false,
}

test('without options a diff is side by side, where the user is', () => {
  expect(display({})).toEqual(plain)
})

test('D-28: each option of a diff has its effect', () => {
  expect(display({ layout: 'horizontal' }).layout).toBe('horizontal')
  expect(display({ layout: 'unified' }).layout).toBe('unified')
  expect(display({ open_in_new_tab: true }).in_new_tab).toBe(true)
  expect(display({ keep_terminal_focus: true }).keep_terminal_focus).toBe(true)
  expect(display({ hide_terminal_in_new_tab: true }).hide_terminal_in_new_tab).toBe(true)
  expect(display({}, { diff_split_width_percentage: 0.2 }).claude_width).toBe(0.2)
  expect(display({ auto_resize_terminal: false }, { diff_split_width_percentage: 0.2 })).toEqual(plain)
})

test('D-28: the older names mean what they meant, and come before the newer ones', () => {
  expect(display({ vertical_split: false }).layout).toBe('horizontal')
  expect(display({ vertical_split: true, layout: 'unified' }).layout).toBe('vertical')
  expect(display({ open_in_current_tab: false }).in_new_tab).toBe(true)
  expect(display({ open_in_current_tab: true, open_in_new_tab: true }).in_new_tab).toBe(false)
  expect(display({ auto_close_on_accept: true, show_diff_stats: true, on_new_file_reject: 'close_window' })).toEqual(
    plain,
  )
})

test('D-28: an option that is not known costs one warning', () => {
  const { warnings } = readOptions({ diff_opts: { layuot: 'unified' } })
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('diff_opts.layuot is not known')
})
