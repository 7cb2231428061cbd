// Which state each event of Claude's hooks tells of.
import { expect, test } from 'vitest'
import { type HookName, stateAfter } from '../../../src/hooks/hook-events.ts'

test.each<[HookName, Record<string, string>, string | undefined]>([
  ['UserPromptSubmit', {}, 'working'],
  ['PreToolUse', { tool_name: 'Bash' }, 'working'],
  ['PreToolUse', { tool_name: 'AskUserQuestion' }, 'waiting'],
  ['PostToolUse', {}, 'working'],
  ['PermissionRequest', { tool_name: 'Edit' }, 'waiting'],
  ['Notification', { notification_type: 'permission_prompt' }, 'waiting'],
  ['Notification', { notification_type: 'idle_prompt' }, 'done'],
  ['Notification', { notification_type: 'auth_success' }, undefined],
  ['Notification', {}, undefined],
  ['Stop', {}, 'done'],
  ['StopFailure', {}, 'done'],
  ['SessionEnd', {}, 'done'],
])('%s %j: %s', (name, body, state) => expect(stateAfter(name, body)).toBe(state))
