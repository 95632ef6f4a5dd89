/** A person's own editor: VISUAL, EDITOR, or what the platform always has. */
import { Problem } from './errors'
import type { Host } from './host'
import type { Environment } from './rules/environment'

interface Surroundings extends Pick<Host, 'run'> {
  env: Environment
  platform: NodeJS.Platform
  /** Whether there is a terminal for an editor that nobody named. */
  interactive: boolean
}

/** Opens a file and resolves when the editor has ended. Throws `local` where that cannot be run, or fails. */
export async function openEditor(path: string, { run, env, platform, interactive }: Surroundings): Promise<void> {
  const windows = platform === 'win32'
  const named = env.VISUAL?.trim() || env.EDITOR?.trim()
  if (!named && !interactive) {
    throw new Problem('usage', 'there is no terminal for an editor', { hint: 'Set VISUAL or EDITOR to a command' })
  }
  const editor = named || (windows ? 'notepad' : 'vi')
  // The variables hold a shell's words, such as `code --wait`; git and crontab run them in the same way.
  const words = windows ? [`${editor} "${path}"`] : ['/bin/sh', '-c', `${editor} "$1"`, editor, path]
  const exit = await run({ words, shell: windows })
  if (exit === 0) return
  throw new Problem('local', `the editor "${editor}" failed: it ended with ${exit}`, {
    ...(exit === 127 && { hint: 'Set VISUAL or EDITOR to the editor that you use' }),
  })
}
