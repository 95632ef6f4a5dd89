/** The session of a command that is run as a step of another: it asks nobody, and what it would print is collected. */
import type { Session } from '../session'

interface StepOptions {
  /** What the command reads from its stdin. */
  input: string
  /** Is handed what it prints. */
  output(text: string): void
  /** Is told of what takes long, and undefined when that is over. */
  waits(state: (() => string) | undefined): void
  /** Where it writes down what it changes. */
  recording: Session['recording']
  /** It goes on when the run is interrupted. */
  isSteady: boolean
}

export function stepSession(session: Session, { input, output, waits, recording, isSteady }: StepOptions): Session {
  return {
    env: session.env,
    clock: session.clock,
    signal: isSteady ? new AbortController().signal : session.signal,
    stdout: { isTTY: false, columns: 0, write: async (text) => output(text) },
    stderr: session.stderr,
    secrets: session.secrets,
    interactive: false,
    format: 'json',
    color: false,
    quiet: session.quiet,
    yes: true,
    paths: session.paths,
    readStdin: async () => input,
    say: (text) => session.say(text),
    warn: (text) => session.warn(text),
    // What it would show before it asks stands in the plan.
    aside: async () => {},
    tell: (kind, text) => session.tell(kind, text),
    // Where steps of other objects are told of as well, this one is a line of them.
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
    chosen: () => session.chosen(),
    credential: () => session.credential(),
    defaults: () => session.defaults(),
    identity: () => session.identity(),
    client: (options) => session.client({ ...options, ...(isSteady && { isSteady }) }),
    recording,
    signedIn: () => session.signedIn(),
    ask: (options) => session.ask(options),
    host: () => session.host(),
    openEditor: (path) => session.openEditor(path),
  }
}
