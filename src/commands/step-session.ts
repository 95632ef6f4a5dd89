/** Session of a step of a plan or an undo: it asks nothing, and repeats nothing that the plan has shown. */
import type { Session } from '../session'

interface StepOptions {
  /** Called with the state of a wait, and with undefined when it is over. */
  waits(state: (() => string) | undefined): void
  /** Recording for its changes. */
  changeLog: Session['changeLog']
  /** True if it continues after an interrupt. */
  isSteady: boolean
}

export function stepSession(session: Session, { waits, changeLog, isSteady }: StepOptions): Session {
  return {
    env: session.env,
    clock: session.clock,
    signal: isSteady ? new AbortController().signal : session.signal,
    stdout: session.stdout,
    stderr: session.stderr,
    secrets: session.secrets,
    interactive: false,
    // Effects of rules are in the plan.
    format: 'json',
    color: false,
    quiet: session.quiet,
    yes: true,
    paths: session.paths,
    readStdin: () => session.readStdin(),
    status: (text) => session.status(text),
    warn: (text) => session.warn(text),
    // The plan has already shown it.
    print: async () => {},
    log: (kind, text) => session.log(kind, text),
    // A wait is one line of the progress of all steps.
    progress: async (text, state) => {
      const progress = await session.progress(text, state)
      waits(state)
      return {
        ...progress,
        done() {
          progress.done()
          waits(undefined)
        },
      }
    },
    config: () => session.config(),
    changeConfig: (change) => session.changeConfig(change),
    activeContext: () => session.activeContext(),
    credential: () => session.credential(),
    defaults: () => session.defaults(),
    identity: () => session.identity(),
    client: (options) => session.client({ ...options, ...(isSteady && { isSteady }) }),
    changeLog,
    signedIn: () => session.signedIn(),
    ask: (options) => session.ask(options),
    host: () => session.host(),
    openEditor: (path) => session.openEditor(path),
  }
}
