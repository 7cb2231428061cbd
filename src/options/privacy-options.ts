// The options of what Claude is not told of.
import { z } from 'zod'
import { luaFunction, note } from './note.ts'

/** Lua's `{}` is a list, too (`readOptions` takes it for a table). */
const patterns = z.preprocess(value => (JSON.stringify(value) === '{}' ? [] : value), z.array(z.string()))

/** Options `privacy.*`. */
export const PrivacyOptions = z.strictObject({
  ignore: note(
    patterns.default([]),
    'Files that Claude is told nothing of: patterns as in `.gitignore`, from the folders of the workspace, or absolute, or with `~/`. `!` in front takes one back, also one of `ignore_secrets`.',
    'a list of patterns, such as { "secret/", "*.sql", "!.env.example" }',
  ),
  ignore_secrets: note(
    z.boolean().default(true),
    'The same for what usually holds secrets, wherever it is: `.env*`, private keys and key stores, password stores, `.netrc`, `.npmrc`, `.aws/credentials` and the like. The whole list is in the section "What Claude sees".',
  ),
  ignore_function: note(
    luaFunction.optional(),
    'Says of a file whether Claude is told nothing of it; is given `(path, buffer)`, where the buffer is nil for a file that is not open. It is asked once for each, and again after it was written or its name or filetype has changed. Should it fail, the file is private.',
    'a function',
  ),
})
