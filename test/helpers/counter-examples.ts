import { expect, test } from 'vitest'
import type { Check } from '../../src/qa/scenario.ts'

/** Makes a copy of evidence writable, all the way down. */
export type Draft<Value> = Value extends object
  ? { -readonly [Key in keyof Value]: Draft<Value[Key]> }
  : Value

/** Changes to good evidence that a check must notice, by what they say. */
export type CounterExamples<Evidence> = Readonly<
  Record<string, Readonly<Record<string, (draft: Draft<Evidence>) => void>>>
>

/** Tests that each check holds for the evidence of a real run, and fails for every one of its counter-examples; a check without any is a failure itself. */
export function testChecks<Evidence>(
  checks: readonly Check<Evidence>[],
  evidence: () => Evidence,
  examples: CounterExamples<Evidence>,
): void {
  test('every check has a counter-example', () => {
    expect(Object.keys(examples).toSorted()).toEqual(checks.map(({ id }) => id).toSorted())
  })

  test.each(checks)('$id holds', ({ judge }) => {
    expect(judge(evidence())).toBeNull()
  })

  const cases = checks.flatMap((check) =>
    Object.entries(examples[check.id] ?? {}).map(([what, change]) => ({ id: check.id, check, what, change })),
  )
  test.each(cases)('$id fails: $what', ({ check, change }) => {
    const draft = structuredClone(evidence())
    change(draft as Draft<Evidence>)
    expect(draft).not.toEqual(evidence())
    expect(check.judge(draft)).toEqual(expect.any(String))
  })
}
