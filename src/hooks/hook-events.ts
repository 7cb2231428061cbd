// What Claude's hooks say of its state (Claude Code documentation, "Hooks"; measured with the CLI 2.1.332).
import { z } from 'zod'

/** The state of a Claude, as its hooks tell it. */
export type LiveState = 'working' | 'waiting' | 'done'

/** The events that are asked for. More would cost a request each. */
export const hookNames = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SessionEnd',
] as const
export type HookName = (typeof hookNames)[number]

/** What is read of an event; all of it may be missing. */
export const HookBody = z.object({
  notification_type: z.string().optional().catch(undefined),
  tool_name: z.string().optional().catch(undefined),
  transcript_path: z.string().optional().catch(undefined),
})
export type HookBody = z.output<typeof HookBody>

/** Tools that are a question to the user, from their first moment on. */
const questions = new Set(['AskUserQuestion', 'ExitPlanMode'])

/**
 * The state that an event tells of; undefined when it says nothing about it.
 *
 * There is no event when the user interrupts Claude, or says no: see Interruptions.
 */
export function stateAfter(name: HookName, body: HookBody): LiveState | undefined {
  switch (name) {
    case 'PreToolUse':
      return questions.has(body.tool_name ?? '') ? 'waiting' : 'working'
    case 'UserPromptSubmit':
    case 'PostToolUse':
      return 'working'
    case 'PermissionRequest':
      return 'waiting'
    case 'Stop':
    case 'StopFailure':
    case 'SessionEnd':
      return 'done'
    case 'Notification':
      if (body.notification_type === 'idle_prompt') return 'done'
      return /^(?:permission_prompt|elicitation_dialog)$/.test(body.notification_type ?? '') ? 'waiting' : undefined
  }
}
