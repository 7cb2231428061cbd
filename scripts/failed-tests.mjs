// Prints which tests of a vitest JSON report failed, and why: `node scripts/failed-tests.mjs <report.json>`. CI ends with it, because
// the end of a long output is what is read, and kept, of it.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const linesOfAMessage = 14

const [, , report] = process.argv
for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
  const failed = file.assertionResults.filter(test => test.status === 'failed')
  if (failed.length === 0 && file.status === 'failed') show(file, '(outside a test)', file.message)
  for (const test of failed) show(file, test.fullName, test.failureMessages.join('\n'))
}

function show(file, name, message) {
  console.log(`-- ${relative('.', file.name)}: ${name}`)
  for (const line of message.split('\n').slice(0, linesOfAMessage)) console.log(`   ${line}`)
}
