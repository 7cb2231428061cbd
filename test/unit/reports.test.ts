// What users of such plugins reported, by the ids under which we keep it: each has at least one test that is named after it.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../support/places.ts'

const reports = `
S-01 a quick selection is missed
S-02 a selection is wiped when Claude runs outside
S-03 V read as charwise
S-04 a cut multi-byte character
S-05 an empty last line counts one line short
S-06 the next line is taken along
S-07 blocks
S-08 'selection' and Select mode
S-10 a dropped selection is not told
S-11 terminals count as code
S-12 work for each key in a terminal
S-14 file URLs
S-15 Visual mode is over already
S-16 one empty line
S-17 another buffer, and a selection from before
S-19 many moves, and an end in the middle of them
D-01 diffs of the user are closed
D-03 sizes are not restored
D-04 Claude's terminal is the only window
D-05 a sidebar is taken
D-06 splits pile up
D-07 unnamed buffers pile up
D-08 a failure half-way
D-09 a crash after a new Markdown file
D-11 a file with unsaved changes gets no diff
D-12 what to do with unsaved changes
D-13 no colours
D-14 formatters change the text
D-15 auto-save accepts
D-16 the focus jumps into the diff
D-17 the cursor is somewhere afterwards
D-18 accepting from elsewhere
D-19 a float hides the diff
D-20 an empty pane for new files
D-21 diffs switched off
D-22 the diff in another project's tab page
D-24 one pane, and Claude left waiting
D-25 other viewers, an overlay in place
D-26 diff and terminal at once
D-27 no diff appears
D-28 names of options
D-29 the hidden terminal is shown
D-33 a rejection without a word
A-02 the user's own edits in a proposal
A-03 :wall accepts
A-04 :qa fails
A-05 the plugin writes the file itself
A-06 edits in the file meanwhile
A-07 a stale buffer after Claude's write
A-08 the final line break
A-09 an empty proposal
A-10 CRLF
A-11 byte order mark
A-14 :q does not reject
A-15 diffs of a Claude that is gone
A-16 ownership
A-17 one Claude's end closes another's diff
A-18 windows stay after the answer
A-19 showing what was accepted
A-22 a very long file
T-01 the prompt climbs
T-02 a large paste comes in pieces
T-03 the scroll position is lost
T-04 Ctrl-Z
T-05 Escape, and a way out
T-06 not modifiable until a restart
T-08 arguments are ignored
T-09 sending while hidden
T-10 toggle and focus
T-11 closing the window kills Claude
T-12 auto_close
T-13 listed
T-14 not protected
T-16 no filetype
T-17 the width has no effect
T-18 only one window is squeezed
T-19 from split to float
T-20 Shift-Enter
T-21 several sessions
T-23 a shell function as command
T-24 a child that dies at once
T-25 another provider at run time
T-26 external templates
T-27 focus_after_send with an external terminal
T-28 text from the editor
T-30 the way back
L-01 proxies
L-02 a time-out without a reason
L-03 stale lock files
L-04 all are called the same
L-05 the same port
L-06 'autochdir'
L-07 relative paths
L-08 :cd is not told
L-11 whose process id
L-12 a deleted lock file
L-13 other addresses of the machine
L-15 CLAUDE_CONFIG_DIR
L-16 token and permissions
L-17 a Claude from elsewhere does not connect
L-18 the lock file is left
W-01 a dead client disturbs
W-02 a flood of errors
W-03 a laptop's sleep
W-04 keep-alive
W-05 malformed frames
W-07 mentions before the handshake
W-08 a send that starts Claude
W-09 tools that hang
W-10 one of the two processes dies
W-11 wrong answers to other methods
W-12 a tool that is missing
W-13 a mention for everybody
W-14 browsers and strangers
W-16 an error that is no text
M-01 blanks in paths
M-03 lines off by one
M-04 folders
M-06 several mentions and a question
M-07 special buffers
M-08 two hundred files
M-09 the server is stopped
M-10 commands that are missing
M-11 models
M-12 the agents view
X-02 file explorers
X-03 snacks.nvim
X-04 rows of an explorer
X-05 fuzzy finders
X-06 the current buffer
X-07 files of elsewhere
G-01 paths and URIs
G-02 a file that is not open
G-03 stale diagnostics
G-04 the shape of the answer
G-05 diagnostics into the prompt
G-08 which editors are open
U-01 privacy
U-02 buffers stay stale
U-03 events and status
U-04 environment
U-05 options that are wrong
U-06 accepting for a while
U-07 keys
U-08 single hunks
U-09 health
U-11 old diffs after a reconnect
U-12 a diff opens Claude's terminal
`

/** The names of tests and of groups of tests, and what stands for them in tables: every string of the files of tests and of cases. */
async function stringsOfTests(): Promise<string> {
  const folder = join(repository, 'test')
  const files = (await readdir(folder, { recursive: true })).filter(name => /(\.test|-cases)\.ts$/.test(name))
  const texts = await Promise.all(
    files
      .filter(name => !name.endsWith('unit/reports.test.ts'))
      .map(async name => (await readFile(join(folder, name), 'utf8')).replaceAll(/^\s*\/\/.*$/gm, '')),
  )
  return texts.join('\n')
}

test('each report has a test of its name', async () => {
  const strings = await stringsOfTests()
  const ids = [...reports.matchAll(/^([A-Z]-\d+) .+$/gm)].map(([, id = '']) => id)
  expect(ids.length).toBeGreaterThan(130)
  expect(ids.filter(id => !new RegExp(`['"\`, ]${id}[:,'"]`).test(strings))).toEqual([])
})
