/** The session of a command that is run as a step of another: it asks nobody, and what it would print is collected. */
import type { Session } from '../session'

/** `input` is what the command reads from its stdin; `output` is handed what it prints. */
export function stepSession(
  session: Session,
  { input, output }: { input: string; output(text: string): void },
): Session {
  return {
    env: session.env,
    clock: session.clock,
    signal: session.signal,
    stdout: { isTTY: false, columns: 0, wasClosed: false, write: async (text) => output(text) },
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
    // The steps are counted by who runs them.
    progress: async () => ({ shown: false, update() {}, done() {} }),
    config: () => session.config(),
    changeConfig: (change) => session.changeConfig(change),
    chosen: () => session.chosen(),
    credential: () => session.credential(),
    defaults: () => session.defaults(),
    client: (options) => session.client(options),
    signedIn: () => session.signedIn(),
    ask: (options) => session.ask(options),
    openEditor: (path) => session.openEditor(path),
  }
}
