import type { NeedChecks, NeedFacts, UnmetNeed } from '../need.ts'

function jobs({ view }: NeedFacts): UnmetNeed | null {
  const { cron } = view.config
  if (cron?.enabled !== false) return null
  return {
    needs: 'scheduled runs, which cron.enabled switches off',
    path: 'cron.enabled',
    hints: ['openclaw config unset cron.enabled'],
  }
}

/** What scheduled work lacks: without a Gateway jobs can be made and changed, and run when one is there. */
export const automationNeeds: NeedChecks = { cron: jobs, automations: jobs }
