/** The context `sandbox`: the embedded service, started for this run on loopback over the state that lasts. */
import { join } from 'node:path'
import type { Session } from './session'

/** Where the context keeps its world from command to command. */
export function sandboxFile({ paths }: Pick<Session, 'paths'>): string {
  return join(paths.state, 'sandbox.ndjson')
}

export async function openContextSandbox(
  session: Session,
): Promise<{ baseUrl: string; token: string; close(): Promise<void> }> {
  const { openSandbox } = await import('./sandbox/sandbox')
  const { sharedFile } = await import('./sandbox/journal')
  const sandbox = await openSandbox({ storage: sharedFile(sandboxFile(session)), clock: session.clock })
  const { baseUrl } = await sandbox.listen()
  return { baseUrl, token: sandbox.ownerToken, close: () => sandbox.close() }
}
