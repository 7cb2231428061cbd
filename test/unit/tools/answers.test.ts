// Answers that say why not.
import { expect, test } from 'vitest'
import { ProtocolError } from '../../../src/base/errors.ts'
import { textResult } from '../../../src/ide/tool.ts'
import { EditorError } from '../../../src/neovim/editor.ts'
import { EditorGoneError } from '../../../src/neovim/transport.ts'
import { EditorBusyError } from '../../../src/neovim/watchdog.ts'
import { answering, failure } from '../../../src/tools/answers.ts'

const fails = (error: Error) => answering(() => Promise.reject(error))

test('a refusal, a busy editor and the end of Neovim are sentences for the model', async () => {
  expect(await fails(new EditorError('It is read-only.'))).toEqual(failure('It is read-only.'))
  expect(await fails(new EditorBusyError('It is busy.'))).toEqual(failure('It is busy.'))
  expect(await fails(new EditorGoneError('the pipe broke'))).toEqual(failure('Neovim has ended.'))
  expect(failure('No.')).toEqual({ content: [{ type: 'text', text: 'No.' }], isError: true })
})

test('a bug is no sentence: it goes to the log, and its stack to nobody', async () => {
  const bug = new EditorError('attempt to index nil', 'stack traceback: …')
  await expect(fails(bug)).rejects.toBe(bug)
  await expect(fails(new TypeError('a bug'))).rejects.toThrow(TypeError)
  await expect(fails(new ProtocolError(-32000, 'No.'))).rejects.toThrow(ProtocolError)
})

test('an answer is the answer', async () => {
  expect(await answering(async () => textResult('yes'))).toEqual(textResult('yes'))
})
