import { expect, test } from 'vitest'
import { validateConfig } from '../../src/config/validate.ts'
import { stepIds } from '../../src/policy/types.ts'
import { openView } from '../../src/runtime/open-view.ts'
import { randomSession } from './generators.ts'
import { law, runs, seedOf } from './random.ts'
import { Random } from './seeded-random.ts'

test(
  'random sessions have valid configs and meet every step of the pipeline',
  { timeout: 600_000 },
  async () => {
    const seed = seedOf('generators')
    const random = new Random(seed)
    const decided = new Map<string, number>()
    for (let run = 0; run < runs(20_000); run++) {
      const source = randomSession(random)
      const validation = await validateConfig(source.config, {
        edition: source.edition.id,
        locate: () => null,
      })
      law(validation.valid, `seed ${seed}, run ${run}: ${JSON.stringify(validation.issues)}`)
      for (const { trace, decisive } of openView(source).decisions) {
        const step = trace[decisive]?.step
        if (step !== undefined) decided.set(step, (decided.get(step) ?? 0) + 1)
      }
    }
    const rare = stepIds.filter((step) => (decided.get(step) ?? 0) < 10)
    expect(rare).toEqual([])
  },
)
