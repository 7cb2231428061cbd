// What a language model answers, in the two forms of the Messages API: server-sent events, and one JSON object.

/** One block of an answer: text for the user, or a tool that the CLI shall run. */
export type AnswerBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; name: string; input: Record<string, unknown> }

/** An answer made of text. */
export function say(text: string): AnswerBlock {
  return { type: 'text', text }
}

/** An answer that calls one of the CLI's tools, for example `useTool('Read', { file_path: '/p/a.txt' })`. */
export function useTool(name: string, input: Record<string, unknown>): AnswerBlock {
  return { type: 'tool_use', name, input }
}

/** An answer with its place in the conversation. `number` makes the ids of message and tool calls different from those of other answers. */
export interface Answer {
  readonly number: number
  readonly model: string
  readonly blocks: readonly AnswerBlock[]
}

/** The answer as the body of a response without `stream: true`. */
export function answerAsJson(answer: Answer): Record<string, unknown> {
  return {
    ...emptyMessage(answer),
    content: answer.blocks.map((block, index) =>
      block.type === 'text' ? block : startedTool(answer, index, block.input),
    ),
    stop_reason: stopReason(answer),
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}

/** The answer as the body of a response with `stream: true`: all events, in order. Each block arrives in one piece. */
export function answerAsEvents(answer: Answer): string {
  const blocks = answer.blocks.flatMap((block, index) => blockEvents(answer, block, index))
  const events = [
    { type: 'message_start', message: emptyMessage(answer) },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]
  return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

interface StreamEvent {
  readonly type: string
  readonly [key: string]: unknown
}

function blockEvents(answer: Answer, block: AnswerBlock, index: number): StreamEvent[] {
  const [start, delta] =
    block.type === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [startedTool(answer, index, {}), { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }]
  return [
    { type: 'content_block_start', index, content_block: start },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ]
}

function startedTool(answer: Answer, index: number, input: Record<string, unknown>): Record<string, unknown> {
  const block = answer.blocks[index]
  const name = block?.type === 'tool_use' ? block.name : ''
  return { type: 'tool_use', id: `toolu_${answer.number}_${index}`, name, input }
}

function stopReason(answer: Answer): string {
  return answer.blocks.some(block => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
}

function emptyMessage(answer: Answer): Record<string, unknown> {
  return {
    id: `msg_${answer.number}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}
