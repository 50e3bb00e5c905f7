import { describe, expect, test } from 'vitest'
import { missingResultText, repairHistory } from '../../../src/sessions/repair.ts'
import type { TranscriptMessage } from '../../../src/sessions/transcript.ts'

/** Messages in short: `u` of a user, `a` of the model with what it says, `a(c1 c2)` with calls, `r(c1)` a result; `!` aborted, `?` toolUse. */
function history(text: string): TranscriptMessage[] {
  return text.split(/\s+(?![^(]*\))/).map((word, at): TranscriptMessage => {
    const [, kind = '', ids = '', mark = ''] = /^([uar])(?:\(([^)]*)\))?([!?]?)/.exec(word) ?? []
    const said = /^a\w/.test(word) ? [{ type: 'text', text: word.slice(1).replace(/[!?]$/, '') }] : []
    if (kind === 'u') return { role: 'user', content: [{ type: 'text', text: 'u' }] }
    if (kind === 'r')
      return { role: 'toolResult', toolCallId: ids, content: [{ type: 'text', text: `${ids}@${at}` }] }
    const calls =
      ids === '' ? [] : ids.split(' ').map((id) => ({ type: 'toolCall', id, name: 't', arguments: {} }))
    const stopReason = mark === '!' ? 'aborted' : mark === '?' || calls.length > 0 ? 'toolUse' : 'stop'
    return { role: 'assistant', content: [...said, ...calls], stopReason }
  })
}

function repaired(text: string): { readonly sent: string; readonly report: object } {
  const { messages, report } = repairHistory<TranscriptMessage>(history(text), (call, why) => ({
    role: 'toolResult',
    toolCallId: call.id ?? '',
    content: [{ type: 'text', text: why === missingResultText ? 'missing' : '?' }],
    isError: true,
  }))
  const sent = messages.map((message) => {
    const said = message.content[0]?.text ?? ''
    if (message.role === 'user') return 'u'
    if (message.role === 'toolResult')
      return `r(${message.toolCallId}:${said === 'missing' ? said : said.split('@')[1]})`
    const calls = message.content.flatMap((part) => (part.type === 'toolCall' ? (part.id ?? '') : []))
    return calls.length > 0 ? `a(${calls.join(' ')})` : `a${said}/${message.stopReason}`
  })
  const found = Object.fromEntries(Object.entries(report).filter(([, count]) => count > 0))
  return { sent: sent.join(' '), report: found }
}

describe('a history as providers take it', () => {
  test.each([
    ['is left alone', 'u a(c1) r(c1) ahi', 'u a(c1) r(c1:2) ahi/stop', {}],
    ['with calls side by side', 'u a(c1 c2) r(c1) r(c2)', 'u a(c1 c2) r(c1:2) r(c2:3)', {}],
    ['results in another order', 'u a(c1 c2) r(c2) r(c1)', 'u a(c1 c2) r(c1:3) r(c2:2)', { displaced: 2 }],
    [
      'a result behind the next question',
      'u a(c1) u r(c1) ahi',
      'u a(c1) r(c1:3) u ahi/stop',
      { displaced: 1 },
    ],
    ['a result before its call', 'u r(c1) a(c1)', 'u a(c1) r(c1:1)', { displaced: 1 }],
    ['a result twice', 'u a(c1) r(c1) r(c1)', 'u a(c1) r(c1:2)', { duplicates: 1 }],
    ['no call for a result', 'u r(c1) ahi', 'u ahi/stop', { orphans: 1 }],
    [
      'no result for a call',
      'u a(c1 c2) r(c2)',
      'u a(c1 c2) r(c1:missing) r(c2:2)',
      { unanswered: 1, displaced: 1 },
    ],
    ['an id that is used again', 'a(c1) r(c1) a(c1) r(c1)', 'a(c1) r(c1:1) a(c1) r(c1:3)', {}],
    [
      'an id that is used again while the first waits',
      'a(c1) a(c1) r(c1)',
      'a(c1) r(c1:missing) a(c1) r(c1:2)',
      { unanswered: 1 },
    ],
    ['an id twice in one message', 'a(c1 c1) r(c1) r(c1)', 'a(c1 c1) r(c1:1) r(c1:2)', {}],
    ['an empty message', 'u a! u', 'u u', { empty: 1 }],
    ['what was said before it was cut off stays', 'u ahalf! u', 'u ahalf/stop u', {}],
  ])('%s', (_, given, sent, report) => {
    expect(repaired(given)).toEqual({ sent, report })
  })

  test('what comes out needs no second repair, and nothing is lost but orphans', () => {
    const given = 'u a(c1 c2) r(c9) u r(c2) a(c1) r(c1) r(c1) a! r() ahi'
    const first = repairHistory<TranscriptMessage>(history(given), (call) => ({
      role: 'toolResult',
      toolCallId: call.id ?? '',
      content: [],
    }))
    const second = repairHistory(first.messages, () => {
      throw new Error('nothing is missing')
    })
    expect(second.messages).toEqual(first.messages)
    expect(Object.values(second.report).every((count) => count === 0)).toBe(true)
  })
})

describe('reports', () => {
  test('openclaw#9769: the result of a call that was aborted has no partner', () => {
    expect(repaired('u a! r(c1)')).toEqual({ sent: 'u', report: { orphans: 1, empty: 1 } })
  })

  test('openclaw#10310: a call without a result after a crash gets one that says so', () => {
    expect(repaired('u a(c1)')).toEqual({ sent: 'u a(c1) r(c1:missing)', report: { unanswered: 1 } })
    expect(missingResultText).toMatch(/may have had an effect/)
  })

  test('openclaw#21985: toolUse without a call is a plain stop, a result with an empty id is dropped', () => {
    expect(repaired('athinking? r()')).toEqual({ sent: 'athinking/stop', report: { orphans: 1 } })
  })

  test('openclaw#25596: a refusal of arguments stays with its call', () => {
    expect(repaired('a(c1) r(c1)')).toEqual({ sent: 'a(c1) r(c1:1)', report: {} })
  })
})
