// After a diff in one window everything is as before: windows, sizes, options, folds, scroll positions, cursor, mode, tab pages,
// buffers.
import { testLayouts } from '../../support/layout-cases.ts'

testLayouts("{ layout = 'unified' }", true)
