// After a diff in a tab page of its own everything is as before: windows, sizes, options, folds, scroll positions, cursor, mode, tab pages,
// buffers.
import { testLayouts } from '../../support/layout-cases.ts'

testLayouts('{ open_in_new_tab = true }')
