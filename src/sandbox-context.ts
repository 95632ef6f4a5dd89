/** The context `sandbox`: the embedded service, started for this run on loopback over the state that lasts. */
import { join } from 'node:path'
import type { Context } from './context'

/** Where the context keeps its world from command to command. */
export function sandboxFile({ paths }: Pick<Context, 'paths'>): string {
  return join(paths.state, 'sandbox.ndjson')
}

export async function openContextSandbox(
  context: Context,
): Promise<{ baseUrl: string; token: string; close(): Promise<void> }> {
  const { openSandbox } = await import('./sandbox/sandbox')
  const { sharedFile } = await import('./sandbox/journal')
  const sandbox = await openSandbox({ storage: sharedFile(sandboxFile(context)), clock: context.clock })
  const { baseUrl } = await sandbox.listen()
  return { baseUrl, token: sandbox.ownerToken, close: () => sandbox.close() }
}
