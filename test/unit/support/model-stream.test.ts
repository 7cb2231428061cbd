// The stand-in's answers, as the Messages API streams them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnswerBlock, answerAsEvents, answerAsJson, say, useTool } from '../../support/model-stream.ts'

interface StreamEvent {
  type: string
  index?: number
  content_block?: { type: string; id?: string; name?: string }
  delta?: { text?: string; partial_json?: string; stop_reason?: string }
}

function eventsOf(blocks: readonly AnswerBlock[]): StreamEvent[] {
  const frames = answerAsEvents({ number: 7, model: 'm', blocks }).split('\n\n').slice(0, -1)
  return frames.map(frame => {
    const [head, data] = frame.split('\n')
    const event = JSON.parse((data ?? '').slice('data: '.length)) as StreamEvent
    expect(head).toBe(`event: ${event.type}`)
    return event
  })
}

describe('an answer', () => {
  test('opens, fills and closes each block in order, between the start and the stop of the message', () => {
    const types = eventsOf([say('hello'), useTool('Read', { file_path: '/p/a' })]).map(event => event.type)
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(types).toEqual(['message_start', ...block, ...block, 'message_delta', 'message_stop'])
  })

  test('stops for its tools when it has some, else at the end of the turn', () => {
    expect(eventsOf([say('a'), useTool('Read', {})]).at(-2)?.delta?.stop_reason).toBe('tool_use')
    expect(eventsOf([say('a')]).at(-2)?.delta?.stop_reason).toBe('end_turn')
  })

  test('names every tool call differently', () => {
    const started = eventsOf([useTool('Read', {}), useTool('Read', {})]).flatMap(event => event.content_block?.id ?? [])
    expect(new Set(started).size).toBe(2)
  })

  test('carries text and tool input of any kind unchanged', () => {
    const input = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), input, (text, tool) => {
        const deltas = eventsOf([say(text), useTool('T', tool)]).flatMap(event => event.delta ?? [])
        expect(deltas[0]?.text).toBe(text)
        expect(JSON.parse(deltas[1]?.partial_json ?? '')).toEqual(JSON.parse(JSON.stringify(tool)))
      }),
    )
  })

  test('is one object when nobody asked for a stream', () => {
    const answer = answerAsJson({
      number: 7,
      model: 'm',
      blocks: [say('hello'), useTool('Read', { file_path: '/p/a' })],
    })
    expect(answer).toMatchObject({
      role: 'assistant',
      model: 'm',
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'hello' },
        { type: 'tool_use', name: 'Read', input: { file_path: '/p/a' } },
      ],
    })
  })
})
