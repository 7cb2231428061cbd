// After a diff beside the file everything is as before: windows, sizes, options, folds, scroll positions, cursor, mode, tab pages,
// buffers.
import { testLayouts } from '../../support/layout-cases.ts'

testLayouts('{}')
