import type { NeedChecks, UnmetNeed } from '../need.ts'

const client = (what: string): UnmetNeed => ({
  needs: `a client with ${what}; this program has none`,
  path: null,
  hints: ['a plugin may bring a tool for it: openclaw plugins list'],
})

const device = (what: string): UnmetNeed => ({
  needs: `${what}, which this program does not pair`,
  path: null,
  hints: ['work on this machine is for exec and browser'],
})

const github: UnmetNeed = {
  needs: 'a GitHub publication, which this program does not set up',
  path: null,
  hints: ['git and gh through exec'],
}

/** What tools lack that only a plugin or a client can carry out. */
export const hostNeeds = {
  canvas: device('a node with a canvas'),
  skill_workshop: {
    needs: 'a plugin with a workshop for skills',
    path: null,
    hints: ['skills are folders with a SKILL.md: openclaw help skills'],
  },
  screen: client('a screen'),
  theme: client('themes'),
  dashboard: client('a dashboard'),
  terminal: client('shared terminals'),
  portal: client('portals'),
  show_widget: client('a canvas for widgets'),
  computer: device('a desktop to control'),
  mobile_ui: device('an Android app to control'),
  github_identity_status: github,
  github_publish: github,
  transcripts: client('recorded meetings'),
} as const satisfies Readonly<Record<string, UnmetNeed>>

/** The same as checks. */
export const pluginHostNeeds: NeedChecks = Object.fromEntries(
  Object.entries(hostNeeds).map(([name, need]) => [name, () => need]),
)
