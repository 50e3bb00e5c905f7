import type { Channel } from '../plugins/authoring.ts'
import type { ProgramControl } from './gateway-control/control.ts'
import type { AutomationService } from './automation/service.ts'
import type { View } from '../policy/view.ts'
import type { BrowserShelf } from './browser/shelf.ts'
import type { CommandHost } from './commands/host.ts'
import type { Places } from './place.ts'
import type { MediaBackend } from './media/backend.ts'
import type { MediaModels } from './media/models.ts'
import type { ReadSecret } from './secret.ts'
import type { AskUser } from './sessions/ask.ts'
import type { SessionDesk } from './sessions/desk.ts'
import type { CommandReviewer } from './exec-approvals/review.ts'
import type { SystemEvents } from './system-events.ts'
import type { WebSearchProvider } from './web/search-provider.ts'

/** What a run's built-in tools are made from: the session, this machine, and what only the program around the run can do. */
export interface CodingToolOptions {
  /** The session as it is judged now; asked anew for every call. */
  readonly view: () => View
  readonly runId: string
  /** Absolute path of the agent's workspace; it may not exist yet. */
  readonly workspace: string
  readonly stateDir: string
  readonly homeDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Says what is beside the answer, to the person who runs the program. */
  readonly tell: (text: string) => void
  /** Where files are and commands run. */
  readonly places: Places
  readonly services: ToolServices
}

/** What the program around a run offers to its tools; a tool whose service is absent says what it needs. */
export interface ToolServices {
  readonly readSecret?: ReadSecret
  readonly systemEvents?: SystemEvents
  /** Runs turns of other sessions. */
  readonly sessions?: SessionDesk
  readonly askUser?: AskUser
  /** The commands that this program runs; without it they end with the run. */
  readonly processes?: CommandHost
  /** The browsers that this program keeps; without it they end with the run. */
  readonly browsers?: BrowserShelf
  /** Web search providers of plugins, by the id that `tools.web.search.provider` names. */
  readonly webSearch?: ReadonlyMap<string, WebSearchProvider>
  /** What runs scheduled work; absent outside a Gateway. */
  readonly automation?: AutomationService
  /** The program itself, as far as sessions may see and change it. */
  readonly control?: ProgramControl
  /** Channels of plugins, by id. */
  readonly channels?: ReadonlyMap<string, Channel>
  /** Models of the config, for media. */
  readonly models?: MediaModels
  /** Asks a model whether a command may run (mode auto); without it a person is asked. */
  readonly commandReviewer?: CommandReviewer
  /** Media back ends of plugins, by id. */
  readonly media?: ReadonlyMap<string, MediaBackend>
}
