// What the stand-in proposes, one after the other.

/** A proposal: which file, and its new text made from the old one. */
interface Edit {
  file: string
  says: string
  apply(text: string): string
}

export const edits: readonly Edit[] = [
  {
    file: 'greeting.js',
    says: 'I would put a comma into the greeting, and say it louder.',
    apply: text =>
      text
        .replace("'Hello ' + name", "'Hello, ' + name + '!'")
        .replace("'Good bye ' + name", "'Good bye, ' + name + '!'"),
  },
  {
    file: 'test/greeting.test.js',
    says: 'This could do with a test, in a file of its own.',
    apply: () => `import assert from 'node:assert'
import { greeting } from '../greeting.js'

assert.equal(greeting('Neovim'), 'Hello, Neovim!')
`,
  },
  {
    file: 'greeting.js',
    says: 'And a line that says who made this.',
    apply: text => `${text}\n// Made with claudecode-node.nvim.\n`,
  },
]
